//! The card of a material: figures that objects share, as an asset.

use crate::{
    asset_file::AssetFile,
    pattern::FracturePatternResource,
    script::enums::{CutMapping, Fading},
};
use fyrox::{
    asset::{Resource, ResourceData},
    core::{reflect::prelude::*, type_traits::prelude::*, uuid::Uuid, visitor::prelude::*},
    material::MaterialResource,
};
use std::{error::Error, path::Path};

/// The file version of cards that this crate writes, and the newest that it reads.
pub const CARD_VERSION: u32 = 1;

/// A material, as saved in a `.card` file: what an object of it weighs, what breaks it, how it looks inside, and
/// what becomes of its pieces.
///
/// A [`Destructible`](crate::Destructible) that has the card takes each figure from it that is not set on the object
/// itself. So a card that is edited changes all objects that have it.
#[derive(Clone, Debug, PartialEq, Visit, Reflect, TypeUuidProvider)]
#[type_uuid(id = "c3f1a5d2-6b0e-4d57-9c41-0a7e2b9d5f63")]
pub struct MaterialCard {
    /// Version of the file's layout.
    #[reflect(read_only)]
    pub version: u32,

    /// Where the figures are from, and what of the material is not modelled. For people only.
    #[visit(optional)]
    pub source: String,

    /// Mass per volume, kg/m^3.
    #[reflect(display_name = "Density,\u{a0}kg/m^3", min_value = 0.001, step = 100.0)]
    #[visit(optional)]
    pub density: f32,

    /// Word for the material, such as brick, by which sounds, dust and marks are chosen.
    #[visit(optional)]
    pub surface_tag: String,

    /// Coulomb friction of the pieces, where the object's collider has that of a new one: 0 with the rule Average.
    #[reflect(min_value = 0.0, step = 0.05)]
    #[visit(optional)]
    pub friction: f32,

    /// Share of its speed with which a piece bounces off, where the object's collider has that of a new one: 0 with
    /// the rule Average.
    #[reflect(min_value = 0.0, max_value = 1.0, step = 0.05)]
    #[visit(optional)]
    pub restitution: f32,

    /// How the material breaks. Empty: 64 cells, denser around the impact.
    #[visit(optional)]
    pub pattern: Option<FracturePatternResource>,

    /// Energy that breaks a cubic metre, J/m^3.
    #[reflect(
        display_name = "Energy Per Volume, J/m^3",
        min_value = 0.001,
        step = 1000.0
    )]
    #[visit(optional)]
    pub energy_per_volume: f64,

    /// Damage that a blow leaves which is too weak to break the object, in parts of its energy.
    #[reflect(min_value = 0.0, max_value = 1.0, step = 0.1)]
    #[visit(optional)]
    pub weakening: f32,

    /// How many times as much energy it takes to tear the sheet that holds the shards together as to crack them. 1: there is
    /// no sheet.
    #[reflect(min_value = 1.0, step = 0.5)]
    #[visit(optional)]
    pub sheet_toughness: f32,

    /// The smallest radius of a break, m. With the largest it sets the size of the cells of patterns that have no
    /// sizes of their own.
    #[reflect(display_name = "Min Radius,\u{a0}m", min_value = 0.001, step = 0.05)]
    #[visit(optional)]
    pub min_radius: f32,

    /// The largest radius of a break, m.
    #[reflect(display_name = "Max Radius,\u{a0}m", min_value = 0.001, step = 0.05)]
    #[visit(optional)]
    pub max_radius: f32,

    /// Pieces that reach into the held zone of the object stay there, as shards of a pane in its frame.
    #[visit(optional)]
    pub held_pieces_stay: bool,

    /// The tension at which it tears, Pa. 0: weight breaks nothing.
    #[reflect(
        display_name = "Tensile Strength, Pa",
        min_value = 0.0,
        step = 100000.0
    )]
    #[visit(optional)]
    pub tensile_strength: f32,

    /// The smallest section by which a part may hang after a break, cm^2. Counts with a tensile strength. 0: sections of any
    /// size hold while they bear the weight.
    #[reflect(display_name = "Min Neck,\u{a0}cm^2", min_value = 0.0, step = 5.0)]
    #[visit(optional)]
    pub min_neck: f32,

    /// Distance of the steel bars that are laid into an object, from middle to middle, m. 0: there are none.
    #[reflect(display_name = "Bar Spacing,\u{a0}m", min_value = 0.0, step = 0.05)]
    #[visit(optional)]
    pub bar_spacing: f32,

    /// Thickness of the bars, m.
    #[reflect(
        display_name = "Bar Diameter,\u{a0}m",
        min_value = 0.001,
        step = 0.002,
        precision = 4
    )]
    #[visit(optional)]
    pub bar_diameter: f32,

    /// Concrete between the bars and the faces of the object, m.
    #[reflect(
        display_name = "Bar Cover,\u{a0}m",
        min_value = 0.0,
        step = 0.005,
        precision = 4
    )]
    #[visit(optional)]
    pub bar_cover: f32,

    /// The tension at which the steel of the bars flows, Pa.
    #[reflect(
        display_name = "Bar Yield Strength, Pa",
        min_value = 1.0,
        step = 50000000.0
    )]
    #[visit(optional)]
    pub bar_yield_strength: f32,

    /// The material of cut faces. Empty: that of the object's first surface.
    #[visit(optional)]
    pub inside_material: Option<MaterialResource>,

    /// How the texture of cut faces is mapped.
    #[visit(optional)]
    pub texture_mapping: CutMapping,

    /// Texture repeats per metre on cut faces. 0: as many as on the object's outside.
    #[reflect(
        display_name = "Texture Scale,\u{a0}per\u{a0}metre",
        min_value = 0.0,
        step = 0.1
    )]
    #[visit(optional)]
    pub texture_scale: f32,

    /// Height of the bumps on cut faces, m.
    #[reflect(
        display_name = "Bump Height,\u{a0}m",
        min_value = 0.0,
        step = 0.005,
        precision = 4
    )]
    #[visit(optional)]
    pub bump_height: f32,

    /// Distance between the bumps, m.
    #[reflect(display_name = "Bump Distance,\u{a0}m", min_value = 0.001, step = 0.01)]
    #[visit(optional)]
    pub bump_distance: f32,

    /// How many breaks may follow each other.
    #[reflect(display_name = "Breaks In A Row", min_value = 0.0, max_value = 16.0)]
    #[visit(optional)]
    pub max_depth: u32,

    /// Pieces smaller than a cube of this side do not break again, m.
    #[reflect(
        display_name = "Min Size,\u{a0}m",
        min_value = 0.0,
        step = 0.005,
        precision = 4
    )]
    #[visit(optional)]
    pub min_size: f32,

    /// How many times as much it takes to break a free piece.
    #[reflect(min_value = 1.0, step = 1.0)]
    #[visit(optional)]
    pub threshold_factor: f32,

    /// Time that pieces last once they have come off, s. 0: as long as there are not too many.
    #[reflect(display_name = "Lifetime,\u{a0}s", min_value = 0.0, step = 1.0)]
    #[visit(optional)]
    pub lifetime: f32,

    /// How pieces leave the scene.
    #[visit(optional)]
    pub fading: Fading,

    /// Time that pieces are seen leaving, s.
    #[reflect(display_name = "Fade Time,\u{a0}s", min_value = 0.0, step = 0.1)]
    #[visit(optional)]
    pub fade_time: f32,

    /// Pieces whose longest side is shorter than this are dust, m.
    #[reflect(
        display_name = "Becomes Dust Below,\u{a0}m",
        min_value = 0.0,
        step = 0.005,
        precision = 4
    )]
    #[visit(optional)]
    pub dust_size: f32,
}

/// A reference to a card.
pub type MaterialCardResource = Resource<MaterialCard>;

impl ResourceData for MaterialCard {
    fn type_uuid(&self) -> Uuid {
        <Self as TypeUuidProvider>::type_uuid()
    }

    fn save(&mut self, path: &Path) -> Result<(), Box<dyn Error>> {
        self.write_file(path)
    }

    fn can_be_saved(&self) -> bool {
        true
    }

    fn try_clone_box(&self) -> Option<Box<dyn ResourceData>> {
        Some(Box::new(self.clone()))
    }
}
