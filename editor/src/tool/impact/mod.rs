//! The impact that the artist places: where it is, its handles, and the mode in the scene that moves them.

mod gizmo;
mod marker;
pub(crate) mod place_mode;

pub(crate) use gizmo::{dragged_normal, dragged_radius, GizmoHandle};
pub(crate) use marker::{describe, sentence, CursorRay, ImpactMarker, NO_IMPACT};
pub use marker::{CRACKS, FAULTY, HOVERED, WEAK};
