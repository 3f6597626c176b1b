//! Things that stand in several scenes.

use crate::models::{FOUNDATION, PLINTH, WALL};
use crate::set::{Body, Prop, Result, Set};
use fracture::{Anchoring, Destructible};

/// A concrete wall, 4 m wide, 2.4 m high and 0.2 m thick, on a foundation of 0.3 m.
pub fn wall(set: &mut Set, pattern: &str, at: [f32; 3], turn: f32) -> Result<()> {
    foundation(set, at, turn)?;
    let mut breaks = stone(set, pattern, "concrete_cut")?;
    breaks.breaking.max_radius = 1.2.into();
    wall_on_foundation(set, "Wall", at, turn, breaks)
}

/// A concrete wall, 4 m long and 2.4 m high, on a foundation at a place.
pub fn wall_on_foundation(
    set: &mut Set,
    name: &str,
    [x, y, z]: [f32; 3],
    turn: f32,
    breaks: Destructible,
) -> Result<()> {
    set.prop(Prop {
        name,
        model: "wall",
        material: "concrete",
        at: [x, y + 0.3, z],
        turn,
        body: Body::Block(WALL),
        breaks: Some(breaks),
        ..Prop::default()
    })
    .map(drop)
}

/// The base of walls: 4.6 m long and 0.3 m high.
pub fn foundation(set: &mut Set, at: [f32; 3], turn: f32) -> Result<()> {
    set.prop(Prop {
        name: "Foundation",
        model: "foundation",
        material: "concrete",
        at,
        turn,
        body: Body::Block(FOUNDATION),
        ..Prop::default()
    })
    .map(drop)
}

/// A block of concrete to put things on.
pub fn plinth(set: &mut Set, name: &str, at: [f32; 3], turn: f32) -> Result<()> {
    set.prop(Prop {
        name,
        model: "plinth",
        material: "concrete",
        at,
        turn,
        body: Body::Block(PLINTH),
        ..Prop::default()
    })
    .map(drop)
}

/// A stone column, 3.4 m high, with a shaft of 0.26 m radius.
pub fn column(set: &mut Set, name: &str, at: [f32; 3], damage_threshold: f32) -> Result<()> {
    let mut breaks = stone(set, "stone", "stone_cut")?;
    breaks.breaking.damage_threshold = damage_threshold.into();
    breaks.breaking.min_radius = 0.15.into();
    set.prop(Prop {
        name,
        model: "column",
        material: "stone",
        at,
        breaks: Some(breaks),
        ..Prop::default()
    })?;
    Ok(())
}

/// A glass pane, 2 by 1.6 m, held at its edges by a wooden frame.
pub fn pane(set: &mut Set, at: [f32; 3], turn: f32) -> Result<()> {
    let mut breaks = set.breaks("glass", "glass_cut")?;
    breaks.density = 2500.0.into();
    breaks.breaking.damage_threshold = 5.0.into();
    breaks.breaking.energy_per_volume = 5e3.into();
    breaks.breaking.min_radius = 0.35.into();
    breaks.breaking.max_radius = 0.9.into();
    framed(set, "Pane", at, turn, breaks)
}

/// A pane in a frame of wood, of a material with a card.
pub fn pane_of(set: &mut Set, card: &str, name: &str, at: [f32; 3], turn: f32) -> Result<()> {
    let breaks = set.of_card(card)?;
    framed(set, name, at, turn, breaks)
}

/// A pane that its frame holds at all borders.
fn framed(
    set: &mut Set,
    pane: &str,
    at: [f32; 3],
    turn: f32,
    mut breaks: Destructible,
) -> Result<()> {
    let (sin, cos) = turn.to_radians().sin_cos();
    let offset = |along: f32, up: f32| [at[0] + along * cos, at[1] + up, at[2] - along * sin];
    for (name, model, along, up) in [
        ("Left post", "post", -1.05, 0.0),
        ("Right post", "post", 1.05, 0.0),
        ("Lower rail", "rail", 0.0, 0.3),
        ("Upper rail", "rail", 0.0, 2.0),
    ] {
        let size = if model == "post" {
            [0.1, 2.1, 0.14]
        } else {
            [2.0, 0.1, 0.12]
        };
        set.prop(Prop {
            name,
            model,
            material: "wood",
            at: offset(along, up),
            turn,
            body: Body::Block(size),
            ..Prop::default()
        })?;
    }
    breaks.held.anchoring = Anchoring::Edges.into();
    set.prop(Prop {
        name: pane,
        model: "pane",
        material: "glass",
        at: offset(0.0, 0.4),
        turn,
        body: Body::Block([2.0, 1.6, 0.024]),
        clear: true,
        breaks: Some(breaks),
        ..Prop::default()
    })?;
    Ok(())
}

/// A wooden crate of 0.8 m that stands free.
pub fn crate_of_wood(set: &mut Set, name: &str, at: [f32; 3], turn: f32) -> Result<()> {
    set.prop(Prop {
        name,
        model: "crate",
        material: "wood",
        at,
        turn,
        body: Body::Block([0.8, 0.8, 0.8]),
        moves: true,
        breaks: Some(wood(set)?),
        ..Prop::default()
    })
    .map(drop)
}

/// Something heavy that stands on its base.
pub fn stone(set: &Set, pattern: &str, cut: &str) -> Result<Destructible> {
    let mut breaks = set.breaks(pattern, cut)?;
    breaks.breaking.damage_threshold = 100.0.into();
    breaks.breaking.energy_per_volume = 5e4.into();
    breaks.breaking.min_radius = 0.2.into();
    breaks.breaking.max_radius = 1.0.into();
    breaks.held.anchoring = Anchoring::Base.into();
    Ok(breaks)
}

fn wood(set: &Set) -> Result<Destructible> {
    let mut breaks = set.breaks("even", "wood")?;
    breaks.density = 600.0.into();
    breaks.breaking.damage_threshold = 220.0.into();
    breaks.breaking.energy_per_volume = 1e4.into();
    breaks.breaking.max_radius = 0.8.into();
    Ok(breaks)
}
