//! What the window says about an impact, and messages as sentences.

use super::aim::Aim;

/// What there is to do first.
pub(super) const NO_IMPACT: &str =
    "No impact placed: press Place Impact and click on the object in the scene.";

pub(super) fn describe(aim: &Aim) -> String {
    let Some(impact) = &aim.impact else {
        return NO_IMPACT.into();
    };
    let (at, normal) = (impact.point, impact.normal);
    format!(
        "Impact at ({:.2}, {:.2}, {:.2}), radius {:.2} m, normal ({:.2}, {:.2}, {:.2}).",
        at.x, at.y, at.z, aim.radius, normal.x, normal.y, normal.z
    )
}

/// A message as a sentence.
pub(super) fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str())
}
