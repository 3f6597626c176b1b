//! Saves of broken objects embedded in scenes that the engine saves.

use crate::{
    cracks_stay::{drawn, laminated_pane, tap},
    saves::{battered, pieces},
    world::{broken, hard, placed, World, DT},
};
use fracture::{
    Anchoring, Destructible, Destruction, EmbeddedSave, Held, Impact, Settings, Strength, PIECE_TAG,
};
use fracture_simulation::save::Archive;
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
        base::BaseBuilder,
        light::{point::PointLightBuilder, BaseLightBuilder},
        mesh::surface::SurfaceData,
        node::Node,
        particle_system::ParticleSystem,
        rigidbody::RigidBodyType,
        Scene, SceneLoader,
    },
};
use std::sync::Arc;

/// The bytes that the engine writes for a scene.
pub fn bytes(scene: &mut Scene) -> Vec<u8> {
    let mut visitor = Visitor::new();
    scene.save("Scene", &mut visitor).unwrap();
    visitor.save_binary_to_vec().unwrap()
}

/// A session of the engine, which keeps the threads of its resource manager.
pub struct Session {
    context: Arc<SerializationContext>,
    resources: ResourceManager,
}

impl Session {
    pub fn new() -> Self {
        let tasks = Arc::new(TaskPool::new());
        let resources = ResourceManager::new(Arc::new(FsResourceIo), tasks);
        // The engine does the same when it starts.
        let constructors = |state: &ResourceManagerState| {
            state.constructors_container.add::<SurfaceData>();
            state.constructors_container.add::<Material>();
        };
        constructors(&resources.state());
        let context = Arc::new(SerializationContext::new());
        fracture::register(&context, &resources);
        Self { context, resources }
    }

    /// The scene that the engine reads from these bytes.
    pub fn load(&self, bytes: &[u8]) -> World {
        let context = self.context.clone();
        let resources = self.resources.clone();
        let types = Arc::new(DynTypeConstructorContainer::default());
        let mut visitor = Visitor::load_from_memory(bytes).unwrap();
        let loader =
            SceneLoader::load("Scene", context, types, resources, &mut visitor, None).unwrap();
        World {
            scene: block_on(loader.finish()),
            destruction: Destruction::new(Settings {
                wait_for_results: true,
                check_pieces: true,
                ..Settings::default()
            }),
        }
    }
}

/// The scene that the engine reads from these bytes, in another session.
pub fn load(bytes: &[u8]) -> World {
    Session::new().load(bytes)
}

fn count(world: &World, is: impl Fn(&Node) -> bool) -> usize {
    let nodes = world.scene.graph.linear_iter();
    nodes.filter(|node| is(node)).count()
}

fn embedded_saves(world: &World) -> usize {
    count(world, |node| {
        node.try_get_script::<EmbeddedSave>().is_some()
    })
}

#[test]
fn scenes_saved_by_the_engine_keep_broken_objects() {
    let mut world = battered();
    world.destruction.embed_save(&mut world.scene);
    let saved = (pieces(&world), world.destruction.geometry_hash());
    // Dust is emitted once, and pooled nodes are not needed any more.
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
fn loaded_pieces_keep_falling_and_break_again() {
    let mut world = battered();
    world.destruction.embed_save(&mut world.scene);
    let mut loaded = load(&bytes(&mut world.scene));
    loaded.step();
    let cube = |world: &World| world.destruction.pieces_of("Cube")[0].position.y;
    let before = cube(&loaded);
    loaded.steps(10);
    assert!(cube(&loaded) < before, "velocities came along");
    let count = loaded.destruction.pieces_of("Wall").len();
    loaded.strike("Wall", hard(Vector3::new(0.0, 0.4, 0.15)));
    assert!(loaded.destruction.pieces_of("Wall").len() > count);
    // The remainder has colliders; those of the intact object are disabled.
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
fn a_sheet_that_sags_does_so_in_the_saved_scene_and_is_drawn_whole_again() {
    let mut world = World::new();
    let pane = laminated_pane(&mut world);
    world.steps(3);
    world.strike("Pane", tap(24.0));
    world.steps(5);
    assert!(matches!(drawn(&world, pane), (false, Some(_))));
    world.destruction.embed_save(&mut world.scene);
    let mut loaded = load(&bytes(&mut world.scene));
    let mut named = loaded.named("Pane").into_iter();
    let pane = named.find(|node| loaded.node(*node).name() == "Pane");
    let pane = pane.unwrap();
    loaded.steps(5);
    assert!(matches!(drawn(&loaded, pane), (false, Some(_))));
    assert_eq!(loaded.named("cracks").len(), 1);
    loaded.destruction.restore_intact("Pane").unwrap();
    loaded.steps(20);
    assert!(matches!(drawn(&loaded, pane), (true, None)));
    assert_eq!(loaded.faults(), "");
}

#[test]
fn damage_is_in_the_saved_scene() {
    let mut world = World::new();
    world.floor();
    let brittle = || {
        let mut script = Destructible::default();
        script.breaking.damage_threshold = 50.0.into();
        script.breaking.weakening = 1.0.into();
        script
    };
    let places = [-3.0, 0.0, 3.0].map(|x| Vector3::new(x, 0.5, 0.0));
    // Two of one name, of which the second is damaged; and one that is broken, and what stands of it damaged.
    for (name, at) in ["Post", "Post", "Stub"].into_iter().zip(places) {
        world.cube(name, RigidBodyType::Static, at, brittle());
    }
    world.steps(3);
    let weak = |at: Vector3<f32>| {
        Impact::new(at, Vector3::z(), 800.0).with_impulse(Vector3::new(0.0, 0.0, -40.0))
    };
    let face = Vector3::new(0.1, -0.2, 0.5);
    world.strike(
        "Stub",
        hard(places[2] + Vector3::y() * 0.5).with_radius(0.3),
    );
    world.strike("Post", weak(places[1] + face));
    world.strike("Stub", weak(places[2] + face));
    let nodes = |world: &World| {
        let named = ["Post", "Stub"].map(|name| world.named(name));
        let nodes = named.into_iter().flatten();
        let scripts = nodes.filter(|node| world.node(*node).has_script::<Destructible>());
        scripts.collect::<Vec<_>>()
    };
    let state = |world: &World| {
        let nodes = nodes(world);
        let damage = nodes.iter().map(|node| {
            let at = world.node(*node).global_position();
            (
                at.x.round() as i32,
                world.destruction.damage(*node).unwrap(),
            )
        });
        let mut damage: Vec<_> = damage.collect();
        damage.sort_by_key(|(x, _)| *x);
        damage
    };
    let before = state(&world);
    assert!(
        before[0].1 == 0.0 && before[1].1 > 0.5 && before[2].1 > 0.5,
        "{before:?}"
    );
    let spots = |world: &World| {
        let nodes = nodes(world);
        let all = nodes
            .iter()
            .map(|node| world.destruction.damaged_spots(*node).len());
        all.sum::<usize>()
    };
    let count = spots(&world);
    world.destruction.embed_save(&mut world.scene);
    let mut loaded = load(&bytes(&mut world.scene));
    loaded.destruction.update(&mut loaded.scene, 0.0);
    assert_eq!(state(&loaded), before);
    assert_eq!(spots(&loaded), count);
    assert_eq!(loaded.faults(), "");
    // The next blow, too weak by itself, breaks the damaged one, and not the one that is as new.
    for (place, breaks) in [(places[0], false), (places[1], true)] {
        loaded.step();
        let events = loaded.strike("Post", weak(place + face));
        assert_eq!(broken(&events) == ["Post"], breaks, "{events:?}");
    }
}

#[test]
fn pending_breaks_are_finished_before_embedding() {
    let mut world = World::with(Settings::default());
    world.floor();
    let at = Vector3::new(0.0, 0.5, 0.0);
    world.cube("Cube", RigidBodyType::Static, at, Destructible::default());
    world.steps(2);
    let impact = hard(Vector3::new(0.0, 1.0, 0.0));
    let blown = world
        .destruction
        .impact_by_name(&world.scene, "Cube", impact)
        .is_ok();
    assert!(blown);
    world.destruction.embed_save(&mut world.scene);
    let mut loaded = load(&bytes(&mut world.scene));
    loaded.destruction.update(&mut loaded.scene, 0.0);
    assert_eq!(loaded.destruction.is_intact("Cube"), Some(false));
}

#[test]
fn collapsed_objects_stay_collapsed() {
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
                ..Default::default()
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
    world.destruction.embed_save(&mut world.scene);
    let saved = pieces(&world);
    let mut loaded = load(&bytes(&mut world.scene));
    loaded.destruction.update(&mut loaded.scene, 0.0);
    assert_eq!(pieces(&loaded), saved);
    assert_eq!(loaded.destruction.faults().count(), 0);
}

/// The load of each object: where, how much of its strength, and whether only by pressure.
fn bonds(world: &World) -> Vec<([i32; 3], i32, bool)> {
    let thousandth = |value: f32| (value * 1e3).round() as i32;
    let bonds = world.destruction.bonds().into_iter().map(|bond| {
        let place = [bond.to.x, bond.to.y, bond.to.z].map(thousandth);
        (place, thousandth(bond.utilisation), bond.is_loose)
    });
    let mut bonds: Vec<_> = bonds.collect();
    bonds.sort_unstable();
    bonds
}

/// A ledge on a pier. Its weight is beside the middle third of the pier, and above the pier, so that it stands; with a
/// parapet on it the mortar tears, without it it bears.
fn ledge() -> World {
    let mut world = World::new();
    world.floor();
    let mut block = |name: &str, size: [f32; 3], place: [f32; 3]| {
        let script = Destructible {
            held: Held {
                // Mortar of 7.5 kPa between blocks of 250 kPa.
                bond_strength: 0.03.into(),
                ..Held::default()
            },
            strength: Strength {
                tensile_strength: 250e3.into(),
                ..Strength::default()
            },
            ..Destructible::default()
        };
        world.block(
            name,
            RigidBodyType::Static,
            place.into(),
            size.into(),
            script,
        )
    };
    block("Pier", [1.0, 1.0, 1.0], [0.0, 0.5, 0.0]);
    block("Ledge", [2.0, 0.2, 1.0], [0.27, 1.1, 0.0]);
    block("Parapet", [0.2, 0.5, 1.0], [0.6, 1.45, 0.0]);
    world
}

/// Removes a node, takes steps, and gives the names of what breaks or falls.
fn remove(world: &mut World, name: &str, steps: usize) -> Vec<String> {
    let (node, _) = world.scene.graph.find_by_name_from_root(name).unwrap();
    world.scene.graph.remove_node(node);
    let events = world.steps(steps);
    broken(&events).into_iter().map(str::to_owned).collect()
}

#[test]
fn bonds_that_have_broken_and_their_loads_are_in_the_saved_scene() {
    let mut world = ledge();
    world.steps(60);
    assert!(remove(&mut world, "Parapet", 30).is_empty());
    let before = bonds(&world);
    let loose = before.iter().filter(|(_, _, is_loose)| *is_loose);
    assert_eq!(loose.count(), 2, "one, from both sides: {before:?}");
    assert!(before.iter().any(|(_, utilisation, _)| *utilisation > 0));
    let save = world.destruction.save(&mut world.scene);
    world.destruction.embed_save(&mut world.scene);
    let mut loaded = vec![load(&bytes(&mut world.scene))];
    // A save of a game, restored at once and when the building has been looked at.
    for steps in [1, 30] {
        let mut world = ledge();
        remove(&mut world, "Parapet", steps);
        world
            .destruction
            .restore(&mut world.scene, save.clone())
            .unwrap();
        loaded.push(world);
    }
    let fallen = remove(&mut world, "Pier", 30);
    assert!(fallen.iter().any(|name| name == "Ledge"), "{fallen:?}");
    for (index, mut loaded) in loaded.into_iter().enumerate() {
        loaded.steps(10);
        assert_eq!(bonds(&loaded), before, "{index}");
        assert_eq!(loaded.destruction.faults().count(), 0);
        assert_eq!(remove(&mut loaded, "Pier", 30), fallen);
    }
}

#[test]
fn the_saved_scene_continues_without_the_embedded_node() {
    let mut world = battered();
    let nodes = world.scene.graph.node_count();
    for _ in 0..2 {
        world.destruction.embed_save(&mut world.scene);
        assert_eq!(embedded_saves(&world), 1);
    }
    world.destruction.update(&mut world.scene, DT);
    assert_eq!(embedded_saves(&world), 0);
    assert_eq!(world.scene.graph.node_count(), nodes);
}

#[test]
fn an_unbroken_scene_is_loaded_unchanged() {
    let mut world = World::new();
    world.floor();
    let at = Vector3::new(0.0, 2.0, 0.0);
    world.cube("Cube", RigidBodyType::Dynamic, at, Destructible::default());
    world.steps(2);
    world.destruction.embed_save(&mut world.scene);
    let mut loaded = load(&bytes(&mut world.scene));
    loaded.steps(2);
    assert_eq!(embedded_saves(&loaded), 0);
    assert_eq!(loaded.destruction.is_intact("Cube"), Some(true));
    assert_eq!(loaded.destruction.faults().count(), 0);
}

#[test]
fn pieces_without_a_save_are_a_fault() {
    let mut world = battered();
    let mut loaded = load(&bytes(&mut world.scene));
    loaded.step();
    let faults: Vec<String> = loaded.destruction.faults().map(|f| f.to_string()).collect();
    assert!(
        faults
            .iter()
            .any(|fault| fault.contains("Destruction::embed_save")),
        "{faults:?}"
    );
    assert!(count(&loaded, |node| node.tag() == PIECE_TAG) > 20);
}

#[test]
fn a_damaged_embedded_save_leaves_intact_objects_and_a_fault() {
    let mut world = battered();
    world.destruction.embed_save(&mut world.scene);
    let nodes = world.scene.graph.linear_iter_mut();
    for node in nodes {
        if let Some(embedded) = node.try_get_script_mut::<EmbeddedSave>() {
            embedded.save.0.truncate(40);
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
fn an_object_that_cannot_be_restored_is_reported_once() {
    let mut world = battered();
    world.destruction.embed_save(&mut world.scene);
    for node in world.scene.graph.linear_iter_mut() {
        if let Some(embedded) = node.try_get_script_mut::<EmbeddedSave>() {
            let mut archive = Archive::from_bytes(embedded.save.0.clone()).unwrap();
            for (_, past) in &mut archive.objects {
                past.breaks[0].pieces += 1;
                past.snapshots = None;
            }
            embedded.save.0 = archive.to_bytes();
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

#[test]
fn a_loaded_object_returns_to_where_it_was_found() {
    let mut world = World::new();
    world.floor();
    let at = Vector3::new(0.0, 5.0, 0.0);
    let cube = world.cube("Cube", RigidBodyType::Dynamic, at, Destructible::default());
    world.destruction.update(&mut world.scene, 0.0);
    world.steps(20);
    let fallen = world.node(cube).local_transform().position().y;
    assert!(fallen < 4.8);
    world.strike("Cube", hard(Vector3::new(0.0, fallen + 0.4, 0.0)));
    world.steps(5);
    world.destruction.embed_save(&mut world.scene);
    let mut loaded = load(&bytes(&mut world.scene));
    loaded.destruction.update(&mut loaded.scene, 0.0);
    assert_eq!(loaded.destruction.is_intact("Cube"), Some(false));
    assert_eq!(loaded.destruction.restore_intact("Cube"), Ok(1));
    loaded.destruction.update(&mut loaded.scene, 0.0);
    let named = loaded.named("Cube").into_iter();
    let mut named = named.filter(|node| loaded.node(*node).name() == "Cube");
    let cube = named.next().unwrap();
    assert_eq!(**loaded.node(cube).local_transform().position(), at);
    assert_eq!(loaded.destruction.faults().count(), 0);
}

#[test]
fn what_hangs_on_pieces_is_in_the_saved_scene() {
    let mut world = World::new();
    world.floor();
    let at = Vector3::new(0.0, 5.0, 0.0);
    let cube = world.cube("Cube", RigidBodyType::Dynamic, at, Destructible::default());
    let light = BaseBuilder::new()
        .with_name("light")
        .with_local_transform(placed(Vector3::y() * 0.5));
    let graph = &mut world.scene.graph;
    let light = PointLightBuilder::new(BaseLightBuilder::new(light)).build(graph);
    graph.link_nodes(light, cube);
    world.destruction.update(&mut world.scene, 0.0);
    world.steps(3);
    world.strike("Cube", hard(Vector3::new(0.0, 5.4, 0.0)));
    world.steps(60);
    let place = |world: &World| {
        let light = world.named("light")[0];
        let parent = world.node(world.node(light).parent()).name().to_owned();
        (parent, world.node(light).global_position())
    };
    let (parent, before) = place(&world);
    assert!(parent.starts_with("Cube/"), "{parent}");
    world.destruction.embed_save(&mut world.scene);
    let mut loaded = load(&bytes(&mut world.scene));
    loaded.destruction.update(&mut loaded.scene, 0.0);
    loaded.step();
    let (same, after) = place(&loaded);
    assert_eq!(same, parent);
    assert!((after - before).norm() < 0.2, "{after} {before}");
    loaded.destruction.restore_intact("Cube").unwrap();
    loaded.destruction.update(&mut loaded.scene, 0.0);
    loaded.destruction.update(&mut loaded.scene, 0.0);
    assert_eq!(place(&loaded).0, "Cube");
    assert_eq!(loaded.destruction.faults().count(), 0);
}
