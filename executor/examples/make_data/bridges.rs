//! Bridges, a stack of loose stones, and a door: small structures, each with its scenarios.

use crate::prefabs::Instance;
use crate::set::{Body, Prop, Result, Set};
use crate::stones::{self, BANK, DECK, HALF_WIDTH, LEDGE, PLANK};
use fracture::{Anchor, Anchoring};
use fyrox::{
    core::{
        algebra::{UnitQuaternion, Vector3},
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        collider::ColliderShape,
        joint::{JointBuilder, JointParams, RevoluteJoint},
        node::Node,
        transform::TransformBuilder,
    },
};

/// Side of a crate of 50 kg, metres.
const CRATE: f32 = 0.5;

/// An arch bridge of brickwork, with parapets of stone, over a span of 4 m.
pub fn arch(set: &mut Set) -> Result<()> {
    for (name, turn) in [("Left abutment", 0.0), ("Right abutment", 180.0)] {
        set.prop(Prop {
            name,
            model: "abutment",
            material: "stone",
            turn,
            ..Prop::default()
        })?;
    }
    let bridge = set.group("Arch", Handle::NONE);
    for index in 0..stones::WEDGES {
        if 2 * index + 1 == stones::WEDGES {
            let keystone = Instance {
                prefab: "keystone",
                name: "Keystone",
                ..Instance::default()
            };
            set.instance(keystone, bridge)?;
            continue;
        }
        let (at, turn) = stones::wedge_place(index);
        let wedge = Instance {
            prefab: "wedge",
            name: &format!("Wedge {}", index + 1),
            at,
            turns: [0.0, 0.0, turn],
        };
        set.instance(wedge, bridge)?;
        let (number, turn) = if index < stones::SPANDRELS {
            (index + 1, 0.0)
        } else {
            (stones::WEDGES - index, 180.0)
        };
        let spandrel = Instance {
            prefab: &format!("spandrel_{number}"),
            name: &format!("Haunch {}", index + 1),
            turns: [0.0, turn, 0.0],
            ..Instance::default()
        };
        set.instance(spandrel, bridge)?;
    }
    for (side, z) in [("front", HALF_WIDTH - 0.12), ("back", 0.12 - HALF_WIDTH)] {
        for index in 0..4 {
            let instance = Instance {
                prefab: "parapet",
                name: &format!("Parapet {side} {}", index + 1),
                at: [1.16 * (index as f32 - 1.5), DECK, z],
                ..Instance::default()
            };
            set.instance(instance, bridge)?;
        }
    }
    Ok(())
}

/// A bridge of two planks of oak between two banks; on the left one stand crates of 50 kg, to be pushed onto it. In
/// its middle it bears seven.
pub fn planks(set: &mut Set) -> Result<()> {
    for (name, x, turn) in [("Left bank", -2.75, 0.0), ("Right bank", 2.75, 180.0)] {
        set.prop(Prop {
            name,
            model: "bank",
            material: "stone",
            at: [x, 0.0, 0.0],
            turn,
            ..Prop::default()
        })?;
    }
    let bridge = set.group("Bridge", Handle::NONE);
    for index in 0..2 {
        let instance = Instance {
            prefab: "plank",
            name: &format!("Plank {}", index + 1),
            at: [0.0, BANK - LEDGE, 0.32 * (0.5 - index as f32)],
            ..Instance::default()
        };
        set.instance(instance, bridge)?;
    }
    for index in 0..8 {
        let (row, place) = (index / 3, index % 3);
        light_crate(
            set,
            &format!("Crate {}", index + 1),
            [
                -2.15 - 0.62 * row as f32 + 0.06 * (place % 2) as f32,
                BANK + 0.001,
                0.6 * (1.0 - place as f32),
            ],
        )?;
    }
    Ok(())
}

/// A crate of 50 kg that does not break.
fn light_crate(set: &mut Set, name: &str, at: [f32; 3]) -> Result<()> {
    set.prop(Prop {
        name,
        model: "crate",
        material: "wood",
        at,
        scale: [CRATE / 0.8; 3],
        body: Body::Block([0.8; 3]),
        full: 50.0 / (2400.0 * CRATE * CRATE * CRATE),
        moves: true,
        ..Prop::default()
    })
    .map(drop)
}

/// A wall of stones that lie loose on each other, in bond, and a stack of single ones.
pub fn loose_stones(set: &mut Set) -> Result<()> {
    let wall = set.group("Stones", Handle::NONE);
    for course in 0..6 {
        let (count, shift) = if course % 2 == 0 { (5, 0.0) } else { (4, 0.3) };
        for index in 0..count {
            let instance = Instance {
                prefab: "ashlar",
                name: &format!("Stone {}.{}", course + 1, index + 1),
                at: [-0.4 + 0.6 * index as f32 + shift, 0.4 * course as f32, 0.0],
                ..Instance::default()
            };
            set.instance(instance, wall)?;
        }
    }
    for course in 0..7 {
        let instance = Instance {
            prefab: "ashlar",
            name: &format!("Block {}", course + 1),
            at: [-2.0, 0.4 * course as f32, 0.0],
            turns: [0.0, 4.0 * ((course * 2) % 5) as f32 - 8.0, 0.0],
        };
        set.instance(instance, wall)?;
    }
    Ok(())
}

/// A door of wood in a wall of brickwork, on hinges, and a canopy before it that hangs on two hooks.
pub fn door(set: &mut Set) -> Result<()> {
    let wall = set.group("Wall", Handle::NONE);
    let mut frame = Handle::NONE;
    for (name, prefab, x) in [
        ("Left wall", "wall_window", -2.0),
        ("Door wall", "wall_door", 0.0),
        ("Right wall", "wall_blind", 2.0),
    ] {
        let instance = Instance {
            prefab,
            name,
            at: [x, 0.0, 0.0],
            ..Instance::default()
        };
        let body = set.instance(instance, wall)?;
        if name == "Door wall" {
            frame = body;
        }
    }
    let mut breaks = set.breaks("wood", "wood_cut")?;
    breaks.density = 600.0.into();
    breaks.held.anchoring = Anchoring::Free.into();
    breaks.breaking.damage_threshold = 400.0.into();
    breaks.breaking.energy_per_volume = (1.0 / 3e-5).into();
    breaks.breaking.max_radius = 0.7.into();
    let leaf = set.prop(Prop {
        name: "Door",
        model: "door_leaf",
        material: "timber",
        at: [0.0, 0.02, 0.0],
        body: Body::Block([0.96, 2.06, 0.05]),
        moves: true,
        breaks: Some(breaks),
        ..Prop::default()
    })?;
    set.hinge(frame, leaf, [-0.48, 1.05, 0.0]);
    canopy(set)
}

/// A plank that touches nothing but two hooks.
fn canopy(set: &mut Set) -> Result<()> {
    const HEIGHT: f32 = 2.6;
    const BEFORE: f32 = 0.5;
    let mut breaks = set.breaks("wood", "wood_cut")?;
    breaks.density = 700.0.into();
    breaks.held.anchoring = Anchoring::Touching.into();
    breaks.strength.tensile_strength = 4e7.into();
    set.prop(Prop {
        name: "Canopy",
        model: "plank",
        material: "timber",
        at: [0.0, HEIGHT, BEFORE],
        body: Body::Block(PLANK),
        breaks: Some(breaks),
        ..Prop::default()
    })?;
    set.hook("Left hook", [-1.2, HEIGHT, BEFORE]);
    set.hook("Right hook", [1.2, HEIGHT, BEFORE]);
    Ok(())
}

impl Set<'_> {
    /// Adds an anchor of 10 cm, which is not seen.
    fn hook(&mut self, name: &str, at: [f32; 3]) {
        let place = TransformBuilder::new().with_local_position(at.into());
        let collider = self.collider(place.build(), ColliderShape::ball(0.05), 1.0);
        let node: &mut Node = self.scene.graph.node_mut(collider.to_base());
        node.set_name(name);
        node.add_script(Anchor {});
    }

    /// Hangs a body on another by an upright hinge that opens either way.
    fn hinge(&mut self, frame: Handle<Node>, leaf: Handle<Node>, at: [f32; 3]) {
        // It turns about its x axis.
        let upright = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), 90f32.to_radians());
        let place = TransformBuilder::new()
            .with_local_position(at.into())
            .with_local_rotation(upright);
        let base = BaseBuilder::new().with_local_transform(place.build());
        let quarter = 100f32.to_radians();
        JointBuilder::new(base.with_name("Hinge"))
            .with_params(JointParams::RevoluteJoint(RevoluteJoint {
                limits_enabled: true,
                limits: -quarter..quarter,
            }))
            .with_body1(frame.transmute())
            .with_body2(leaf.transmute())
            .build(&mut self.scene.graph);
    }
}
