//! The scene of the engine's bodies among debris.

use crate::set::{Body, Prop, Result, Set};
use fracture::{Anchoring, Destructible};
use fyrox::scene::rigidbody::RigidBodyType;

/// Blocks that become debris: name, position, size and density, kg/m^3.
const BLOCKS: [(&str, [f32; 3], [f32; 3], f32); 5] = [
    ("Heap", [-6.0, 0.0, 0.0], [1.6, 0.25, 1.6], 600.0),
    ("Slab", [-2.0, 0.0, 0.0], [1.5, 0.2, 1.5], 2400.0),
    ("Chunk", [1.0, 2.5, 0.0], [0.35, 0.35, 0.35], 2400.0),
    ("Load", [4.0, 0.6, 0.0], [1.0, 0.3, 1.0], 2400.0),
    ("Weight", [8.15, 2.2, 0.0], [0.4, 0.4, 0.4], 2400.0),
];

/// Bodies that the engine moves: name, position, size and mass, kg.
const BODIES: [(&str, [f32; 3], [f32; 3], f32); 6] = [
    ("Lower crate", [-2.0, 0.21, 0.0], [0.5, 0.5, 0.5], 20.0),
    ("Upper crate", [-2.0, 0.72, 0.0], [0.5, 0.5, 0.5], 20.0),
    ("Light crate", [1.05, 0.0, 0.0], [0.3, 0.3, 0.3], 1.0),
    ("Plough", [-6.0, 0.01, 3.0], [0.8, 0.8, 0.8], 500.0),
    ("Platform", [4.0, 0.4, 0.0], [3.0, 0.2, 3.0], 1000.0),
    ("Swing", [8.0, 1.0, 0.0], [0.8, 0.2, 0.8], 30.0),
];

/// A heap, crates on a slab, a chunk over a light crate, a platform with a load, a weight over a swing,
/// a heavy crate that can plough, and a walker.
pub fn things(set: &mut Set) -> Result<()> {
    for (name, at, size, density) in BLOCKS {
        let breaks = brittle(set, density)?;
        block(set, name, at, size, density, Some(breaks))?;
    }
    for (name, at, size, mass) in BODIES {
        let density = mass / size.iter().product::<f32>();
        block(set, name, at, size, density, None)?;
    }
    set.change("Platform", |body| {
        body.set_body_type(RigidBodyType::KinematicVelocityBased);
    });
    let hook = block(set, "Hook", [8.0, 3.4, 0.0], [0.1; 3], 0.0, None)?;
    set.hang("Swing", hook, [8.0, 3.4, 0.0]);
    set.walker("Walker", [-6.0, 0.0, 4.5], 80.0);
    Ok(())
}

fn block(
    set: &mut Set,
    name: &str,
    at: [f32; 3],
    scale: [f32; 3],
    density: f32,
    breaks: Option<Destructible>,
) -> Result<fyrox::core::pool::Handle<fyrox::scene::node::Node>> {
    set.prop(Prop {
        name,
        model: "cube",
        material: if breaks.is_some() { "concrete" } else { "wood" },
        at,
        scale,
        body: Body::Block([1.0; 3]),
        full: if breaks.is_some() {
            1.0
        } else {
            density / 2400.0
        },
        moves: breaks.is_none() && density > 0.0,
        breaks,
        ..Prop::default()
    })
}

/// Concrete that holds on to nothing, and whose pieces stay whole.
fn brittle(set: &Set, density: f32) -> Result<Destructible> {
    let mut breaks = set.breaks("even", "concrete_cut")?;
    breaks.density = density.into();
    breaks.held.anchoring = Anchoring::Free.into();
    breaks.breaking.damage_threshold = 50.0.into();
    breaks.pieces.threshold_factor = 1e6.into();
    breaks.breaking.min_radius = 0.05.into();
    breaks.pieces.dust_size = 0.0.into();
    Ok(breaks)
}
