//! Enums of a destructible's fields: mass, anchoring, texture mapping of cut faces, fading, open meshes.

use fracture_geometry::SolidError;
use fracture_simulation::{geometry::piece_mesh::CapMapping, BreakFailure, OpenMeshPolicy};
use fyrox::core::{reflect::prelude::*, type_traits::prelude::*, visitor::prelude::*};
use strum_macros::{AsRefStr, EnumString, VariantNames};

/// The source of an object's mass, before a break and after it. Only a dynamic body has a mass of its own.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Visit,
    Reflect,
    AsRefStr,
    EnumString,
    VariantNames,
    TypeUuidProvider,
)]
#[type_uuid(id = "3e1c9a7d-52b4-4f0c-8f16-c9a4e2d7b058")]
pub enum MassSource {
    /// Density and volume of the meshes. The rigid body is given mass, centre of mass and moments of inertia
    /// when the object is found.
    #[default]
    FromDensity,
    /// The rigid body, with its colliders. The pieces share its mass by their volumes.
    FromBody,
}

/// The anchored parts of a static or kinematic object, which stay in place when it breaks.
///
/// Directions are those of the rigid body's own frame. Scenes have the number of a variant: new ones come last.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Visit,
    Reflect,
    AsRefStr,
    EnumString,
    VariantNames,
    TypeUuidProvider,
)]
#[type_uuid(id = "0c5ab2a5-6a3b-4d57-9a55-2f3a9f3b7d10")]
pub enum Anchoring {
    /// Nothing: every piece falls.
    Free,
    /// The lowest slab, as a wall on its foundation or a column.
    Base,
    /// The lowest and the highest slab, as a column under a roof.
    BaseAndTop,
    /// Both ends of the longer horizontal side, as a beam between two walls.
    Sides,
    /// The four borders across the thinnest direction, as a pane in its frame.
    Edges,
    /// Everything that is not broken off.
    All,
    /// Wherever the object touches what is held: static bodies, and other static destructibles that have a way to
    /// one. It falls when nothing is left that holds it. A kinematic object is held by what moves it: all that is not
    /// broken off stays.
    #[default]
    Touching,
}

impl Anchoring {
    /// The anchored boxes of an object with the given bounds, as low and high corners, metres. None of an object that
    /// is held by touch: they follow from what is around it.
    pub fn boxes(self, [low, high]: [[f32; 3]; 2], depth: f32) -> Vec<[[f32; 3]; 2]> {
        let depth = if depth.is_finite() {
            depth.max(1e-4)
        } else {
            1e-4
        };
        // The boxes are grown by the depth, so that vertices on the boundary are inside in spite of
        // rounding.
        let outer = [low.map(|v| v - depth), high.map(|v| v + depth)];
        let size = |axis: usize| high[axis] - low[axis];
        let ends = |axis: usize| {
            [
                slab(outer, low[axis] + depth, axis, false),
                slab(outer, high[axis] - depth, axis, true),
            ]
        };
        match self {
            Self::Free | Self::Touching => Vec::new(),
            Self::Base => ends(1)[..1].to_vec(),
            Self::BaseAndTop => ends(1).to_vec(),
            Self::Sides => ends(if size(0) >= size(2) { 0 } else { 2 }).to_vec(),
            Self::Edges => across(thinnest(size)).into_iter().flat_map(ends).collect(),
            Self::All => vec![outer],
        }
    }
}

/// The part of a box above or below a plane across an axis.
fn slab(mut bounds: [[f32; 3]; 2], at: f32, axis: usize, above: bool) -> [[f32; 3]; 2] {
    bounds[usize::from(!above)][axis] = at;
    bounds
}

/// The axis along which a box is shortest.
fn thinnest(size: impl Fn(usize) -> f32) -> usize {
    (1..3).fold(
        0,
        |best, axis| if size(axis) < size(best) { axis } else { best },
    )
}

/// The two axes other than the given one.
fn across(axis: usize) -> [usize; 2] {
    [(axis + 1) % 3, (axis + 2) % 3]
}

/// The texture mapping of cut faces.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Visit,
    Reflect,
    AsRefStr,
    EnumString,
    VariantNames,
    TypeUuidProvider,
)]
#[type_uuid(id = "8d6c1a57-52f1-4f0e-9d0e-31b6f7a2c940")]
pub enum CutMapping {
    /// Each face is mapped in its own plane, so that no texture is stretched.
    #[default]
    Planar,
    /// Faces are mapped from the sides of the object's bounding box, so that the texture continues from
    /// face to face.
    Box,
}

impl From<CutMapping> for CapMapping {
    fn from(mapping: CutMapping) -> Self {
        match mapping {
            CutMapping::Planar => Self::Planar,
            CutMapping::Box => Self::Box,
        }
    }
}

/// How a picture lies on an object that is weak where the picture is dark.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Visit,
    Reflect,
    AsRefStr,
    EnumString,
    VariantNames,
    TypeUuidProvider,
)]
#[type_uuid(id = "3f0b5e1c-7c55-4d8e-a1f4-9b1d2c6a7e08")]
pub enum WeaknessMapping {
    /// By the first texture coordinates of the mesh.
    #[default]
    TextureCoordinates,
    /// Over the box of the object, across its shortest side: as seen from +Z, +X, or from above.
    BroadSide,
}

/// How a piece leaves the scene when its lifetime ends, or when there are too many pieces. Its body is
/// removed at once.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Visit,
    Reflect,
    AsRefStr,
    EnumString,
    VariantNames,
    TypeUuidProvider,
)]
#[type_uuid(id = "5d0f7c52-2f9f-4a4e-9b0e-6a5f2f7f8d31")]
pub enum Fading {
    /// The piece disappears from one frame to the next.
    Vanish,
    /// The piece shrinks.
    #[default]
    Shrink,
    /// The piece sinks by its own size, along gravity.
    Sink,
    /// The piece shrinks, and dust particles fly off.
    Dissolve,
}

/// The policy for a mesh that is not closed. A closed mesh breaks as it is with any of them.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Visit,
    Reflect,
    AsRefStr,
    EnumString,
    VariantNames,
    TypeUuidProvider,
)]
#[type_uuid(id = "b1f0a9d6-7a51-4c0d-8f1e-5f3f6f2c7e14")]
pub enum OpenMesh {
    /// The object does not break; a fault names the open edges.
    #[default]
    #[strum(serialize = "Leave Whole")]
    Refuse,
    /// Holes up to a tenth of the mesh's size are closed, triangles that face inwards are flipped, and
    /// duplicate triangles are dropped. The object does not break if the mesh is still open then.
    Repair,
    /// The object breaks as a thin sheet, such as tin or cloth: along the same cells, without cut faces.
    Shell,
}

impl OpenMesh {
    /// The policy in the terms of the simulation. `thickness` is that of a shell, metres.
    pub(crate) fn policy(self, thickness: f32) -> OpenMeshPolicy {
        match self {
            Self::Refuse => OpenMeshPolicy::Refuse,
            Self::Repair => OpenMeshPolicy::Repair,
            Self::Shell => OpenMeshPolicy::Shell {
                thickness: f64::from(thickness),
            },
        }
    }

    /// A remedy for a mesh that is not closed, in the words of the script's fields.
    pub(crate) fn remedy(self, reason: &BreakFailure) -> &'static str {
        match (reason, self) {
            (BreakFailure::Solid(SolidError::NotClosed { .. }), Self::Refuse) => {
                "; or set its Not Watertight to Repair, or to Shell when it is meant to be a sheet"
            }
            (BreakFailure::Solid(SolidError::NotClosed { .. }), Self::Repair) => {
                "; its holes are too large for Repair: set its Not Watertight to Shell when it is meant \
                 to be a sheet"
            }
            (BreakFailure::Solid(SolidError::NoVolume { .. }), _) => {
                "; or a scale other than 0; or set its Not Watertight to Shell when it is meant to be a sheet"
            }
            (BreakFailure::Solid(SolidError::Thickness { .. }), _) => {
                "; set its Shell Thickness, in metres"
            }
            _ => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PANE: [[f32; 3]; 2] = [[-1.0, 0.0, -0.01], [1.0, 3.0, 0.01]];

    fn holds(boxes: &[[[f32; 3]; 2]], p: [f32; 3]) -> bool {
        boxes
            .iter()
            .any(|[low, high]| (0..3).all(|i| low[i] <= p[i] && p[i] <= high[i]))
    }

    #[test]
    fn base_holds_the_bottom_only() {
        let boxes = Anchoring::Base.boxes(PANE, 0.05);
        assert!(holds(&boxes, [0.3, 0.0, 0.01]));
        assert!(!holds(&boxes, [0.3, 0.06, 0.0]));
        assert!(!holds(&boxes, [0.3, 3.0, 0.0]));
    }

    #[test]
    fn edges_hold_the_frame_of_a_pane_and_not_its_middle() {
        let boxes = Anchoring::Edges.boxes(PANE, 0.05);
        for border in [
            [-1.0, 1.5, 0.01],
            [1.0, 1.5, -0.01],
            [0.0, 0.0, 0.0],
            [0.0, 3.0, 0.0],
        ] {
            assert!(holds(&boxes, border), "{border:?}");
        }
        assert!(
            !holds(&boxes, [0.0, 1.5, 0.01]),
            "the faces of a pane are not its edges"
        );
    }

    #[test]
    fn sides_are_those_of_the_longer_horizontal_axis() {
        let boxes = Anchoring::Sides.boxes([[-0.2, 0.0, -2.0], [0.2, 0.3, 2.0]], 0.1);
        assert!(holds(&boxes, [0.0, 0.1, -2.0]) && holds(&boxes, [0.0, 0.1, 2.0]));
        assert!(!holds(&boxes, [0.2, 0.1, 0.0]));
    }

    #[test]
    fn odd_depths_are_harmless() {
        for depth in [f32::NAN, f32::INFINITY, -1.0, 0.0] {
            assert!(
                holds(&Anchoring::Base.boxes(PANE, depth), [0.0, 0.0, 0.0]),
                "{depth}"
            );
        }
        assert!(Anchoring::Free.boxes(PANE, 0.1).is_empty());
        assert!(holds(&Anchoring::All.boxes(PANE, 0.1), [1.0, 3.0, 0.01]));
    }
}
