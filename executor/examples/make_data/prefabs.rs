//! Prefabs: breakable parts that scenes instance, each a rigid body with its model, collider and script; and a node with the
//! scripts of effects.

use crate::models::SPANDRELS;
use crate::props::stone;
use crate::set::{Body, Prop, Result, Set};
use crate::stones::PLANK;
use fracture::{Anchoring, BreakDust, BreakSounds, DebrisSettings, Destructible, ImpactMarks};
use fyrox::{
    asset::manager::ResourceManager,
    core::{
        algebra::{UnitQuaternion, Vector3},
        pool::Handle,
    },
    graph::SceneGraph,
    resource::model::{Model, ModelResourceExtension},
    scene::{base::BaseBuilder, node::Node, pivot::PivotBuilder},
};
use std::path::Path;

/// The material of a prefab.
#[derive(Clone, Copy)]
enum Stuff {
    /// Bricks in old mortar of lime, which holds 0.09 MPa.
    Brick,
    /// Concrete with steel in it; the joints are filled with concrete.
    Concrete,
    /// Prestressed slabs of concrete, which crack at 12 MPa and are joined by bars.
    Slab,
    /// Timber, nailed.
    Timber,
    /// Oak that lies loose.
    Oak,
    /// Stones without mortar.
    DryStone,
}

/// A prefab: its file and model, which have one name, its materials, its collider, and what it is made of.
struct Prefab {
    name: &'static str,
    material: &'static str,
    body: Body,
    stuff: Stuff,
}

const fn prefab(name: &'static str, material: &'static str, body: Body, stuff: Stuff) -> Prefab {
    Prefab {
        name,
        material,
        body,
        stuff,
    }
}

const BRICKS: &str = "brickwork";
const TRIMMED: &str = "brickwork+concrete";

const PREFABS: &[Prefab] = &[
    prefab("wall_window", TRIMMED, Body::Triangles, Stuff::Brick),
    prefab("wall_door", TRIMMED, Body::Triangles, Stuff::Brick),
    prefab(
        "wall_blind",
        BRICKS,
        Body::Block([2.0, 2.7, 0.3]),
        Stuff::Brick,
    ),
    prefab("pier", BRICKS, Body::Block([0.3, 2.7, 0.3]), Stuff::Brick),
    prefab(
        "square_column",
        "concrete",
        Body::Block([0.3, 2.4, 0.3]),
        Stuff::Concrete,
    ),
    prefab(
        "arcade_column",
        "concrete",
        Body::Block([0.3, 2.7, 0.3]),
        Stuff::Concrete,
    ),
    prefab(
        "floor_beam",
        "concrete",
        Body::Block([0.25, 0.3, 3.98]),
        Stuff::Concrete,
    ),
    prefab(
        "floor_slab",
        "concrete",
        Body::Block([4.2, 0.18, 1.075]),
        Stuff::Slab,
    ),
    prefab("stairs", "concrete", Body::Triangles, Stuff::Slab),
    prefab("balcony", "concrete", Body::Triangles, Stuff::Concrete),
    prefab("truss", "timber", Body::Triangles, Stuff::Timber),
    prefab("gable", BRICKS, Body::Triangles, Stuff::Brick),
    prefab("roof_panel", "timber+tiles", Body::Triangles, Stuff::Timber),
    prefab("wedge", BRICKS, Body::Triangles, Stuff::Brick),
    prefab("keystone", BRICKS, Body::Triangles, Stuff::Brick),
    prefab(
        "parapet",
        "stone",
        Body::Block([1.14, 0.5, 0.22]),
        Stuff::DryStone,
    ),
    prefab("plank", "timber", Body::Block(PLANK), Stuff::Oak),
    prefab(
        "ashlar",
        "stone",
        Body::Block([0.6, 0.4, 0.4]),
        Stuff::DryStone,
    ),
];

/// Writes every prefab.
pub fn write(resources: &ResourceManager, data: &Path) -> Result<()> {
    let spandrels = SPANDRELS.map(|name| prefab(name, BRICKS, Body::Triangles, Stuff::Brick));
    for prefab in PREFABS.iter().chain(&spandrels) {
        let mut set = Set::empty(resources, data);
        let breaks = prefab.stuff.breaks(&set)?;
        let body = set.prop(Prop {
            name: prefab.name,
            model: prefab.name,
            material: prefab.material,
            body: prefab.body,
            breaks: Some(breaks),
            ..Prop::default()
        })?;
        save(set, body, prefab.name)?;
    }
    let mut set = Set::empty(resources, data);
    let effects = set.group("effects", Handle::NONE);
    let node = &mut set.scene.graph[effects];
    node.add_script(BreakDust::default());
    node.add_script(BreakSounds::default());
    node.add_script(ImpactMarks::default());
    save(set, effects, "effects")
}

/// Saves a scene that is a node and what is below it.
fn save(mut set: Set, top: Handle<Node>, name: &str) -> Result<()> {
    let graph = &mut set.scene.graph;
    let root = graph.root();
    graph.change_hierarchy_root(root, top);
    graph.remove_node(root);
    set.save("prefabs", name)
}

impl Stuff {
    /// How it breaks, and what it bears.
    fn breaks(self, set: &Set) -> Result<Destructible> {
        // Pattern, cut faces, density in kg/m^3, tensile strength in Pa, strength of its bonds in parts of that.
        let (pattern, cut, density, strength, bond) = match self {
            Self::Brick => ("brick", "brick_cut", 1900.0, 3e6, 0.03),
            Self::Concrete => ("concrete", "concrete_cut", 2400.0, 4.5e7, 1.0),
            Self::Slab => ("concrete", "concrete_cut", 2400.0, 1.2e7, 0.5),
            Self::Timber => ("wood", "wood_cut", 600.0, 4e7, 0.05),
            Self::Oak => ("wood", "wood_cut", 700.0, 4e7, 0.0),
            Self::DryStone => ("stone", "stone_cut", 2400.0, 3e6, 0.0),
        };
        let mut breaks = stone(set, pattern, cut)?;
        breaks.density = density.into();
        breaks.held.anchoring = Anchoring::Touching.into();
        breaks.held.bond_strength = bond.into();
        breaks.strength.tensile_strength = strength.into();
        breaks.breaking.damage_threshold = 150.0.into();
        // Hundreds of parts come down together: their pieces do not break again and again.
        breaks.pieces.max_depth = 1.into();
        breaks.pieces.threshold_factor = 30.0.into();
        if let Self::Timber | Self::Oak = self {
            breaks.breaking.energy_per_volume = (1.0 / 3e-5).into();
            breaks.breaking.max_radius = 0.7.into();
        }
        if let Self::Brick = self {
            breaks.breaking.max_radius = 0.85.into();
        }
        Ok(breaks)
    }
}

/// An instance of a prefab.
pub struct Instance<'a> {
    /// File of the prefab, without extension.
    pub prefab: &'a str,
    /// Name of its rigid body.
    pub name: &'a str,
    /// Where it stands in its group, metres.
    pub at: [f32; 3],
    /// Turns about x, then y, then z, degrees.
    pub turns: [f32; 3],
}

impl Default for Instance<'_> {
    fn default() -> Self {
        Self {
            prefab: "",
            name: "",
            at: [0.0; 3],
            turns: [0.0; 3],
        }
    }
}

impl Set<'_> {
    /// Lets thousands of pieces lie about.
    pub fn allow_many_pieces(&mut self) {
        let limits = DebrisSettings {
            max_pieces: 4000.into(),
            ..DebrisSettings::default()
        };
        let settings = self.group("Settings", Handle::NONE);
        self.scene.graph[settings].add_script(limits);
    }

    /// Adds a node that others hang on.
    pub fn group(&mut self, name: &str, above: Handle<Node>) -> Handle<Node> {
        let graph = &mut self.scene.graph;
        let group = PivotBuilder::new(BaseBuilder::new().with_name(name)).build(graph);
        if above.is_some() {
            graph.link_nodes(group, above);
        }
        group.to_base()
    }

    /// Adds an instance of a prefab to a group.
    pub fn instance(&mut self, instance: Instance, group: Handle<Node>) -> Result<Handle<Node>> {
        let prefab = self.resource::<Model>(&format!("prefabs/{}.rgs", instance.prefab))?;
        let body = prefab.instantiate(&mut self.scene);
        let graph = &mut self.scene.graph;
        let [x, y, z] = instance.turns.map(f32::to_radians);
        let about = UnitQuaternion::from_axis_angle;
        let turn = about(&Vector3::z_axis(), z)
            * about(&Vector3::y_axis(), y)
            * about(&Vector3::x_axis(), x);
        let node = &mut graph[body];
        node.set_name(instance.name);
        let place = node.local_transform_mut();
        place.set_position(instance.at.into());
        place.set_rotation(turn);
        if group.is_some() {
            graph.link_nodes(body, group);
        }
        Ok(body)
    }
}
