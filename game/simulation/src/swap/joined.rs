//! Bodies that come down together: their bonds join the pieces that they become, as long as these hold.

use fracture_geometry::support::AreaProperties;
use fracture_geometry::PieceKind;
use glam::Vec3;
use rapier3d::math::Pose;

use crate::debris::{BodyRef, WeldEnd};
use crate::event::NewPiece;
use crate::jobs::bond_surface::bond_strength;
use crate::pieces::components::BreakSeed;
use crate::pieces::BarBond;
use crate::seeds::mix;
use crate::simulation::Simulation;
use crate::structure::BodyBonds;
use crate::types::{BodyId, Motion};

/// Distance from a piece up to which a bond may be its own, metres: hulls need not reach the surface.
const MAX_DISTANCE: f32 = 0.05;

/// Joins the pieces of a body that nothing holds to those of its neighbours that fall as well. A loose bond joins
/// nothing, and neither does one that no load breaks: nothing would ever part its bodies.
pub(super) fn weld_fallen(simulation: &mut Simulation, body: BodyId, pieces: &[NewPiece]) {
    let ends = simulation.structure.take_weld_ends(body);
    if !falls(simulation, body) {
        return;
    }
    let Some(motion) = simulation.motion(body) else {
        return;
    };
    let free = pieces.iter().filter(|piece| !piece.anchored);
    let pieces: Vec<&NewPiece> = free.collect();
    for end in ends {
        add_end(simulation, &motion, &pieces, end);
    }
    for (neighbour, face, strength) in joining_bonds(simulation, body) {
        let Some(other) = simulation.motion(neighbour) else {
            continue;
        };
        let id = weld_id(simulation, [body, neighbour]);
        let poses = [motion.pose, other.pose];
        let [own, kept] = WeldEnd::pair(id, &face, strength, MAX_DISTANCE, poses);
        if add_end(simulation, &motion, &pieces, own) {
            simulation.structure.keep_weld_end(neighbour, kept);
        }
    }
}

/// Gives the welds of a piece that has broken to the islands that are left of it. What was broken out of it is joined to
/// nothing.
pub(super) fn pass_on_welds(
    simulation: &mut Simulation,
    motion: &Motion,
    ends: Vec<WeldEnd>,
    pieces: &[NewPiece],
) {
    let is_island = |piece: &&NewPiece| matches!(piece.kind, PieceKind::Island { .. });
    let islands: Vec<&NewPiece> = pieces.iter().filter(is_island).collect();
    for end in ends {
        add_end(simulation, motion, &islands, end);
    }
}

/// Joins pieces of a break that bars hold together.
pub(super) fn weld_by_bars(simulation: &mut Simulation, bonds: &[BarBond], pieces: &[NewPiece]) {
    for bond in bonds {
        let [Some(first), Some(second)] = bond.pieces.map(|number| pieces.get(number)) else {
            continue;
        };
        let bodies = [first.body, second.body];
        let id = weld_id(simulation, bodies);
        // All pieces have the space of the body that has broken.
        let poses = [Pose::IDENTITY; 2];
        let reach = bond.bare as f32 + MAX_DISTANCE;
        let ends = WeldEnd::pair(id, &bond.face, bond.strength, reach, poses);
        let ends = ends.map(|end| WeldEnd { bends: true, ..end });
        let world = simulation.debris.wait_mut();
        for (body, end) in bodies.into_iter().zip(ends) {
            world.add_weld_end(body, end);
        }
    }
}

fn falls(simulation: &Simulation, body: BodyId) -> bool {
    let bonds = simulation.world.get::<&BodyBonds>(body.0);
    bonds.is_ok_and(|bonds| bonds.falls)
}

/// The bonds of a body with bodies that are about to fall, and their strength in Pa.
fn joining_bonds(simulation: &Simulation, body: BodyId) -> Vec<(BodyId, AreaProperties, f64)> {
    let Ok(bonds) = simulation.world.get::<&BodyBonds>(body.0) else {
        return Vec::new();
    };
    let firm = bonds.list().iter().filter(|bond| !bond.is_loose);
    let joining = firm.filter_map(|bond| {
        let neighbour = bond.with.breakable()?;
        let ends = [BodyRef::Breakable(body), bond.with];
        let strength = bond_strength(&simulation.world, ends)?;
        let joins = strength > 0.0 && strength.is_finite() && falls(simulation, neighbour);
        joins.then_some((neighbour, bond.face, strength))
    });
    joining.collect()
}

/// A name for a weld that no other weld has, in this game or in one that is loaded.
fn weld_id(simulation: &mut Simulation, bodies: [BodyId; 2]) -> u64 {
    let seed = |body: BodyId| {
        let seed = simulation.world.get::<&BreakSeed>(body.0);
        seed.map_or(0, |seed| seed.seed)
    };
    let [one, other] = bodies.map(seed);
    let time = mix(
        simulation.statistics.frame,
        simulation.structure.next_weld(),
    );
    mix(mix(one, other), time)
}

/// Gives an end of a weld to the piece in whose place it is. Returns whether there is one.
fn add_end(
    simulation: &mut Simulation,
    motion: &Motion,
    pieces: &[&NewPiece],
    end: WeldEnd,
) -> bool {
    let place: Vec3 = motion.pose.transform_point(end.frame.translation);
    let world = simulation.debris.wait_mut();
    let distances = pieces.iter().filter_map(|piece| {
        let distance = world.distance(piece.body, place)?;
        (distance <= end.reach).then_some((piece.body, distance))
    });
    let nearest = distances.min_by(|(_, a), (_, b)| a.total_cmp(b));
    if let Some((piece, _)) = nearest {
        world.add_weld_end(piece, end);
    }
    nearest.is_some()
}
