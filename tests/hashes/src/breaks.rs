//! Breaks of all solids of the tests by all kinds of patterns.

use fracture_simulation::geometry::{
    fracture, CellSelection, Fracture, FractureParams, Mesh, Pattern, Placement, Recipe, Solid,
    Workspace,
};
use glam::{DVec3, Vec3};
use xxhash_rust::xxh3::Xxh3;

use crate::solids;

fn recipes() -> [(&'static str, Recipe); 9] {
    let (falloff, jitter) = (1.0, 0.5);
    [
        ("uniform", Recipe::Uniform { cells: 60 }),
        ("clustered", Recipe::Clustered { cells: 80, falloff }),
        ("crater", Recipe::Crater { cells: 80, jitter }),
        (
            "radial",
            Recipe::Radial {
                rings: 5,
                rays: 9,
                jitter,
            },
        ),
        (
            "splinters",
            Recipe::Splinters {
                cells: 60,
                falloff,
                aspect: 6.0,
            },
        ),
        (
            "fibres",
            Recipe::Fibres {
                cells: 60,
                falloff,
                aspect: 8.0,
            },
        ),
        (
            "bricks",
            Recipe::Bricks {
                rows: 5,
                size: [2.0, 1.0],
                offset: 0.5,
                jitter: 0.2,
            },
        ),
        (
            "slabs",
            Recipe::Slabs {
                slabs: 12,
                jitter,
                tilt: 0.2,
            },
        ),
        ("planes", Recipe::Planes { depth: 5, jitter }),
    ]
}

/// Tells a line for each recipe, with the hash of the breaks of all solids.
pub fn tell_lines(tell: &mut dyn FnMut(&str)) {
    let solids: Vec<Solid> = solids::all()
        .into_iter()
        .filter_map(|(_, mesh)| Solid::new(mesh).ok())
        .collect();
    for (name, recipe) in recipes() {
        let (mut hasher, mut pieces) = (Xxh3::new(), 0);
        for (seed, solid) in (1..).zip(&solids) {
            let Ok(pattern) = Pattern::from_recipe(&recipe, seed) else {
                continue;
            };
            for params in [whole(), hit(solid.mesh(), seed)] {
                let broken = fracture(solid, &pattern, &params, &mut Workspace::default());
                let Ok(broken) = broken else { continue };
                pieces += broken.pieces.len();
                add(&mut hasher, solid, &broken);
            }
        }
        tell(&format!("{name}: {pieces} pieces {:016x}", hasher.digest()));
    }
}

fn whole() -> FractureParams<'static> {
    FractureParams {
        placement: Placement::IDENTITY,
        selection: CellSelection::All,
    }
}

/// A blow at a vertex.
fn hit(mesh: &Mesh, seed: u64) -> FractureParams<'static> {
    let vertex = seed as usize * 31 % mesh.positions.len();
    let point = Vec3::from(mesh.positions[vertex]).as_dvec3();
    let normal = (point + DVec3::new(0.1, 0.2, 0.05)).normalize();
    FractureParams {
        placement: Placement::at_impact(point, normal, seed as f64, 0.6),
        selection: CellSelection::Within { point, radius: 0.3 },
    }
}

/// Adds the meshes of all pieces and their masses.
fn add(hasher: &mut Xxh3, solid: &Solid, broken: &Fracture) {
    for piece in &broken.pieces {
        let mesh = piece.expanded(solid);
        for position in mesh.vertices.iter().flat_map(|vertex| vertex.position) {
            hasher.update(&position.to_bits().to_le_bytes());
        }
        for index in mesh.triangles.iter().flatten() {
            hasher.update(&index.to_le_bytes());
        }
        let (inertia, axes) = mesh.mass.principal_inertia(1.0);
        for number in inertia.to_array().into_iter().chain(axes.to_array()) {
            hasher.update(&number.to_bits().to_le_bytes());
        }
    }
}
