//! What becomes of pieces in the end.

use crate::error::BodyError;

/// How long a body's free pieces last; pieces inherit it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DebrisLifetime {
    /// How long a free piece lives, seconds, above 0; infinite: as long as the budget allows. Each
    /// lives up to 30 % longer, by its seed, so that a heap does not go all at once. One that still
    /// moves then is given as long again to come to rest.
    pub lifetime: f32,
    /// Free pieces whose longest side is below this, metres, are no bodies but
    /// [`DustParticle`](crate::DustParticle)s; 0 for none. The largest piece of a break is a body whatever its size,
    /// and of more than 1,024 free pieces of one break the smallest are crumbs whatever theirs is.
    pub crumb_size: f32,
}

impl Default for DebrisLifetime {
    fn default() -> Self {
        Self {
            lifetime: f32::INFINITY,
            crumb_size: 0.0,
        }
    }
}

impl DebrisLifetime {
    pub(crate) fn check(&self) -> Result<(), BodyError> {
        let Self {
            lifetime,
            crumb_size,
        } = *self;
        // A NaN fails both.
        let rules = [
            ("lifetime", lifetime, lifetime > 0.0, "above 0"),
            (
                "crumb size",
                crumb_size,
                (0.0..f32::INFINITY).contains(&crumb_size),
                "finite and not negative",
            ),
        ];
        match rules.into_iter().find(|(_, _, holds, _)| !holds) {
            Some((what, value, _, range)) => Err(BodyError::Material { what, value, range }),
            None => Ok(()),
        }
    }
}
