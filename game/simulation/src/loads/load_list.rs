//! Lists of loads on a body, each with the place where it acts.

use std::cmp::Ordering;
use std::sync::Arc;

use glam::{DVec3, Vec3};

use super::body_force::BodyForce;
use crate::stress::StressLoad;

/// Edge of the cells in which forces on a body are added up, in parts of the diagonal of its box.
const CELL: f64 = 0.08;

/// Half the thickness of the places of a load, in parts of the diagonal of its body's box: colliders and meshes differ.
const MARGIN: f32 = 0.01;

/// The loads in a cell of a body's space.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlacedLoad {
    cell: [i64; 3],
    pub load: StressLoad,
}

/// The loads by forces on a body whose box has a diagonal (metres), by cell.
pub(crate) fn load_list(forces: impl Iterator<Item = BodyForce>, diagonal: f64) -> Vec<PlacedLoad> {
    let edge = (CELL * diagonal).max(1e-6);
    let margin = Vec3::splat(MARGIN * diagonal as f32);
    let mut list: Vec<PlacedLoad> = Vec::new();
    for BodyForce {
        force,
        moment,
        places,
    } in forces
    {
        let Some([low, high]) = places.filter(|_| force != DVec3::ZERO) else {
            continue;
        };
        let middle = (0.5 * (low + high)).as_dvec3();
        let cell = (middle / edge).floor().to_array().map(|side| side as i64);
        let found = list.binary_search_by_key(&cell, |placed| placed.cell);
        let index = found.unwrap_or_else(|index| {
            let load = StressLoad {
                places: Arc::default(),
                center: middle,
                force: DVec3::ZERO,
                moment: DVec3::ZERO,
            };
            list.insert(index, PlacedLoad { cell, load });
            index
        });
        if let Some(placed) = list.get_mut(index) {
            let load = &mut placed.load;
            load.force += force;
            load.moment += moment - load.center.cross(force);
            let places = load.places.iter().copied();
            load.places = places.chain([[low - margin, high + margin]]).collect();
        }
    }
    list
}

/// How much two lists differ: the sum of the differences of their forces, N.
pub(crate) fn change(one: &[PlacedLoad], other: &[PlacedLoad]) -> f64 {
    let (mut one, mut other) = (one.iter().peekable(), other.iter().peekable());
    let mut sum = 0.0;
    loop {
        let order = match (one.peek(), other.peek()) {
            (Some(a), Some(b)) => a.cell.cmp(&b.cell),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return sum,
        };
        let zero = DVec3::ZERO;
        let a = one
            .next_if(|_| order.is_le())
            .map_or(zero, |a| a.load.force);
        let b = other
            .next_if(|_| order.is_ge())
            .map_or(zero, |b| b.load.force);
        sum += (a - b).length();
    }
}

/// Force and moment about a point of all loads of a list.
pub(crate) fn resultant(list: &[PlacedLoad], about: DVec3) -> [DVec3; 2] {
    list.iter()
        .fold([DVec3::ZERO; 2], |[force, moment], placed| {
            let StressLoad { center, .. } = placed.load;
            let own = placed.load.moment + (center - about).cross(placed.load.force);
            [force + placed.load.force, moment + own]
        })
}
