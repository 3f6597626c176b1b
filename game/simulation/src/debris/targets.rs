//! Where moving surroundings are to be after the next step.

use rapier3d::dynamics::RigidBodyHandle;
use rapier3d::math::Pose;

/// By body, sorted: where it is and where it is to be. Keeps its memory from step to step.
#[derive(Default)]
pub(super) struct KinematicTargets(Vec<(Key, [Pose; 2])>);

type Key = (u32, u32);

impl KinematicTargets {
    /// Sends a body somewhere, in place of where it was to be.
    pub fn set(&mut self, body: RigidBodyHandle, way: [Pose; 2]) {
        let key = body.into_raw_parts();
        match self.find(key) {
            Ok(place) => {
                if let Some(target) = self.0.get_mut(place) {
                    target.1 = way;
                }
            }
            Err(place) => self.0.insert(place, (key, way)),
        }
    }

    /// Lets a body stay where it is.
    pub fn forget(&mut self, body: RigidBodyHandle) {
        if let Ok(place) = self.find(body.into_raw_parts()) {
            self.0.remove(place);
        }
    }

    /// Whether everything stays where it is.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn iter(&self) -> impl Iterator<Item = (RigidBodyHandle, [Pose; 2])> + '_ {
        let handle = |(index, generation)| RigidBodyHandle::from_raw_parts(index, generation);
        self.0.iter().map(move |(key, way)| (handle(*key), *way))
    }

    fn find(&self, key: Key) -> Result<usize, usize> {
        self.0.binary_search_by_key(&key, |(key, _)| *key)
    }
}
