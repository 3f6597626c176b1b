//! Points of all cut faces of a break, identified by their bits, so that both sides of a face, and all
//! pieces around an edge, displace a point alike.

use crate::math::NONE;
use crate::mesh::position_bits;
use crate::steps::pause;
use glam::{DVec3, Vec3};
use rustc_hash::FxHashMap;

/// Points of a step, each of which takes some tenths of a microsecond to some microseconds.
const STEP: usize = 100;

/// Points of cut faces.
#[derive(Default)]
pub struct Points {
    ids: FxHashMap<[u32; 3], u32>,
    /// By edge: the point in its middle.
    middles: FxHashMap<[u32; 2], u32>,
    /// By point: its position on the flat face.
    flat: Vec<[f32; 3]>,
    /// By point: whether it is on the surface of the solid, and so stays.
    fixed: Vec<bool>,
}

impl Points {
    /// The point at a position, which is added if there is none.
    pub fn add(&mut self, position: [f32; 3]) -> u32 {
        let next = self.flat.len() as u32;
        let id = *self.ids.entry(position_bits(&position)).or_insert(next);
        if id == next {
            self.flat.push(position);
            self.fixed.push(false);
        }
        id
    }

    /// The point at a position, or [`NONE`].
    pub fn find(&self, position: [f32; 3]) -> u32 {
        self.ids
            .get(&position_bits(&position))
            .copied()
            .unwrap_or(NONE)
    }

    /// The point in the middle of an edge.
    pub fn middle(&mut self, edge: [u32; 2]) -> u32 {
        let [a, b] = edge;
        let edge = [a.min(b), a.max(b)];
        if let Some(middle) = self.middles.get(&edge) {
            return *middle;
        }
        let middle = (Vec3::from(self.flat(a)) + Vec3::from(self.flat(b))) * 0.5;
        let id = self.add(middle.to_array());
        self.middles.insert(edge, id);
        id
    }

    /// Keeps a point where it is.
    pub fn fix(&mut self, point: u32) {
        if let Some(fixed) = self.fixed.get_mut(point as usize) {
            *fixed = true;
        }
    }

    /// The position of a point on the flat face.
    pub fn flat(&self, point: u32) -> [f32; 3] {
        self.flat.get(point as usize).copied().unwrap_or_default()
    }

    /// The squared length of an edge.
    pub fn length_squared(&self, a: u32, b: u32) -> f32 {
        Vec3::from(self.flat(a)).distance_squared(Vec3::from(self.flat(b)))
    }

    /// The points displaced by a field, some in a step; fixed points stay.
    pub async fn displaced(&self, mut field: impl FnMut(DVec3) -> DVec3) -> Vec<[f32; 3]> {
        let mut displaced = Vec::with_capacity(self.flat.len());
        for (flat, fixed) in self.flat.iter().zip(&self.fixed) {
            if displaced.len() % STEP == STEP - 1 {
                pause().await;
            }
            let point = Vec3::from(*flat).as_dvec3();
            displaced.push(if *fixed {
                *flat
            } else {
                (point + field(point)).as_vec3().to_array()
            });
        }
        displaced
    }
}
