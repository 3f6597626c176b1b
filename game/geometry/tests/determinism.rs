//! The same bytes, whatever the threads and whatever the workspace was used for.

use crate::check::{self, all, near};
use crate::solids;
use fracture_geometry::{
    fracture, fracture_on, Fracture, FractureError, Mesh, Pattern, Recipe, Runner, Source,
    Workspace,
};
use glam::DVec3;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use xxhash_rust::xxh3::Xxh3;

pub struct Threads;

impl Runner for Threads {
    fn run(&self, tasks: &mut [Box<dyn FnMut() + Send + '_>]) {
        std::thread::scope(|scope| {
            for task in tasks.iter_mut() {
                scope.spawn(task);
            }
        });
    }
}

fn pattern(cells: u32) -> Pattern {
    Pattern::from_recipe(&Recipe::Uniform { cells }, 17).expect("a pattern")
}

fn hash(result: &Fracture) -> u64 {
    let mut hasher = Xxh3::new();
    for piece in &result.pieces {
        hasher.update(format!("{:?}", piece.kind).as_bytes());
        for corner in &piece.corners {
            let mut words = corner.position.map(f32::to_bits).to_vec();
            if let Source::Triangle { triangle, weights } = corner.source {
                words.push(triangle);
                words.extend(weights.map(f32::to_bits));
            }
            words
                .iter()
                .for_each(|word| hasher.update(&word.to_le_bytes()));
        }
        for index in piece
            .triangles
            .iter()
            .flatten()
            .chain(&piece.surfaces)
            .chain(&piece.patches)
        {
            hasher.update(&index.to_le_bytes());
        }
    }
    hasher.digest()
}

#[test]
fn one_two_and_eight_threads_give_the_same_bytes() {
    let solid = check::solid(solids::sponge(2));
    let pattern = pattern(80);
    for cut in [all(), near(DVec3::splat(0.4), 0.4)] {
        let one = fracture(&solid, &pattern, &cut, &mut Workspace::default());
        for threads in [2, 8] {
            let mut workspaces: Vec<Workspace> = Vec::new();
            workspaces.resize_with(threads, Workspace::default);
            let many = fracture_on(&Threads, &solid, &pattern, &cut, &mut workspaces);
            assert_eq!(one, many);
        }
    }
}

#[test]
fn a_used_workspace_leaves_no_trace() {
    let mut used = Workspace::default();
    let flag = Arc::new(AtomicBool::new(true));
    let first = check::solid(Mesh::torus(0.35, 0.15, 32, 16));
    let second = check::solid(solids::hollow_box());
    used.set_cancel(Some(flag.clone()));
    let cancelled = fracture(&first, &pattern(50), &all(), &mut used);
    assert_eq!(cancelled, Err(FractureError::Cancelled));
    flag.store(false, Ordering::Relaxed);
    for solid in [&first, &second, &first] {
        let fresh = fracture(solid, &pattern(50), &all(), &mut Workspace::default());
        assert_eq!(fresh, fracture(solid, &pattern(50), &all(), &mut used));
    }
}

/// Golden hashes: every platform must give these bytes.
#[test]
fn golden() {
    let cases: [(&str, Mesh); 3] = [
        ("cube", Mesh::cuboid([2.0; 3])),
        ("sponge", solids::mapped(&solids::sponge(2), |p| p * 2.0)),
        (
            "rings",
            solids::mapped(&solids::linked_rings(), |p| p * 2.0),
        ),
    ];
    let found: Vec<(&str, u64)> = cases
        .into_iter()
        .map(|(name, mesh)| {
            let solid = check::solid(mesh);
            let result = fracture(&solid, &pattern(64), &all(), &mut Workspace::default());
            (name, hash(&result.expect("pieces")))
        })
        .collect();
    let golden = [
        ("cube", 0xe11615ee644d3b11),
        ("sponge", 0x89807228f1b07b5c),
        ("rings", 0x18f260d3f6cb0779),
    ];
    assert_eq!(found, golden);
    assert_eq!(pattern(64).hash(), 0x6a414df040a18256);
}
