//! The events of single bodies.

use crate::{
    events::{BreakCause, BreakDiagnostics, Event},
    mirror::transforms::engine_vector,
    object::{ObjectId, Objects},
    swap::pieces::PieceStore,
};
use fracture_simulation::{
    geometry::glam::Vec3, BodyId, Broken, Cause, DropReason, StrainedBond, WeakBlow,
};
use fyrox::{core::pool::Handle, scene::node::Node};
use std::sync::Arc;

/// The object and the names of a body of the simulation, for events.
pub(super) struct BodyInfo {
    pub object: ObjectId,
    /// The node of the object with the script.
    pub node: Handle<Node>,
    /// The node of the piece; none of an intact object.
    pub piece: Handle<Node>,
    /// Name of the object or the piece.
    pub name: String,
    pub surface_tag: Arc<str>,
}

impl BodyInfo {
    /// Looks a body up; `None` if its object has been removed.
    pub fn of(objects: &Objects, pieces: &PieceStore, body: BodyId) -> Option<Self> {
        if let Some(piece) = pieces.get(body) {
            let object = objects.get(piece.object);
            return Some(Self {
                object: piece.object,
                node: object.map_or(Handle::NONE, |object| object.node),
                piece: piece.node,
                name: piece.name.clone(),
                surface_tag: object.map_or_else(Arc::default, |object| object.surface_tag.clone()),
            });
        }
        let id = objects.of_root(body)?;
        let object = objects.get(id)?;
        Some(Self {
            object: id,
            node: object.node,
            piece: Handle::NONE,
            name: object.name.clone(),
            surface_tag: object.surface_tag.clone(),
        })
    }

    /// The event of a break, still without its pieces.
    pub fn broken(&self, broken: &Broken) -> Event {
        Event::Broken {
            node: self.node,
            piece: self.piece,
            name: self.name.clone(),
            cause: match broken.cause {
                Cause::Impact => BreakCause::Impact,
                Cause::Weight => BreakCause::Weight,
                Cause::Restore => BreakCause::Restore,
            },
            pieces: Vec::with_capacity(broken.pieces.len()),
            dust: broken.dust.len(),
            surface_tag: self.surface_tag.to_string(),
            point: engine_vector(broken.point),
            normal: engine_vector(broken.normal),
            energy: broken.energy,
            radius: broken.radius,
            crack_area: broken.crack_area,
            diagnostics: BreakDiagnostics {
                frames_waited: broken.frames,
                worker_ms: broken.worker_ms,
                times: broken.times,
                volume_error: broken.volume_error,
                impulse: engine_vector(broken.impulse),
                energy_gain: broken.energy_gain,
                momentum_gain: engine_vector(broken.momentum_gain),
                angular_momentum_gain: engine_vector(broken.angular_momentum_gain),
                kept_impulse: engine_vector(broken.kept_impulse),
                kept_energy: broken.kept_energy,
            },
        }
    }

    pub fn below_threshold(self, blow: &WeakBlow) -> Event {
        Event::BelowThreshold {
            node: self.node,
            piece: self.piece,
            name: self.name,
            surface_tag: self.surface_tag.to_string(),
            point: engine_vector(blow.point),
            normal: engine_vector(blow.normal),
            direction: engine_vector(blow.impulse.normalize_or_zero()),
            energy: blow.energy,
            striker: blow.striker,
            impulse: blow.impulse.length(),
            threshold: blow.damage_threshold,
        }
    }

    pub fn damaged(self, point: Vec3, damage: f32) -> Event {
        Event::Damaged {
            node: self.node,
            piece: self.piece,
            name: self.name,
            point: engine_vector(point),
            damage,
        }
    }

    pub fn strained(self, strained: &StrainedBond) -> Event {
        Event::Strained {
            node: self.node,
            piece: self.piece,
            name: self.name,
            surface_tag: self.surface_tag.to_string(),
            point: engine_vector(strained.point),
            utilisation: strained.utilisation,
        }
    }

    pub fn unbreakable(self) -> Event {
        Event::Unbreakable {
            node: self.node,
            piece: self.piece,
            name: self.name,
        }
    }

    pub fn dropped(self, reason: DropReason) -> Event {
        Event::Dropped {
            node: self.node,
            piece: self.piece,
            name: self.name,
            reason: drop_reason(reason).to_owned(),
        }
    }

    /// The event of an impact that did not reach the mesh, or else of a break that failed.
    pub fn failed(self, missed: bool, reason: String) -> Event {
        let (node, piece, name) = (self.node, self.piece, self.name);
        if missed {
            Event::Missed {
                node,
                piece,
                name,
                reason,
            }
        } else {
            Event::Failed {
                node,
                piece,
                name,
                reason,
            }
        }
    }
}

fn drop_reason(reason: DropReason) -> &'static str {
    match reason {
        DropReason::QueueFull => "too many breaks are under way",
        DropReason::TooManyWaiting => "too many blows wait for the break under way",
        DropReason::TooManyBreaks => "debris breaks too many bodies at once",
    }
}
