//! Colliders of the engine's bodies that the worker builds, such as a level's triangle mesh.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use crate::debris::{BodyDesc, BodyRef};
use crate::pieces::Shape;
use crate::types::Motion;

/// Builds the colliders of a body; `None` if there is nothing to collide with.
type BuildFunction = Box<dyn FnOnce() -> Option<BodyDesc> + Send>;

/// A build that has been requested and is not done.
struct PendingBuild {
    /// The body's motion by now.
    motion: Motion,
    /// Tells the request from older ones of the same body.
    generation: u64,
    /// `None` once the worker has it.
    build: Option<BuildFunction>,
    needed: Option<Arc<Shape>>,
}

/// A build for the worker.
pub(crate) struct ColliderJob {
    pub owner: BodyRef,
    pub generation: u64,
    pub build: BuildFunction,
    /// The shape whose solid the build needs.
    pub needed: Option<Arc<Shape>>,
}

/// All pending builds.
#[derive(Default)]
pub(crate) struct ColliderBuilds {
    pending: BTreeMap<BodyRef, PendingBuild>,
    /// Requests in their order; some have been cancelled or replaced.
    queued: VecDeque<BodyRef>,
    last_generation: u64,
}

impl ColliderBuilds {
    /// Requests a build, in place of an older one of the same body; it may need the solid of a shape.
    pub fn request(
        &mut self,
        owner: BodyRef,
        motion: Motion,
        build: BuildFunction,
        needed: Option<Arc<Shape>>,
    ) {
        self.last_generation += 1;
        let pending = PendingBuild {
            motion,
            generation: self.last_generation,
            build: Some(build),
            needed,
        };
        self.pending.insert(owner, pending);
        self.queued.push_back(owner);
    }

    /// Drops the result of a body's build.
    pub fn cancel(&mut self, owner: BodyRef) {
        self.pending.remove(&owner);
    }

    /// Takes the motion of a body whose colliders may be built.
    pub fn set_motion(&mut self, owner: BodyRef, motion: Motion) {
        if let Some(pending) = self.pending.get_mut(&owner) {
            pending.motion = motion;
        }
    }

    /// The next build for the worker.
    pub fn next_job(&mut self) -> Option<ColliderJob> {
        while let Some(owner) = self.queued.pop_front() {
            let Some(pending) = self.pending.get_mut(&owner) else {
                continue;
            };
            if let Some(build) = pending.build.take() {
                return Some(ColliderJob {
                    owner,
                    generation: pending.generation,
                    build,
                    needed: pending.needed.take(),
                });
            }
        }
        None
    }

    /// Ends a build. Returns the body's motion; `None` if the build was cancelled or replaced.
    pub fn finish(&mut self, owner: BodyRef, generation: u64) -> Option<Motion> {
        let pending = self.pending.get(&owner)?;
        if pending.generation != generation {
            return None;
        }
        self.pending.remove(&owner).map(|pending| pending.motion)
    }

    /// Whether any build is not done.
    pub fn is_building(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Whether the worker has all builds.
    pub fn are_submitted(&self) -> bool {
        self.queued.is_empty()
    }
}
