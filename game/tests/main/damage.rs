//! Damage of blows that are too weak to break an object, and the share of it that stands.

use crate::world::{broken, hard, World};
use fracture::{Breaking, Destructible, Event, Impact};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{
        node::Node,
        rigidbody::{RigidBody, RigidBodyType},
    },
};
use std::time::Duration;

/// A script whose object breaks at 20 N s.
fn script(weakening: f32) -> Destructible {
    Destructible {
        breaking: Breaking {
            damage_threshold: 20.0.into(),
            weakening: weakening.into(),
            max_radius: 0.5.into(),
            ..Breaking::default()
        },
        ..Destructible::default()
    }
}

/// Walls of one name side by side, 4 m from each other.
fn walls(count: usize, weakening: f32) -> (World, Vec<Handle<Node>>) {
    let mut world = World::new();
    world.floor();
    let walls = (0..count).map(|index| {
        let at = Vector3::new(4.0 * index as f32, 1.0, 0.0);
        let size = Vector3::new(3.0, 2.0, 0.3);
        world.block("Wall", RigidBodyType::Static, at, size, script(weakening))
    });
    let walls = walls.collect();
    world.steps(3);
    (world, walls)
}

/// A blow on the front of a wall, N s.
fn blow(wall: usize, impulse: f32) -> Impact {
    let point = Vector3::new(4.0 * wall as f32 + 0.6, 1.2, 0.15);
    Impact::new(point, Vector3::z(), 100.0).with_impulse(-Vector3::z() * impulse)
}

fn damage_told(events: &[Event]) -> Vec<f32> {
    let told = events.iter().filter_map(|event| match event {
        Event::Damaged { damage, .. } => Some(*damage),
        _ => None,
    });
    told.collect()
}

#[test]
fn weak_blows_at_a_place_damage_it_until_it_breaks() {
    let (mut world, walls) = walls(1, 1.0);
    assert_eq!(world.destruction.damage("Wall"), Some(0.0));
    assert_eq!(world.destruction.standing_share("Wall"), Some(1.0));
    let events = world.strike("Wall", blow(0, 14.0));
    let point = Vector3::new(0.6, 1.2, 0.15);
    let told = events.iter().any(|event| {
        matches!(event, Event::Damaged { node, name, point: at, .. }
            if *node == walls[0] && name == "Wall" && (at - point).norm() < 1e-5)
    });
    assert!(told, "{events:?}");
    let spots = world.destruction.damaged_spots(walls[0]);
    assert_eq!(spots.len(), 1);
    assert!((spots[0].point - point).norm() < 1e-5);
    assert!((spots[0].normal - Vector3::z()).norm() < 1e-5);
    assert!((spots[0].damage - 0.49).abs() < 1e-4);
    assert_eq!(world.destruction.damage(walls[0]), Some(spots[0].damage));
    assert_eq!(damage_told(&world.strike("Wall", blow(0, 14.0))).len(), 1);
    assert_eq!(world.destruction.is_intact("Wall"), Some(true));
    let events = world.strike("Wall", blow(0, 14.0));
    assert_eq!(broken(&events), ["Wall"]);
    let standing = world.destruction.standing_share("Wall").unwrap();
    assert!(standing > 0.5 && standing < 1.0, "{standing}");
    assert_eq!(world.destruction.damage("Wall"), Some(0.0));
    assert_eq!(world.destruction.damage("Door"), None);
    assert_eq!(world.destruction.standing_share("Door"), None);
}

#[test]
fn without_weakening_nothing_adds_up() {
    let (mut world, _) = walls(1, 0.0);
    for _ in 0..10 {
        let events = world.strike("Wall", blow(0, 19.0));
        assert!(damage_told(&events).is_empty() && broken(&events).is_empty());
    }
    assert_eq!(world.destruction.damage("Wall"), Some(0.0));
}

#[test]
fn the_standing_share_of_what_nothing_holds_is_that_of_its_largest_piece() {
    let mut world = World::new();
    world.floor();
    let at = Vector3::new(0.0, 0.5, 0.0);
    world.cube("Cube", RigidBodyType::Dynamic, at, Destructible::default());
    world.steps(3);
    world.strike("Cube", hard(Vector3::new(0.4, 1.0, 0.4)));
    let pieces = world.destruction.pieces_of("Cube").into_iter();
    let largest = pieces.map(|piece| piece.volume).fold(0.0, f64::max);
    let standing = world.destruction.standing_share("Cube").unwrap();
    assert!(
        standing < 1.0 && (standing - largest).abs() < 1e-6,
        "{standing}"
    );
}

#[test]
fn a_damaged_object_is_made_as_new() {
    let (mut world, walls) = walls(1, 1.0);
    assert_eq!(world.destruction.restore_intact("Wall"), Ok(0));
    world.strike("Wall", blow(0, 18.0));
    assert_eq!(world.destruction.restore_intact("Wall"), Ok(1));
    let events = world.steps(3);
    let restored =
        |event: &Event| matches!(event, Event::Restored { node, .. } if *node == walls[0]);
    assert!(events.iter().any(restored), "{events:?}");
    assert_eq!(world.destruction.damage("Wall"), Some(0.0));
    assert!(broken(&world.strike("Wall", blow(0, 18.0))).is_empty());
}

#[test]
fn saves_keep_the_damage_of_each_of_several_objects_with_one_name() {
    for save_as in [
        fracture::Destruction::save,
        fracture::Destruction::save_compact,
    ] {
        let (mut world, objects) = walls(4, 1.0);
        for (index, impulse) in [(1, 18.0), (2, 60.0)] {
            let impact = blow(index, impulse);
            world.destruction.impact(objects[index], impact).unwrap();
        }
        world.steps(3);
        let bytes = save_as(&mut world.destruction, &mut world.scene);
        let (mut restored, others) = walls(4, 1.0);
        restored
            .destruction
            .restore(&mut restored.scene, bytes)
            .unwrap();
        restored.step();
        for (wall, other) in objects.iter().zip(&others) {
            let [old, new] = [(&world, wall), (&restored, other)].map(|(world, wall)| {
                let destruction = &world.destruction;
                (
                    destruction.is_intact(*wall),
                    destruction.damaged_spots(*wall),
                )
            });
            assert_eq!(old, new);
        }
        assert_eq!(restored.destruction.is_intact(others[2]), Some(false));
        assert!(restored.destruction.damage(others[1]) > Some(0.8));
    }
}

#[test]
fn damage_outlasts_changes_of_fields_and_of_the_body() {
    let (mut world, walls) = walls(1, 1.0);
    world.strike("Wall", blow(0, 18.0));
    let before = world.destruction.damaged_spots(walls[0]);
    let graph = &mut world.scene.graph;
    let script = graph.try_get_script_of_mut::<Destructible>(walls[0]);
    script.unwrap().breaking.seed = 5.into();
    world.steps(20);
    assert_eq!(world.destruction.damaged_spots(walls[0]), before);
    let graph = &mut world.scene.graph;
    let body: &mut RigidBody = graph.try_get_mut_of_type(walls[0]).unwrap();
    body.set_body_type(RigidBodyType::Dynamic);
    world.steps(20);
    assert_eq!(world.destruction.damaged_spots(walls[0]).len(), 1);
    assert!(world.destruction.damage(walls[0]) > Some(0.8));
    // An object that is made intact has none, also when its fields were changed in the same frame.
    let graph = &mut world.scene.graph;
    let script = graph.try_get_script_of_mut::<Destructible>(walls[0]);
    script.unwrap().breaking.seed = 6.into();
    world.destruction.restore_intact("Wall").unwrap();
    world.steps(20);
    assert_eq!(world.destruction.damage(walls[0]), Some(0.0));
}

#[test]
fn damage_is_drawn_around_its_place() {
    let (mut world, _) = walls(1, 1.0);
    world.scene.drawing_context.clear_lines();
    world
        .destruction
        .draw_damage(&mut world.scene.drawing_context);
    assert!(world.scene.drawing_context.lines.is_empty());
    world.strike("Wall", blow(0, 18.0));
    let spot = world.destruction.damaged_spots("Wall")[0];
    world.scene.drawing_context.clear_lines();
    world
        .destruction
        .draw_damage(&mut world.scene.drawing_context);
    let lines = &world.scene.drawing_context.lines;
    assert!(lines.len() >= 20, "{}", lines.len());
    for line in lines.iter() {
        for end in [line.begin, line.end] {
            assert!((end.z - 0.15).abs() < 0.02 * spot.radius + 1e-3, "{end}");
            assert!(((end - spot.point).norm() - spot.radius).abs() < 0.02 * spot.radius);
        }
    }
}

#[test]
fn in_which_frame_the_standing_share_is_known_does_not_depend_on_the_worker() {
    let known = |pause: Duration| {
        let mut world = World::new();
        world.floor();
        let at = Vector3::new(0.0, 0.5, 0.0);
        world.cube("Cube", RigidBodyType::Dynamic, at, Destructible::default());
        let frames = (0..6).map(|_| {
            world.step();
            // The worker goes on beside the frames.
            std::thread::sleep(pause);
            let share = world.destruction.standing_share("Cube");
            let volume = world.destruction.source_volume("Cube").is_some();
            let report = world.destruction.mesh_report("Cube").is_some();
            assert_eq!((share.is_some(), volume), (report, report));
            report
        });
        frames.collect::<Vec<_>>()
    };
    let at_once = known(Duration::ZERO);
    assert!(at_once.contains(&true));
    assert_eq!(known(Duration::from_millis(20)), at_once);
}
