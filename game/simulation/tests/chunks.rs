//! Payloads of an island's chunks outlive the island.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

use fracture_simulation::geometry::check::check_closed;
use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::geometry::piece_mesh::Roughness;
use fracture_simulation::geometry::{MassProperties, Mesh};
use fracture_simulation::rapier3d::parry::bounding_volume::BoundingVolume;
use fracture_simulation::rapier3d::parry::query::PointQuery;
use fracture_simulation::rapier3d::parry::shape::TriMesh;
use fracture_simulation::{
    hooks::{PieceHooks, SharedPayload},
    Anchors, Body, BodyId, Broken, Colliders, Event, NewPiece, Settings, SharedShape, Simulation,
};

use crate::setup::{
    body, breaks_among, broken, impact_at, just_broken, quiet, refine, step, waiting, wall, with,
};

/// Hooks that return the meshes they got, and how often each was run: for pieces, render chunks, collision chunks.
fn counting() -> (PieceHooks, Arc<[AtomicUsize; 3]>) {
    let counts: Arc<[AtomicUsize; 3]> = Arc::default();
    let count = |which: usize| {
        let counts = counts.clone();
        move || {
            counts[which].fetch_add(1, Ordering::Relaxed);
        }
    };
    let (piece, look, collision) = (count(0), count(1), count(2));
    let hooks = PieceHooks::new(move |_| {
        piece();
        Box::new(())
    });
    let hooks = hooks.with_chunk_hooks(
        move |mesh| {
            look();
            Arc::new(mesh.clone())
        },
        move |mesh| {
            collision();
            Arc::new(mesh.clone())
        },
    );
    (hooks, counts)
}

/// A torus of 40,000 triangles, anchored at its lowest part.
pub fn torus(hooks: PieceHooks) -> Body {
    Body {
        anchors: Anchors::from_bounds(|[low, high]| {
            let slab = (high - low) * Vec3::new(1.0, 0.02, 1.0);
            vec![[low, low + slab]]
        }),
        hooks: Some(hooks),
        ..body(Mesh::torus(0.6, 0.25, 200, 100))
    }
}

fn held(broken: &Broken) -> &NewPiece {
    let mut held = broken.pieces.iter().filter(|piece| piece.anchored);
    held.next().expect("a held piece")
}

/// Steps until the torus is broken; with the collision chunks with which the held piece has entered.
fn entered_and_refined(simulation: &mut Simulation) -> (Vec<SharedPayload>, Broken) {
    let mut broken = just_broken(simulation);
    let entered = held(&broken).collision_chunks.clone();
    refine(simulation, &mut broken);
    (entered, broken)
}

/// The number of payloads that are shared.
pub fn same(one: &[SharedPayload], other: &[SharedPayload]) -> usize {
    let known = |part: &&SharedPayload| other.iter().any(|other| Arc::ptr_eq(other, part));
    one.iter().filter(known).count()
}

fn triangles(parts: &[SharedPayload]) -> usize {
    let mesh = |part: &SharedPayload| part.downcast_ref::<Mesh>().unwrap().triangles.len();
    parts.iter().map(mesh).sum()
}

#[test]
fn the_second_break_runs_hooks_only_for_chunks_that_it_touches() {
    let (hooks, counts) = counting();
    let count = |which: usize| counts[which].swap(0, Ordering::Relaxed);
    let mut simulation = waiting();
    let id = simulation.add(torus(hooks)).unwrap();
    let mut first = impact_at(id, [0.6, 0.25, 0.0]);
    first.radius = Some(0.05);
    simulation.impact(first).unwrap();
    let (entered, one) = entered_and_refined(&mut simulation);
    let fragments = one.pieces.len() - 1;
    assert_eq!(count(0), fragments, "islands are taken in parts");
    assert_eq!(count(1), held(&one).render_chunks.len());
    let stay = same(&held(&one).collision_chunks, &entered);
    let made = entered.len() + held(&one).collision_chunks.len() - stay;
    assert!(stay > 0 && stay < entered.len(), "{stay}");
    assert_eq!(count(2), made);
    assert!(
        held(&one).render_chunks.len() > 10,
        "{}",
        held(&one).render_chunks.len()
    );
    assert!(held(&one).payload.is_none());
    let drawn = triangles(&held(&one).render_chunks);
    assert_eq!(
        drawn,
        held(&one).shape.with_mesh(|mesh| mesh.triangles.len())
    );
    assert!(triangles(&held(&one).collision_chunks) < 3000);

    let mut second = impact_at(held(&one).body, [-0.6, 0.25, 0.0]);
    second.radius = Some(0.05);
    simulation.impact(second).unwrap();
    let (entered, two) = entered_and_refined(&mut simulation);
    let kept = same(&held(&two).render_chunks, &held(&one).render_chunks);
    assert_eq!(count(1), held(&two).render_chunks.len() - kept);
    assert!(2 * kept > held(&one).render_chunks.len(), "{kept}");
    let known = [held(&one).collision_chunks.as_slice(), &entered].concat();
    let lasting = &held(&two).collision_chunks;
    let new = entered.len() - same(&entered, &held(&one).collision_chunks);
    assert_eq!(count(2), new + lasting.len() - same(lasting, &known));
    let free = one.pieces.iter().chain(&two.pieces).filter(|p| !p.anchored);
    assert!(free.clone().all(|piece| piece.collision_chunks.is_empty()));
}

/// The largest distance of some vertices of a piece from its collision mesh.
fn farthest(piece: &NewPiece, chunks: &[SharedPayload]) -> f32 {
    let meshes = chunks
        .iter()
        .map(|part| part.downcast_ref::<Mesh>().unwrap());
    let all = merged(meshes.cloned());
    let points = all
        .positions
        .iter()
        .map(|point| Vec3::from(*point))
        .collect();
    let surface = TriMesh::new(points, all.triangles).unwrap();
    let far = |point: &[f32; 3]| {
        let point = Vec3::from(*point);
        surface
            .project_local_point(point, false)
            .point
            .distance(point)
    };
    let far = |mesh: &Mesh| {
        mesh.positions
            .iter()
            .step_by(7)
            .map(far)
            .fold(0.0, f32::max)
    };
    piece.shape.with_mesh(far)
}

#[test]
fn a_held_piece_enters_with_a_coarse_collision_mesh_and_has_its_lasting_one_a_step_later() {
    const SIZE: f32 = 1.7;
    let all = [1, 2, 8, 0].map(|threads| {
        let mut simulation = with(Settings {
            threads,
            ..Settings::default()
        });
        let id = simulation.add(torus(counting().0)).unwrap();
        let mut hit = impact_at(id, [0.6, 0.25, 0.0]);
        hit.radius = Some(0.15);
        simulation.impact(hit).unwrap();
        let mut events = step(&mut simulation);
        events.extend(step(&mut simulation));
        let broken = breaks_among(events).next().expect("a break");
        let piece = held(&broken);
        let refined = step(&mut simulation)
            .into_iter()
            .find_map(|event| match event {
                Event::CollisionRefined(refined) => Some(refined),
                _ => None,
            });
        let refined = refined.expect("a lasting collision mesh");
        assert_eq!(refined.body, piece.body);
        assert_eq!(simulation.statistics().refinements, 0);
        let [entered, lasting] = [&piece.collision_chunks, &refined.collision_chunks];
        assert!(
            farthest(piece, entered) < 0.03 * SIZE,
            "{}",
            farthest(piece, entered)
        );
        assert!(
            farthest(piece, lasting) <= 0.0101 * SIZE,
            "{}",
            farthest(piece, lasting)
        );
        let most = piece.triangles as usize / 4;
        assert!(triangles(entered) < most, "{}", triangles(entered));
        let meshes = entered.iter().chain(lasting);
        let meshes = meshes.map(|part| part.downcast_ref::<Mesh>().unwrap().clone());
        meshes.collect::<Vec<_>>()
    });
    assert!(all.iter().all(|found| *found == all[0]));
}

/// Steps until a body that was struck as soon as it was added has lasting collision chunks: those with which its held
/// piece has entered, and the lasting ones.
fn struck_at_once(settings: Settings) -> [Vec<Mesh>; 2] {
    let mut simulation = Simulation::new(settings).unwrap();
    let id = simulation.add(torus(counting().0)).unwrap();
    let mut hit = impact_at(id, [0.6, 0.25, 0.0]);
    hit.radius = Some(0.15);
    simulation.impact(hit).unwrap();
    let meshes = |parts: &[SharedPayload]| {
        let meshes = parts.iter().map(|part| part.downcast_ref::<Mesh>());
        meshes.map(|mesh| mesh.unwrap().clone()).collect::<Vec<_>>()
    };
    let mut entered = Vec::new();
    for _ in 0..1_000_000 {
        simulation.step(0.0);
        for event in simulation.drain_events() {
            match event {
                Event::Broken(broken) => entered = meshes(&held(&broken).collision_chunks),
                Event::CollisionRefined(refined) => {
                    return [entered, meshes(&refined.collision_chunks)]
                }
                _ => {}
            }
        }
    }
    panic!("no lasting collision mesh");
}

#[test]
fn a_body_that_is_struck_before_it_is_prepared_enters_coarse_everywhere() {
    let without_threads = |wait_for_results, job_ms| {
        struck_at_once(Settings {
            threads: 0,
            wait_for_results,
            job_ms,
            ..Settings::default()
        })
    };
    let waiting = without_threads(true, 0.1);
    for job_ms in [f32::MIN_POSITIVE, 0.1] {
        let [entered, lasting] = without_threads(false, job_ms);
        assert_eq!(lasting, waiting[1]);
        let triangles: usize = entered.iter().map(|part| part.triangles.len()).sum();
        assert!((1..20_000).contains(&triangles), "{triangles} of 40,000");
        assert_ne!(entered, waiting[0]);
    }
}

#[test]
fn bodies_of_one_shape_share_payloads() {
    let (hooks, counts) = counting();
    let mut simulation = waiting();
    let one = torus(hooks);
    let other = Body { ..one.clone() };
    let mut chunks = Vec::new();
    for body in [one, other] {
        let id = simulation.add(body).unwrap();
        let mut hit = impact_at(id, [0.6, 0.25, 0.0]);
        hit.radius = Some(0.05);
        simulation.impact(hit).unwrap();
        chunks.push(held(&broken(&mut simulation)).render_chunks.clone());
    }
    let shared = same(&chunks[0], &chunks[1]);
    assert!(
        2 * shared > chunks[0].len(),
        "{shared} of {}",
        chunks[0].len()
    );
    let made = counts[1].load(Ordering::Relaxed);
    assert_eq!(made, chunks[0].len() + chunks[1].len() - shared);
}

/// All that the worker makes of the chunks of held pieces: what is drawn, what the host collides with, and the vertices
/// and triangles of colliders in the debris world.
fn derived(broken: &Broken) -> Vec<Mesh> {
    let payload = |part: &SharedPayload| part.downcast_ref::<Mesh>().unwrap().clone();
    let held = broken.pieces.iter().filter(|piece| piece.anchored);
    let of_piece = |piece: &NewPiece| {
        let payloads = piece.render_chunks.iter().chain(&piece.collision_chunks);
        let payloads = payloads.map(payload);
        payloads.chain([joined(piece)]).collect::<Vec<_>>()
    };
    held.flat_map(of_piece).collect()
}

#[test]
fn any_number_of_threads_makes_the_same_chunks() {
    for bumps in [0.0, 0.02] {
        let [one, two, eight, none] = [1, 2, 8, 0].map(|threads| {
            let mut simulation = with(Settings {
                threads,
                chain_breaks: 0,
                ..Settings::default()
            });
            let mut body = torus(counting().0);
            body.interior_faces.roughness.height = bumps;
            let id = simulation.add(body).unwrap();
            let mut hit = impact_at(id, [0.6, 0.25, 0.0]);
            hit.radius = Some(0.1);
            simulation.impact(hit).unwrap();
            let first = broken(&mut simulation);
            let mut second = impact_at(held(&first).body, [0.45, 0.3, 0.35]);
            second.radius = Some(0.1);
            simulation.impact(second).unwrap();
            [derived(&first), derived(&broken(&mut simulation))]
        });
        assert!(one[0].len() > 10, "{bumps}: {}", one[0].len());
        assert!(one == two && one == eight && one == none, "{bumps}");
    }
}

/// The colliders of an anchored piece in the debris world.
fn meshes(piece: &NewPiece) -> Vec<&TriMesh> {
    let shapes = piece.colliders.shapes();
    shapes.map(|shape| shape.as_trimesh().unwrap()).collect()
}

/// All colliders joined to one mesh.
fn joined(piece: &NewPiece) -> Mesh {
    let mesh = |mesh: &TriMesh| {
        let points = mesh.vertices().iter().map(|point| point.to_array());
        Mesh::from_triangles(points.collect(), mesh.indices().to_vec())
    };
    merged(meshes(piece).into_iter().map(mesh))
}

/// Meshes without attributes as one.
fn merged(meshes: impl Iterator<Item = Mesh>) -> Mesh {
    let mut all = Mesh::default();
    for mesh in meshes {
        let first = all.positions.len() as u32;
        all.positions.extend(mesh.positions);
        let triangles = mesh.triangles.into_iter();
        all.triangles
            .extend(triangles.map(|t| t.map(|v| v + first)));
    }
    all
}

#[test]
fn a_large_anchored_piece_collides_by_chunk_and_chunks_far_from_a_break_are_shared() {
    for bumps in [0.0, 0.02] {
        let (hooks, _) = counting();
        let mut simulation = quiet();
        let mut body = torus(hooks);
        body.interior_faces.roughness = Roughness {
            height: bumps,
            grain: 0.05,
            ..body.interior_faces.roughness
        };
        let id = simulation.add(body).unwrap();
        let mut break_at = |body, x: f32| {
            let mut hit = impact_at(body, [x, 0.25, 0.0]);
            hit.radius = Some(0.1);
            simulation.impact(hit).unwrap();
            just_broken(&mut simulation)
        };
        let one = break_at(id, 0.6);
        let two = break_at(held(&one).body, -0.6);
        // The first has entered as it was cut; in the second the chunks that the first break has changed are simplified.
        for (piece, most) in [(held(&one), 1e-3), (held(&two), 5e-3)] {
            let count = meshes(piece).len();
            assert!(count > 4, "{bumps}: {count}");
            let all = joined(piece);
            assert!(check_closed(&all).is_closed());
            let volume = MassProperties::from_mesh(&all).volume;
            assert!((volume / piece.mass.volume - 1.0).abs() < most, "{volume}");
            let bounds = piece.colliders.bounds();
            let one = piece.colliders.first().compute_local_aabb();
            assert!(bounds.contains(&one) && bounds != one);
        }
        let before = meshes(held(&one));
        let known = |mesh: &&&TriMesh| before.iter().any(|old| std::ptr::eq(*old, **mesh));
        let after = meshes(held(&two));
        let kept = after.iter().filter(known).count();
        assert!(3 * kept > after.len(), "{kept} of {}", after.len());
        let free = two.pieces.iter().filter(|piece| !piece.anchored);
        assert!(free
            .clone()
            .all(|piece| piece.colliders.shapes().count() == 1));
    }
}

#[test]
fn the_collision_mesh_of_a_small_mesh_is_not_simplified() {
    let (hooks, _) = counting();
    let mut simulation = waiting();
    let body = Body {
        hooks: Some(hooks),
        ..wall()
    };
    let id = simulation.add(body).unwrap();
    simulation.impact(impact_at(id, [0.0, 2.0, 0.0])).unwrap();
    let broken = broken(&mut simulation);
    let held = held(&broken);
    assert_eq!(
        triangles(&held.collision_chunks),
        triangles(&held.render_chunks)
    );
}

/// Triangles of some colliders that are meshes.
fn collider_triangles(colliders: &Colliders) -> usize {
    let meshes = colliders.shapes().filter_map(|shape| shape.as_trimesh());
    meshes.map(TriMesh::num_triangles).sum()
}

/// Breaks a held torus at a place, and steps until its held piece has its lasting colliders: those with which it has
/// entered, the lasting ones, and the speeds of free pieces before and after that step, m/s.
fn colliders_of_struck(
    simulation: &mut Simulation,
    body: BodyId,
    at: [f32; 3],
) -> (BodyId, [Colliders; 2], [Vec<f32>; 2]) {
    let mut hit = impact_at(body, at);
    hit.radius = Some(0.15);
    simulation.impact(hit).unwrap();
    let broken = just_broken(simulation);
    let piece = held(&broken);
    let free = broken.pieces.iter().filter(|piece| !piece.anchored);
    let free: Vec<BodyId> = free.map(|piece| piece.body).collect();
    let speeds = |simulation: &Simulation| -> Vec<f32> {
        let motions = free.iter().filter_map(|body| simulation.motion(*body));
        motions.map(|motion| motion.linear.length()).collect()
    };
    for _ in 0..4 {
        let before = speeds(simulation);
        for event in step(simulation) {
            let Event::CollisionRefined(refined) = event else {
                continue;
            };
            assert_eq!(refined.body, piece.body);
            let lasting = refined.colliders.expect("fewer triangles");
            let colliders = [piece.colliders.clone(), lasting];
            return (piece.body, colliders, [before, speeds(simulation)]);
        }
    }
    panic!("no lasting colliders");
}

#[test]
fn debris_touches_fewer_triangles_of_what_a_break_has_changed_and_is_not_moved_by_that() {
    const SIZE: f32 = 1.7;
    let mut simulation = waiting();
    let root = simulation.add(torus(counting().0)).unwrap();
    let (piece, [entered, lasting], [before, after]) =
        colliders_of_struck(&mut simulation, root, [0.6, 0.25, 0.0]);
    let [many, few] = [&entered, &lasting].map(collider_triangles);
    assert!(few < many, "{few} of {many}");
    // The chunks that no break has changed stay as they are.
    let shared = entered.shapes().zip(lasting.shapes());
    let changed = shared.filter(|(old, new)| !Arc::ptr_eq(&old.0, &new.0));
    for (old, new) in changed {
        let [old, new] = [old, new].map(|shape| shape.as_trimesh().expect("a mesh"));
        assert!(3 * new.num_triangles() < 2 * old.num_triangles());
        for vertex in old.vertices() {
            let distance = new.distance_to_local_point(*vertex, false);
            assert!(distance < 0.0021 * SIZE, "{distance}");
        }
    }
    // A step of free fall gives 0.16 m/s.
    for (before, after) in before.iter().zip(&after) {
        assert!(*after < before + 0.2, "{before} and {after} m/s");
    }
    // The next break finds them so.
    let (_, [entered, _], _) = colliders_of_struck(&mut simulation, piece, [-0.6, 0.25, 0.0]);
    let known = |shape: &&SharedShape| lasting.shapes().any(|own| Arc::ptr_eq(&own.0, &shape.0));
    assert!(entered.shapes().filter(known).count() > 1);
    assert!(collider_triangles(&entered) < many);
}

#[test]
fn a_save_and_a_replay_have_the_colliders_of_what_was_saved() {
    let mut simulation = waiting();
    let root = simulation.add(torus(counting().0)).unwrap();
    let (_, [_, lasting], _) = colliders_of_struck(&mut simulation, root, [0.6, 0.25, 0.0]);
    let meshes = |colliders: &Colliders| -> Vec<(Vec<Vec3>, Vec<[u32; 3]>)> {
        let meshes = colliders.shapes().map(|shape| shape.as_trimesh());
        let meshes = meshes.map(|mesh| mesh.expect("a mesh"));
        let parts = meshes.map(|mesh| (mesh.vertices().to_vec(), mesh.indices().to_vec()));
        parts.collect()
    };
    for save in [simulation.save(root), simulation.save_compact(root)] {
        let mut loaded = waiting();
        let body = loaded.add(torus(counting().0)).unwrap();
        loaded.restore(body, &save).unwrap();
        let restored = just_broken(&mut loaded);
        assert!(meshes(&held(&restored).colliders) == meshes(&lasting));
    }
}

#[test]
fn what_lies_on_a_held_piece_stays_where_it_is_when_its_lasting_colliders_come_late() {
    // One step of a job in each frame: rubble has come to rest by then.
    let mut simulation = Simulation::new(Settings {
        threads: 0,
        job_ms: f32::MIN_POSITIVE,
        freeze_after: f32::INFINITY,
        ..Settings::default()
    })
    .unwrap();
    let root = simulation.add(torus(counting().0)).unwrap();
    let mut hit = impact_at(root, [0.6, 0.25, 0.0]);
    hit.radius = Some(0.2);
    simulation.impact(hit).unwrap();
    let mut free: Vec<BodyId> = Vec::new();
    let (mut frames, mut is_exchanged) = (0, false);
    while !is_exchanged {
        simulation.step(1.0 / 60.0);
        for event in simulation.drain_events() {
            match event {
                Event::Broken(broken) => {
                    let pieces = broken.pieces.iter().filter(|piece| !piece.anchored);
                    free.extend(pieces.map(|piece| piece.body));
                    frames = 0;
                }
                Event::CollisionRefined(refined) => is_exchanged = refined.colliders.is_some(),
                _ => {}
            }
        }
        frames += 1;
        assert!(frames < 10_000, "no lasting colliders");
    }
    assert!(frames > 300, "{frames}");
    let at_rest = |body: &BodyId| {
        let motion = simulation.motion(*body)?;
        let rests = motion.linear.length() < 0.02;
        rests.then_some((*body, motion.pose.translation))
    };
    let before: Vec<_> = free.iter().filter_map(at_rest).collect();
    assert!(before.len() > 2, "{} of {}", before.len(), free.len());
    for _ in 0..10 {
        simulation.step(1.0 / 60.0);
    }
    for (body, before) in before {
        let after = simulation.motion(body).unwrap().pose.translation;
        assert!(before.distance(after) < 1e-3, "{before} to {after}");
    }
    assert!(!simulation.statistics().physics_failed);
}
