//! The pattern asset: a small set of parameters that an artist edits. The worker computes the planes
//! between cells from them; objects with equal parameters share the planes.

use super::stencil_sites::StencilSites;
use fracture_geometry::{
    glam::DVec3,
    refine_near_origin,
    steps::{finish, pause},
    Pattern, PatternError, Recipe, Solid,
};
use fracture_simulation::pattern::{BodyAxis, PatternAxes, PatternFit, PatternOrigin, PatternUnit};
use fyrox::{
    asset::Resource,
    core::{reflect::prelude::*, type_traits::prelude::*, visitor::prelude::*},
};
use strum_macros::{AsRefStr, EnumString, VariantNames};

/// The file version that this crate writes, and the newest that it reads. Version 1 had uniform and
/// clustered cells only, version 2 no stencils.
pub const PATTERN_VERSION: u32 = 3;

/// The distribution of a pattern's cells. Files store the numbers of the kinds: new kinds come last.
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
#[type_uuid(id = "b7a5b3c0-7b43-4a0e-8c3b-6a7f2d0b1e44")]
pub enum PatternKind {
    /// Cells of equal size all over the object: concrete that is demolished.
    Uniform,
    /// Denser around the impact: concrete, stone.
    #[default]
    Clustered,
    /// Rings and rays around the impact: glass, ice.
    Radial,
    /// Long cells along an axis of the object: wood.
    Splinters,
    /// Courses of bricks, fixed on the object wherever it is hit.
    Bricks,
    /// Slabs across an axis of the object: slate, plywood.
    Slabs,
    /// Random planes, each halving the parts between the ones before: rock, ice.
    Planes,
    /// One straight cut through the impact: a sword, a saw.
    Blade,
    /// Fibres along an axis of the object. A blow from the side snaps it across, with splinters of uneven length; one on
    /// the end splits it along: planks, beams, legs of chairs.
    Fibres,
    /// Shells around the impact, fine inside and coarse outside: one crater, wider in front, with a cone at the back where
    /// it goes through: concrete, stone.
    Crater,
    /// Cells of one's own, from a model, a picture or a list of points.
    Stencil,
    /// As Radial, with long pieces and rays that end at rings: panes of window glass.
    Shards,
}

/// An axis of an object's rigid body.
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
#[type_uuid(id = "4f0d8c0e-7c1d-4b8b-9a52-5a0c1e7d9b31")]
pub enum PatternAxis {
    /// The body's x axis.
    X,
    /// The body's y axis, as a rule up.
    #[default]
    Y,
    /// The body's z axis.
    Z,
    /// The direction in which the object is longest; where it is as long in several, y or else x. Its pieces have the same,
    /// but for a slender one across it, as a leg that comes off a table.
    Longest,
}

/// A fracture pattern, as saved in a `.pattern` file. Each kind uses some of the fields.
#[derive(Clone, Debug, PartialEq, Visit, Reflect, TypeUuidProvider)]
#[type_uuid(id = "3f5f4f4e-9d0b-4f2a-8a57-7b6f0d1b9a21")]
pub struct FracturePattern {
    /// Version of the file's layout.
    #[reflect(read_only)]
    pub version: u32,

    /// How the cells are spread. Uniform: evenly, as in concrete that is broken down. Clustered: denser
    /// around the impact, as in stone. Radial: rings and rays around it, a web. Shards: the same with
    /// long pieces and rays that end at rings, as in window glass. Splinters: long cells along an axis, as in wood. Bricks: courses that lie where they lie, wherever the object
    /// is hit. Slabs: across an axis, as in slate. Planes: random planes, each halving what the ones
    /// before have left, as in ice. Blade: one straight cut. Fibres: along an axis; a blow from the side snaps them
    /// across and one on their end splits the object along them, as with a plank. Crater: shells around
    /// the impact that break out as one crater, as of concrete. Stencil: cells of your own, which Read Stencil reads from
    /// Source File.
    pub kind: PatternKind,

    /// Uniform, Clustered, Crater, Splinters: how many cells there are. Slabs: how many slabs. Fibres: five for each fibre; a
    /// third of the fibres are in the section of a beam. Stencil: how many cells a picture gets at most.
    #[reflect(min_value = 2.0, max_value = 10000.0, step = 1.0)]
    pub cells: u32,

    /// Clustered, Splinters, Fibres: how fast the cells get larger away from the impact. A third is even, of fibres a
    /// half.
    #[reflect(min_value = 0.1, max_value = 8.0, step = 0.1)]
    #[visit(optional)]
    pub falloff: f32,

    /// Another seed gives another pattern of the same kind.
    #[visit(optional)]
    pub seed: u32,

    /// Splinters, Fibres: the grain. Bricks: upwards. Slabs: across the slabs. Planes: turns the pattern. Stencil
    /// that stays: what was up in its file points there.
    #[visit(optional)]
    pub axis: PatternAxis,

    /// Splinters, Fibres: how many times longer than wide a splinter is.
    #[reflect(min_value = 1.0, max_value = 100.0, step = 0.5)]
    #[visit(optional)]
    pub aspect: f32,

    /// Radial, Shards: rings around the middle piece. The outer ones stay whole around a break.
    #[reflect(min_value = 1.0, max_value = 100.0, step = 1.0)]
    #[visit(optional)]
    pub rings: u32,

    /// Radial, Shards: cracks that run outwards.
    #[reflect(min_value = 3.0, max_value = 100.0, step = 1.0)]
    #[visit(optional)]
    pub rays: u32,

    /// Radial, Shards, Crater, Bricks, Slabs, Planes: how uneven the pattern is, from 0 (a machine made it) to 1.
    #[reflect(min_value = 0.0, max_value = 1.0, step = 0.05)]
    #[visit(optional)]
    pub jitter: f32,

    /// Bricks: courses around the impact. As many times the height should exceed twice the largest
    /// radius of a break, because what lies farther out is not divided.
    #[reflect(min_value = 2.0, max_value = 100.0, step = 1.0)]
    #[visit(optional)]
    pub rows: u32,

    /// Bricks: length of a brick with its joint, m.
    #[reflect(display_name = "Brick Length,\u{a0}m", min_value = 0.001, step = 0.01)]
    #[visit(optional)]
    pub brick_length: f32,

    /// Bricks: height of a course, m.
    #[reflect(display_name = "Brick Height,\u{a0}m", min_value = 0.001, step = 0.01)]
    #[visit(optional)]
    pub brick_height: f32,

    /// Bricks: depth of a brick with its joint, m.
    #[reflect(display_name = "Brick Depth,\u{a0}m", min_value = 0.001, step = 0.01)]
    #[visit(optional)]
    pub brick_depth: f32,

    /// Bricks: by which part of a brick every other course is shifted.
    #[reflect(min_value = 0.0, max_value = 1.0, step = 0.05)]
    #[visit(optional)]
    pub offset: f32,

    /// Slabs: how much neighbours lean against each other. Blade: the angle between the normals of
    /// the cut and of the surface; 90 cuts straight in. Degrees.
    #[reflect(
        display_name = "Tilt,\u{a0}degrees",
        min_value = 0.0,
        max_value = 180.0,
        step = 1.0
    )]
    #[visit(optional)]
    pub tilt: f32,

    /// Planes: how often parts are halved; each time doubles the number of cells.
    #[reflect(min_value = 1.0, max_value = 10.0, step = 1.0)]
    #[visit(optional)]
    pub depth: u32,

    /// How many of the cells nearest the impact are broken up further by a second pattern.
    #[reflect(
        display_name = "Cells To Crumble At The Impact",
        min_value = 0.0,
        max_value = 1000.0,
        step = 1.0
    )]
    #[visit(optional)]
    pub fine_cells: u32,

    /// Into how many parts each of these is broken up.
    #[reflect(
        display_name = "Crumbs Of Each",
        min_value = 2.0,
        max_value = 100.0,
        step = 1.0
    )]
    #[visit(optional)]
    pub fine_parts: u32,

    /// Uniform: cells are spread over the inside of the mesh instead of its box, so that thin and
    /// hollow objects get all of them.
    #[visit(optional)]
    pub inside_mesh: bool,

    /// Stencil: the file with the cells, which is read by Read Stencil and not needed in the game. A model (.glb, .gltf,
    /// .fbx, .rgs): each of its meshes is a closed convex part, as Blender's Cell Fracture makes them, in metres. A picture
    /// (.png, .jpg, .tga, .bmp): lines are cracks, or dark is dense. A list of points (.points, .csv, .txt): x y z in
    /// metres in each line, the middles of cells.
    #[reflect(display_name = "Source File")]
    #[visit(optional)]
    pub source: String,

    /// Stencil from a picture: its dark lines are the cracks. Off: the darker it is, the smaller are the pieces.
    #[reflect(display_name = "Lines Are Cracks")]
    #[visit(optional)]
    pub lines: bool,

    /// Stencil from a picture: how wide it lies on the object, m. Counts when it is read.
    #[reflect(
        display_name = "Picture Width,\u{a0}m",
        min_value = 0.01,
        max_value = 1000.0,
        step = 0.1
    )]
    #[visit(optional)]
    pub picture_width: f32,

    /// Stencil: how many times larger than in its file it is laid.
    #[reflect(
        display_name = "Times As Large",
        min_value = 0.01,
        max_value = 100.0,
        step = 0.1
    )]
    #[visit(optional)]
    pub scale: f32,

    /// Stencil: it stays where it is on the object, its origin at the object's, wherever the object is hit. Off: its origin
    /// is laid on the impact, what is up in its file points out of the surface, and it is turned by chance.
    #[reflect(display_name = "Stays On The Object")]
    #[visit(optional)]
    pub fixed: bool,

    /// Sites of a stencil. Not optional: what is damaged would be taken for none.
    #[reflect(hidden)]
    pub stencil: StencilSites,
}

/// Identifies cell planes: equal keys mean equal planes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PatternKey(Vec<u64>);

/// A reference to a pattern asset.
pub type FracturePatternResource = Resource<FracturePattern>;

impl Default for FracturePattern {
    fn default() -> Self {
        Self {
            version: PATTERN_VERSION,
            kind: PatternKind::default(),
            cells: 64,
            falloff: 1.0,
            seed: 0,
            axis: PatternAxis::default(),
            aspect: 8.0,
            rings: 7,
            rays: 13,
            jitter: 0.4,
            rows: 16,
            brick_length: 0.25,
            brick_height: 0.075,
            brick_depth: 0.125,
            offset: 0.5,
            tilt: 0.0,
            depth: 6,
            fine_cells: 0,
            fine_parts: 8,
            inside_mesh: false,
            source: String::new(),
            lines: true,
            picture_width: 1.0,
            scale: 1.0,
            fixed: false,
            stencil: StencilSites::default(),
        }
    }
}

impl FracturePattern {
    /// Converts the pattern to a recipe of the geometry; `None` for a stencil, which has its sites.
    pub fn recipe(&self) -> Option<Recipe> {
        let (cells, falloff) = (self.cells, f64::from(self.falloff));
        let jitter = f64::from(self.jitter);
        let tilt = f64::from(self.tilt).to_radians();
        Some(match self.kind {
            PatternKind::Uniform => Recipe::Uniform { cells },
            PatternKind::Clustered => Recipe::Clustered { cells, falloff },
            PatternKind::Crater => Recipe::Crater { cells, jitter },
            PatternKind::Fibres => Recipe::Fibres {
                cells,
                falloff,
                aspect: f64::from(self.aspect),
            },
            PatternKind::Radial => Recipe::Radial {
                rings: self.rings,
                rays: self.rays,
                jitter,
            },
            PatternKind::Shards => Recipe::Shards {
                rings: self.rings,
                rays: self.rays,
                jitter,
            },
            PatternKind::Splinters => Recipe::Splinters {
                cells,
                falloff,
                aspect: f64::from(self.aspect),
            },
            PatternKind::Bricks => Recipe::Bricks {
                rows: self.rows,
                size: self.brick_size(),
                offset: f64::from(self.offset),
                jitter,
            },
            PatternKind::Slabs => Recipe::Slabs {
                slabs: cells,
                jitter,
                tilt,
            },
            PatternKind::Planes => Recipe::Planes {
                depth: self.depth,
                jitter,
            },
            PatternKind::Blade => Recipe::Blade { tilt },
            PatternKind::Stencil => return None,
        })
    }

    /// The number of cells asked for.
    pub(super) fn cell_count(&self) -> u32 {
        let sites = || u32::try_from(self.stencil.count()).unwrap_or(u32::MAX);
        self.recipe().map_or_else(sites, |recipe| recipe.cells())
    }

    /// Length and depth of a brick in units of its height.
    fn brick_size(&self) -> [f64; 2] {
        [self.brick_length, self.brick_depth].map(|side| f64::from(side / self.brick_height))
    }

    /// Whether the sites depend on the object's mesh.
    pub(crate) fn is_inside_mesh(&self) -> bool {
        self.inside_mesh && self.kind == PatternKind::Uniform
    }

    /// The placement of the pattern on a body.
    pub fn fit(&self) -> PatternFit {
        let recipe = self.recipe();
        let stretch = recipe.map_or(DVec3::ONE, |recipe| recipe.stretch());
        let axis = self.axis.body_axis();
        match self.kind {
            PatternKind::Uniform if self.inside_mesh => PatternFit::IN_PLACE,
            PatternKind::Uniform => PatternFit::BODY,
            PatternKind::Clustered
            | PatternKind::Radial
            | PatternKind::Shards
            | PatternKind::Blade => PatternFit::IMPACT,
            PatternKind::Splinters => PatternFit {
                axes: PatternAxes::Grain(axis),
                stretch,
                ..PatternFit::IMPACT
            },
            PatternKind::Crater => PatternFit {
                unit: PatternUnit::Crater,
                ..PatternFit::IMPACT
            },
            PatternKind::Fibres => PatternFit {
                axes: PatternAxes::Grain(axis),
                unit: PatternUnit::Section(recipe.and_then(|recipe| recipe.layer()).unwrap_or(1.0)),
                stretch,
                ..PatternFit::IMPACT
            },
            PatternKind::Bricks => PatternFit {
                origin: PatternOrigin::Lattice(
                    recipe
                        .and_then(|recipe| recipe.period())
                        .unwrap_or(DVec3::ONE),
                ),
                axes: PatternAxes::Body(axis),
                unit: PatternUnit::Metres(f64::from(self.brick_height)),
                stretch,
            },
            PatternKind::Slabs => PatternFit {
                axes: PatternAxes::Body(axis),
                unit: PatternUnit::Sides,
                ..PatternFit::BODY
            },
            PatternKind::Planes => PatternFit {
                axes: PatternAxes::Body(axis),
                ..PatternFit::BODY
            },
            PatternKind::Stencil => self.stencil_fit(),
        }
    }

    fn stencil_fit(&self) -> PatternFit {
        let unit = PatternUnit::Metres(f64::from(self.scale));
        if !self.fixed {
            return PatternFit {
                unit,
                ..PatternFit::IMPACT
            };
        }
        PatternFit {
            axes: PatternAxes::Body(self.axis.body_axis()),
            unit,
            ..PatternFit::IN_PLACE
        }
    }

    /// Computes the planes between cells; for patterns spread inside a mesh, see
    /// [`FracturePattern::planes_inside`]. Takes milliseconds; for a worker.
    ///
    /// # Errors
    /// A parameter out of its range, or too few or too many cells.
    pub fn planes(&self) -> Result<Pattern, PatternError> {
        finish(self.planes_in_steps())
    }

    /// The same in steps.
    pub(crate) async fn planes_in_steps(&self) -> Result<Pattern, PatternError> {
        let sites = match self.recipe() {
            Some(recipe) => recipe.sites(u64::from(self.seed)),
            None => Ok(self.stencil.sites()),
        };
        pause().await;
        self.planes_of(sites).await
    }

    /// Computes the planes with the sites spread over the inside of a solid, if
    /// [`FracturePattern::inside_mesh`] is set; otherwise as [`FracturePattern::planes`].
    ///
    /// # Errors
    /// As [`FracturePattern::planes`].
    pub fn planes_inside(&self, solid: &Solid) -> Result<Pattern, PatternError> {
        finish(self.planes_inside_in_steps(solid))
    }

    /// The same in steps.
    pub(crate) async fn planes_inside_in_steps(
        &self,
        solid: &Solid,
    ) -> Result<Pattern, PatternError> {
        if !self.is_inside_mesh() {
            return self.planes_in_steps().await;
        }
        let most = u32::try_from(fracture_geometry::MAX_CELLS).unwrap_or(u32::MAX);
        let sites = solid.sample_volume_in_steps(self.cells.min(most), u64::from(self.seed));
        self.planes_of(Ok(sites.await)).await
    }

    /// The key of the planes, computed from the fields that the kind uses.
    pub(crate) fn key(&self) -> PatternKey {
        let fine = match self.fine_cells {
            0 => [0, 0],
            cells => [cells, self.fine_parts],
        };
        let inside = u32::from(self.is_inside_mesh());
        let fields = [self.kind as u32, self.seed, inside, fine[0], fine[1]];
        let fields = fields.into_iter().map(u64::from);
        let Some(recipe) = self.recipe() else {
            return PatternKey(fields.chain(self.stencil.bits().map(u64::from)).collect());
        };
        let parameters = recipe.parameters().into_iter();
        PatternKey(fields.chain(parameters.map(f64::to_bits)).collect())
    }

    /// The field that determines the number of cells, as editors write it.
    pub fn cells_field(&self) -> &'static str {
        match self.kind {
            _ if self.fine_cells > 0 && self.has_most_fine_cells() => {
                "Cells To Crumble At The Impact or Crumbs Of Each"
            }
            PatternKind::Uniform
            | PatternKind::Clustered
            | PatternKind::Splinters
            | PatternKind::Fibres
            | PatternKind::Crater
            | PatternKind::Slabs => "Cells",
            PatternKind::Radial | PatternKind::Shards => "Rings or Rays",
            PatternKind::Bricks => "Rows",
            PatternKind::Planes => "Depth",
            PatternKind::Blade => "Cells To Crumble At The Impact",
            PatternKind::Stencil => "the number of cells by Read Stencil",
        }
    }

    fn has_most_fine_cells(&self) -> bool {
        self.fine_cells.saturating_mul(self.fine_parts) > self.cell_count()
    }

    /// Computes the planes of some sites, with the second pattern near the impact. Adds the field that helps to an error.
    async fn planes_of(
        &self,
        sites: Result<Vec<DVec3>, PatternError>,
    ) -> Result<Pattern, PatternError> {
        let sites = sites.and_then(|sites| {
            if self.fine_cells == 0 {
                return Ok(sites);
            }
            let seed = u64::from(self.seed) ^ FINE_SEED;
            refine_near_origin(&sites, self.fine_cells, self.fine_parts, seed)
        });
        let planes = match sites {
            Ok(sites) => Pattern::from_sites_in_steps(&sites).await,
            Err(error) => Err(error),
        };
        planes.map_err(|error| error.with_field(self.cells_field()))
    }
}

/// Combined with the seed, so that the second pattern has other random numbers than the first.
const FINE_SEED: u64 = 0x9e37_79b9_7f4a_7c15;

impl PatternAxis {
    /// The axis in the terms of the simulation.
    fn body_axis(self) -> BodyAxis {
        match self {
            Self::X => BodyAxis::X,
            Self::Y => BodyAxis::Y,
            Self::Z => BodyAxis::Z,
            Self::Longest => BodyAxis::Longest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::PRESETS;

    #[test]
    fn keys_follow_what_the_planes_depend_on() {
        let pattern = FracturePattern::default();
        let other = |change: fn(&mut FracturePattern)| {
            let mut other = pattern.clone();
            change(&mut other);
            other.key()
        };
        assert_ne!(pattern.key(), other(|p| p.cells = 63));
        assert_ne!(pattern.key(), other(|p| p.seed = 1));
        assert_ne!(pattern.key(), other(|p| p.falloff = 2.0));
        assert_ne!(pattern.key(), other(|p| p.kind = PatternKind::Uniform));
        assert_ne!(pattern.key(), other(|p| p.fine_cells = 3));
        assert_eq!(pattern.key(), other(|p| p.version = 0));
        assert_eq!(pattern.key(), other(|p| p.rings = 3));
        assert_eq!(pattern.key(), other(|p| p.inside_mesh = true));
    }

    #[test]
    fn presets_differ() {
        let keys = PRESETS.map(|(_, make)| make().key());
        for (at, key) in keys.iter().enumerate() {
            assert!(!keys[..at].contains(key), "{}", PRESETS[at].0);
        }
    }
}
