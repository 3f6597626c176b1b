//! Welds: bonds between free pieces, which move as one body until a collision breaks them, and of free pieces that hang by
//! bars on held ones.
//!
//! A weld is a fixed joint of rapier; one of bars that bend is a joint that turns. Each of its two pieces has an end of it, with all that the joint is made of, and
//! both ends have the same id: so pieces are saved and loaded one by one, and are joined again once both are there. A
//! body that is frozen, thawed or broken gets a new joint in the next step.

use std::collections::{BTreeMap, BTreeSet};

use fracture_geometry::support::AreaProperties;
use glam::{DMat3, DVec3, Mat3, Quat, Vec2, Vec3};
use rapier3d::dynamics::{ImpulseJointHandle, RigidBodyHandle};
use rapier3d::math::Pose;

use super::idle::Tracked;
use crate::stress::half_axes;
use crate::types::{is_in_range, BodyId, MAX_FIGURE};

/// One of the two ends of a weld between pieces, of which one at least is free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeldEnd {
    /// The weld; its other end has the same.
    pub id: u64,
    /// Whether this piece is the first of the two.
    pub is_first: bool,
    /// Centre of the face, in the space of the piece. The x axis is its normal, out of the first piece.
    pub frame: Pose,
    /// Half axes of the face along y and z, metres.
    pub half_axes: [f32; 2],
    /// Area, m^2.
    pub area: f32,
    /// Strength, Pa.
    pub strength: f32,
    /// Distance of the face from a piece up to which it may be that of the piece, metres.
    pub reach: f32,
    /// Whether it is of bars, which bend where a moment is too much for them: only a force parts it.
    pub bends: bool,
}

impl WeldEnd {
    /// Both ends of a weld that does not bend: of a face in world space, whose normal points from the first to the second of
    /// two bodies at these poses. Strength in Pa, reach in metres.
    pub(crate) fn pair(
        id: u64,
        face: &AreaProperties,
        strength: f64,
        reach: f32,
        poses: [Pose; 2],
    ) -> [Self; 2] {
        let [y, z] = half_axes(face);
        let normal = face.normal.as_vec3().normalize_or(Vec3::Y);
        let along = y.as_vec3().reject_from(normal);
        let along = along.normalize_or(normal.any_orthonormal_vector());
        let axes = Mat3::from_cols(normal, along, normal.cross(along));
        let frame = Pose::from_parts(face.center.as_vec3(), Quat::from_mat3(&axes));
        let end = |is_first: bool, pose: Pose| Self {
            id,
            is_first,
            frame: pose.inverse() * frame,
            half_axes: [y.length() as f32, z.length() as f32],
            area: face.area as f32,
            strength: strength as f32,
            reach,
            bends: false,
        };
        [end(true, poses[0]), end(false, poses[1])]
    }

    /// Whether all figures are in range, as those of a save need not be.
    pub(crate) fn is_valid(&self) -> bool {
        let [a, b] = self.half_axes;
        let figures = [a, b, self.area, self.strength, self.reach];
        let is_positive = figures
            .iter()
            .all(|figure| (0.0..=MAX_FIGURE).contains(figure));
        is_positive && is_in_range(self.frame.translation) && self.frame.rotation.is_normalized()
    }

    /// The moments about the axes of its frame at which bars bend, N m: the steel flows in all of the section (the plastic
    /// moments of a rectangle with these half axes).
    pub(super) fn bending_moments(&self) -> [f32; 3] {
        let [y, z] = self.half_axes;
        let tension = self.area * self.strength;
        let shear = tension / 3.0_f32.sqrt();
        [shear * Vec2::new(y, z).length(), tension * z, tension * y].map(|moment| 0.5 * moment)
    }

    /// Whether bars bend under a moment (N m, world space) where their frame is turned like this.
    pub(super) fn gives_way(&self, frame: &Quat, moment: DVec3) -> bool {
        let moment = frame.inverse() * moment.as_vec3();
        let most = Vec3::from_array(self.bending_moments());
        moment.abs().cmpgt(most).any()
    }

    /// The share of their strength that a force (N, world space) on bars is: by the stress of tension and shear after von
    /// Mises.
    pub(super) fn stretch(&self, frame: &Quat, force: DVec3) -> f32 {
        let stress = frame.inverse() * force.as_vec3() / self.area;
        let stress = stress * Vec3::new(1.0, 3.0_f32.sqrt(), 3.0_f32.sqrt());
        stress.length() / self.strength
    }

    /// The face in world space, for a piece at a pose.
    pub(super) fn face(&self, pose: &Pose) -> AreaProperties {
        let frame = *pose * self.frame;
        let axes = DMat3::from_quat(frame.rotation.as_dquat());
        let [y, z] = self.half_axes.map(f64::from);
        let area = f64::from(self.area);
        let moments = DMat3::from_diagonal(DVec3::new(0.0, y * y, z * z) * (area / 3.0));
        AreaProperties {
            area,
            center: frame.translation.as_dvec3(),
            normal: axes.x_axis,
            moments: axes * moments * axes.transpose(),
        }
    }
}

/// A weld, or what is left of it while one of its pieces is missing.
#[derive(Default)]
pub(super) struct Weld {
    pub ends: [Option<(BodyId, WeldEnd)>; 2],
    /// The joint in rapier's world, once it is there.
    pub handle: Option<ImpulseJointHandle>,
}

impl Weld {
    /// Both ends; `None` while a piece is missing.
    pub fn both(&self) -> Option<[(BodyId, WeldEnd); 2]> {
        let [first, second] = self.ends;
        Some([first?, second?])
    }

    /// The joint with its ends, once it is there.
    pub fn joint(&self) -> Option<(ImpulseJointHandle, [WeldEnd; 2])> {
        Some((self.handle?, self.both()?.map(|(_, end)| end)))
    }
}

/// Two pieces that are welded together.
pub(super) struct WeldedPair {
    pub bodies: [BodyId; 2],
    pub first: WeldEnd,
}

/// All welds, by id.
#[derive(Default)]
pub(super) struct Welds {
    pub by_id: Tracked<BTreeMap<u64, Weld>>,
    pub of_body: BTreeMap<BodyId, BTreeSet<u64>>,
    /// Bodies that have been parted since the last step: contacts between them begin now.
    pub parted: Vec<RigidBodyHandle>,
    /// Welds of bars that hold still and may have to bend: their load is to be found.
    pub hung: BTreeSet<u64>,
    /// Welds of bars that bend, and for how many substeps they have done so.
    pub bending: BTreeMap<u64, u32>,
}

impl Welds {
    pub fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    /// Adds an end; the weld holds from the next step on if the other one is there.
    pub fn add(&mut self, body: BodyId, end: WeldEnd) {
        let weld = self.by_id.entry(end.id).or_default();
        let [first, second] = &mut weld.ends;
        let slot = if end.is_first { first } else { second };
        if slot.is_none() {
            *slot = Some((body, end));
            self.of_body.entry(body).or_default().insert(end.id);
        }
    }

    /// Forgets the ends of a body that has gone.
    pub fn forget(&mut self, body: BodyId) {
        for id in self.of_body.remove(&body).unwrap_or_default() {
            let Some(weld) = self.by_id.get_mut(&id) else {
                continue;
            };
            for end in &mut weld.ends {
                *end = end.filter(|(other, _)| *other != body);
            }
            weld.handle = None;
            if weld.ends == [None, None] {
                self.by_id.remove(&id);
            }
        }
    }

    /// The ends of a body, by id.
    pub fn ends_of(&self, body: BodyId) -> Vec<WeldEnd> {
        let ids = self.of_body.get(&body).into_iter().flatten();
        let ends = ids.filter_map(|id| {
            let ends = self.by_id.get(id)?.ends.into_iter().flatten();
            let mut own = ends.filter(|(other, _)| *other == body);
            own.next().map(|(_, end)| end)
        });
        ends.collect()
    }

    /// The welds of a body with others, by id.
    pub fn pairs_of(&self, body: BodyId) -> impl Iterator<Item = WeldedPair> + '_ {
        let ids = self.of_body.get(&body).into_iter().flatten();
        ids.filter_map(|id| {
            let [(first, end), (second, _)] = self.by_id.get(id)?.both()?;
            Some(WeldedPair {
                bodies: [first, second],
                first: end,
            })
        })
    }

    /// All bodies that a body is one with, itself included.
    pub fn joined(&self, body: BodyId) -> BTreeSet<BodyId> {
        let mut joined = BTreeSet::from([body]);
        let mut open = vec![body];
        while let Some(body) = open.pop() {
            let others = self.pairs_of(body).flat_map(|pair| pair.bodies);
            open.extend(others.filter(|other| joined.insert(*other)));
        }
        joined
    }

    /// A piece at each of the welds of bars whose load is to be found.
    pub fn take_hung(&mut self) -> Vec<BodyId> {
        let hung = std::mem::take(&mut self.hung).into_iter();
        let ends = hung.filter_map(|id| self.by_id.get(&id)?.both());
        ends.map(|[(first, _), _]| first).collect()
    }

    pub fn is_dirty(&self) -> bool {
        self.by_id.is_dirty()
    }

    pub fn clear_dirty(&mut self) {
        self.by_id.clear_dirty();
    }
}
