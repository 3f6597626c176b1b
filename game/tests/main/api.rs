//! The code of the page `API.md`, which has to be here word for word.

use crate::world::{World, DT};
use fracture::{CookReport, Cooking, Destructible, Destruction, Event, Impact, Settings};
use fyrox::{
    asset::{io::FsResourceIo, manager::ResourceManager},
    core::{
        algebra::{Vector2, Vector3},
        task::TaskPool,
        visitor::Visitor,
    },
    graph::SceneGraph,
    scene::{rigidbody::RigidBodyType, Scene},
};
use std::sync::Arc;

fn scene() -> World {
    let mut world = World::new();
    let size = Vector3::new(2.0, 2.0, 0.3);
    world.block(
        "Wall",
        RigidBodyType::Static,
        Vector3::new(0.0, 1.0, 0.0),
        size,
        Destructible::default(),
    );
    world.steps(2);
    world
}

#[test]
fn a_destruction_without_the_engine() {
    let (mut scene, dt) = (Scene::new(), 1.0 / 60.0);
    let mut destruction = Destruction::new(Settings::default());
    scene.update(Vector2::new(1.0, 1.0), dt, Default::default());
    destruction.update(&mut scene, dt);
    assert!(destruction.events().is_empty());
}

#[test]
fn impacts_events_queries_and_saves() -> Result<(), Box<dyn std::error::Error>> {
    let World {
        mut scene,
        mut destruction,
    } = scene();
    let wall = scene.graph.pair_iter().find(|(_, n)| n.name() == "Wall");
    let wall = wall.map(|(handle, _)| handle).unwrap();
    let impact = Impact::new(Vector3::new(0.0, 1.0, 0.15), Vector3::z(), 2000.0)
        .with_impulse(Vector3::new(0.0, 0.0, -300.0));
    destruction.impact(wall, impact)?;
    for _ in 0..2 {
        scene.update(Vector2::new(1.0, 1.0), DT, Default::default());
        destruction.update(&mut scene, DT);
    }
    for event in destruction.events() {
        if let Event::Broken {
            name,
            surface_tag,
            pieces,
            point,
            crack_area,
            ..
        } = event
        {
            println!("{name} ({surface_tag}) broke at {point}: {crack_area} m2 of cracks");
            for piece in pieces {
                println!(
                    "{}: {} kg at {} m/s",
                    piece.name, piece.mass, piece.velocity
                );
            }
        }
    }
    assert_eq!(destruction.events().len(), 1);
    let eye = Vector3::new(0.0, 1.0, 5.0);
    if let Some(hit) = destruction.cast_ray(eye, -Vector3::z(), 100.0) {
        println!("{} m away, breakable: {}", hit.distance, hit.breakable);
    }
    let hit = destruction.cast_ray(eye, -Vector3::z(), 100.0).unwrap();
    assert!(
        hit.breakable && (hit.distance - 4.85).abs() < 0.4,
        "{hit:?}"
    );
    let World {
        scene: mut fresh_scene,
        destruction: mut fresh_destruction,
    } = self::scene();
    let save: Vec<u8> = destruction.save(&mut scene);
    // In another session, after the same scene has been loaded:
    fresh_destruction.restore(&mut fresh_scene, save)?;
    assert_eq!(fresh_destruction.is_intact("Wall"), Some(false));
    let mut visitor = Visitor::new();
    destruction.embed_save(&mut scene);
    scene.save("Scene", &mut visitor)?;
    destruction.restore_intact(wall)?;
    destruction
        .restore_intact_within([Vector3::new(-5.0, 0.0, -5.0), Vector3::new(5.0, 4.0, 5.0)])?;
    Ok(())
}

#[test]
fn cooking_in_a_tool() {
    let World { scene, .. } = scene();
    let resource_manager = ResourceManager::new(Arc::new(FsResourceIo), Arc::new(TaskPool::new()));
    let cooking = Cooking::new(
        &scene.graph,
        Some("data/scenes/hall.rgs".as_ref()),
        &resource_manager,
    );
    let report = cooking.run(&|| false); // files written, and what could not be written
    let nothing_takes_long = report.is_some_and(|report| report == CookReport::default());
    assert!(nothing_takes_long);
}

#[test]
fn the_page_shows_this_code() {
    let bare = |text: &str| -> String {
        let words = text.split_whitespace().collect::<String>();
        words.replace(",}", "}").replace(",)", ")")
    };
    let here = bare(include_str!("api.rs"));
    let blocks = include_str!("../../API.md").split("```rust").skip(1);
    let code = blocks.filter_map(|block| block.split("```").next()?.split_once('\n'));
    let blocks: Vec<&str> = code.map(|(_, code)| code).collect();
    assert_eq!(blocks.len(), 10);
    for block in blocks {
        assert!(here.contains(&bare(block)), "not in this file:\n{block}");
    }
}

mod anchors {
    use fracture::Anchor;
    use fyrox::{
        core::pool::Handle,
        graph::SceneGraph,
        scene::{
            base::BaseBuilder,
            collider::{ColliderBuilder, ColliderShape},
            node::Node,
            Scene,
        },
    };

    fn hold(scene: &mut Scene) -> Handle<Node> {
        let hook = ColliderBuilder::new(BaseBuilder::new().with_name("Hook"))
            .with_shape(ColliderShape::ball(0.3))
            .build(&mut scene.graph)
            .to_base();
        scene.graph.node_mut(hook).add_script(Anchor::default());
        hook
    }

    fn let_go(scene: &mut Scene, hook: Handle<Node>) {
        scene.graph.node_mut(hook).set_enabled(false); // or moved, or removed
    }

    #[test]
    fn an_anchor_holds_what_meets_it_until_it_goes() {
        use crate::world::World;
        use fracture::{Anchoring, Destructible, Held};
        use fyrox::{core::algebra::Vector3, scene::rigidbody::RigidBodyType};

        let mut world = World::new();
        let anchoring = Anchoring::Touching.into();
        let script = Destructible {
            held: Held {
                anchoring,
                ..Default::default()
            },
            ..Default::default()
        };
        let (kind, at) = (RigidBodyType::Static, Vector3::new(0.0, 0.2, 0.0));
        world.block("sign", kind, at, Vector3::repeat(0.4), script);
        let hook = hold(&mut world.scene);
        world.steps(60);
        assert_eq!(world.destruction.is_intact("sign"), Some(true));
        let_go(&mut world.scene, hook);
        world.steps(120);
        assert_eq!(world.destruction.is_intact("sign"), Some(false));
    }
}

mod certificates {
    use fracture::{certificate::Hold, SceneStructure};
    use fyrox::scene::Scene;

    fn check(scene: &Scene) -> Result<(), fracture::SimulationError> {
        let certificate = SceneStructure::new(&scene.graph, None)?.certify();
        for (node, member) in certificate.members() {
            let floats = matches!(member.hold, Hold::Nothing { .. });
            let removal = certificate.without(member.body)?; // what comes down without it
            println!(
                "{node}: floats {floats}, falls {}, brings down {}",
                member.falls, removal.share
            );
        }
        Ok(())
    }

    #[test]
    fn a_scene_is_certified() {
        check(&super::scene().scene).unwrap();
    }
}
