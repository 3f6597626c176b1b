//! Saves of broken objects, restored in a new scene.

use crate::world::{hard, World};
use fracture::{
    ArchiveError, Breaking, Destructible, Destruction, PieceInfo, ReplayError, RestoreError,
};
use fyrox::{
    core::algebra::Vector3,
    scene::{node::NodeTrait, rigidbody::RigidBodyType, Scene},
};
use std::collections::BTreeMap;

/// An anchored wall, a falling cube, and a floor.
fn fresh() -> World {
    of_size(2.0)
}

fn of_size(height: f32) -> World {
    let mut world = World::new();
    world.floor();
    let size = Vector3::new(3.0, height, 0.3);
    world.block(
        "Wall",
        RigidBodyType::Static,
        Vector3::new(0.0, height / 2.0, 0.0),
        size,
        Destructible {
            breaking: Breaking {
                max_radius: 0.6.into(),
                ..Breaking::default()
            },
            ..Destructible::default()
        },
    );
    let script = Destructible {
        breaking: Breaking {
            seed: 3.into(),
            ..Breaking::default()
        },
        ..Destructible::default()
    };
    let at = Vector3::new(0.0, 4.0, 3.0);
    world.cube("Cube", RigidBodyType::Dynamic, at, script);
    world.steps(2);
    world
}

/// The same world after two impacts on the wall, one on a piece of it, and one on the falling cube.
pub fn battered() -> World {
    let mut world = fresh();
    world.strike("Wall", hard(Vector3::new(-0.8, 1.2, 0.15)));
    world.strike("Wall", hard(Vector3::new(0.9, 0.7, 0.15)));
    world.strike("Cube", hard(Vector3::new(0.0, 4.4, 3.0)));
    world.steps(20);
    let largest = |object| {
        let pieces: Vec<PieceInfo> = world.destruction.pieces_of(object);
        let free = pieces.into_iter().filter(|piece| !piece.anchored);
        free.max_by(|a, b| a.volume.total_cmp(&b.volume)).unwrap()
    };
    let piece = largest("Cube");
    world.strike(&piece.name, hard(piece.position));
    world.steps(10);
    world
}

/// The visible state of the pieces.
pub fn pieces(world: &World) -> Vec<(PieceInfo, [f32; 16])> {
    let names = world.destruction.object_names();
    let infos = names
        .iter()
        .flat_map(|name| world.destruction.pieces_of(name));
    let mut all: Vec<_> = infos
        .map(|info| {
            // The engine updates its global transform in the next frame.
            let place = world.node(info.node).local_transform().matrix();
            let info = PieceInfo {
                node: Default::default(),
                ..info
            };
            (info, place.as_slice().try_into().unwrap())
        })
        .collect();
    all.sort_by(|(a, _), (b, _)| a.name.cmp(&b.name));
    all
}

/// The ways of saving.
type Save = fn(&mut Destruction, &mut Scene) -> Vec<u8>;
const WAYS: [Save; 2] = [Destruction::save_compact, Destruction::save];

#[test]
fn a_save_restores_geometry_poses_and_anchored_pieces() {
    let mut world = battered();
    let saved = pieces(&world);
    assert!(saved.len() > 20, "{}", saved.len());
    assert!(saved.iter().any(|(piece, _)| piece.anchored));
    assert!(saved.iter().any(|(piece, _)| piece.generation > 1));
    let saves = WAYS.map(|save| save(&mut world.destruction, &mut world.scene));
    let [small, large] = [&saves[0], &saves[1]].map(|save| save.len() / saved.len());
    assert!(small < 150, "{small} bytes a piece");
    assert!((1000..10_000).contains(&large), "{large} bytes a piece");

    for save in &saves {
        let mut loaded = fresh();
        let restored = loaded
            .destruction
            .restore(&mut loaded.scene, save.as_slice());
        restored.unwrap();
        assert_eq!(
            loaded.destruction.geometry_hash(),
            world.destruction.geometry_hash()
        );
        // Pieces are in place before any time has passed.
        for ((piece, place), (before, place_before)) in pieces(&loaded).iter().zip(&saved) {
            assert_eq!((piece, place), (before, place_before));
        }
        assert_eq!(pieces(&loaded).len(), saved.len());
        assert!(loaded.destruction.events().is_empty());
        assert!(loaded.destruction.faults().next().is_none());
        for object in ["Wall", "Cube"] {
            let crumbs = |world: &World| world.destruction.dust_volume(object);
            assert!((crumbs(&loaded) - crumbs(&world)).abs() < 1e-9);
        }
        // A second save is identical, velocities and seeds included.
        let again = WAYS.map(|save| save(&mut loaded.destruction, &mut loaded.scene));
        assert!(again == saves, "another save");
    }
}

#[test]
fn a_save_can_be_restored_before_the_first_update() {
    let mut world = battered();
    let saved = pieces(&world);
    for save in WAYS {
        let save = save(&mut world.destruction, &mut world.scene);
        let mut loaded = fresh();
        loaded.destruction = Destruction::new(loaded.destruction.settings().clone());
        let restored = loaded.destruction.restore(&mut loaded.scene, save);
        restored.unwrap();
        assert_eq!(pieces(&loaded), saved);
        loaded.steps(2);
        assert!(loaded.destruction.faults().next().is_none());
    }
}

#[test]
fn restored_pieces_keep_falling_and_break_again_in_the_same_way() {
    for save in WAYS {
        let mut world = battered();
        let save = save(&mut world.destruction, &mut world.scene);
        let mut loaded = fresh();
        let restored = loaded
            .destruction
            .restore(&mut loaded.scene, save.as_slice());
        restored.unwrap();
        for world in [&mut world, &mut loaded] {
            world.strike("Wall", hard(Vector3::new(0.0, 0.4, 0.15)));
        }
        let geometry = |world: &World| world.destruction.geometry_hash();
        assert_eq!(geometry(&world), geometry(&loaded));
        for world in [&mut world, &mut loaded] {
            world.steps(240);
            let lowest = pieces(world)
                .iter()
                .map(|(piece, _)| piece.position.y)
                .fold(f32::MAX, f32::min);
            assert!((-0.1..0.5).contains(&lowest), "{lowest}");
        }
    }
}

#[test]
fn pieces_are_restored_even_if_the_mesh_has_changed() {
    let mut world = battered();
    let world_save = world.destruction.save(&mut world.scene);
    // A wall of another height would break differently.
    let mut other = of_size(0.9);
    let restored = other.destruction.restore(&mut other.scene, world_save);
    restored.unwrap();
    assert_eq!(
        other.destruction.geometry_hash(),
        world.destruction.geometry_hash()
    );
}

/// The render state of the pieces, by name.
fn drawn(world: &World) -> BTreeMap<String, String> {
    let names = world.destruction.object_names();
    let all = names
        .iter()
        .flat_map(|name| world.destruction.pieces_of(name));
    let one = |piece: PieceInfo| {
        let mesh = world.mesh(piece.node);
        let surfaces = mesh.surfaces().iter().map(|surface| {
            let data = surface.data();
            let data = data.data_ref();
            let (vertices, triangles) = (&data.vertex_buffer, &data.geometry_buffer);
            (
                surface.material().kind(),
                vertices.vertex_count(),
                triangles.len(),
            )
        });
        let flags = (
            mesh.tag(),
            mesh.global_visibility(),
            mesh.cast_shadows(),
            mesh.frustum_culling(),
            mesh.render_path(),
        );
        let bounds = [mesh.local_bounding_box(), mesh.world_bounding_box()];
        assert_eq!(mesh.name(), piece.name);
        let all = surfaces.collect::<Vec<_>>();
        (piece.name, format!("{all:?} {flags:?} {bounds:?}"))
    };
    all.map(one).collect()
}

#[test]
fn restored_pieces_are_drawn_like_saved_ones() {
    let mut world = battered();
    let save = world.destruction.save(&mut world.scene);
    let mut loaded = fresh();
    let restored = loaded
        .destruction
        .restore(&mut loaded.scene, save.as_slice());
    restored.unwrap();
    let mut broken_again = fresh();
    let save = world.destruction.save_compact(&mut world.scene);
    let restored = broken_again
        .destruction
        .restore(&mut broken_again.scene, save.as_slice());
    restored.unwrap();
    assert!(drawn(&loaded).len() > 20);
    assert_eq!(drawn(&loaded), drawn(&broken_again));
}

#[test]
fn pending_breaks_are_finished_first() {
    let mut world = World::with(fracture::Settings::default());
    world.floor();
    let script = Destructible::default();
    let at = Vector3::new(0.0, 0.5, 0.0);
    world.cube("Cube", RigidBodyType::Static, at, script.clone());
    world.steps(2);
    let impact = hard(Vector3::new(0.0, 1.0, 0.0));
    world
        .destruction
        .impact_by_name(&world.scene, "Cube", impact)
        .unwrap();
    let save = world.destruction.save_compact(&mut world.scene);
    assert_eq!(world.destruction.is_intact("Cube"), Some(false));

    let mut loaded = World::new();
    loaded.floor();
    loaded.cube("Cube", RigidBodyType::Static, at, script);
    // No first update is needed.
    loaded
        .destruction
        .restore(&mut loaded.scene, save.as_slice())
        .unwrap();
    assert_eq!(loaded.destruction.is_intact("Cube"), Some(false));
    assert!(loaded.destruction.pieces_of("Cube").len() > 2);
}

#[test]
fn invalid_saves_are_refused_without_effect() {
    for save in WAYS {
        let mut world = battered();
        let save = save(&mut world.destruction, &mut world.scene);
        let mut loaded = fresh();
        let mut refused = |bytes: &[u8]| {
            let error = loaded.destruction.restore(&mut loaded.scene, bytes);
            assert_eq!(loaded.destruction.is_intact("Wall"), Some(true));
            error.unwrap_err()
        };
        for length in (0..64).chain((64..save.len()).step_by(save.len() / 60)) {
            let error = refused(&save[..length]);
            let expected = match length {
                0..8 => "no save",
                _ => "cut short",
            };
            assert!(error.to_string().contains(expected), "{length}: {error}");
        }
        let mut newer = save.clone();
        newer[8] = 99;
        assert_eq!(
            refused(&newer),
            RestoreError::Save(ArchiveError::Version { found: 99 })
        );
        for at in (20..save.len()).step_by(save.len() / 40) {
            let mut damaged = save.clone();
            damaged[at] ^= 4;
            assert_eq!(refused(&damaged), RestoreError::Save(ArchiveError::Damaged));
        }
    }
}

#[test]
fn a_save_of_another_scene_names_the_objects_that_do_not_match() {
    let mut world = battered();
    let save = world.destruction.save_compact(&mut world.scene);

    let mut empty = World::new();
    let error = empty.destruction.restore(&mut empty.scene, save.as_slice());
    assert!(
        matches!(&error, Err(RestoreError::Unknown { name }) if name == "Wall"),
        "{error:?}"
    );

    // Another wall with that name: the impacts find less material.
    let mut other = of_size(0.9);
    let error = other.destruction.restore(&mut other.scene, save.as_slice());
    let Err(RestoreError::Object { name, reason }) = &error else {
        panic!("{error:?}");
    };
    assert_eq!(name, "Wall");
    assert!(matches!(reason, ReplayError::Different { .. }), "{reason}");
    // The cube is restored.
    assert_eq!(
        other.destruction.pieces_of("Cube").len(),
        world.destruction.pieces_of("Cube").len()
    );

    let mut twice = fresh();
    twice
        .destruction
        .restore(&mut twice.scene, save.as_slice())
        .unwrap();
    let again = twice.destruction.restore(&mut twice.scene, save.as_slice());
    assert!(again.unwrap_err().to_string().contains("not intact"));
}

#[test]
fn the_standing_share_is_the_same_after_loading() {
    let mut world = battered();
    for save in WAYS {
        let share = |world: &World| {
            ["Wall", "Cube"].map(|name| {
                let whole = world.destruction.source_volume(name).unwrap();
                [world.destruction.standing_share(name).unwrap(), whole]
            })
        };
        let before = share(&world);
        let saved = save(&mut world.destruction, &mut world.scene);
        // Not even the intact objects have been prepared.
        let mut other = fresh();
        other.destruction = Destruction::new(other.destruction.settings().clone());
        let restored = other.destruction.restore(&mut other.scene, saved);
        restored.unwrap();
        for (now, before) in share(&other).iter().zip(before) {
            assert!((now[0] - before[0]).abs() < 1e-9 && now[0] < 1.0);
            assert!((now[1] - before[1]).abs() < 1e-9);
        }
    }
}
