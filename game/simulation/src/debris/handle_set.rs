//! A set of bodies that something is true of for one step.

use rapier3d::dynamics::RigidBodyHandle;

/// Bodies, sorted.
#[derive(Default)]
pub(super) struct HandleSet(Vec<RigidBodyHandle>);

impl HandleSet {
    /// Forgets all and takes these; allocates only when there are more than ever.
    pub fn set(&mut self, bodies: impl Iterator<Item = RigidBodyHandle>) {
        self.0.clear();
        self.0.extend(bodies);
        self.0.sort_unstable_by_key(|body| body.into_raw_parts());
    }

    pub fn iter(&self) -> impl Iterator<Item = &RigidBodyHandle> {
        self.0.iter()
    }

    pub fn contains(&self, body: Option<RigidBodyHandle>) -> bool {
        let key = |body: &RigidBodyHandle| body.into_raw_parts();
        body.is_some_and(|body| self.0.binary_search_by_key(&key(&body), key).is_ok())
    }
}
