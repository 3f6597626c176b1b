//! Impacts by script message, through the engine's own script processor.

use crate::world::{broken, cube_surface, hard, World, DT};
use fracture::{
    send_events_to_scripts, Breaking, Destructible, Destruction, Event, Impact, RemoveReason,
    Settings,
};
use fyrox::{
    asset::{io::FsResourceIo, manager::ResourceManager},
    core::{
        algebra::{Matrix4, Vector3},
        pool::Handle,
        reflect::prelude::*,
        task::TaskPool,
        type_traits::prelude::*,
        visitor::prelude::*,
    },
    engine::{
        ApplicationLoopController, Engine, EngineInitParams, GraphicsContextParams,
        SerializationContext,
    },
    plugin::error::GameResult,
    scene::{
        base::BaseBuilder, collider::ColliderShape, node::Node, pivot::PivotBuilder,
        rigidbody::RigidBodyType,
    },
    script::{ScriptContext, ScriptMessageContext, ScriptMessagePayload, ScriptTrait},
};
use std::{cell::Cell, sync::Arc};

/// A script of a game that strikes a node in its third update, and hears of events.
#[derive(Visit, Reflect, Default, Debug, Clone, TypeUuidProvider, ComponentProvider)]
#[type_uuid(id = "2d7f8a7e-5d3e-4b5a-9c77-0f5f6f1c9b01")]
struct Gunner {
    target: Handle<Node>,
    updates: usize,
    /// The events received.
    #[reflect(hidden)]
    #[visit(skip)]
    told: Vec<Event>,
}

impl ScriptTrait for Gunner {
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

    fn on_update(&mut self, ctx: &mut ScriptContext) -> GameResult {
        self.updates += 1;
        if self.updates == 2 {
            let weak = Impact::new(Vector3::new(0.0, 0.5, 0.0), Vector3::y(), 1.0);
            ctx.message_sender.send_to_target(self.target, weak);
        }
        if self.updates == 3 {
            let impact = Impact::new(Vector3::new(0.0, 0.5, 0.0), Vector3::y(), 2000.0);
            ctx.message_sender.send_to_target(self.target, impact);
        }
        Ok(())
    }
}

fn engine() -> Engine {
    let task_pool = Arc::new(TaskPool::new());
    Engine::new(EngineInitParams {
        graphics_context_params: GraphicsContextParams::default(),
        serialization_context: Arc::new(SerializationContext::new()),
        widget_constructors: Default::default(),
        resource_manager: ResourceManager::new(Arc::new(FsResourceIo), task_pool.clone()),
        task_pool,
        dyn_type_constructors: Default::default(),
    })
    .unwrap()
}

#[test]
fn a_script_strikes_a_node_by_message() {
    let mut world = World::new();
    let wall = world.body(
        "wall",
        RigidBodyType::Static,
        Vector3::zeros(),
        vec![cube_surface(Matrix4::identity(), None)],
        ColliderShape::cuboid(0.5, 0.5, 0.5),
        Some(Destructible {
            surface_tag: "concrete".to_owned().into(),
            ..Default::default()
        }),
    );
    let gunner = Gunner {
        target: wall,
        updates: 0,
        told: Vec::new(),
    };
    world.floor();
    let graph = &mut world.scene.graph;
    let gunner = PivotBuilder::new(BaseBuilder::new().with_script(gunner)).build(graph);

    let mut engine = engine();
    let scene = engine.scenes.add(world.scene);
    engine.register_scripted_scene(scene);
    let mut destruction = Destruction::new(Settings {
        wait_for_results: true,
        report_contacts: 1.0,
        ..Default::default()
    });
    let running = Cell::new(true);
    let mut events = Vec::new();
    for _ in 0..60 {
        let controller = ApplicationLoopController::Headless { running: &running };
        engine.update(DT, controller, &mut 0.0, Default::default());
        destruction.update(engine.scenes.try_get_mut(scene).unwrap(), DT);
        send_events_to_scripts(&engine.script_processor, scene, destruction.events());
        events.extend(destruction.events().to_vec());
    }
    assert_eq!(broken(&events).first(), Some(&"wall"));
    let scene = engine.scenes.try_get(scene).unwrap();
    let told = &scene
        .graph
        .try_get_script_of::<Gunner>(gunner)
        .unwrap()
        .told;
    let Some(Event::Broken {
        energy,
        crack_area,
        normal,
        surface_tag,
        ..
    }) = told
        .iter()
        .find(|event| matches!(event, Event::Broken { .. }))
    else {
        panic!("{told:?}");
    };
    assert_eq!((*energy, surface_tag.as_str()), (2000.0, "concrete"));
    assert!(
        *crack_area > 0.5 && *normal == Vector3::y(),
        "{crack_area} {normal}"
    );
    let is_weak = |event: &Event| matches!(event, Event::BelowThreshold { .. });
    assert!(told.iter().any(is_weak));
    // Those of the last update are on their way.
    let last = destruction.events().len();
    assert_eq!(told[..], events[..events.len() - last]);
    let contact = |event: &&Event| matches!(event, Event::Contact { .. });
    let Some(Event::Contact {
        name,
        impulse,
        speed,
        other,
        surface_tag,
        other_surface_tag,
        ..
    }) = told.iter().find(contact)
    else {
        panic!("{told:?}");
    };
    assert!(name.starts_with("wall/") && *impulse >= 1.0 && *speed > 0.5);
    assert!(other.is_some());
    let between = [surface_tag.as_str(), other_surface_tag.as_str()];
    let pieces = name.starts_with("wall/") && between == ["concrete"; 2];
    assert!(pieces || between == ["concrete", ""], "{between:?}");
}

/// Events that a script has been told of a wall with these fields, in a game that saves right after the pieces have been asked
/// for, if it saves.
fn told_of_wall(script: Destructible, saves: bool, updates: usize) -> Vec<Event> {
    let mut world = World::new();
    let at = Vector3::new(0.0, 0.5, 0.0);
    let wall = world.cube("wall", RigidBodyType::Static, at, script);
    let gunner = Gunner {
        target: wall,
        updates: 10, // strikes nothing itself
        told: Vec::new(),
    };
    world.floor();
    let graph = &mut world.scene.graph;
    let gunner = PivotBuilder::new(BaseBuilder::new().with_script(gunner)).build(graph);
    let mut engine = engine();
    let scene = engine.scenes.add(world.scene);
    engine.register_scripted_scene(scene);
    let mut destruction = Destruction::new(Settings {
        wait_for_results: !saves,
        ..Settings::default()
    });
    let running = Cell::new(true);
    for update in 0..updates {
        let controller = ApplicationLoopController::Headless { running: &running };
        engine.update(DT, controller, &mut 0.0, Default::default());
        let own = engine.scenes.try_get_mut(scene).unwrap();
        if update == 3 {
            let impact = hard(Vector3::new(0.1, 1.0, 0.2));
            destruction.impact(wall, impact).unwrap();
        }
        destruction.update(own, DT);
        send_events_to_scripts(
            &engine.script_processor,
            scene,
            destruction.events_for_scripts(),
        );
        if update == 3 && saves {
            destruction.save(own);
            assert_eq!(broken(destruction.events()), ["wall"]);
            // Nothing is left to be told by the second one.
            destruction.embed_save(own);
            assert!(destruction.events().is_empty());
        }
    }
    let scene = engine.scenes.try_get(scene).unwrap();
    let script = scene.graph.try_get_script_of::<Gunner>(gunner);
    script.unwrap().told.clone()
}

#[test]
fn scripts_hear_once_of_breaks_that_a_save_has_completed() {
    let told = told_of_wall(Destructible::default(), true, 12);
    assert_eq!(broken(&told), ["wall"], "{told:?}");
}

#[test]
fn scripts_hear_of_pieces_whose_time_has_come() {
    let mut script = Destructible::default();
    script.pieces.lifetime = 0.5.into();
    let told = told_of_wall(script, false, 240);
    let [Event::Broken { pieces, .. }, others @ ..] = &told[..] else {
        panic!("{told:?}");
    };
    let free = pieces.iter().filter(|piece| !piece.anchored);
    let free: Vec<_> = free.map(|piece| (piece.node, &piece.name)).collect();
    let removed = others.iter().filter_map(|event| match event {
        Event::Removed {
            node,
            name,
            reason: RemoveReason::Lifetime,
            ..
        } => Some((*node, name)),
        _ => None,
    });
    let removed: Vec<_> = removed.collect();
    assert!(free.len() > 5);
    assert_eq!(removed.len(), free.len(), "{others:?}");
    assert!(free.iter().all(|piece| removed.contains(piece)));
}

#[test]
fn a_message_is_taken_in_the_next_update() {
    let mut world = World::new();
    let node = world.cube("wall", RigidBodyType::Static, Vector3::zeros(), brittle());
    world.step();
    // The script reads its messages of type `Impact`.
    let script = world
        .scene
        .graph
        .try_get_script_of_mut::<Destructible>(node)
        .unwrap();
    script.inbox.push(hard(Vector3::new(0.0, 0.5, 0.0)));
    assert_eq!(broken(&world.steps(2)), ["wall"]);
}

#[test]
fn messages_arrive_at_scripts_of_several_destructions_and_at_new_ones() {
    let told_by = |change: fn(&mut World, Handle<Node>)| {
        let mut world = World::new();
        let node = world.cube("wall", RigidBodyType::Static, Vector3::zeros(), brittle());
        world.steps(3);
        change(&mut world, node);
        world.steps(3);
        let graph = &mut world.scene.graph;
        let script = graph.try_get_script_of_mut::<Destructible>(node).unwrap();
        script.inbox.push(hard(Vector3::new(0.0, 0.5, 0.0)));
        assert_eq!(broken(&world.steps(2)), ["wall"]);
    };
    told_by(|_, _| {});
    // The script keeps setting the flag of the destruction that found it first.
    told_by(|world, _| world.destruction.clear());
    told_by(|world, node| {
        let graph = &mut world.scene.graph;
        let script = graph.try_get_script_of_mut::<Destructible>(node).unwrap();
        *script = brittle();
    });
}

/// An object that an impact of 20 N s breaks.
fn brittle() -> Destructible {
    Destructible {
        breaking: Breaking {
            damage_threshold: 20.0.into(),
            ..Breaking::default()
        },
        ..Default::default()
    }
}
