//! Many objects and many pieces: who goes first, what names mean, and what scripts hear.

use crate::harness::{at, breaks, Form, Game, Thing};
use fracture::{Destructible, Event, Impact, Settings};
use fyrox::{
    core::{
        algebra::{Matrix4, Vector3},
        pool::Handle,
        reflect::prelude::*,
        type_traits::prelude::*,
        visitor::prelude::*,
    },
    graph::SceneGraph,
    plugin::error::GameResult,
    scene::{
        base::{BaseBuilder, LevelOfDetail, LodGroup},
        collider::{ColliderBuilder, ColliderShape},
        mesh::{
            surface::{SurfaceBuilder, SurfaceData, SurfaceResource},
            Mesh, MeshBuilder,
        },
        node::Node,
        pivot::PivotBuilder,
        rigidbody::{RigidBodyBuilder, RigidBodyType},
        Scene,
    },
    script::{ScriptContext, ScriptMessageContext, ScriptMessagePayload, ScriptTrait},
};
use std::collections::BTreeMap;

/// A script that hears of events.
#[derive(Visit, Reflect, Default, Debug, Clone, TypeUuidProvider, ComponentProvider)]
#[type_uuid(id = "c1a0c2e8-1d0b-4f0e-9c2e-7a8f3f0f1a03")]
struct Listener {
    #[visit(skip)]
    #[reflect(hidden)]
    told: Vec<Event>,
}

impl ScriptTrait for Listener {
    fn on_start(&mut self, ctx: &mut ScriptContext) -> GameResult {
        ctx.message_dispatcher.subscribe_to::<Event>(ctx.handle);
        Ok(())
    }

    fn on_message(
        &mut self,
        message: &mut dyn ScriptMessagePayload,
        _ctx: &mut ScriptMessageContext,
    ) -> GameResult {
        self.told.extend(message.downcast_ref::<Event>().cloned());
        Ok(())
    }
}

/// Saves a body "Wall" of 1 x 1 x 0.2 m with the script in a file, as an editor would.
fn save_prefab(file: &str, kind: RigidBodyType) {
    let mut scene = Scene::new();
    let size = Vector3::new(1.0, 1.0, 0.2);
    let data = SurfaceData::make_cube(Matrix4::new_nonuniform_scaling(&size));
    let surface = SurfaceBuilder::new(SurfaceResource::new_embedded(data)).build();
    let mesh = MeshBuilder::new(BaseBuilder::new())
        .with_surfaces(vec![surface])
        .build(&mut scene.graph);
    let collider = ColliderBuilder::new(BaseBuilder::new())
        .with_shape(ColliderShape::cuboid(0.5, 0.5, 0.1))
        .build(&mut scene.graph);
    let base = BaseBuilder::new()
        .with_name("Wall")
        .with_child(mesh)
        .with_child(collider)
        .with_script(Destructible::default());
    RigidBodyBuilder::new(base)
        .with_body_type(kind)
        .build(&mut scene.graph);
    let mut visitor = Visitor::new();
    scene.save("Scene", &mut visitor).unwrap();
    visitor.save_ascii_to_file(format!("data/{file}")).unwrap();
}

/// The bodies "Wall" of instances of a prefab at places.
fn instances(game: &mut Game, file: &str, places: &[Vector3<f32>]) -> Vec<Handle<Node>> {
    let place = |game: &mut Game, place: &Vector3<f32>| {
        let root = game.instance(file);
        let graph = &mut game.scene().graph;
        graph[root].local_transform_mut().set_position(*place);
        let mut nodes = graph.traverse_iter(root);
        let wall = nodes.find(|(_, node)| node.name() == "Wall");
        wall.map(|(handle, _)| handle).unwrap()
    };
    places.iter().map(|at| place(game, at)).collect()
}

#[test]
fn of_eighteen_instances_of_a_prefab_those_that_were_struck_are_broken() {
    let mut game = Game::new();
    let listener = Listener::default();
    let base = BaseBuilder::new().with_script(listener);
    let listener = PivotBuilder::new(base).build(&mut game.scene().graph);
    let file = "wall_static.rgs";
    save_prefab(file, RigidBodyType::Static);
    let place =
        |index: usize| Vector3::new(2.0 * (index % 6) as f32, 0.5, 2.0 * (index / 6) as f32);
    let places: Vec<_> = (0..18).map(place).collect();
    let walls = instances(&mut game, file, &places);
    game.seconds(0.2);
    assert_eq!(game.destruction.is_intact("Wall"), Some(true));
    for index in [3, 8, 17] {
        let at = places[index] + Vector3::new(0.1, 0.1, 0.1);
        let impact = Impact::new(at, Vector3::z(), 2000.0);
        game.destruction.impact(walls[index], impact).unwrap();
    }
    // And one that is too weak.
    let weak = Impact::new(places[5] + Vector3::z() * 0.1, Vector3::z(), 2.0);
    game.destruction.impact(walls[5], weak).unwrap();
    game.seconds(0.5);
    for (index, wall) in walls.iter().enumerate() {
        let is_struck = [3, 8, 17].contains(&index);
        assert_eq!(
            game.destruction.is_intact(*wall),
            Some(!is_struck),
            "{index}"
        );
        let pieces = game.destruction.pieces_of(*wall);
        assert_eq!(pieces.is_empty(), !is_struck, "{index}");
    }
    assert_eq!(game.destruction.is_intact("Wall"), Some(false));
    // A piece goes with its node.
    let pieces = game.destruction.pieces_of(walls[3]);
    let free = pieces.iter().find(|piece| !piece.anchored).unwrap();
    game.scene().graph.remove_node(free.node);
    game.frames(3);
    let graph = &game.scene().graph;
    let listener = graph.try_get_script_of::<Listener>(listener).unwrap();
    let heard = |is: fn(&Event) -> bool| listener.told.iter().filter(|event| is(event)).count();
    assert_eq!(heard(|event| matches!(event, Event::Broken { .. })), 3);
    assert!(heard(|event| matches!(event, Event::BelowThreshold { .. })) > 0);
    for event in &listener.told {
        if let Event::Broken { node, pieces, .. } = event {
            let place = places[walls.iter().position(|wall| wall == node).unwrap()];
            for piece in pieces {
                let [low, high] = piece.bounds;
                assert!(piece.mass > 0.0 && (low - place).norm() < 1.5 && high > low);
            }
        }
    }
}

#[test]
fn a_save_tells_objects_of_one_name_apart() {
    let build = || {
        let mut game = Game::new();
        let wall = |index: usize| {
            let form = Form::Block([1.0, 1.0, 0.2]);
            Thing::new(
                "Wall",
                form,
                [2.0 * index as f32, 0.5, 0.0],
                RigidBodyType::Static,
            )
        };
        let walls: Vec<_> = (0..6).map(|index| game.add(&wall(index))).collect();
        (game, walls)
    };
    let (mut game, walls) = build();
    game.seconds(0.3);
    for index in [1, 4] {
        let at = Vector3::new(2.0 * index as f32, 0.5, 0.1);
        let impact = Impact::new(at, Vector3::z(), 2000.0);
        game.destruction.impact(walls[index], impact).unwrap();
    }
    game.seconds(1.0);
    let pieces = walls
        .iter()
        .map(|wall| game.destruction.pieces_of(*wall).len());
    let expected: Vec<_> = pieces.collect();
    for is_compact in [false, true] {
        let scene = game.engine.scenes.try_get_mut(game.scene).unwrap();
        let save = if is_compact {
            game.destruction.save_compact(scene)
        } else {
            game.destruction.save(scene)
        };
        let (mut loaded, walls) = build();
        let scene = loaded.engine.scenes.try_get_mut(loaded.scene).unwrap();
        loaded.destruction.restore(scene, save).unwrap();
        loaded.seconds(0.2);
        let pieces = walls
            .iter()
            .map(|wall| loaded.destruction.pieces_of(*wall).len());
        assert_eq!(
            pieces.collect::<Vec<_>>(),
            expected,
            "compact: {is_compact}"
        );
    }
}

#[test]
fn a_building_of_dynamic_prefabs_does_not_break_by_standing() {
    let mut game = Game::new();
    let file = "wall_dynamic.rgs";
    save_prefab(file, RigidBodyType::Dynamic);
    let place = |index: usize| {
        Vector3::new(
            1.01 * (index % 5) as f32,
            0.52 + 1.02 * (index / 5) as f32,
            0.0,
        )
    };
    let places: Vec<_> = (0..15).map(place).collect();
    instances(&mut game, file, &places);
    let events = game.seconds(4.0);
    assert!(!breaks(&events), "{events:?}");
}

#[test]
fn what_is_large_stays_when_there_are_too_many_pieces() {
    for (max_pieces, share) in [(20, 0.4), (100, 0.7)] {
        let mut game = Game::with(Settings {
            max_pieces,
            ..Settings::default()
        });
        let form = Form::Block([1.0, 5.0, 1.0]);
        let pillar = Thing::new("Pillar", form, [0.0, 2.5, 0.0], RigidBodyType::Static);
        let pillar = game.add(&pillar);
        let form = Form::Block([4.0, 3.0, 0.3]);
        let walls = [-3.0, 3.0].map(|z| {
            let wall = Thing::new("Wall", form, [0.0, 1.5, z], RigidBodyType::Static);
            game.add(&wall)
        });
        game.seconds(0.2);
        let foot = Impact::new(Vector3::new(0.5, 1.2, 0.0), Vector3::x(), 2e4).with_radius(0.9);
        game.destruction.impact(pillar, foot).unwrap();
        game.seconds(0.5);
        for shot in 0..27 {
            let side = if shot % 2 == 0 { 1.0 } else { -1.0 };
            let aim = Vector3::new(
                -1.8 + 0.13 * shot as f32,
                0.4 + 0.08 * shot as f32,
                3.0 * side,
            );
            let from = aim + Vector3::new(0.3, 0.2, 6.0 * side);
            game.destruction
                .shoot(from, aim - from, 20.0, 2500.0, 100.0);
            game.seconds(0.15);
        }
        game.seconds(5.0);
        let free: usize = [pillar, walls[0], walls[1]]
            .map(|node| game.free(node).len())
            .iter()
            .sum();
        assert!(free <= max_pieces + 10, "{free} of {max_pieces}");
        // What goes is small.
        let mut sizes = BTreeMap::new();
        let mut removed = 0;
        for event in &game.events {
            match event {
                Event::Broken { pieces, .. } => {
                    let size = |[low, high]: [Vector3<f32>; 2]| (high - low).max();
                    sizes.extend(pieces.iter().map(|p| (p.name.clone(), size(p.bounds))));
                }
                Event::Removed { name, .. } => {
                    removed += 1;
                    assert!(sizes[name] < 1.0, "{name}: {} m", sizes[name]);
                }
                _ => {}
            }
        }
        assert!(removed > 0, "{max_pieces}: there were not too many");
        for node in [pillar, walls[0], walls[1]] {
            let left: f64 = game
                .destruction
                .pieces_of(node)
                .iter()
                .map(|piece| piece.volume)
                .sum();
            let whole = game.destruction.source_volume(node).unwrap();
            assert!(left > share * whole, "{max_pieces}: {left} of {whole} m3");
        }
    }
}

#[test]
fn of_levels_of_detail_one_is_broken() {
    let mut game = Game::new();
    let finest = game.instance("statue.glb");
    let coarsest = game.instance("column.glb");
    let graph = &mut game.scene().graph;
    let levels = vec![
        LevelOfDetail::new(0.0, 0.3, vec![finest]),
        LevelOfDetail::new(0.3, 1.0, vec![coarsest]),
    ];
    let group = BaseBuilder::new()
        .with_lod_group(LodGroup { levels })
        .with_child(finest)
        .with_child(coarsest);
    let group = PivotBuilder::new(group).build(graph);
    let collider = ColliderBuilder::new(at([0.0, 0.9, 0.0]))
        .with_shape(ColliderShape::cuboid(0.3, 0.9, 0.3))
        .build(graph);
    let base = at([0.0, 0.02, 0.0])
        .with_name("Statue")
        .with_child(group)
        .with_child(collider)
        .with_script(Destructible::default());
    let statue = RigidBodyBuilder::new(base).build(graph).to_base::<Node>();
    let alone = Thing::new(
        "Alone",
        Form::Boxed("statue.glb"),
        [5.0, 0.02, 0.0],
        RigidBodyType::Dynamic,
    );
    let alone = game.add(&alone);
    game.seconds(0.5);
    let [with_levels, expected] =
        [statue, alone].map(|node| game.destruction.source_volume(node).unwrap());
    assert!(
        (with_levels / expected - 1.0).abs() < 1e-6,
        "{with_levels} of {expected} m3"
    );
    let masses = [statue, alone].map(|node| game.body(node).mass());
    assert!((masses[0] / masses[1] - 1.0).abs() < 1e-3, "{masses:?}");
    let impact = Impact::new(Vector3::new(0.0, 1.0, 0.1), Vector3::z(), 3000.0);
    game.destruction.impact(statue, impact).unwrap();
    game.seconds(0.2);
    let graph = &game.scene().graph;
    let shown = graph.traverse_iter(group);
    let shown = shown.filter(|(_, node)| node.cast::<Mesh>().is_some() && node.visibility());
    assert_eq!(shown.count(), 0, "a level is still shown");
}
