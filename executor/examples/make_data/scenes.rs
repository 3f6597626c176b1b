//! The scenes: one to look at and shoot at, and a small one for each kind of scenario.

use crate::bridges;
use crate::cards;
use crate::coupling;
use crate::models::{FOUNDATION, PLINTH, WALL};
use crate::painted;
use crate::props::{
    column, crate_of_wood, foundation, pane, pane_of, plinth, stone, wall, wall_on_foundation,
};
use crate::set::{Body, Prop, Result, Set};
use crate::stencils;
use crate::weight;
use fracture::{Anchoring, OpenMesh};
use fyrox::asset::manager::ResourceManager;
use std::path::Path;

/// Puts things into a set.
type Build = fn(&mut Set) -> Result<()>;

/// Writes every wanted scene but those of the gallery.
pub fn write(
    resources: &ResourceManager,
    data: &Path,
    wanted: impl Fn(&str) -> bool,
) -> Result<()> {
    let scenes: &[(&str, Build)] = &[
        ("demo", demo),
        ("wall", |set| wall(set, "concrete", [0.0; 3], 0.0)),
        ("column", |set| column(set, "Column", [0.0; 3], 100.0)),
        ("statue", |set| statue(set, [0.0; 3], 0.0)),
        ("torus", |set| torus(set, [0.0, 0.14, 0.0], "torus")),
        ("torus_20k", |set| torus(set, [0.0, 0.14, 0.0], "torus_20k")),
        ("pane", |set| pane(set, [0.0; 3], 0.0)),
        ("panes", panes),
        ("reinforced", reinforced),
        ("canopies", canopies),
        ("icicles", icicles),
        ("pair", pair),
        ("weight", weight::things),
        ("coupling", coupling::things),
        ("stones", bridges::loose_stones),
        ("door", bridges::door),
        ("cards", cards::cubes),
        ("stencils", stencils::walls),
        ("painted", painted::walls),
        ("open", open),
        ("holed", holed),
        ("tin", tin),
        ("faulty", faulty),
    ];
    for (name, build) in scenes.iter().filter(|(name, _)| wanted(name)) {
        let mut set = Set::new(resources, data)?;
        build(&mut set)?;
        match *name {
            "demo" => {}
            "stencils" => set.camera([0.0, 1.7, 8.2], [0.0, 1.4, 0.0]),
            "painted" => set.camera([0.2, 1.8, 4.4], [0.5, 1.35, 0.0]),
            "panes" => set.camera([0.6, 1.7, 5.2], [0.9, 1.1, 0.0]),
            "reinforced" => set.camera([0.0, 2.2, 6.2], [0.0, 1.3, 0.0]),
            "canopies" => set.camera([5.0, 2.0, 5.0], [0.9, 1.75, 1.2]),
            "icicles" => set.camera([0.6, 1.5, 3.0], [0.0, 1.45, 0.0]),
            "cards" => set.camera([0.0, 1.932, 2.482], [0.0, 0.0, -0.5]),
            _ => set.camera([2.5, 2.2, 6.0], [0.0, 1.2, 0.0]),
        }
        set.save("scenes", name)?;
    }
    Ok(())
}

fn demo(set: &mut Set) -> Result<()> {
    set.prop(Prop {
        name: "Backdrop",
        model: "backdrop",
        material: "brick",
        at: [0.0, 0.0, -5.0],
        body: Body::Block([26.0, 3.6, 0.5]),
        ..Prop::default()
    })?;
    wall(set, "concrete", [-4.0, 0.0, -1.6], 14.0)?;
    column(set, "Column", [-0.9, 0.0, -2.2], 100.0)?;
    statue(set, [1.0, 0.0, -0.9], -12.0)?;
    pane(set, [3.9, 0.0, -1.2], -16.0)?;
    plinth(set, "Plinth", [2.4, 0.0, 1.5], 8.0)?;
    torus(set, [2.4, 0.59, 1.5], "torus")?;
    crate_of_wood(set, "Crate", [-1.9, 0.0, 1.3], 24.0)?;
    crate_of_wood(set, "Upper crate", [-1.95, 0.8, 1.33], -9.0)?;
    set.scenery("land", "fields+leaves+far_leaves")?;
    set.camera([0.1, 1.8, 5.6], [0.0, 1.35, -1.2]);
    Ok(())
}

/// A wall of plain and one of reinforced concrete.
fn reinforced(set: &mut Set) -> Result<()> {
    for (card, name, x) in [
        ("concrete", "Plain", -2.4),
        ("reinforced_concrete", "Reinforced", 2.4),
    ] {
        foundation(set, [x, 0.0, 0.0], 0.0)?;
        let mut breaks = set.of_card(card)?;
        breaks.held.anchoring = Anchoring::Base.into();
        wall_on_foundation(set, name, [x, 0.0, 0.0], 0.0, breaks)?;
    }
    Ok(())
}

/// A canopy of plain and one of reinforced concrete, which piers hold at their backs: slabs of 3.6 m that bear their weight as
/// long as nothing strikes them.
fn canopies(set: &mut Set) -> Result<()> {
    for (card, name, x) in [
        ("concrete", "Plain", -2.2),
        ("reinforced_concrete", "Reinforced", 2.2),
    ] {
        set.prop(Prop {
            name: "Pier",
            model: "foundation",
            material: "concrete",
            at: [x, 0.0, -0.2],
            scale: [0.7, 11.5, 0.5],
            body: Body::Block(FOUNDATION),
            ..Prop::default()
        })?;
        let mut breaks = set.of_card(card)?;
        breaks.held.anchoring = Anchoring::Base.into();
        breaks.strength.tensile_strength = 8e6.into();
        set.prop(Prop {
            name,
            model: "wall",
            material: "concrete",
            at: [x, 3.0, 0.0],
            tilt: 90.0,
            scale: [0.75, 1.5, 0.6],
            body: Body::Block(WALL),
            breaks: Some(breaks),
            ..Prop::default()
        })?;
    }
    Ok(())
}

/// Two icicles under an eave: of one the necks snap as its card says, of the other none does.
fn icicles(set: &mut Set) -> Result<()> {
    set.prop(Prop {
        name: "Eave",
        model: "plinth",
        material: "wood",
        at: [0.0, 2.3, 0.0],
        scale: [1.8, 0.6, 0.3],
        body: Body::Block(PLINTH),
        ..Prop::default()
    })?;
    let breaks = set.of_card("ice")?;
    let mut firm = breaks.clone();
    firm.strength.min_neck = 0.0.into();
    for (name, x, breaks) in [("Icicle", -0.6, breaks), ("Firm icicle", 0.6, firm)] {
        set.prop(Prop {
            name,
            model: "icicle",
            material: "ice",
            at: [x, 1.02, 0.0],
            cloudy: true,
            breaks: Some(breaks),
            ..Prop::default()
        })?;
    }
    Ok(())
}

/// Panes of three kinds of glass in frames, and one of float glass that is held below only.
fn panes(set: &mut Set) -> Result<()> {
    for (card, name, x) in [
        ("float_glass", "Float", -2.4),
        ("tempered_glass", "Tempered", 0.0),
        ("laminated_glass", "Laminated", 2.4),
    ] {
        pane_of(set, card, name, [x, 0.0, 0.0], 0.0)?;
    }
    let mut breaks = set.of_card("float_glass")?;
    breaks.held.anchoring = Anchoring::Base.into();
    set.prop(Prop {
        name: "Screen",
        model: "pane",
        material: "glass",
        at: [4.8, 0.0, 0.0],
        body: Body::Block([2.0, 1.6, 0.024]),
        clear: true,
        breaks: Some(breaks),
        ..Prop::default()
    })?;
    // Dice by the thousand.
    set.allow_many_pieces();
    Ok(())
}

/// The statue, 2.4 m high, over 20,000 triangles.
fn statue(set: &mut Set, at: [f32; 3], turn: f32) -> Result<()> {
    let mut breaks = stone(set, "stone", "stone_cut")?;
    breaks.breaking.damage_threshold = 80.0.into();
    breaks.breaking.energy_per_volume = 1e5.into();
    breaks.breaking.min_radius = 0.12.into();
    breaks.breaking.max_radius = 0.7.into();
    set.prop(Prop {
        name: "Statue",
        model: "statue",
        material: "plaster",
        at,
        turn,
        breaks: Some(breaks),
        ..Prop::default()
    })?;
    Ok(())
}

/// A ring of stone that lies free, 0.56 m outer radius, its tube 0.28 m thick.
fn torus(set: &mut Set, at: [f32; 3], model: &str) -> Result<()> {
    let mut breaks = stone(set, "stone", "stone_cut")?;
    breaks.breaking.damage_threshold = 120.0.into();
    breaks.breaking.min_radius = 0.15.into();
    breaks.breaking.max_radius = 0.4.into();
    breaks.held.anchoring = Anchoring::Free.into();
    set.prop(Prop {
        name: "Torus",
        model,
        material: "stone",
        at,
        tilt: 90.0,
        body: Body::Ring {
            ring: 0.42,
            tube: 0.14,
        },
        moves: true,
        breaks: Some(breaks),
        ..Prop::default()
    })?;
    Ok(())
}

/// Two cubes of 1 m; the strong one flies into the weak one.
fn pair(set: &mut Set) -> Result<()> {
    for (name, x, speed, damage_threshold) in
        [("Strong", -3.0, 8.0, 1e6), ("Weak", 0.0, 0.0, 200.0)]
    {
        let mut breaks = set.breaks("even", "concrete_cut")?;
        breaks.breaking.damage_threshold = damage_threshold.into();
        breaks.held.anchoring = Anchoring::Free.into();
        set.prop(Prop {
            name,
            model: "cube",
            material: "concrete",
            at: [x, 0.001, 0.0],
            body: Body::Block([1.0, 1.0, 1.0]),
            moves: true,
            velocity: [speed, 0.0, 0.0],
            breaks: Some(breaks),
            ..Prop::default()
        })?;
    }
    Ok(())
}

/// A cube without its top: not a solid.
fn open(set: &mut Set) -> Result<()> {
    let breaks = set.breaks("concrete", "concrete_cut")?;
    set.prop(Prop {
        name: "Open",
        model: "open",
        material: "concrete",
        body: Body::Block([1.0, 1.0, 1.0]),
        breaks: Some(breaks),
        ..Prop::default()
    })?;
    Ok(())
}

/// A cube with a small hole, which is to be closed, and one whose hole is too large for that.
fn holed(set: &mut Set) -> Result<()> {
    for (name, model, x) in [("Holed", "holed", 0.0), ("Topless", "open", 2.5)] {
        let mut breaks = set.breaks("concrete", "concrete_cut")?;
        breaks.open_mesh = OpenMesh::Repair.into();
        set.prop(Prop {
            name,
            model,
            material: "concrete",
            at: [x, 0.0, 0.0],
            body: Body::Block([1.0, 1.0, 1.0]),
            breaks: Some(breaks),
            ..Prop::default()
        })?;
    }
    Ok(())
}

/// A sheet of corrugated tin, 2 by 1.6 m and 1 mm thick, held at its base.
fn tin(set: &mut Set) -> Result<()> {
    let mut breaks = set.breaks("even", "concrete_cut")?;
    breaks.open_mesh = OpenMesh::Shell.into();
    breaks.shell_thickness = 0.001.into();
    breaks.density = 7800.0.into();
    breaks.breaking.damage_threshold = 20.0.into();
    breaks.breaking.energy_per_volume = 5e3.into();
    breaks.breaking.min_radius = 0.3.into();
    breaks.breaking.max_radius = 0.8.into();
    breaks.held.anchoring = Anchoring::Base.into();
    set.prop(Prop {
        name: "Tin",
        model: "tin",
        material: "plaster",
        breaks: Some(breaks),
        ..Prop::default()
    })?;
    Ok(())
}

/// Mistakes an artist can make: a breakable without a mesh, and patterns that are none.
fn faulty(set: &mut Set) -> Result<()> {
    let breaks = set.breaks("concrete", "concrete_cut")?;
    set.bare("Bare", [-3.0, 0.0, 0.0], [1.0, 1.0, 1.0], breaks);
    for (name, pattern, x) in [
        ("Single", "single", -1.0),
        ("Damaged", "damaged", 1.0),
        ("Lost", "lost", 3.0),
    ] {
        let mut breaks = set.breaks(pattern, "concrete_cut")?;
        breaks.breaking.damage_threshold = 10.0.into();
        set.prop(Prop {
            name,
            model: "cube",
            material: "concrete",
            at: [x, 0.0, 0.0],
            body: Body::Block([1.0, 1.0, 1.0]),
            breaks: Some(breaks),
            ..Prop::default()
        })?;
    }
    Ok(())
}
