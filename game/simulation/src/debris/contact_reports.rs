//! From which force on rapier reports the contacts of a collider.

use rapier3d::dynamics::IntegrationParameters;
use rapier3d::pipeline::ActiveEvents;

/// Part of the reported impulse at which rapier reports a contact: it spreads a collision over the steps
/// in which the contact lasts.
const EVENT_THRESHOLD: f32 = 0.5;

/// The contacts of a collider that rapier reports.
pub(super) struct ContactReports {
    /// From which force on, N.
    pub force: f32,
    pub events: ActiveEvents,
}

impl ContactReports {
    /// Those from an impulse on, N s; infinite for none.
    pub fn new(parameters: &IntegrationParameters, impulse: f32) -> Self {
        let force = EVENT_THRESHOLD * impulse / parameters.dt.max(1e-3);
        let events = if force.is_finite() {
            ActiveEvents::CONTACT_FORCE_EVENTS
        } else {
            ActiveEvents::empty()
        };
        Self { force, events }
    }
}
