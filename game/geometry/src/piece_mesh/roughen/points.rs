//! The points of all cut faces of a break, known by their bits, so that both sides of a face, and
//! all pieces around an edge, move a point alike.

use crate::math::NONE;
use crate::mesh::position_bits;
use glam::{DVec3, Vec3};
use rustc_hash::FxHashMap;

/// Points of cut faces.
#[derive(Default)]
pub struct Points {
    ids: FxHashMap<[u32; 3], u32>,
    middles: FxHashMap<[u32; 2], u32>,
    /// Where they are while faces are flat.
    flat: Vec<[f32; 3]>,
    /// On the surface of the broken solid: they stay.
    fixed: Vec<bool>,
}

impl Points {
    /// The point at a place; it need not be there yet.
    pub fn add(&mut self, at: [f32; 3]) -> u32 {
        let next = self.flat.len() as u32;
        let id = *self.ids.entry(position_bits(&at)).or_insert(next);
        if id == next {
            self.flat.push(at);
            self.fixed.push(false);
        }
        id
    }

    /// The point at a place, or [`NONE`].
    pub fn find(&self, at: [f32; 3]) -> u32 {
        self.ids.get(&position_bits(&at)).copied().unwrap_or(NONE)
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

    /// Where a point is while faces are flat.
    pub fn flat(&self, point: u32) -> [f32; 3] {
        self.flat.get(point as usize).copied().unwrap_or_default()
    }

    /// The square of an edge's length.
    pub fn length_squared(&self, a: u32, b: u32) -> f32 {
        Vec3::from(self.flat(a)).distance_squared(Vec3::from(self.flat(b)))
    }

    /// The points moved by a field; fixed ones stay.
    pub fn moved(&self, mut by: impl FnMut(DVec3) -> DVec3) -> Vec<[f32; 3]> {
        let pairs = self.flat.iter().zip(&self.fixed);
        pairs
            .map(|(flat, fixed)| {
                let at = Vec3::from(*flat).as_dvec3();
                match fixed {
                    true => *flat,
                    false => (at + by(at)).as_vec3().to_array(),
                }
            })
            .collect()
    }
}
