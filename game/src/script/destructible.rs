//! The script that makes an object breakable. It holds settings only; sections follow the artist's questions.

use crate::{
    events::Event,
    impacts::impact::Impact,
    pattern::FracturePattern,
    script::{
        card_field_set::CardFields,
        enums::{Anchoring, CutMapping, Fading, MassSource, OpenMesh, WeaknessMapping},
        inbox::Inbox,
        material_card::MaterialCardResource,
    },
};
use fyrox::{
    asset::Resource,
    core::{
        pool::Handle, reflect::prelude::*, type_traits::prelude::*, variable::InheritableVariable,
        visitor::prelude::*,
    },
    material::MaterialResource,
    plugin::error::GameResult,
    resource::texture::TextureResource,
    scene::node::Node,
    script::{ScriptContext, ScriptMessageContext, ScriptMessagePayload, ScriptTrait},
};

/// Makes a rigid body breakable.
///
/// Put the script on a rigid body node, or on any node below one: the object is the nearest rigid body at
/// or above the node that carries the script, with the meshes below that node.
/// [`Destruction`](crate::Destruction) does the work. It reads these fields when it first sees the node and
/// again whenever they change.
#[derive(Reflect, Debug, Clone, TypeUuidProvider, ComponentProvider)]
#[type_uuid(id = "6f2b6d0e-3f0b-4d0c-9c2b-0f6a3b1f7c55")]
pub struct Destructible {
    /// The material, as a file that objects share. Every figure of the card counts that is not set on this object.
    /// Empty: the fields below are all there is.
    pub card: InheritableVariable<Option<MaterialCardResource>>,

    /// How the object breaks. Empty: 64 cells, denser around the impact.
    pub pattern: InheritableVariable<Option<Resource<FracturePattern>>>,

    /// Mass per volume, kg/m^3. With Mass Source From Body it counts for static bodies only.
    #[reflect(display_name = "Density,\u{a0}kg/m^3", min_value = 0.001, step = 100.0)]
    pub density: InheritableVariable<f32>,

    /// Where the mass comes from. From Density: density and meshes; a dynamic rigid body is given this mass when
    /// the game starts, in place of its own and that of its colliders. From Body: a dynamic rigid body keeps its
    /// mass, and the pieces share it; it breaks at the same speeds as with the density of the script. An object that
    /// cannot break keeps its mass, too.
    pub mass_source: InheritableVariable<MassSource>,

    /// Word for the material, such as brick: events carry it, so that sounds and dust can be chosen by it.
    /// Empty: the file name of the material inside, or of the pattern when there is none.
    pub surface_tag: InheritableVariable<String>,

    /// The mesh nodes of the object. Empty: all meshes below this node. Of levels of detail the finest breaks,
    /// and the others are hidden with it. Meshes that are not listed hang on it: each goes with the nearest piece.
    pub mesh_nodes: InheritableVariable<Vec<Handle<Node>>>,

    /// Treatment of a mesh that is not closed. Leave Whole: it does not break. Repair: holes of up to a tenth of
    /// its size are closed. Shell: it breaks as a sheet, without cut faces.
    #[reflect(display_name = "Not Watertight")]
    pub open_mesh: InheritableVariable<OpenMesh>,

    /// A skinned mesh breaks in the pose that it has then, as a statue. Off: it does not break, which is a fault.
    pub break_in_pose: InheritableVariable<bool>,

    /// Thickness of a mesh that breaks as a shell, m. It sets the mass only; the mesh is drawn without
    /// thickness, so give it a two-sided material.
    #[reflect(
        display_name = "Shell Thickness,\u{a0}m",
        min_value = 0.00001,
        step = 0.001,
        precision = 5
    )]
    pub shell_thickness: InheritableVariable<f32>,

    /// The collider of the object. Empty: the colliders below the rigid body. Pieces have the friction, the
    /// bounce and the collision groups of the first one. A friction of 0 with the rule Average is what every new
    /// collider has: it counts as that of dry stone. For ice choose another rule, such as Min.
    pub collider: InheritableVariable<Handle<Node>>,

    /// The threshold, energy and radius of a break.
    pub breaking: Breaking,

    /// The look of the faces inside.
    pub inside: Inside,

    /// Where the object is held.
    pub held: Held,

    /// Further breaking and lifetime of pieces.
    pub pieces: Pieces,

    /// Breaking under its own weight.
    pub strength: Strength,

    /// Fields that were not in the file from which the script was read. Not saved.
    #[reflect(hidden)]
    pub not_in_file: CardFields,

    /// Impacts that came by script message since the last update. Not saved.
    #[reflect(hidden)]
    pub inbox: Inbox,
}

/// The threshold, energy and radius of a break.
#[derive(Visit, Reflect, Debug, Clone, PartialEq)]
#[visit(optional)]
pub struct Breaking {
    /// The impulse that starts a break, N s: about mass times change of speed. A stone of 2 kg at 10 m/s has
    /// 20 N s. What rests on the object does not count. 0: what has the energy to break all that it strains
    /// breaks the object. Something small, hard and fast strains little, and something large, soft or slow the
    /// whole object, for which it takes its volume times the energy per volume.
    #[reflect(
        display_name = "Damage Threshold, N\u{a0}s",
        min_value = 0.0,
        step = 1.0
    )]
    pub damage_threshold: InheritableVariable<f32>,

    /// Damage that a blow leaves at its place which is too weak to break the object, in parts of its energy. 1:
    /// the energies of blows at a place add up until it breaks. 0: none. Blows of less than a third of the energy
    /// that breaks it leave none, however many come, so nobody wears down a floor by walking on it.
    #[reflect(min_value = 0.0, max_value = 1.0, step = 0.1)]
    pub weakening: InheritableVariable<f32>,

    /// How many times as much energy it takes to tear the sheet that holds the shards together as to crack them, as with
    /// laminated glass: weaker blows crack it and leave it sagging. 1: there is no sheet.
    #[reflect(min_value = 1.0, step = 0.5)]
    pub sheet_toughness: InheritableVariable<f32>,

    /// Energy that breaks a cubic metre, J/m^3: the radius of a break is the cube root of the impact's energy
    /// divided by this. Once the whole object is broken, more energy makes smaller pieces. Glass, pottery,
    /// stone, bricks and concrete have some 10000, wood 100000.
    #[reflect(
        display_name = "Energy Per Volume, J/m^3",
        min_value = 0.001,
        step = 1000.0
    )]
    pub energy_per_volume: InheritableVariable<f64>,

    /// The smallest radius of a break, m.
    #[reflect(display_name = "Min Radius,\u{a0}m", min_value = 0.001, step = 0.05)]
    pub min_radius: InheritableVariable<f32>,

    /// The largest radius of a break, m. Blows at a place share their cracks: a harder one opens all cracks
    /// of a weaker one, and more. A break has as many cells as the pattern says where its radius is the mean
    /// of the smallest and the largest by factors (or the object's size, where that is less); with both alike,
    /// in every break.
    #[reflect(display_name = "Max Radius,\u{a0}m", min_value = 0.001, step = 0.05)]
    pub max_radius: InheritableVariable<f32>,

    /// Cracks are seen around the holes of breaks, and where a blow was too weak for one. The next break among them goes
    /// along them. Off: what stays looks untouched, and each break has cells of its own.
    pub cracks_stay: InheritableVariable<bool>,

    /// Pieces that reach into the held zone of the object stay there, as shards of a pane in its frame. Off: all that a blow
    /// breaks comes off.
    pub held_pieces_stay: InheritableVariable<bool>,

    /// A picture that is dark where the object is weak. Where it is black a break takes a tenth of the energy, reaches twice
    /// as far, and has smaller cells. White, and what is transparent, is as the object is.
    pub weakness_map: InheritableVariable<Option<TextureResource>>,

    /// How that picture lies on the object. Texture Coordinates: as the textures do. Broad Side: stretched over its broad side.
    pub weakness_mapping: InheritableVariable<WeaknessMapping>,

    /// Weak where the colours of vertices are dark, too, of meshes that have some.
    pub weak_where_painted: InheritableVariable<bool>,

    /// Turns the pattern. The same seed gives the same break.
    pub seed: InheritableVariable<u32>,

    /// Nodes below the rigid body whose positions are the centres of the cells, in place of those of the
    /// pattern. Empty: the pattern's own.
    pub site_nodes: InheritableVariable<Vec<Handle<Node>>>,
}

/// The look of cut faces.
#[derive(Visit, Reflect, Debug, Clone, PartialEq)]
#[visit(optional)]
pub struct Inside {
    /// The material of cut faces. Empty: the material of the object's first surface.
    pub material: InheritableVariable<Option<MaterialResource>>,

    /// How the texture of cut faces is mapped. Planar: in the plane of each face, so that nothing is
    /// stretched. Box: from the sides of the object's box, so that it runs on from face to face.
    pub texture_mapping: InheritableVariable<CutMapping>,

    /// Texture repeats per metre on cut faces. 0: as many as on the object's outside, on average.
    #[reflect(
        display_name = "Texture Scale,\u{a0}per\u{a0}metre",
        min_value = 0.0,
        step = 0.1
    )]
    pub texture_scale: InheritableVariable<f32>,

    /// Turns the texture of cut faces, degrees. At 0 it is upright: along the grain of patterns that have one, and along
    /// y with others.
    #[reflect(display_name = "Texture Turn,\u{a0}degrees", min_value = -180.0, max_value = 180.0, step = 5.0)]
    pub texture_turn: InheritableVariable<f32>,

    /// Height of the bumps on cut faces, m, at most 0.3 of their distance. 0: faces are flat.
    #[reflect(
        display_name = "Bump Height,\u{a0}m",
        min_value = 0.0,
        step = 0.005,
        precision = 4
    )]
    pub bump_height: InheritableVariable<f32>,

    /// Distance between the bumps, m. Fine bumps take many triangles: a break has some 25,000 for them at
    /// most, and gets larger bumps when those do not suffice. Cracks by weight have them twice as far apart.
    #[reflect(display_name = "Bump Distance,\u{a0}m", min_value = 0.001, step = 0.01)]
    pub bump_distance: InheritableVariable<f32>,
}

/// Where the object is held.
#[derive(Visit, Reflect, Debug, Clone, PartialEq)]
#[visit(optional)]
pub struct Held {
    /// Free: nowhere. Touching: where it touches static bodies, and other static destructibles that are held
    /// themselves; it falls when nothing holds it any more. Base: below. Base And Top: below and above. Sides: at both ends of the longer
    /// horizontal side. Edges: at the four borders across the thinnest direction, as a pane. All: everything
    /// that is not broken off. Only a static or kinematic body can be held; a dynamic body is free.
    pub anchoring: InheritableVariable<Anchoring>,

    /// Depth of the held zone inside the object, m. Not used with Touching.
    #[reflect(display_name = "Depth,\u{a0}m", min_value = 0.001, step = 0.01)]
    pub depth: InheritableVariable<f32>,

    /// Distance up to which surfaces that face each other touch, m, with Touching. Objects that overlap touch.
    #[reflect(
        display_name = "Gap,\u{a0}m",
        min_value = 0.0,
        step = 0.001,
        precision = 4
    )]
    pub gap: InheritableVariable<f32>,

    /// Strength of the bonds with what the object touches, in parts of the weaker Tensile Strength, with Touching: 1
    /// as one piece, less for mortar or nails, 0 loose: it only rests there. Without a Tensile Strength bonds do not
    /// break.
    #[reflect(min_value = 0.0, step = 0.1)]
    pub bond_strength: InheritableVariable<f32>,
}

/// Further breaking and lifetime of pieces.
#[derive(Visit, Reflect, Debug, Clone, PartialEq)]
#[visit(optional)]
pub struct Pieces {
    /// How many breaks may follow each other. 1: the object breaks, and its pieces do not; 2: they do, once. What
    /// still stands of the object breaks again and again, and what is left of a loose one counts as broken once as long as
    /// it is more than half of it, twice while it is more than a quarter. 0: nothing breaks.
    #[reflect(display_name = "Breaks In A Row", min_value = 0.0, max_value = 16.0)]
    pub max_depth: InheritableVariable<u32>,

    /// Pieces smaller than a cube of this side do not break again, m.
    #[reflect(
        display_name = "Min Size,\u{a0}m",
        min_value = 0.0,
        step = 0.005,
        precision = 4
    )]
    pub min_size: InheritableVariable<f32>,

    /// Multiplies the damage threshold for free pieces that fall on something or are fallen on; without a
    /// damage threshold, the energy. High values make rubble that stays as it is.
    #[reflect(min_value = 1.0, step = 1.0)]
    pub threshold_factor: InheritableVariable<f32>,

    /// Time that pieces last once they have come off, s; each up to 30 % longer. A piece that still moves
    /// then gets as long again. 0: as long as there are not too many.
    #[reflect(display_name = "Lifetime,\u{a0}s", min_value = 0.0, step = 1.0)]
    pub lifetime: InheritableVariable<f32>,

    /// How pieces leave the scene when their time has come, or when there are too many. Vanish: from one
    /// frame to the next. Shrink: they become smaller. Sink: into the ground. Dissolve: to dust.
    pub fading: InheritableVariable<Fading>,

    /// Time that pieces are seen leaving, s.
    #[reflect(display_name = "Fade Time,\u{a0}s", min_value = 0.0, step = 0.1)]
    pub fade_time: InheritableVariable<f32>,

    /// Pieces whose longest side is shorter than this are dust: particles that fall through everything and
    /// are gone in a second or two, m. 0: every piece is a body, whatever its size. Of more than 1,024 pieces
    /// of one break the smallest are always dust.
    #[reflect(
        display_name = "Becomes Dust Below,\u{a0}m",
        min_value = 0.0,
        step = 0.005,
        precision = 4
    )]
    pub dust_size: InheritableVariable<f32>,
}

/// Breaking under its own weight.
#[derive(Visit, Reflect, Debug, Clone, PartialEq)]
#[visit(optional)]
pub struct Strength {
    /// The tension at which the object tears under its own weight and what rests or hangs on it, Pa: after each
    /// break, and when loads change, it is checked, and what cannot be carried any more falls. Concrete and stone have some 3000000,
    /// brickwork 300000, wood 40000000. 0: weight breaks nothing.
    #[reflect(
        display_name = "Tensile Strength, Pa",
        min_value = 0.0,
        step = 100000.0
    )]
    pub tensile_strength: InheritableVariable<f32>,

    /// The smallest section by which a part may hang after a break, cm^2: by less it snaps off, however little it weighs. 100
    /// is as thick as a fist. Counts with a Tensile Strength. 0: sections of any size hold while they bear the weight.
    #[reflect(display_name = "Min Neck,\u{a0}cm^2", min_value = 0.0, step = 5.0)]
    pub min_neck: InheritableVariable<f32>,

    /// Distance of the steel bars that are laid into an object, from middle to middle, m: where the concrete has broken
    /// away they stay, bend and tear. 0: there are none.
    #[reflect(display_name = "Bar Spacing,\u{a0}m", min_value = 0.0, step = 0.05)]
    pub bar_spacing: InheritableVariable<f32>,

    /// Thickness of the bars, m.
    #[reflect(
        display_name = "Bar Diameter,\u{a0}m",
        min_value = 0.001,
        step = 0.002,
        precision = 4
    )]
    pub bar_diameter: InheritableVariable<f32>,

    /// Concrete between the bars and the faces of the object, m. What is thinner than both covers and three bars has one net
    /// in its middle, or none.
    #[reflect(
        display_name = "Bar Cover,\u{a0}m",
        min_value = 0.0,
        step = 0.005,
        precision = 4
    )]
    pub bar_cover: InheritableVariable<f32>,

    /// The tension at which the steel of the bars flows, Pa.
    #[reflect(
        display_name = "Bar Yield Strength, Pa",
        min_value = 1.0,
        step = 50000000.0
    )]
    pub bar_yield_strength: InheritableVariable<f32>,

    /// Whether the weight is also checked once when the game starts. An object that cannot carry itself then
    /// comes down at once.
    #[reflect(display_name = "Check Stability On Load")]
    pub check_at_start: InheritableVariable<bool>,
}

/// A field that is not set: a card decides it, if there is one.
fn unset<T>(value: T) -> InheritableVariable<T> {
    InheritableVariable::new_non_modified(value)
}

impl Default for Destructible {
    fn default() -> Self {
        Self {
            card: Default::default(),
            pattern: unset(None),
            density: unset(2400.0),
            mass_source: Default::default(),
            surface_tag: unset(String::new()),
            mesh_nodes: Default::default(),
            open_mesh: Default::default(),
            break_in_pose: unset(true),
            shell_thickness: 0.002.into(),
            collider: Default::default(),
            breaking: Default::default(),
            inside: Default::default(),
            held: Default::default(),
            pieces: Default::default(),
            strength: Default::default(),
            not_in_file: Default::default(),
            inbox: Default::default(),
        }
    }
}

impl Default for Breaking {
    fn default() -> Self {
        Self {
            damage_threshold: 0.0.into(),
            weakening: unset(0.5),
            sheet_toughness: unset(1.0),
            energy_per_volume: unset(10_000.0),
            min_radius: unset(0.1),
            max_radius: unset(2.0),
            cracks_stay: unset(true),
            held_pieces_stay: unset(false),
            weakness_map: Default::default(),
            weakness_mapping: Default::default(),
            weak_where_painted: Default::default(),
            seed: Default::default(),
            site_nodes: Default::default(),
        }
    }
}

impl Default for Inside {
    fn default() -> Self {
        Self {
            material: unset(None),
            texture_mapping: unset(CutMapping::default()),
            texture_scale: unset(0.0),
            texture_turn: 0.0.into(),
            bump_height: unset(0.0),
            bump_distance: unset(0.1),
        }
    }
}

impl Default for Held {
    fn default() -> Self {
        Self {
            anchoring: Default::default(),
            depth: 0.05.into(),
            gap: 0.005.into(),
            bond_strength: 1.0.into(),
        }
    }
}

impl Default for Pieces {
    fn default() -> Self {
        Self {
            max_depth: unset(3),
            min_size: unset(0.021_544_347), // a cube of 10 cm^3
            threshold_factor: unset(10.0),
            lifetime: unset(0.0),
            fading: unset(Fading::default()),
            fade_time: unset(1.0),
            dust_size: unset(0.02),
        }
    }
}

impl Default for Strength {
    fn default() -> Self {
        Self {
            tensile_strength: unset(0.0),
            min_neck: unset(0.0),
            bar_spacing: unset(0.0),
            bar_diameter: unset(0.012),
            bar_cover: unset(0.03),
            bar_yield_strength: unset(5e8),
            check_at_start: false.into(),
        }
    }
}

impl Visit for Destructible {
    fn visit(&mut self, name: &str, visitor: &mut Visitor) -> VisitResult {
        if !visitor.is_reading() && self.not_in_file != CardFields::default() {
            let mut written = self.clone();
            written.unmark_missing_fields();
            return written.visit(name, visitor);
        }
        let mut region = visitor.enter_region(name)?;
        let results = [
            self.card.visit("Card", &mut region),
            self.pattern.visit("Pattern", &mut region),
            self.density.visit("Density", &mut region),
            self.mass_source.visit("MassSource", &mut region),
            self.surface_tag.visit("SurfaceTag", &mut region),
            self.mesh_nodes.visit("MeshNodes", &mut region),
            self.open_mesh.visit("OpenMesh", &mut region),
            self.break_in_pose.visit("BreakInPose", &mut region),
            self.shell_thickness.visit("ShellThickness", &mut region),
            self.collider.visit("Collider", &mut region),
            self.breaking.visit("Breaking", &mut region),
            self.inside.visit("Inside", &mut region),
            self.held.visit("Held", &mut region),
            self.pieces.visit("Pieces", &mut region),
            self.strength.visit("Strength", &mut region),
        ];
        if region.is_reading() {
            // A field that is missing in the file keeps its default.
            if !region.has_region("Breaking") {
                self.read_flat_fields(&mut region);
            }
            self.note_missing_fields();
            return Ok(());
        }
        results.into_iter().collect()
    }
}

impl ScriptTrait for Destructible {
    fn on_init(&mut self, _ctx: &mut ScriptContext) -> GameResult {
        self.unmark_missing_fields();
        Ok(())
    }

    fn on_start(&mut self, ctx: &mut ScriptContext) -> GameResult {
        ctx.message_dispatcher.subscribe_to::<Impact>(ctx.handle);
        // An event that no script receives makes the engine log a warning.
        ctx.message_dispatcher.subscribe_to::<Event>(ctx.handle);
        Ok(())
    }

    fn on_message(
        &mut self,
        message: &mut dyn ScriptMessagePayload,
        _ctx: &mut ScriptMessageContext,
    ) -> GameResult {
        if let Some(impact) = message.downcast_ref::<Impact>() {
            self.inbox.push(impact.clone());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reread(mut visitor: Visitor) -> Destructible {
        let bytes = visitor.save_binary_to_vec().unwrap();
        visitor = Visitor::load_binary_from_memory(&bytes).unwrap();
        let mut script = Destructible::default();
        script.visit("Script", &mut visitor).unwrap();
        script
    }

    #[test]
    fn fields_of_a_scene_without_sections_are_read_in_the_new_units() {
        let mut visitor = Visitor::new();
        let mut region = visitor.enter_region("Script").unwrap();
        let mut write = |name: &str, value: f32| {
            let mut value = InheritableVariable::new_modified(value);
            value.visit(name, &mut region).unwrap();
        };
        write("Density", 900.0);
        write("Toughness", 55.0);
        write("EnergyToRadius", 2e-4);
        write("AnchorDepth", 0.25);
        write("SmallestVolume", 1e-3);
        write("Strength", 3e5);
        write("CutRoughness", 0.01);
        let mut tag = InheritableVariable::new_modified(String::from("brick"));
        tag.visit("Material", &mut region).unwrap();
        drop(region);

        let script = reread(visitor);
        assert_eq!(*script.density, 900.0);
        assert_eq!(*script.surface_tag, "brick");
        assert_eq!(*script.breaking.damage_threshold, 55.0);
        assert_eq!(*script.breaking.energy_per_volume, 5000.0);
        assert!(script.breaking.energy_per_volume.is_modified());
        assert!((*script.pieces.min_size - 0.1).abs() < 1e-6);
        assert_eq!(*script.held.depth, 0.25);
        assert_eq!(*script.strength.tensile_strength, 3e5);
        assert_eq!(*script.inside.bump_height, 0.01);
        // Fields that the scene does not have keep their defaults and inherit.
        assert_eq!(*script.breaking.max_radius, 2.0);
        assert!(!script.breaking.max_radius.is_modified());
        assert_eq!(*script.pieces.lifetime, 0.0);
        assert!(!script.pieces.lifetime.is_modified());
    }

    #[test]
    fn fields_that_an_old_scene_does_not_have_are_inherited() {
        let mut visitor = Visitor::new();
        let mut region = visitor.enter_region("Script").unwrap();
        let mut density = InheritableVariable::new_modified(900.0f32);
        density.visit("Density", &mut region).unwrap();
        drop(region);
        let script = reread(visitor);
        assert_eq!(*script.breaking.energy_per_volume, 10_000.0);
        assert!(!script.breaking.energy_per_volume.is_modified());
        assert!(!script.pieces.min_size.is_modified());
        assert_eq!(*script.mass_source, MassSource::FromDensity);
        assert!(!script.mass_source.is_modified());
        assert!(!script.strength.tensile_strength.is_modified());
    }

    #[test]
    fn sections_are_read_as_they_were_written() {
        let mut script = Destructible::default();
        let breaking = &mut script.breaking;
        breaking.damage_threshold.set_value_and_mark_modified(7.0);
        let strength = &mut script.strength.tensile_strength;
        strength.set_value_and_mark_modified(1e6);
        script.held.depth = InheritableVariable::new_non_modified(0.05);
        let mut visitor = Visitor::new();
        script.visit("Script", &mut visitor).unwrap();
        let read = reread(visitor);
        assert_eq!(read.breaking, script.breaking);
        assert_eq!(read.strength, script.strength);
        assert!(read.breaking.damage_threshold.is_modified());
        assert!(!read.held.depth.is_modified());
    }
}
