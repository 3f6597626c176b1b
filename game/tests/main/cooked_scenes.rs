//! Scenes that were cooked: results of preparation are read, and bad files are named and done without.

use crate::world::{hard, World};
use fracture::{CookReport, Cooking, Destructible, Settings, Strength};
use fyrox::{
    asset::{io::FsResourceIo, manager::ResourceManager},
    core::{
        algebra::{Matrix4, Vector3},
        task::TaskPool,
    },
    scene::{
        collider::ColliderShape,
        mesh::surface::{SurfaceBuilder, SurfaceData, SurfaceResource},
        rigidbody::RigidBodyType,
    },
};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

/// A world with a free ring and a held one that carries its weight, which knows its file.
fn rings(file: &Path, radius: f32) -> World {
    let mut world = World::with(Settings {
        wait_for_results: true,
        ..Settings::default()
    });
    world.destruction.set_resources(&resources());
    world.destruction.set_scene_file(file);
    let torus = SurfaceData::make_torus(radius, 0.3, 30, 60, &Matrix4::identity());
    let data = SurfaceResource::new_embedded(torus);
    let strong = Destructible {
        strength: Strength {
            tensile_strength: 1e7.into(),
            ..Strength::default()
        },
        ..Destructible::default()
    };
    let rings = [
        ("Free", RigidBodyType::Dynamic, 0.0, Destructible::default()),
        ("Held", RigidBodyType::Static, 5.0, strong),
    ];
    for (name, kind, x, script) in rings {
        let surfaces = vec![SurfaceBuilder::new(data.clone()).build()];
        let at = Vector3::new(x, 0.0, 0.0);
        world.body(
            name,
            kind,
            at,
            surfaces,
            ColliderShape::ball(1.0),
            Some(script),
        );
    }
    world
}

fn resources() -> ResourceManager {
    ResourceManager::new(Arc::new(FsResourceIo), Arc::new(TaskPool::new()))
}

/// A scene file in a folder of its own, which need not exist for its cooked shapes.
fn scene_file(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("cooked")
        .join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder.join("rings.rgs")
}

fn cooked_file(scene: &Path) -> PathBuf {
    scene.with_extension("rgs.cooked")
}

fn cook(world: &World, file: &Path) -> CookReport {
    let cooking = Cooking::new(&world.scene.graph, Some(file), &resources());
    cooking.run(&|| false).unwrap()
}

/// Breaks both rings, and gives hashes of the pieces and of their state.
fn break_rings(mut world: World) -> (World, [u64; 2]) {
    world.steps(3);
    for (name, x) in [("Free", 1.0), ("Held", 6.0)] {
        let pieces = world.strike(name, hard(Vector3::new(x, 0.3, 0.0)));
        assert!(!pieces.is_empty(), "{name}");
    }
    world.steps(10);
    let destruction = &world.destruction;
    let hashes = [destruction.geometry_hash(), destruction.state_hash()];
    (world, hashes)
}

#[test]
fn a_cooked_scene_reads_its_preparation_and_breaks_alike() {
    let file = scene_file("alike");
    let (world, fresh) = break_rings(rings(&file, 1.0));
    assert_eq!(
        (world.destruction.statistics().cooked, world.faults()),
        (0, String::new())
    );
    let report = cook(&rings(&file, 1.0), &file);
    assert_eq!(report.written, [cooked_file(&file)]);
    let (world, cooked) = break_rings(rings(&file, 1.0));
    // Convex parts, hulls, lattice and collision mesh of the shape that both have.
    assert_eq!(
        (world.destruction.statistics().cooked, world.faults()),
        (4, String::new())
    );
    assert_eq!(cooked, fresh);
    // Nothing is computed or written again; another mesh is added.
    assert_eq!(
        cook(&rings(&file, 1.0), &file).unchanged,
        [cooked_file(&file)]
    );
    let before = fs::metadata(cooked_file(&file)).unwrap().len();
    assert_eq!(
        cook(&rings(&file, 1.2), &file).written,
        [cooked_file(&file)]
    );
    assert!(fs::metadata(cooked_file(&file)).unwrap().len() > before);
    assert_eq!(
        fs::read_dir(file.parent().unwrap()).unwrap().count(),
        1,
        "one file"
    );
}

#[test]
fn bad_files_are_named_once_with_the_remedy_and_done_without() {
    let file = scene_file("bad");
    let (_, fresh) = break_rings(rings(&file, 1.0));
    cook(&rings(&file, 1.0), &file);
    let good = fs::read(cooked_file(&file)).unwrap();
    let damaged = [&good[..1000], &[good[1000] ^ 1], &good[1001..]].concat();
    let other_version = [&good[..8], &[99], &good[9..]].concat();
    let bad = [
        (damaged, "it is damaged"),
        (good[..good.len() / 2].to_vec(), "it was cut short"),
        (other_version, "it is of version 99"),
        (b"a text".to_vec(), "it is no file of cooked shapes"),
    ];
    for (bytes, problem) in bad {
        fs::write(cooked_file(&file), bytes).unwrap();
        let (world, hashes) = break_rings(rings(&file, 1.0));
        let faults = world.faults();
        assert_eq!(
            faults.matches("rings.rgs.cooked is not used").count(),
            1,
            "{faults}"
        );
        assert!(
            faults.contains(problem) && faults.contains("cook it again"),
            "{faults}"
        );
        assert_eq!((hashes, world.destruction.statistics().cooked), (fresh, 0));
        // It is replaced by the next cooking.
        assert_eq!(
            cook(&rings(&file, 1.0), &file).written,
            [cooked_file(&file)]
        );
        assert_eq!(fs::read(cooked_file(&file)).unwrap(), good);
    }
}

#[test]
fn a_file_that_was_cooked_for_another_mesh_is_named_with_the_object() {
    let file = scene_file("changed");
    cook(&rings(&file, 1.2), &file);
    let (world, _) = break_rings(rings(&file, 1.0));
    let faults = world.faults();
    assert_eq!(
        faults.matches("another mesh than that of").count(),
        1,
        "{faults}"
    );
    assert!(
        faults.contains("\"Free\"") || faults.contains("\"Held\""),
        "{faults}"
    );
}

#[test]
fn a_folder_that_cannot_be_written_is_named_once_and_done_without() {
    let file = scene_file("unwritable")
        .parent()
        .unwrap()
        .join("missing/rings.rgs");
    let mut report = cook(&rings(&file, 1.0), &file);
    let other = file.with_file_name("others.rgs");
    report.append(cook(&rings(&other, 1.0), &other));
    assert!(report.written.is_empty());
    let [problem] = &report.problems[..] else {
        panic!("{:?}", report.problems)
    };
    assert!(problem.contains("missing cannot be written"), "{problem}");
    let (world, _) = break_rings(rings(&file, 1.0));
    assert_eq!(world.faults(), "", "the game does without");
}

#[test]
fn a_file_that_cannot_be_replaced_is_named() {
    let file = scene_file("folder");
    fs::create_dir(cooked_file(&file)).unwrap();
    let report = cook(&rings(&file, 1.0), &file);
    let [problem] = &report.problems[..] else {
        panic!("{:?}", report.problems)
    };
    assert!(
        problem.contains("rings.rgs.cooked cannot be written"),
        "{problem}"
    );
    let left = fs::read_dir(file.parent().unwrap()).unwrap().count();
    assert_eq!(left, 1, "nothing half written");
    let (world, _) = break_rings(rings(&file, 1.0));
    let faults = world.faults();
    assert_eq!(faults.matches("it cannot be read").count(), 1, "{faults}");
}

#[test]
fn a_cancelled_cooking_writes_nothing() {
    let file = scene_file("cancelled");
    let world = rings(&file, 1.0);
    let cooking = Cooking::new(&world.scene.graph, Some(&file), &resources());
    assert_eq!(cooking.run(&|| true), None);
    assert!(!cooked_file(&file).exists());
}
