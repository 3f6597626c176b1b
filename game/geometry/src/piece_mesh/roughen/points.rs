//! Points of all cut faces of a break, identified by their bits, so that both sides of a face, and all
//! pieces around an edge, displace a point alike.

use crate::math::NONE;
use crate::mesh::position_bits;
use crate::tasks::Threads;
use glam::{DVec3, Vec3};
use rustc_hash::FxHashMap;

/// Points of a step, each of which takes some tenths of a microsecond to some microseconds.
const STEP: usize = 100;

/// Points of cut faces.
#[derive(Default)]
pub struct Points {
    /// By the bits of positions, in two numbers.
    ids: FxHashMap<(u64, u32), u32>,
    /// By point: its position on the flat face.
    flat: Vec<[f32; 3]>,
    /// By point: whether it is on the surface of the solid, and so stays.
    fixed: Vec<bool>,
}

impl Points {
    /// The point at a position, which is added if there is none.
    pub fn add(&mut self, position: [f32; 3]) -> u32 {
        let next = self.flat.len() as u32;
        let id = *self.ids.entry(key(position)).or_insert(next);
        if id == next {
            self.flat.push(position);
            self.fixed.push(false);
        }
        id
    }

    /// The point at a position, or [`NONE`].
    pub fn find(&self, position: [f32; 3]) -> u32 {
        self.ids.get(&key(position)).copied().unwrap_or(NONE)
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

    /// The points displaced by a field, on some threads; fixed points stay. The field gets scratch memory.
    pub async fn displaced(
        &self,
        threads: &Threads<'_>,
        field: impl Fn(DVec3, &mut Vec<u32>) -> DVec3 + Sync,
    ) -> Vec<[f32; 3]> {
        let mut displaced = self.flat.clone();
        let chunks = displaced.chunks_mut(STEP).zip(self.fixed.chunks(STEP));
        let mut chunks: Vec<_> = chunks.collect();
        let displace = |(points, fixed): &mut (&mut [[f32; 3]], &[bool])| {
            let mut scratch = Vec::new();
            for (point, _) in points.iter_mut().zip(*fixed).filter(|(_, fixed)| !**fixed) {
                let flat = Vec3::from(*point).as_dvec3();
                *point = (flat + field(flat, &mut scratch)).as_vec3().to_array();
            }
        };
        threads.for_each(&mut chunks, displace).await;
        displaced
    }
}

fn key(position: [f32; 3]) -> (u64, u32) {
    let [x, y, z] = position_bits(&position);
    (u64::from(x) << 32 | u64::from(y), z)
}
