//! Cards of materials: whose figures count, cards that change, and files that cannot be read.

use crate::{
    embedded_saves::{bytes, load},
    world::{broken, hard, World},
};
use fracture::{
    card_differences, check_setup, effective_script, make_destructible, show_card_figures,
    unset_script, Destructible, FracturePattern, Impact, MaterialCard, MaterialCardResource,
    PatternKind, CARD_VERSION,
};
use fyrox::{
    asset::{
        io::FsResourceIo, manager::ResourceManager, state::LoadError, untyped::ResourceKind,
        Resource, ResourceData,
    },
    core::{
        algebra::Vector3, pool::Handle, task::TaskPool, uuid::Uuid, variable::InheritableVariable,
        visitor::prelude::*,
    },
    engine::SerializationContext,
    graph::{NodeMapping, SceneGraph},
    resource::model::{Model, ModelResource, ModelResourceExtension},
    scene::{
        base::BaseBuilder,
        collider::Collider,
        graph::physics::CoefficientCombineRule,
        mesh::MeshBuilder,
        node::Node,
        rigidbody::{RigidBody, RigidBodyType},
        Scene,
    },
};
use std::{fs, path::PathBuf, sync::Arc};

/// Oak is lighter than a new script's material.
const OAK: f32 = 700.0;
const ICE: f32 = 917.0;

fn card(density: f32) -> MaterialCardResource {
    Resource::new_embedded(MaterialCard {
        density,
        ..MaterialCard::default()
    })
}

fn density(world: &World, node: Handle<Node>) -> f32 {
    *effective_script(&world.scene.graph, node).unwrap().density
}

fn block(world: &mut World, script: Destructible) -> Handle<Node> {
    let node = world.cube("Block", RigidBodyType::Dynamic, Vector3::zeros(), script);
    world.steps(2);
    node
}

fn mass(world: &World, node: Handle<Node>) -> f32 {
    let body = world.scene.graph.try_get_of_type::<RigidBody>(node);
    body.unwrap().mass()
}

#[test]
fn figures_that_are_not_set_are_those_of_the_card() {
    let mut world = World::new();
    let node = block(&mut world, Destructible::with_card(card(OAK)));
    assert_eq!(mass(&world, node), OAK);
    let heavy = Destructible {
        density: 5000.0.into(),
        ..Destructible::with_card(card(OAK))
    };
    let mut world = World::new();
    let node = block(&mut world, heavy);
    assert_eq!(mass(&world, node), 5000.0);
    let differences = card_differences(&world.scene.graph, node);
    assert_eq!(differences.len(), 1, "{differences:?}");
    let difference = &differences[0];
    let words = (
        difference.field,
        difference.own.as_str(),
        difference.card.as_str(),
    );
    assert_eq!(words, ("Density", "5000", "700"));
    // The way back.
    let graph = &mut world.scene.graph;
    let base = unset_script(graph.try_get_node(node).unwrap());
    let script = graph.try_get_script_of_mut::<Destructible>(node).unwrap();
    script.take_from_card(difference.field, &base);
    world.steps(2);
    assert_eq!(mass(&world, node), OAK);
    assert!(card_differences(&world.scene.graph, node).is_empty());
}

#[test]
fn a_value_that_is_set_to_that_of_a_new_script_counts() {
    let script = Destructible {
        density: 2400.0.into(),
        ..Destructible::with_card(card(ICE))
    };
    let mut world = World::new();
    let node = block(&mut world, script);
    assert_eq!(mass(&world, node), 2400.0);
}

/// Scenes that were saved before there were cards have all of their fields set.
#[test]
fn an_old_scene_is_as_it_was_and_takes_a_card_that_is_laid_on() {
    let script = Destructible {
        density: InheritableVariable::new_modified(2400.0),
        ..Destructible::default()
    };
    let mut world = World::new();
    let node = block(&mut world, script);
    assert_eq!(mass(&world, node), 2400.0);
    let graph = &mut world.scene.graph;
    let script = graph.try_get_script_of_mut::<Destructible>(node).unwrap();
    script.lay_card(Some(card(ICE)));
    world.steps(2);
    assert_eq!(mass(&world, node), ICE);
}

#[test]
fn a_card_that_changes_changes_all_that_have_it() {
    let card = card(OAK);
    let mut world = World::new();
    let node = block(&mut world, Destructible::with_card(card.clone()));
    card.data_ref().as_loaded_mut().unwrap().density = ICE;
    world.steps(2);
    assert_eq!(mass(&world, node), ICE);
    // Of what is broken nothing changes, and the object says so.
    world.strike("Block", hard(Vector3::new(0.0, 0.5, 0.0)));
    let pieces = world.destruction.pieces_of("Block");
    card.data_ref().as_loaded_mut().unwrap().density = OAK;
    // Nodes are looked at in turn.
    world.steps(4);
    assert_eq!(world.destruction.pieces_of("Block").len(), pieces.len());
    assert!(world.faults().contains("changed after it was broken"));
}

#[test]
fn a_card_that_is_read_again_leaves_objects_as_they_are_meanwhile() {
    let card = card(OAK);
    let mut world = World::new();
    let node = block(&mut world, Destructible::with_card(card.clone()));
    card.header().state.switch_to_pending_state();
    world.steps(3);
    assert_eq!(mass(&world, node), OAK);
    let new = MaterialCard {
        density: ICE,
        ..MaterialCard::default()
    };
    card.header().state.commit_ok(new);
    world.steps(2);
    assert_eq!(mass(&world, node), ICE);
    world.strike("Block", hard(Vector3::new(0.0, 0.5, 0.0)));
    assert_eq!(world.destruction.is_intact("Block"), Some(false));
    assert_eq!(world.faults(), "");
}

#[test]
fn a_pattern_of_the_card_breaks() {
    let coarse = FracturePattern {
        kind: PatternKind::Uniform,
        cells: 4,
        ..FracturePattern::default()
    };
    let card = Resource::new_embedded(MaterialCard {
        pattern: Some(Resource::new_embedded(coarse)),
        ..MaterialCard::default()
    });
    let mut world = World::new();
    block(&mut world, Destructible::with_card(card));
    world.strike("Block", hard(Vector3::new(0.0, 0.5, 0.0)));
    let count = world.destruction.pieces_of("Block").len();
    assert!((2..=5).contains(&count), "{count} pieces of 4 cells");
}

/// A prefab with a block.
fn prefab(script: Destructible) -> ModelResource {
    let mut world = World::new();
    world.cube("Block", RigidBodyType::Dynamic, Vector3::zeros(), script);
    Resource::new_embedded(Model::new(NodeMapping::UseHandles, world.scene))
}

fn instance(world: &mut World, prefab: &ModelResource) -> Handle<Node> {
    prefab.instantiate(&mut world.scene);
    let node = world.named("Block")[0];
    let graph = &world.scene.graph;
    assert!(graph.try_get_script_of::<Destructible>(node).is_ok());
    node
}

fn script(world: &mut World, node: Handle<Node>) -> &mut Destructible {
    let graph = &mut world.scene.graph;
    graph.try_get_script_of_mut::<Destructible>(node).unwrap()
}

#[test]
fn instances_of_a_prefab_have_its_card_and_what_is_set_in_it() {
    let mut world = World::new();
    let node = instance(&mut world, &prefab(Destructible::with_card(card(OAK))));
    assert_eq!(density(&world, node), OAK);
    script(&mut world, node).density = 1000.0.into();
    assert_eq!(density(&world, node), 1000.0);

    // Set to that of a new script: a mere comparison of values would not see it.
    let heavy = Destructible {
        density: 2400.0.into(),
        ..Destructible::with_card(card(OAK))
    };
    let heavy = prefab(heavy);
    let mut world = World::new();
    let node = instance(&mut world, &heavy);
    assert_eq!(density(&world, node), 2400.0);
    // A card that is laid on the instance is nearer than the figure of the prefab.
    script(&mut world, node).lay_card(Some(card(ICE)));
    assert_eq!(density(&world, node), ICE);
    // So is a figure of the prefab's prefab than the card there, however deep.
    let mut outer = World::new();
    instance(&mut outer, &heavy);
    let outer: ModelResource =
        Resource::new_embedded(Model::new(NodeMapping::UseHandles, outer.scene));
    let mut world = World::new();
    let node = instance(&mut world, &outer);
    assert_eq!(density(&world, node), 2400.0);
}

#[test]
fn shown_figures_do_not_count_as_set() {
    let mut world = World::new();
    let node = block(&mut world, Destructible::with_card(card(OAK)));
    show_card_figures(&mut world.scene.graph, node);
    let shown = script(&mut world, node);
    assert_eq!(*shown.density, OAK);
    assert!(!shown.density.is_modified());
    shown.card = None.into();
    show_card_figures(&mut world.scene.graph, node);
    assert_eq!(*script(&mut world, node).density, 2400.0);
    // Of an instance, what its prefab has.
    let heavy = Destructible {
        density: 5000.0.into(),
        ..Destructible::default()
    };
    let mut world = World::new();
    let node = instance(&mut world, &prefab(heavy));
    script(&mut world, node).lay_card(Some(card(OAK)));
    show_card_figures(&mut world.scene.graph, node);
    script(&mut world, node).card = None.into();
    show_card_figures(&mut world.scene.graph, node);
    assert_eq!(*script(&mut world, node).density, 5000.0);
}

#[test]
fn a_script_is_saved_with_its_card_and_without_its_figures() {
    let mut written = Destructible::with_card(card(OAK));
    written.pieces.lifetime = 5.0.into();
    let mut visitor = Visitor::new();
    written.visit("Script", &mut visitor).unwrap();
    let bytes = visitor.save_binary_to_vec().unwrap();
    let mut visitor = Visitor::load_binary_from_memory(&bytes).unwrap();
    let resources = ResourceManager::new(Arc::new(FsResourceIo), Arc::new(TaskPool::new()));
    fracture::register(&SerializationContext::new(), &resources);
    visitor.blackboard.register(Arc::new(resources));
    let mut read = Destructible::default();
    read.visit("Script", &mut visitor).unwrap();
    assert!(read.card.is_some());
    assert!(!read.density.is_modified() && read.pieces.lifetime.is_modified());
}

/// When the engine loads a scene, it marks all fields as set of the nodes that are no instances.
#[test]
fn cards_count_in_scenes_that_are_saved_and_loaded() {
    let mut world = World::new();
    let mut own = Destructible::with_card(card(ICE));
    own.density = 5000.0.into();
    world.cube("Own", RigidBodyType::Dynamic, Vector3::zeros(), own);
    let carded = Destructible::with_card(card(OAK));
    world.cube("Carded", RigidBodyType::Dynamic, Vector3::x() * 3.0, carded);
    let named = |world: &World, name: &str| {
        let graph = &world.scene.graph;
        graph.find_by_name_from_root(name).unwrap().0
    };
    // Twice: what is saved is what was loaded, before and after a game has begun.
    for started in [false, true, false] {
        if started {
            world.steps(2);
            let node = named(&world, "Carded");
            assert_eq!(mass(&world, node), OAK);
        }
        world = load(&bytes(&mut world.scene));
        let [own, carded] = ["Own", "Carded"].map(|name| named(&world, name));
        assert_eq!(density(&world, own), 5000.0);
        assert_eq!(density(&world, carded), OAK);
        let differences = card_differences(&world.scene.graph, own);
        assert_eq!(differences.len(), 1, "{differences:?}");
        assert!(card_differences(&world.scene.graph, carded).is_empty());
    }
    // What is typed after loading counts, also what a new script has.
    let node = named(&world, "Carded");
    show_card_figures(&mut world.scene.graph, node);
    let typed = &mut script(&mut world, node).density;
    typed.set_value_and_mark_modified(2400.0);
    assert_eq!(density(&world, node), 2400.0);
}

#[test]
fn instances_of_a_prefab_that_is_read_from_a_file_have_its_card() {
    let mut world = World::new();
    let carded = Destructible::with_card(card(OAK));
    world.cube("Block", RigidBodyType::Dynamic, Vector3::zeros(), carded);
    let loaded = load(&bytes(&mut world.scene));
    let model = Model::new(NodeMapping::UseHandles, loaded.scene);
    let mut world = World::new();
    let node = instance(&mut world, &Resource::new_embedded(model));
    assert_eq!(density(&world, node), OAK);
    let own = &mut script(&mut world, node).density;
    own.set_value_and_mark_modified(5000.0);
    assert_eq!(density(&world, node), 5000.0);
}

#[test]
fn pieces_have_friction_and_bounce_of_the_card_unless_the_collider_says_otherwise() {
    let slides = |friction: f32, of_collider: Option<f32>| {
        let card = Resource::new_embedded(MaterialCard {
            friction,
            restitution: 0.0,
            ..MaterialCard::default()
        });
        let mut world = World::new();
        let graph = &mut world.scene.graph;
        graph
            .physics
            .gravity
            .set_value_and_mark_modified(Vector3::new(5.0, -9.81, 0.0));
        world.floor();
        world.cube(
            "Block",
            RigidBodyType::Static,
            Vector3::new(0.0, 0.5, 0.0),
            Destructible::with_card(card),
        );
        for name in ["Block collider", "floor"] {
            for node in world.named(name) {
                let collider = world.scene.graph.try_get_mut_of_type::<Collider>(node);
                if let Ok(collider) = collider {
                    collider.set_friction(of_collider.unwrap_or(0.0));
                    if of_collider.is_some() {
                        collider.set_friction_combine_rule(CoefficientCombineRule::Min);
                    }
                }
            }
        }
        world.steps(2);
        let impact = Impact::new(Vector3::new(0.0, 1.0, 0.0), Vector3::y(), 1e6);
        world.strike("Block", impact);
        world.steps(60);
        let pieces = world.destruction.pieces_of("Block");
        let masses: f64 = pieces.iter().map(|p| p.volume).sum();
        let moved = pieces.iter().map(|p| p.volume * f64::from(p.position.x));
        moved.sum::<f64>() / masses
    };
    let (ice, rubber) = (slides(0.02, None), slides(1.5, None));
    assert!(ice > rubber + 0.3, "{ice} m on ice, {rubber} m on rubber");
    let polished = slides(1.5, Some(0.02));
    assert!(polished > rubber + 0.3, "{polished} m, {rubber} m");
}

/// A card as the engine has it that has read a file with this content.
fn read(name: &str, bytes: &[u8]) -> MaterialCardResource {
    let path = PathBuf::from(format!("data/cards/{name}.card"));
    match MaterialCard::from_bytes(bytes, &path) {
        Ok(card) => Resource::new_ok(Uuid::new_v4(), ResourceKind::External, card),
        Err(error) => Resource::new_load_error(ResourceKind::External, path, LoadError::new(error)),
    }
}

fn written(change: impl FnOnce(&mut MaterialCard)) -> Vec<u8> {
    let mut card = MaterialCard::default();
    change(&mut card);
    let mut visitor = Visitor::new();
    card.visit("MaterialCard", &mut visitor).unwrap();
    visitor.save_ascii_to_string().into_bytes()
}

#[test]
fn a_card_that_is_saved_is_read_again() {
    let path = std::env::temp_dir().join(format!("saved-{}.card", std::process::id()));
    let mut card = MaterialCard {
        source: "EN 338:2016, D50".into(),
        density: OAK,
        surface_tag: "wood".into(),
        ..MaterialCard::default()
    };
    card.save(&path).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    fs::remove_file(&path).unwrap();
    assert_eq!(
        MaterialCard::from_bytes(text.as_bytes(), &path).unwrap(),
        card
    );
    assert!(
        text.contains("EN 338:2016, D50"),
        "an artist can compare it: {text}"
    );
}

#[test]
fn cards_that_cannot_be_used_are_told_by_file_and_leave_the_object_intact() {
    let newer = written(|card| card.version = CARD_VERSION + 1);
    let weightless = written(|card| card.density = 0.0);
    let bouncy = written(|card| card.restitution = f32::NAN);
    let lost = Resource::new_load_error(
        ResourceKind::External,
        "data/lost.card".into(),
        LoadError::new("file not found: data/lost.card"),
    );
    for (name, card, words) in [
        ("damaged", read("damaged", b"not a card"), "damaged.card"),
        ("newer", read("newer", &newer), "update the program"),
        (
            "weightless",
            read("weightless", &weightless),
            "its Density is 0 kg/m^3; it must be",
        ),
        (
            "bouncy",
            read("bouncy", &bouncy),
            "its Restitution is NaN; it must be",
        ),
        ("lost", lost, "data/lost.card"),
    ] {
        let mut world = World::new();
        let script = Destructible::with_card(card);
        let node = world.cube(name, RigidBodyType::Static, Vector3::zeros(), script);
        world.steps(2);
        let impact = hard(Vector3::new(0.0, 0.5, 0.0));
        let _ = world.destruction.impact(node, impact);
        assert!(broken(&world.steps(3)).is_empty(), "{name}");
        assert_eq!(world.destruction.is_intact(name), Some(true), "{name}");
        let text = world.faults();
        assert_eq!(text.lines().count(), 1, "{name}: {text}");
        for words in [words, &format!("\"{name}\""), ".card"] {
            assert!(text.contains(words), "{name}: {words}: {text}");
        }
    }
}

#[test]
fn a_card_that_makes_no_sense_in_memory_is_told_as_the_cards_figure() {
    let mut world = World::new();
    block(&mut world, Destructible::with_card(card(0.0)));
    let text = world.faults();
    assert!(
        text.contains("the Density of its card is 0 kg/m^3"),
        "{text}"
    );
}

#[test]
fn damaged_files_of_cards_are_refused_or_read() {
    let good = written(|card| card.density = OAK);
    for length in (0..good.len()).step_by(11) {
        let bytes = &good[..length];
        match MaterialCard::from_bytes(bytes, "cut.card".as_ref()) {
            Ok(card) => assert!(card.density > 0.0, "{length} bytes"),
            Err(error) => assert!(error.to_string().contains("cut.card"), "{error}"),
        }
    }
}

#[test]
fn a_broken_object_with_a_card_is_saved_and_replayed() {
    let broken_world = || {
        let mut world = World::new();
        let node = world.cube(
            "Block",
            RigidBodyType::Static,
            Vector3::zeros(),
            Destructible::with_card(card(OAK)),
        );
        world.steps(2);
        (world, node)
    };
    let (mut world, _) = broken_world();
    world.strike("Block", hard(Vector3::new(0.0, 0.5, 0.0)));
    let hash = world.destruction.geometry_hash();
    for compact in [false, true] {
        let save = match compact {
            false => world.destruction.save(&mut world.scene),
            true => world.destruction.save_compact(&mut world.scene),
        };
        let (mut loaded, _) = broken_world();
        let restored = loaded
            .destruction
            .restore(&mut loaded.scene, save.as_slice());
        restored.unwrap();
        loaded.steps(3);
        assert_eq!(
            loaded.destruction.geometry_hash(),
            hash,
            "compact: {compact}"
        );
        assert_eq!(loaded.faults(), "");
    }
}

#[test]
fn one_call_gives_a_mesh_a_body_a_collider_and_a_card() {
    let mut scene = Scene::new();
    let mesh = MeshBuilder::new(BaseBuilder::new().with_name("Block"))
        .with_surfaces(vec![crate::world::cube_surface(
            fyrox::core::algebra::Matrix4::identity(),
            None,
        )])
        .build(&mut scene.graph)
        .to_base();
    let script = Destructible::with_card(card(OAK));
    let made = make_destructible(&mut scene.graph, mesh, RigidBodyType::Dynamic, script).unwrap();
    let mut world = World {
        scene,
        ..World::new()
    };
    world.steps(2);
    assert_eq!(mass(&world, made.body), OAK);
}

/// The faults of an object's set-up, a line each.
fn faults(world: &World, node: Handle<Node>) -> String {
    let findings = check_setup(&world.scene.graph, node).into_iter();
    let faults = findings.filter(|finding| finding.is_fault);
    faults.map(|fault| format!("{fault}\n")).collect()
}

#[test]
fn the_set_up_of_an_object_is_told_with_what_is_wrong() {
    let mut world = World::new();
    let node = block(&mut world, Destructible::with_card(card(OAK)));
    let findings = check_setup(&world.scene.graph, node);
    let parts: Vec<&str> = findings.iter().map(|finding| finding.part).collect();
    let all = [
        "Body",
        "Collider",
        "Mesh",
        "Scale",
        "Levels of detail",
        "Card",
    ];
    assert_eq!(parts, all);
    assert_eq!(faults(&world, node), "");
    let text = findings
        .iter()
        .map(|f| format!("{f}\n"))
        .collect::<String>();
    assert!(text.contains("1.00 x 1.00 x 1.00 m"), "{text}");
    script(&mut world, node).density = 1.0.into();
    let findings = check_setup(&world.scene.graph, node);
    assert!(findings[5]
        .text
        .contains("one field differs from it, Density"));

    let bare = world.bare("Bare", Vector3::zeros());
    assert!(faults(&world, bare).contains("Collider: there is no collider"));
    script(&mut world, node).density = 0.0.into();
    assert!(faults(&world, node).contains("Figures: its Density is 0 kg/m^3"));
    script(&mut world, node).lay_card(Some(read("damaged", b"not a card")));
    assert!(faults(&world, node).contains("Card: its card cannot be loaded"));
    let mesh = world.named("Block mesh")[0];
    assert!(faults(&world, mesh).contains("make it destructible"));
    world.scene.graph.remove_node(mesh);
    assert!(faults(&world, node).contains("Mesh: it points at no mesh"));
    let huge = world.block(
        "Huge",
        RigidBodyType::Static,
        Vector3::zeros(),
        Vector3::repeat(1000.0),
        Destructible::default(),
    );
    world.step();
    assert!(faults(&world, huge).contains("Scale: its mesh is 1000 x 1000 x 1000 m large"));
}
