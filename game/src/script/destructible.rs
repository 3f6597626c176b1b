//! The script an artist puts on a node to make it breakable. It holds tuning only.

use crate::{
    events::Event,
    impacts::impact::Impact,
    pattern::FracturePattern,
    script::{
        enums::{Anchoring, CutMapping, Fading, OpenMesh},
        inbox::Inbox,
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
    scene::node::Node,
    script::{ScriptContext, ScriptMessageContext, ScriptMessagePayload, ScriptTrait},
};

/// Makes a rigid body breakable.
///
/// Put it on a rigid body node, or on any node below one: what breaks is the nearest rigid body at
/// or above the node that carries the script, with the meshes below that node. All the work is done
/// by [`Destruction`](crate::Destruction), which reads these fields when it first sees the node and
/// again whenever they change.
#[derive(Visit, Reflect, Debug, Clone, TypeUuidProvider, ComponentProvider)]
#[type_uuid(id = "6f2b6d0e-3f0b-4d0c-9c2b-0f6a3b1f7c55")]
#[visit(optional)]
pub struct Destructible {
    /// How the object breaks. Empty: 64 cells, denser around the impact.
    pub pattern: InheritableVariable<Option<Resource<FracturePattern>>>,

    /// Mass per volume of the pieces, kg/m^3.
    #[reflect(min_value = 0.001, step = 100.0)]
    pub density: InheritableVariable<f32>,

    /// The impulse that starts a break, N s. What rests on the object does not count.
    #[reflect(min_value = 0.0, step = 1.0)]
    pub toughness: InheritableVariable<f32>,

    /// Volume broken by a joule, m^3/J: the radius of a break is the cube root of energy times this.
    #[reflect(min_value = 0.0, step = 0.00001, precision = 7)]
    pub energy_to_radius: InheritableVariable<f32>,

    /// The smallest radius of a break, m.
    #[reflect(min_value = 0.001, step = 0.05)]
    pub min_radius: InheritableVariable<f32>,

    /// The largest radius of a break, m.
    #[reflect(min_value = 0.001, step = 0.05)]
    pub max_radius: InheritableVariable<f32>,

    /// The mesh nodes that make up the object. Empty: all meshes below this node.
    pub mesh_nodes: InheritableVariable<Vec<Handle<Node>>>,

    /// What is done about a mesh that is not closed. Refuse: it does not break. Repair: holes of up to
    /// a tenth of its size are closed. Shell: it breaks as a sheet, without cut faces.
    pub open_mesh: InheritableVariable<OpenMesh>,

    /// How thick a mesh is that breaks as a shell, m. It decides the mass; what is seen has no
    /// thickness, so give it a material that is drawn from both sides.
    #[reflect(min_value = 0.00001, step = 0.001, precision = 5)]
    pub shell_thickness: InheritableVariable<f32>,

    /// Nodes below the rigid body whose positions are the sites of its cells, in place of those of
    /// the pattern. Empty: the pattern's own.
    pub site_nodes: InheritableVariable<Vec<Handle<Node>>>,

    /// The collider that stands for the object. Empty: the colliders below the rigid body.
    pub collider: InheritableVariable<Handle<Node>>,

    /// Where the object is held. Free: nowhere. Base: below. Base And Top: below and above. Sides: at
    /// both ends of the longer horizontal side. Edges: at the four borders across the thinnest
    /// direction, as a pane. All: all that is not broken off. Only a static or kinematic body can be
    /// held; a dynamic body is free.
    pub anchoring: InheritableVariable<Anchoring>,

    /// How deep the held zone reaches into the object, m.
    #[reflect(min_value = 0.001, step = 0.01)]
    pub anchor_depth: InheritableVariable<f32>,

    /// Turns the pattern. The same seed gives the same break.
    pub seed: InheritableVariable<u32>,

    /// What it is made of, in a word: events carry it, so that sounds and dust can be chosen by it.
    /// Empty: the name of the file of the Cut Material, or of the Pattern when it has none.
    pub material: InheritableVariable<String>,

    /// The material of cut faces. Empty: the material of the object's first surface.
    pub cut_material: InheritableVariable<Option<MaterialResource>>,

    /// How the texture of cut faces is laid onto them. Planar: in the plane of each face, so that
    /// nothing is stretched. Box: from the sides of the object's box, so that it runs on from face to
    /// face.
    pub cut_uv: InheritableVariable<CutMapping>,

    /// Texture repeats per metre on cut faces. 0: as many as on the object's outside, on average.
    #[reflect(min_value = 0.0, step = 0.1)]
    pub cut_uv_scale: InheritableVariable<f32>,

    /// Turns the texture of cut faces, degrees.
    #[reflect(min_value = -180.0, max_value = 180.0, step = 5.0)]
    pub cut_uv_turn: InheritableVariable<f32>,

    /// Height of the bumps on cut faces, m; up to 0.3 of Cut Grain counts. 0: faces are flat.
    #[reflect(min_value = 0.0, step = 0.005, precision = 4)]
    pub cut_roughness: InheritableVariable<f32>,

    /// Distance between the bumps, m. Fine bumps take many triangles: a break has some 60,000 for
    /// them at most, and gets larger bumps when that does not do.
    #[reflect(min_value = 0.001, step = 0.01)]
    pub cut_grain: InheritableVariable<f32>,

    /// How many times a piece of a piece may break again. What still stands of the object breaks again
    /// whatever this is.
    #[reflect(min_value = 0.0, max_value = 16.0)]
    pub max_generation: InheritableVariable<u32>,

    /// Pieces smaller than this do not break again, m^3.
    #[reflect(min_value = 0.0, step = 0.00001, precision = 7)]
    pub smallest_volume: InheritableVariable<f32>,

    /// How many times the toughness it takes for a free piece to break when it falls on something or
    /// is fallen on. High values make rubble that stays as it is.
    #[reflect(min_value = 1.0, step = 1.0)]
    pub piece_toughness: InheritableVariable<f32>,

    /// The tension at which it tears under its own weight, Pa: after each break what is held is
    /// weighed, and what cannot be carried any more falls. Concrete and stone have some 3000000,
    /// brickwork 300000, wood 40000000. 0: weight breaks nothing.
    #[reflect(min_value = 0.0, step = 100000.0)]
    pub strength: InheritableVariable<f32>,

    /// Whether it is also weighed once when the game starts. If it does not bear its own weight then,
    /// it comes down at once.
    pub weigh_at_start: InheritableVariable<bool>,

    /// How long pieces last once they have come off, s; each up to 30 % longer. One that still moves
    /// then is given as long again. 0: as long as there are not too many.
    #[reflect(min_value = 0.0, step = 1.0)]
    pub piece_lifetime: InheritableVariable<f32>,

    /// How pieces leave the scene when their time has come, or when there are too many. Vanish: from one
    /// frame to the next. Shrink: they become smaller. Sink: into the ground. Dissolve: to dust.
    pub fading: InheritableVariable<Fading>,

    /// How long they are seen leaving, s.
    #[reflect(min_value = 0.0, step = 0.1)]
    pub fade_time: InheritableVariable<f32>,

    /// Pieces whose longest side is shorter than this are particles that fall through everything and
    /// are gone in a second or two, m. 0: every piece is a body, whatever its size. Of more than 1,024
    /// pieces of one break the smallest are always particles.
    #[reflect(min_value = 0.0, step = 0.005, precision = 4)]
    pub crumb_size: InheritableVariable<f32>,

    /// Impacts that came by script message since the last update. Not saved.
    #[reflect(hidden)]
    #[visit(skip)]
    pub inbox: Inbox,
}

impl Default for Destructible {
    fn default() -> Self {
        Self {
            pattern: Default::default(),
            density: 2400.0.into(),
            toughness: 20.0.into(),
            energy_to_radius: 1e-4.into(),
            min_radius: 0.1.into(),
            max_radius: 2.0.into(),
            mesh_nodes: Default::default(),
            open_mesh: Default::default(),
            shell_thickness: 0.002.into(),
            site_nodes: Default::default(),
            collider: Default::default(),
            anchoring: Default::default(),
            anchor_depth: 0.05.into(),
            seed: Default::default(),
            material: Default::default(),
            cut_material: Default::default(),
            cut_uv: Default::default(),
            cut_uv_scale: 0.0.into(),
            cut_uv_turn: 0.0.into(),
            cut_roughness: 0.0.into(),
            cut_grain: 0.1.into(),
            max_generation: 3.into(),
            smallest_volume: 1e-5.into(),
            piece_toughness: 10.0.into(),
            strength: 0.0.into(),
            weigh_at_start: false.into(),
            piece_lifetime: 0.0.into(),
            fading: Default::default(),
            fade_time: 1.0.into(),
            crumb_size: 0.02.into(),
            inbox: Default::default(),
        }
    }
}

impl ScriptTrait for Destructible {
    fn on_start(&mut self, ctx: &mut ScriptContext) -> GameResult {
        ctx.message_dispatcher.subscribe_to::<Impact>(ctx.handle);
        // Taken by nobody else, an event would be a warning in the engine's log.
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
