//! Impacts by script message, through the engine's own script processor.

use crate::world::{broken, cube_surface, World, DT};
use fracture::{Destructible, Destruction, Impact, Settings};
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
    script::{ScriptContext, ScriptTrait},
};
use std::{cell::Cell, sync::Arc};

/// A script of a game that strikes a node in its third update.
#[derive(Visit, Reflect, Default, Debug, Clone, TypeUuidProvider, ComponentProvider)]
#[type_uuid(id = "2d7f8a7e-5d3e-4b5a-9c77-0f5f6f1c9b01")]
struct Gunner {
    target: Handle<Node>,
    updates: usize,
}

impl ScriptTrait for Gunner {
    fn on_update(&mut self, ctx: &mut ScriptContext) -> GameResult {
        self.updates += 1;
        if self.updates == 3 {
            let blow = Impact::new(Vector3::new(0.0, 0.5, 0.0), Vector3::y(), 2000.0);
            ctx.message_sender.send_to_target(self.target, blow);
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
        Some(Destructible::default()),
    );
    let gunner = Gunner {
        target: wall,
        updates: 0,
    };
    PivotBuilder::new(BaseBuilder::new().with_script(gunner)).build(&mut world.scene.graph);

    let mut engine = engine();
    let scene = engine.scenes.add(world.scene);
    engine.register_scripted_scene(scene);
    let mut destruction = Destruction::new(Settings {
        wait_for_results: true,
        ..Default::default()
    });
    let running = Cell::new(true);
    let mut events = Vec::new();
    for _ in 0..10 {
        let controller = ApplicationLoopController::Headless { running: &running };
        engine.update(DT, controller, &mut 0.0, Default::default());
        destruction.update(engine.scenes.try_get_mut(scene).unwrap(), DT);
        events.extend(destruction.events().to_vec());
    }
    assert_eq!(broken(&events), ["wall"]);
}
