//! Effects: what is heard and seen of an event, apart from its pieces.

use crate::{
    events::{BreakCause, Event},
    swap::piece_info::PieceInfo,
};
use fracture_simulation::Striker;
use fyrox::core::{
    algebra::Vector3, reflect::prelude::*, type_traits::prelude::*, visitor::prelude::*,
};
use std::f32::consts::FRAC_1_SQRT_2;
use strum_macros::{AsRefStr, EnumString, VariantNames};

/// Contacts with less energy raise no dust, J.
const DUSTY: f32 = 40.0;
/// Particles that trickle from a place that is near its strength.
const CREAK_DUST: f32 = 5.0;
/// The energy at which a contact is as loud as a break, J.
const LOUD: f32 = 900.0;
/// Speed at which what comes down drags its dust along, m/s.
const DRAGGED: f32 = 1.5;
/// Blows with less energy that break nothing are not heard, J.
const FELT: f32 = 2.0;
/// Distance within which two effects of one update are of one blow, metres.
const SAME_BLOW: f32 = 0.05;

/// The cause of a sound.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Visit,
    Reflect,
    AsRefStr,
    EnumString,
    VariantNames,
    TypeUuidProvider,
)]
#[type_uuid(id = "b3ad7d0e-8d0c-4a6d-9f2e-6c1f0f2b7a55")]
pub enum SoundCause {
    /// Something breaks.
    #[default]
    Break,
    /// Something hits something.
    Contact,
    /// Something is near its strength under what it carries.
    Creak,
    /// Something hits at a small angle, breaks nothing, and flies on.
    Ricochet,
}

impl SoundCause {
    /// All causes.
    pub(super) const ALL: [Self; 4] = [Self::Break, Self::Contact, Self::Creak, Self::Ricochet];
}

/// A sound with its dust.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effect<'a> {
    /// The material.
    pub tag: &'a str,
    /// World space, metres.
    pub at: Vector3<f32>,
    /// Unit direction in which the dust is thrown.
    pub normal: Vector3<f32>,
    /// Size of the event, metres.
    pub size: f32,
    /// Number of particles of dust.
    pub dust: f32,
    /// Speed at which dust is dragged down at most by what falls, m/s.
    pub falls: f32,
    /// The share of the time for which dust hangs in the air, 0 to 1.
    pub hang: f32,
    /// Loudness, 0 to 1.
    pub loudness: f32,
    /// The cause of the sound.
    pub cause: SoundCause,
}

impl<'a> Effect<'a> {
    /// The effects of the events of an update, one for each blow.
    pub fn of_events(events: impl Iterator<Item = &'a Event>) -> Vec<Self> {
        let mut effects: Vec<Self> = Vec::new();
        for effect in events.filter_map(Self::of) {
            let is_same = |other: &&mut Self| (other.at - effect.at).norm() < SAME_BLOW;
            match effects.iter_mut().find(is_same) {
                Some(other) if other.loudness < effect.loudness => *other = effect,
                Some(_) => {}
                None => effects.push(effect),
            }
        }
        effects
    }

    /// The effect of an event.
    pub fn of(event: &'a Event) -> Option<Self> {
        match event {
            Event::Broken {
                surface_tag,
                point,
                normal,
                energy,
                radius,
                crack_area,
                cause,
                pieces,
                ..
            } => {
                // Glass breaks all over: the radius of its breaks is larger than it.
                let radius = radius.min(reach(pieces, *point));
                let effect = Self::of_break(*cause, radius, *crack_area, *energy)?;
                Some(effect.at(surface_tag, *point, *normal))
            }
            Event::Contact {
                surface_tag,
                point,
                normal,
                energy,
                ..
            } => {
                // Between a piece and the floor it goes up.
                let up = if normal.y < 0.0 { -normal } else { *normal };
                Some(Self::of_contact(*energy).at(surface_tag, *point, up))
            }
            Event::BelowThreshold {
                surface_tag,
                point,
                normal,
                direction,
                energy,
                striker,
                ..
            } if *energy >= FELT && is_solid(*striker) => {
                let effect = Self::of_contact(*energy).at(surface_tag, *point, *normal);
                Some(effect.bounced(*direction))
            }
            Event::Strained {
                surface_tag,
                point,
                utilisation,
                ..
            } => Some(Self::of_creak(*utilisation).at(surface_tag, *point, -Vector3::y())),
            _ => None,
        }
    }

    fn at(self, tag: &'a str, at: Vector3<f32>, normal: Vector3<f32>) -> Self {
        Self {
            tag,
            at,
            normal,
            ..self
        }
    }

    /// The effect of a blow from a direction that breaks nothing.
    fn bounced(self, direction: Vector3<f32>) -> Self {
        let along = mirrored(direction, self.normal);
        match along.filter(|along| is_flat(*along, self.normal)) {
            Some(normal) => Self {
                cause: SoundCause::Ricochet,
                normal,
                ..self
            },
            None => self,
        }
    }

    fn of_break(cause: BreakCause, radius: f32, crack_area: f32, energy: f32) -> Option<Self> {
        match cause {
            BreakCause::Impact => Some(Self::of_blow(radius, crack_area, energy)),
            BreakCause::Weight => Some(Self::of_collapse(crack_area)),
            // It has happened before.
            BreakCause::Restore => None,
        }
    }

    /// The effect of a break with a radius, m, an area of cracks, m^2, and an energy, J.
    fn of_blow(radius: f32, crack_area: f32, energy: f32) -> Self {
        Self {
            size: radius.clamp(0.1, 2.0),
            dust: (12.0 * crack_area + 0.002 * energy).clamp(6.0, 60.0),
            hang: (energy / 60_000.0).min(1.0),
            loudness: (0.3 + crack_area.sqrt() * 0.3).min(1.0),
            cause: SoundCause::Break,
            ..Self::default()
        }
    }

    /// The effect of a break by weight with an area of cracks, m^2.
    fn of_collapse(crack_area: f32) -> Self {
        let size = crack_area.sqrt().clamp(0.1, 3.0);
        Self {
            size,
            dust: (24.0 * crack_area).clamp(8.0, 100.0),
            hang: (0.5 * size).min(1.0),
            falls: DRAGGED,
            ..Self::of_blow(size, crack_area, 0.0)
        }
    }

    /// The effect of a contact with an energy, J.
    fn of_contact(energy: f32) -> Self {
        let dusty = energy >= DUSTY;
        Self {
            size: (0.08 * energy.max(0.0).cbrt()).clamp(0.1, 3.0),
            dust: if dusty {
                (0.006 * energy).clamp(4.0, 100.0)
            } else {
                0.0
            },
            hang: (energy / 30_000.0).min(1.0),
            loudness: (energy / LOUD).sqrt().min(0.7),
            cause: SoundCause::Contact,
            ..Self::default()
        }
    }

    /// The effect of a stress as a share of the strength.
    fn of_creak(utilisation: f32) -> Self {
        Self {
            size: 0.25,
            dust: CREAK_DUST,
            loudness: (0.25 + 2.0 * (utilisation - 0.9)).clamp(0.25, 0.5),
            cause: SoundCause::Creak,
            ..Self::default()
        }
    }
}

impl Default for Effect<'_> {
    fn default() -> Self {
        Self {
            tag: "",
            at: Vector3::zeros(),
            normal: Vector3::y(),
            size: 0.1,
            dust: 0.0,
            falls: 0.0,
            hang: 0.0,
            loudness: 0.0,
            cause: SoundCause::default(),
        }
    }
}

/// Distance from a point to the centre of the farthest piece, metres.
fn reach(pieces: &[PieceInfo], point: Vector3<f32>) -> f32 {
    let distances = pieces.iter().map(|piece| (piece.position - point).norm());
    distances.fold(0.0, f32::max)
}

/// Whether a striker is a thing that hits, and not the gas of an explosion.
fn is_solid(striker: Striker) -> bool {
    !matches!(striker, Striker::Gas { .. })
}

/// The direction of what has bounced off a plane; `None` if it did not come from outside.
fn mirrored(direction: Vector3<f32>, normal: Vector3<f32>) -> Option<Vector3<f32>> {
    let inwards = -direction.dot(&normal);
    (inwards > 0.0).then(|| direction + normal * (2.0 * inwards))
}

/// Whether a unit direction is nearer to a plane than to its normal. The impulse of a contact is not, unless the two
/// bodies rub harder than nearly all materials do.
fn is_flat(direction: Vector3<f32>, normal: Vector3<f32>) -> bool {
    direction.dot(&normal) < FRAC_1_SQRT_2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::BreakDiagnostics;
    use crate::swap::piece_info::PieceKind;
    use fyrox::core::pool::Handle;

    fn broken(cause: BreakCause, crack_area: f32) -> Event {
        Event::Broken {
            node: Handle::NONE,
            piece: Handle::NONE,
            name: "Thing".into(),
            surface_tag: "glass_cut".into(),
            pieces: Vec::new(),
            dust: 0,
            cause,
            point: Vector3::new(1.0, 2.0, 3.0),
            normal: Vector3::y(),
            energy: 500.0,
            radius: 0.5,
            crack_area,
            diagnostics: BreakDiagnostics::default(),
        }
    }

    fn contact(energy: f32) -> Event {
        Event::Contact {
            node: Handle::NONE,
            object: Handle::NONE,
            name: "Wall/fragment_1_0".into(),
            surface_tag: "wood".into(),
            other: Handle::NONE,
            other_surface_tag: String::new(),
            point: Vector3::zeros(),
            normal: -Vector3::y(),
            impulse: 3.0,
            speed: 1.0,
            energy,
        }
    }

    fn weak_blow(direction: Vector3<f32>, energy: f32) -> Event {
        Event::BelowThreshold {
            node: Handle::NONE,
            piece: Handle::NONE,
            name: "Wall".into(),
            surface_tag: "stone".into(),
            point: Vector3::zeros(),
            normal: Vector3::y(),
            direction,
            energy,
            striker: Striker::Stone,
            impulse: 1.0,
            threshold: 2.0,
        }
    }

    fn strained(utilisation: f32) -> Event {
        Event::Strained {
            node: Handle::NONE,
            piece: Handle::NONE,
            name: "Plank".into(),
            surface_tag: "wood_cut".into(),
            point: Vector3::zeros(),
            utilisation,
        }
    }

    #[test]
    fn what_is_near_its_strength_creaks_and_sheds_a_little_dust() {
        let (early, late, crack) = (
            strained(0.91),
            strained(0.99),
            broken(BreakCause::Impact, 1.2),
        );
        let [early, late, crack] = [&early, &late, &crack].map(|event| Effect::of(event).unwrap());
        assert_eq!((early.cause, early.tag), (SoundCause::Creak, "wood_cut"));
        assert!(early.loudness < late.loudness && late.loudness < crack.loudness);
        assert!(early.dust > 0.0 && early.dust < crack.dust);
    }

    #[test]
    fn a_light_contact_is_quiet_and_raises_no_dust() {
        let [light, hard, heavy] = [4.0, 400.0, 40_000.0].map(contact);
        let [light, hard, heavy] = [&light, &hard, &heavy].map(|event| Effect::of(event).unwrap());
        assert!(light.dust == 0.0 && hard.dust > 0.0 && heavy.dust > hard.dust);
        assert!(light.loudness < hard.loudness);
        assert!(hard.hang < 0.1 && heavy.hang == 1.0);
        // The piece's outward normal is down.
        assert_eq!(hard.normal, Vector3::y());
    }

    #[test]
    fn a_collapse_leaves_dust_that_hangs_and_a_restored_break_none() {
        let (blow, collapse) = (
            broken(BreakCause::Impact, 4.0),
            broken(BreakCause::Weight, 4.0),
        );
        let [blow, collapse] = [&blow, &collapse].map(|event| Effect::of(event).unwrap());
        assert!(blow.hang < 0.1 && collapse.hang == 1.0);
        assert!(collapse.dust > blow.dust && collapse.size > blow.size);
        assert!(collapse.falls > 0.0 && blow.falls == 0.0);
        assert!(Effect::of(&broken(BreakCause::Restore, 4.0)).is_none());
    }

    #[test]
    fn dust_of_glass_that_breaks_all_over_is_no_larger_than_that() {
        let piece = PieceInfo {
            name: "Thing/fragment_0_0".into(),
            kind: PieceKind::Fragment,
            volume: 1e-3,
            mass: 2.5,
            closed: None,
            anchored: false,
            position: Vector3::new(1.0, 2.4, 3.3),
            velocity: Vector3::zeros(),
            angular_velocity: Vector3::zeros(),
            bounds: [Vector3::zeros(); 2],
            node: Handle::NONE,
            generation: 1,
        };
        let mut event = broken(BreakCause::Impact, 4.0);
        for (all_over, expected) in [(0.2, 0.2), (3.0, 0.5)] {
            if let Event::Broken { pieces, radius, .. } = &mut event {
                (*pieces, *radius) = (vec![piece.clone()], all_over);
            }
            let size = Effect::of(&event).unwrap().size;
            assert!((size - expected).abs() < 1e-6, "{size}");
        }
    }

    #[test]
    fn a_flat_blow_is_a_ricochet_that_throws_dust_along() {
        let cause = |direction: Vector3<f32>| {
            let event = weak_blow(direction.normalize(), 100.0);
            Effect::of(&event).map(|effect| (effect.cause, effect.normal))
        };
        let up = Vector3::y();
        assert_eq!(cause(-up), Some((SoundCause::Contact, up)));
        // Friction of 0.9.
        let rubbed = cause(Vector3::new(0.9, -1.0, 0.0)).unwrap();
        assert_eq!(rubbed, (SoundCause::Contact, up));
        let (flat, along) = cause(Vector3::new(2.0, -1.0, 0.0)).unwrap();
        assert_eq!(flat, SoundCause::Ricochet);
        assert!((along - Vector3::new(2.0, 1.0, 0.0).normalize()).norm() < 1e-6);
        // From inside, and one without a direction.
        assert_eq!(
            cause(Vector3::new(2.0, 1.0, 0.0)),
            Some((SoundCause::Contact, up))
        );
        let still = weak_blow(Vector3::zeros(), 100.0);
        assert_eq!(Effect::of(&still).unwrap().cause, SoundCause::Contact);
        assert!(Effect::of(&weak_blow(-up, 1.0)).is_none());
    }

    #[test]
    fn the_gas_of_an_explosion_hits_nothing() {
        let mut blow = weak_blow(-Vector3::y(), 100.0);
        assert!(Effect::of(&blow).is_some());
        if let Event::BelowThreshold { striker, .. } = &mut blow {
            *striker = Striker::Gas { distance: 1.0 };
        }
        assert!(Effect::of(&blow).is_none());
    }

    #[test]
    fn of_two_events_of_one_blow_the_louder_counts() {
        let events = [
            contact(400.0),
            weak_blow(-Vector3::y(), 300.0),
            broken(BreakCause::Impact, 1.0),
        ];
        let effects = Effect::of_events(events.iter());
        let tags: Vec<_> = effects.iter().map(|effect| effect.tag).collect();
        assert_eq!(tags, ["wood", "glass_cut"]);
    }
}
