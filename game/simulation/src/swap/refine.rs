//! Applies refined colliders: better hulls take the place of those with which a piece has entered the scene.

use super::replace::count_hulls;
use crate::event::{
    BareBars, CrackedSurface, Event, RefinedCollider, RefinedCollision, SaggedSheet,
};
use crate::jobs::{JobResult, Outcome};
use crate::pieces::components::{Breakable, PieceBuild};
use crate::pieces::{BuiltCollider, Colliders, Drawn, DrawnCracks, Refined};
use crate::simulation::Simulation;
use crate::types::BodyId;

/// Applies the result of a refinement. One that failed leaves the piece its provisional collider.
pub(crate) fn apply_refinement(simulation: &mut Simulation, piece: BodyId, result: JobResult) {
    if let Ok(Outcome::Refined(drawn @ (Refined::Cracks(_) | Refined::Bars(_)))) = result.outcome {
        return tell_drawn(simulation, piece, drawn);
    }
    // Its removal meanwhile cancels nothing any more: the job is done.
    let build = simulation.world.query_one_mut::<&mut PieceBuild>(piece.0);
    if build.ok().and_then(|build| build.refining.take()).is_none() {
        simulation.statistics.stale += 1;
        return;
    }
    match result.outcome {
        Ok(Outcome::Refined(Refined::Hulls(collider))) => exchange(simulation, piece, collider),
        Ok(Outcome::Refined(Refined::Collision(lasting))) => {
            if let Some(colliders) = &lasting.colliders {
                exchange_held(simulation, piece, colliders);
            }
            simulation
                .events
                .push(Event::CollisionRefined(RefinedCollision {
                    body: piece,
                    collision_chunks: lasting.payloads,
                    colliders: lasting.colliders,
                }));
        }
        Err(reason) => {
            simulation.statistics.failures += 1;
            let body = piece;
            simulation
                .events
                .push(Event::RefinementFailed { body, reason });
        }
        Ok(_) => simulation.statistics.stale += 1,
    }
}

/// Tells the host of the cracks or the bare bars of a body.
fn tell_drawn(simulation: &mut Simulation, body: BodyId, drawn: Refined) {
    if !simulation.world.satisfies::<&Breakable>(body.0) {
        simulation.statistics.stale += 1;
        return;
    }
    simulation.events.extend(match drawn {
        Refined::Cracks(DrawnCracks { strips, sagged }) => Some(Event::Cracked(CrackedSurface {
            body,
            strips: strips.mesh,
            payload: strips.payload,
            sagged: sagged.map(|Drawn { mesh, payload }| SaggedSheet { mesh, payload }),
        })),
        Refined::Bars(Drawn { mesh, payload }) => Some(Event::BarsBared(BareBars {
            body,
            rods: mesh,
            payload,
        })),
        Refined::Hulls(_) | Refined::Collision(_) => None,
    });
}

/// Gives a piece its lasting collider.
fn exchange(simulation: &mut Simulation, piece: BodyId, built: BuiltCollider) {
    let (shape, hulls) = (built.shape, built.hulls);
    simulation
        .debris
        .wait_mut()
        .exchange_collider(piece, shape.clone());
    let colliders = Colliders::from(shape);
    if let Ok(build) = simulation.world.query_one_mut::<&mut PieceBuild>(piece.0) {
        build.colliders = colliders.clone();
        build.hulls = hulls;
    }
    count_hulls(simulation, hulls);
    simulation
        .events
        .push(Event::Refined(Box::new(RefinedCollider {
            body: piece,
            colliders,
            hulls: hulls.hulls,
            boxed_hulls: hulls.boxed,
            loose_hulls: hulls.loose,
            clipped_pieces: hulls.clipped,
        })));
}

/// Gives a held piece colliders of fewer triangles in the debris world, in the order of those that it has.
fn exchange_held(simulation: &mut Simulation, piece: BodyId, simplified: &Colliders) {
    let query = simulation
        .world
        .query_one_mut::<(&Breakable, &mut PieceBuild)>(piece.0);
    let Ok((breakable, build)) = query else {
        return;
    };
    let old = std::mem::replace(&mut build.colliders, simplified.clone());
    // Not by the worker: a break that runs at the same time would find one or the other.
    if let Some(chunked) = breakable.shape.existing_chunked_mesh() {
        chunked.share_simplified(&old, simplified);
    }
    simulation
        .debris
        .wait_mut()
        .exchange_held_colliders(piece, &old, simplified);
}

#[cfg(test)]
mod tests {
    use fracture_geometry::{Mesh, Pattern, Recipe};
    use glam::Vec3;

    use super::*;
    use crate::error::BreakFailure;
    use crate::impacts::Impact;
    use crate::pieces::{Body, LazyPattern, Push, Shape};
    use crate::settings::Settings;
    use crate::types::JobId;

    /// A ring that was broken in the last step, without gravity, and its pieces with provisional colliders.
    fn broken_ring() -> (Simulation, Vec<BodyId>) {
        let mut simulation = Simulation::new(Settings {
            wait_for_results: true,
            gravity: Vec3::ZERO,
            freeze_after: f32::INFINITY,
            ..Settings::default()
        })
        .unwrap();
        let recipe = Recipe::Uniform { cells: 12 };
        let pattern = LazyPattern::new(move || Pattern::from_recipe(&recipe, 3));
        let ring = Body::new(Shape::new(Mesh::torus(0.6, 0.25, 40, 20)), pattern);
        let id = simulation.add(ring).unwrap();
        let hit = Impact::new(id, Vec3::new(0.6, 0.25, 0.0), Vec3::Y, Vec3::ZERO, 1e6);
        simulation.impact(hit).unwrap();
        (0..2).for_each(|_| simulation.step(1.0 / 60.0));
        let mut query = simulation.world.query::<(hecs::Entity, &PieceBuild)>();
        let refined = query.iter().filter(|(_, build)| build.refining.is_some());
        let pieces: Vec<BodyId> = refined.map(|(entity, _)| BodyId(entity)).collect();
        drop(query);
        assert!(pieces.len() > 3);
        (simulation, pieces)
    }

    #[test]
    fn a_piece_asleep_stays_asleep_and_gets_its_lasting_collider_when_it_wakes() {
        let (mut simulation, pieces) = broken_ring();
        for piece in &pieces {
            // Its result is dropped.
            let build = simulation.world.query_one_mut::<&mut PieceBuild>(piece.0);
            build.unwrap().refining = None;
        }
        let step = |simulation: &mut Simulation| simulation.step(1.0 / 60.0);
        (0..240).for_each(|_| step(&mut simulation));
        let shapes = pieces.iter().map(|piece| {
            let build = simulation.world.get::<&PieceBuild>(piece.0).unwrap();
            build.colliders.first().clone()
        });
        let shapes: Vec<_> = shapes.collect();
        let world = simulation.debris.wait_mut();
        for (piece, shape) in pieces.iter().zip(shapes) {
            assert!(world.is_asleep(*piece));
            world.exchange_collider(*piece, shape);
        }
        (0..5).for_each(|_| step(&mut simulation));
        let world = simulation.debris.wait_mut();
        for piece in &pieces {
            assert!(world.is_asleep(*piece) && world.has_provisional_collider(*piece));
            let push = Push {
                impulse: 100.0 * Vec3::X,
                energy: 0.0,
                max_speed: f32::INFINITY,
            };
            assert!(world.push(*piece, Vec3::ZERO, &push));
        }
        (0..3).for_each(|_| step(&mut simulation));
        let world = simulation.debris.wait_mut();
        let exchanged = |piece: &BodyId| !world.has_provisional_collider(*piece);
        assert!(pieces.iter().all(exchanged) && !world.failed);
    }

    #[test]
    fn a_refinement_that_fails_leaves_the_provisional_collider_and_is_told() {
        let (mut simulation, pieces) = broken_ring();
        let piece = pieces[0];
        simulation.drain_events().for_each(drop);
        let reason = BreakFailure::WorkerGone;
        let failed = JobResult {
            id: JobId(7),
            outcome: Err(reason.clone()),
            worker_ms: 0.0,
        };
        apply_refinement(&mut simulation, piece, failed);
        let told: Vec<_> = simulation.drain_events().collect();
        assert!(
            matches!(&told[..], [Event::RefinementFailed { body, reason: why }]
            if *body == piece && *why == reason)
        );
        (0..5).for_each(|_| simulation.step(1.0 / 60.0));
        let world = simulation.debris.wait_mut();
        assert!(world.has_provisional_collider(piece));
        assert!(world.nearest_surface(piece, Vec3::ZERO).is_some());
        assert!(!world.has_provisional_collider(pieces[1]));
    }
}
