//! Bodies that joints connect, and what they hang on.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DVec3, Vec3};
use rapier3d::math::Pose;

use crate::debris::{BodyRef, DebrisWorld, JointDesc};

/// All that hangs by joints on held breakable bodies.
#[derive(Default)]
pub(crate) struct Hanging {
    /// Those that may hang on breakable bodies.
    pub(super) islands: Vec<Island>,
    /// The changes of joints after which they were found; see [`DebrisWorld::joint_changes`].
    changes: Option<[u64; 2]>,
    /// Whether any joint may hold a breakable body.
    pub has_joints: bool,
}

/// A joint of a body that hangs with one that does not move.
pub(super) struct JointEnd {
    pub on: BodyRef,
    /// Space of that body.
    frame: Vec3,
    /// Where that body is; `None` if it is gone.
    pub pose: Option<Pose>,
}

/// A joint of a body that hangs with one that does not move, and where it is.
pub(super) struct PlacedEnd {
    pub on: BodyRef,
    pub pose: Pose,
    /// World space.
    pub place: DVec3,
}

/// Dynamic bodies that joints connect, and the joints that hold them.
#[derive(Default)]
pub(super) struct Island {
    pub bodies: BTreeSet<BodyRef>,
    pub ends: Vec<JointEnd>,
}

impl Hanging {
    /// Finds the islands anew if joints or bodies at them have come or gone.
    pub fn update(&mut self, world: &DebrisWorld) {
        let changes = Some(world.joint_changes());
        if self.changes != changes {
            *self = Self::find(world);
            self.changes = changes;
        }
    }

    /// The islands of a world.
    fn find(world: &DebrisWorld) -> Self {
        let mut joints = world.joints();
        let is_breakable = |body: &BodyRef| body.breakable().is_some();
        let has_joints = joints.any(|joint| joint.bodies.iter().any(is_breakable));
        if !has_joints {
            return Self::default();
        }
        let mut joints_of: BTreeMap<BodyRef, Vec<&JointDesc>> = BTreeMap::new();
        for joint in world.joints() {
            for body in joint.bodies.iter().filter(|body| world.has_shadow(**body)) {
                joints_of.entry(*body).or_default().push(joint);
            }
        }
        let mut seen: BTreeSet<BodyRef> = BTreeSet::new();
        let mut islands = Vec::new();
        for first in joints_of.keys() {
            if !seen.contains(first) {
                let island = Island::new(world, &joints_of, *first);
                seen.extend(&island.bodies);
                islands.push(island);
            }
        }
        islands.retain(|island| island.ends.iter().any(|end| is_breakable(&end.on)));
        Self {
            islands,
            changes: None,
            has_joints,
        }
    }

    /// The bodies that hang.
    pub fn bodies(&self) -> impl Iterator<Item = BodyRef> + '_ {
        let islands = self.islands.iter().filter(|island| island.hangs());
        islands.flat_map(|island| island.bodies.iter().copied())
    }

    /// Whether a body hangs.
    pub fn contains(&self, body: BodyRef) -> bool {
        let mut islands = self.islands.iter().filter(|island| island.hangs());
        islands.any(|island| island.bodies.contains(&body))
    }
}

impl Island {
    /// All that joints connect to a body.
    fn new(
        world: &DebrisWorld,
        joints_of: &BTreeMap<BodyRef, Vec<&JointDesc>>,
        first: BodyRef,
    ) -> Self {
        let mut island = Self::default();
        let mut open = vec![first];
        island.bodies.insert(first);
        while let Some(body) = open.pop() {
            for joint in joints_of.get(&body).into_iter().flatten() {
                let frames = [joint.joint.local_frame1, joint.joint.local_frame2];
                for (other, frame) in joint.bodies.into_iter().zip(frames) {
                    if !world.has_shadow(other) {
                        island.ends.push(JointEnd {
                            on: other,
                            frame: frame.translation,
                            pose: None,
                        });
                    } else if island.bodies.insert(other) {
                        open.push(other);
                    }
                }
            }
        }
        island
    }

    /// Whether any of its joints is with a breakable body that is there.
    pub fn hangs(&self) -> bool {
        self.ends().any(|end| end.on.breakable().is_some())
    }

    /// The joints with bodies that are there.
    pub fn ends(&self) -> impl Iterator<Item = PlacedEnd> + '_ {
        self.ends.iter().filter_map(|end| {
            let pose = end.pose?;
            Some(PlacedEnd {
                on: end.on,
                pose,
                place: pose.transform_point(end.frame).as_dvec3(),
            })
        })
    }
}
