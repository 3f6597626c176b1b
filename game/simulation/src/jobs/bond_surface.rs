//! Properties of bodies that the bonds between them have.

use hecs::World;

use crate::debris::BodyRef;
use crate::pieces::components::Breakable;
use crate::pieces::Anchors;
use crate::types::BodyId;

/// Properties of a body that its bonds have.
#[derive(Clone, Copy)]
pub(super) struct BondSurface {
    /// Strength of the material, Pa; infinite without one.
    material: f64,
    /// Part of that which the bonds have.
    factor: f64,
    /// Coefficient of Coulomb friction; `None`: that of the settings.
    friction: Option<f32>,
}

impl BondSurface {
    pub fn of(breakable: &Breakable, anchors: &Anchors) -> Self {
        let strength = breakable.asset.material.tensile_strength;
        let factor = match anchors {
            Anchors::Touching { bond_strength, .. } => f64::from(*bond_strength),
            Anchors::Boxes(_) | Anchors::FromBounds(_) => 1.0,
        };
        let material = if strength > 0.0 {
            f64::from(strength)
        } else {
            f64::INFINITY
        };
        Self {
            material,
            factor,
            friction: breakable.asset.contact.friction,
        }
    }

    /// The surface of a body by id.
    pub fn of_body(world: &World, body: BodyId) -> Option<Self> {
        let entity = world.entity(body.0).ok()?;
        let breakable = entity.get::<&Breakable>()?;
        Some(Self::of(&breakable, &*entity.get::<&Anchors>()?))
    }

    /// The strength of a bond with another body, or with one of the engine, Pa.
    pub fn strength(self, other: Option<Self>) -> f64 {
        let other = other.unwrap_or(self);
        let factor = self.factor.min(other.factor);
        if factor > 0.0 {
            self.material.min(other.material) * factor
        } else {
            0.0
        }
    }

    /// The coefficient of friction between the two, the mean of both as in contacts of debris.
    pub fn friction(self, other: Option<Self>, usual: f32) -> f64 {
        let of = |surface: Self| f64::from(surface.friction.unwrap_or(usual));
        0.5 * (of(self) + of(other.unwrap_or(self)))
    }
}

/// Whether the bond between two bodies is loose from the start.
pub(crate) fn is_loose(world: &World, bodies: [BodyRef; 2]) -> bool {
    bond_strength(world, bodies).is_some_and(|strength| strength <= 0.0)
}

/// The strength of a bond between two bodies, Pa: infinite of materials without one. `None` where neither breaks.
pub(crate) fn bond_strength(world: &World, bodies: [BodyRef; 2]) -> Option<f64> {
    strength_between(bodies.map(|body| BondSurface::of_body(world, body.breakable()?)))
}

/// The strength of a bond between two surfaces, Pa; `None` where neither breaks.
pub(super) fn strength_between([one, other]: [Option<BondSurface>; 2]) -> Option<f64> {
    Some(one.or(other)?.strength(one.and(other)))
}
