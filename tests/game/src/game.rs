//! The game: a scene with a wall, a script that hits it, and a script that listens to its breaks.

use crate::wall;
use fyrox::{
    core::{
        algebra::Vector3, pool::Handle, reflect::prelude::*, type_traits::prelude::*,
        visitor::prelude::*,
    },
    plugin::{error::GameResult, Plugin, PluginContext, PluginRegistrationContext},
    scene::{base::BaseBuilder, node::Node, pivot::PivotBuilder, Scene},
    script::{ScriptContext, ScriptMessageContext, ScriptMessagePayload, ScriptTrait},
};
use std::sync::{Arc, Mutex};

/// Update in which the hammer hits.
const HIT_UPDATE: u32 = 5;
/// Updates after which the game gives up: 20 s at 60 a second.
const MAX_UPDATES: u32 = 1200;

/// Outcome of the game, shared by `main` and the scripts.
#[derive(Clone, Default, Debug)]
pub struct Outcome(Arc<Mutex<Option<String>>>);

impl Outcome {
    pub fn get(&self) -> Option<String> {
        self.0.lock().ok().and_then(|text| text.clone())
    }

    fn set(&self, text: String) {
        if let Ok(mut outcome) = self.0.lock() {
            *outcome = Some(text);
        }
    }
}

/// A game that uses the module.
#[derive(Default, Debug, Visit, Reflect)]
#[reflect(non_cloneable)]
pub struct MyGame {
    #[visit(skip)]
    #[reflect(hidden)]
    outcome: Outcome,
    #[visit(skip)]
    #[reflect(hidden)]
    updates: u32,
}

impl MyGame {
    pub fn new(outcome: &Outcome) -> Self {
        Self {
            outcome: outcome.clone(),
            ..Self::default()
        }
    }
}

impl Plugin for MyGame {
    fn register(&self, context: PluginRegistrationContext) -> GameResult {
        let scripts = &context.serialization_context.script_constructors;
        scripts.add::<Hammer>("Hammer");
        scripts.add::<Dust>("Dust");
        Ok(())
    }

    fn init(&mut self, _scene_path: Option<&str>, context: PluginContext) -> GameResult {
        let mut scene = Scene::new();
        let wall = wall::add(&mut scene);
        let hammer = Hammer { wall, updates: 0 };
        let dust = Dust {
            outcome: self.outcome.clone(),
        };
        PivotBuilder::new(BaseBuilder::new().with_script(hammer)).build(&mut scene.graph);
        PivotBuilder::new(BaseBuilder::new().with_script(dust)).build(&mut scene.graph);
        context.scenes.add(scene);
        Ok(())
    }

    fn update(&mut self, context: &mut PluginContext) -> GameResult {
        self.updates += 1;
        if self.outcome.get().is_some() || self.updates > MAX_UPDATES {
            context.loop_controller.exit();
        }
        Ok(())
    }
}

/// Hits the wall in the middle of its front.
#[derive(Visit, Reflect, Default, Debug, Clone, TypeUuidProvider, ComponentProvider)]
#[type_uuid(id = "c1a0c2e8-1d0b-4f0e-9c2e-7a8f3f0f1a01")]
#[visit(optional)]
struct Hammer {
    wall: Handle<Node>,
    updates: u32,
}

impl ScriptTrait for Hammer {
    fn on_update(&mut self, ctx: &mut ScriptContext) -> GameResult {
        self.updates += 1;
        if self.updates == HIT_UPDATE {
            let (wall, point, normal) = (self.wall, Vector3::new(0.0, 0.0, 0.1), Vector3::z());
            ctx.message_sender
                .send_to_target(wall, fracture::Impact::new(point, normal, 4000.0));
        }
        Ok(())
    }
}

/// Script that would make dust and noise where something breaks. Here it notes what broke.
#[derive(Visit, Reflect, Default, Debug, Clone, TypeUuidProvider, ComponentProvider)]
#[type_uuid(id = "c1a0c2e8-1d0b-4f0e-9c2e-7a8f3f0f1a02")]
#[visit(optional)]
struct Dust {
    #[visit(skip)]
    #[reflect(hidden)]
    outcome: Outcome,
}

impl ScriptTrait for Dust {
    fn on_start(&mut self, ctx: &mut ScriptContext) -> GameResult {
        ctx.message_dispatcher
            .subscribe_to::<fracture::Event>(ctx.handle);
        Ok(())
    }

    fn on_message(
        &mut self,
        message: &mut dyn ScriptMessagePayload,
        _ctx: &mut ScriptMessageContext,
    ) -> GameResult {
        let event = message.downcast_ref::<fracture::Event>();
        if let Some(event @ fracture::Event::Broken { name, .. }) = event {
            let (fragments, islands) = event.piece_counts();
            self.outcome.set(format!(
                "\"{name}\" broke: {fragments} fragments, {islands} islands"
            ));
        }
        Ok(())
    }
}
