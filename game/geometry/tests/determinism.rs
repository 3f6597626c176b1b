//! The same bytes, whatever the threads and whatever the workspace was used for.

use crate::check::{self, all, near};
use crate::solids;
use fracture_geometry::steps::step;
use fracture_geometry::{
    fracture, fracture_in_steps, fracture_on, Fracture, FractureError, Mesh, Pattern, Recipe,
    SerialRunner, Solid, TaskRunner, VertexSource, Workspace,
};
use glam::DVec3;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Arc;
use std::time::Duration;
use xxhash_rust::xxh3::Xxh3;

pub struct Threads;

impl TaskRunner for Threads {
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
        for corner in &piece.vertices {
            let mut words = corner.position.map(f32::to_bits).to_vec();
            if let VertexSource::Triangle { triangle, weights } = corner.source {
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
            .chain(piece.patches.iter().map(|patch| &patch.0))
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

/// Runs the last task first, so that the last workspace does all the jobs.
struct Backwards;

impl TaskRunner for Backwards {
    fn run(&self, tasks: &mut [Box<dyn FnMut() + Send + '_>]) {
        tasks.iter_mut().rev().for_each(|task| task());
    }
}

/// Threads that start late, each time another: jobs are taken and finished in any order.
struct Uneven(AtomicU64);

impl TaskRunner for Uneven {
    fn run(&self, tasks: &mut [Box<dyn FnMut() + Send + '_>]) {
        std::thread::scope(|scope| {
            for task in tasks.iter_mut() {
                let turn = self.0.fetch_add(1, Ordering::Relaxed);
                scope.spawn(move || {
                    std::thread::sleep(Duration::from_micros(turn * 7919 % 300));
                    task();
                });
            }
        });
    }
}

#[test]
fn the_order_of_jobs_does_not_matter() {
    let pattern = pattern(60);
    for solid in [solids::hollow_box(), solids::letters()].map(check::solid) {
        for cut in [all(), near(DVec3::new(0.5, 0.1, 0.1), 0.4)] {
            let one = fracture(&solid, &pattern, &cut, &mut Workspace::default());
            let mut workspaces: Vec<Workspace> = Vec::new();
            workspaces.resize_with(5, Workspace::default);
            let backwards = fracture_on(&Backwards, &solid, &pattern, &cut, &mut workspaces);
            assert_eq!(one, backwards);
            let uneven = Uneven(AtomicU64::new(1));
            for _ in 0..8 {
                let many = fracture_on(&uneven, &solid, &pattern, &cut, &mut workspaces);
                assert_eq!(one, many);
            }
        }
    }
}

/// Sets the flag when the given number of rounds of jobs is done.
struct Cancelling(Arc<AtomicBool>, AtomicU64);

impl TaskRunner for Cancelling {
    fn run(&self, tasks: &mut [Box<dyn FnMut() + Send + '_>]) {
        if self.1.fetch_sub(1, Ordering::Relaxed) == 0 {
            self.0.store(true, Ordering::Relaxed);
        }
        tasks.iter_mut().for_each(|task| task());
    }
}

#[test]
fn a_break_cancelled_half_way_leaves_no_trace() {
    let solid = check::solid(Mesh::torus(0.35, 0.15, 32, 16));
    let (pattern, cut) = (pattern(50), near(DVec3::X * 0.4, 0.5));
    let fresh = fracture(&solid, &pattern, &cut, &mut Workspace::default());
    let flag = Arc::new(AtomicBool::new(false));
    let mut used = [Workspace::with_cancel(flag.clone()), Workspace::default()];
    used[1].set_cancel(Some(flag.clone()));
    let mut cancelled = 0;
    for rounds in 0..4 {
        flag.store(false, Ordering::Relaxed);
        let runner = Cancelling(flag.clone(), AtomicU64::new(rounds));
        let result = fracture_on(&runner, &solid, &pattern, &cut, &mut used);
        cancelled += u32::from(result == Err(FractureError::Cancelled));
        flag.store(false, Ordering::Relaxed);
        let again = fracture_on(&Threads, &solid, &pattern, &cut, &mut used);
        assert_eq!(fresh, again, "after {rounds} rounds");
    }
    assert!(cancelled >= 3, "{cancelled} of 4 were cancelled");
}

#[test]
fn a_break_in_steps_is_the_same_and_one_that_is_given_up_leaves_no_trace() {
    let solid = check::solid(Mesh::torus(0.35, 0.15, 32, 16));
    let (pattern, cut) = (pattern(50), near(DVec3::X * 0.4, 0.5));
    let fresh = fracture(&solid, &pattern, &cut, &mut Workspace::default());
    let mut used = [Workspace::default()];
    // The number of steps, and the break if as many as are allowed are enough.
    let mut run = |most: usize| {
        let work = fracture_in_steps(&SerialRunner, &solid, &pattern, &cut, &mut used);
        let mut work = pin!(work);
        (0..most).find_map(|count| Some((count, step(work.as_mut())?)))
    };
    let (steps, whole) = run(usize::MAX).expect("an end");
    assert!(whole == fresh && steps > 10, "{steps} steps");
    for most in [1, steps / 3, steps] {
        assert!(run(most).is_none());
        let again = run(usize::MAX).expect("an end");
        assert!(again == (steps, fresh.clone()), "after {most} steps");
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
        ("cube", 0x67936985e69d7e88),
        ("sponge", 0xc40f38b6487dec09),
        ("rings", 0x12a16306a6ee15df),
    ];
    assert_eq!(found, golden);
    assert_eq!(pattern(64).content_hash(), 0x266c15e63ee62782);
}

#[test]
fn a_solid_that_is_made_in_steps_is_the_same() {
    let mesh = Mesh::torus(0.6, 0.25, 400, 100);
    let mut work = pin!(Solid::in_steps(mesh.clone(), None));
    let mut steps = 1;
    let in_steps = loop {
        match step(work.as_mut()) {
            Some(solid) => break solid.expect("a solid"),
            None => steps += 1,
        }
    };
    assert!(steps > 12, "{steps}");
    let [in_steps, at_once] = [in_steps, check::solid(mesh)].map(|solid| {
        let broken = fracture(&solid, &pattern(20), &all(), &mut Workspace::default());
        hash(&broken.expect("a break"))
    });
    assert_eq!(in_steps, at_once);
}
