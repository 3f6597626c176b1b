//! The engine's own saving of a scene in the middle of destruction.

use crate::{
    saves::{battered, pieces},
    world::{hard, World, DT},
};
use fracture::{
    Anchoring, Destructible, Destruction, EmbeddedSave, Held, Settings, Strength, PIECE_TAG,
};
use fracture_simulation::Archive;
use fyrox::{
    asset::{
        io::FsResourceIo,
        manager::{ResourceManager, ResourceManagerState},
    },
    core::{
        algebra::Vector3, dyntype::DynTypeConstructorContainer, futures::executor::block_on,
        task::TaskPool, visitor::Visitor,
    },
    engine::SerializationContext,
    graph::SceneGraph,
    material::Material,
    scene::{
        mesh::surface::SurfaceData, node::Node, particle_system::ParticleSystem,
        rigidbody::RigidBodyType, Scene, SceneLoader,
    },
};
use std::sync::Arc;

/// What the engine writes of a scene.
fn bytes(scene: &mut Scene) -> Vec<u8> {
    let mut visitor = Visitor::new();
    scene.save("Scene", &mut visitor).unwrap();
    visitor.save_binary_to_vec().unwrap()
}

/// The scene that the engine reads from what it wrote, in another session.
fn load(bytes: &[u8]) -> World {
    let tasks = Arc::new(TaskPool::new());
    let resources = ResourceManager::new(Arc::new(FsResourceIo), tasks);
    // As the engine does when it starts.
    let constructors = |state: &ResourceManagerState| {
        state.constructors_container.add::<SurfaceData>();
        state.constructors_container.add::<Material>();
    };
    constructors(&resources.state());
    let context = Arc::new(SerializationContext::new());
    fracture::register(&context, &resources);
    let types = Arc::new(DynTypeConstructorContainer::default());
    let mut visitor = Visitor::load_from_memory(bytes).unwrap();
    let loader = SceneLoader::load("Scene", context, types, resources, &mut visitor, None).unwrap();
    World {
        scene: block_on(loader.finish()),
        destruction: Destruction::new(Settings {
            wait_for_results: true,
            check_pieces: true,
            ..Settings::default()
        }),
    }
}

fn count(world: &World, is: impl Fn(&Node) -> bool) -> usize {
    let nodes = world.scene.graph.linear_iter();
    nodes.filter(|node| is(node)).count()
}

fn stoweds(world: &World) -> usize {
    count(world, |node| {
        node.try_get_script::<EmbeddedSave>().is_some()
    })
}

#[test]
fn the_engines_own_saving_keeps_what_has_been_destroyed() {
    let mut world = battered();
    world.destruction.stow(&mut world.scene);
    let saved = (pieces(&world), world.destruction.geometry_hash());
    // Crumbs fly once, and what is spare is not needed any more.
    let is_other =
        |node: &Node| node.cast::<ParticleSystem>().is_some() || node.name() == "spare piece";
    let nodes = |world: &World| count(world, |node| !is_other(node));
    let before = nodes(&world);
    let mut loaded = load(&bytes(&mut world.scene));
    loaded.destruction.update(&mut loaded.scene, 0.0);

    assert_eq!(loaded.destruction.geometry_hash(), saved.1);
    assert_eq!(pieces(&loaded), saved.0);
    assert_eq!(loaded.destruction.faults().count(), 0);
    assert_eq!(
        nodes(&loaded) + 1,
        before,
        "nothing is there twice; the node that carried it has gone"
    );
    assert!(loaded.destruction.events().is_empty());
    let before = world.destruction.save_compact(&mut world.scene);
    assert_eq!(loaded.destruction.save_compact(&mut loaded.scene), before);
}

#[test]
fn what_was_loaded_falls_on_and_breaks_again() {
    let mut world = battered();
    world.destruction.stow(&mut world.scene);
    let mut loaded = load(&bytes(&mut world.scene));
    loaded.step();
    let cube = |world: &World| world.destruction.pieces_of("Cube")[0].position.y;
    let before = cube(&loaded);
    loaded.steps(10);
    assert!(cube(&loaded) < before, "velocities came along");
    let count = loaded.destruction.pieces_of("Wall").len();
    loaded.strike("Wall", hard(Vector3::new(0.0, 0.4, 0.15)));
    assert!(loaded.destruction.pieces_of("Wall").len() > count);
    // What still stands is collided with, what was there before the break is not.
    loaded.steps(400);
    let heights = pieces(&loaded)
        .into_iter()
        .filter(|(piece, _)| !piece.anchored);
    for (piece, _) in heights {
        let y = piece.position.y;
        assert!((-0.1..2.5).contains(&y), "{} at {y}", piece.name);
    }
}

#[test]
fn breaks_under_way_are_finished_before() {
    let mut world = World::with(Settings::default());
    world.floor();
    let at = Vector3::new(0.0, 0.5, 0.0);
    world.cube("Cube", RigidBodyType::Static, at, Destructible::default());
    world.steps(2);
    let blow = hard(Vector3::new(0.0, 1.0, 0.0));
    let blown = world
        .destruction
        .impact_by_name(&world.scene, "Cube", blow)
        .is_ok();
    assert!(blown);
    world.destruction.stow(&mut world.scene);
    let mut loaded = load(&bytes(&mut world.scene));
    loaded.destruction.update(&mut loaded.scene, 0.0);
    assert_eq!(loaded.destruction.is_intact("Cube"), Some(false));
}

#[test]
fn what_came_down_by_its_weight_stays_down() {
    let mut world = World::new();
    world.floor();
    let size = Vector3::new(4.0, 0.3, 0.3);
    world.block(
        "Beam",
        RigidBodyType::Static,
        Vector3::new(0.0, 3.0, 0.0),
        size,
        Destructible {
            held: Held {
                anchoring: Anchoring::Sides.into(),
                ..Held::default()
            },
            strength: Strength {
                tensile_strength: 2e5.into(),
                check_at_start: true.into(),
                ..Strength::default()
            },
            ..Destructible::default()
        },
    );
    let mut steps = 0;
    while world.destruction.statistics().collapses == 0 {
        world.step();
        steps += 1;
        assert!(steps < 20, "it holds");
    }
    world.steps(20);
    world.destruction.stow(&mut world.scene);
    let saved = pieces(&world);
    let mut loaded = load(&bytes(&mut world.scene));
    loaded.destruction.update(&mut loaded.scene, 0.0);
    assert_eq!(pieces(&loaded), saved);
    assert_eq!(loaded.destruction.faults().count(), 0);
}

#[test]
fn the_scene_that_was_saved_goes_on_without_a_trace() {
    let mut world = battered();
    let nodes = world.scene.graph.node_count();
    for _ in 0..2 {
        world.destruction.stow(&mut world.scene);
        assert_eq!(stoweds(&world), 1);
    }
    world.destruction.update(&mut world.scene, DT);
    assert_eq!(stoweds(&world), 0);
    assert_eq!(world.scene.graph.node_count(), nodes);
}

#[test]
fn a_scene_that_was_not_broken_is_loaded_as_it_was() {
    let mut world = World::new();
    world.floor();
    let at = Vector3::new(0.0, 2.0, 0.0);
    world.cube("Cube", RigidBodyType::Dynamic, at, Destructible::default());
    world.steps(2);
    world.destruction.stow(&mut world.scene);
    let mut loaded = load(&bytes(&mut world.scene));
    loaded.steps(2);
    assert_eq!(stoweds(&loaded), 0);
    assert_eq!(loaded.destruction.is_intact("Cube"), Some(true));
    assert_eq!(loaded.destruction.faults().count(), 0);
}

#[test]
fn pieces_that_nobody_knows_anything_about_are_told_of() {
    let mut world = battered();
    let mut loaded = load(&bytes(&mut world.scene));
    loaded.step();
    let faults: Vec<String> = loaded.destruction.faults().map(|f| f.to_string()).collect();
    assert!(
        faults
            .iter()
            .any(|fault| fault.contains("Destruction::stow")),
        "{faults:?}"
    );
    assert!(count(&loaded, |node| node.tag() == PIECE_TAG) > 20);
}

#[test]
fn a_damaged_save_in_a_scene_leaves_whole_objects_and_a_fault() {
    let mut world = battered();
    world.destruction.stow(&mut world.scene);
    let nodes = world.scene.graph.linear_iter_mut();
    for node in nodes {
        if let Some(stowed) = node.try_get_script_mut::<EmbeddedSave>() {
            stowed.save.0.truncate(40);
        }
    }
    let mut loaded = load(&bytes(&mut world.scene));
    loaded.steps(2);
    assert_eq!(loaded.destruction.is_intact("Wall"), Some(true));
    let faults: Vec<String> = loaded.destruction.faults().map(|f| f.to_string()).collect();
    assert!(faults.iter().any(|f| f.contains("cut short")), "{faults:?}");
    assert!(!loaded.named("Wall mesh").is_empty());
    let shown = loaded.named("Wall mesh");
    assert!(shown.iter().all(|mesh| loaded.node(*mesh).visibility()));
}

#[test]
fn what_does_not_come_out_as_it_did_is_told_of_once() {
    let mut world = battered();
    world.destruction.stow(&mut world.scene);
    for node in world.scene.graph.linear_iter_mut() {
        if let Some(stowed) = node.try_get_script_mut::<EmbeddedSave>() {
            let mut archive = Archive::from_bytes(stowed.save.0.clone()).unwrap();
            for (_, past) in &mut archive.objects {
                past.breaks[0].pieces += 1;
                past.snapshots = None;
            }
            stowed.save.0 = archive.to_bytes();
        }
    }
    let mut loaded = load(&bytes(&mut world.scene));
    loaded.steps(2);
    let faults: Vec<String> = loaded.destruction.faults().map(|f| f.to_string()).collect();
    assert_eq!(faults.len(), 2, "{faults:?}");
    for name in ["Wall", "Cube"] {
        let about = faults.iter().filter(|fault| fault.contains(name));
        assert_eq!(about.count(), 1, "{faults:?}");
    }
    assert!(faults.iter().all(|fault| fault.contains("break 1 of")));
}
