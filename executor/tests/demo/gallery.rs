//! Every scene of the menu opens, stands, is hit, breaks into closed pieces, and leaves nothing behind.

use crate::open::{alone, Open};
use executor::{demo::GALLERY, scenario::Action, scenario::Point};
use fyrox::core::algebra::Vector3;
use std::{fs, path::Path, thread, time::Duration};

/// The module's threads in this process, where the system tells their names.
fn threads() -> Vec<String> {
    let tasks = fs::read_dir("/proc/self/task").into_iter().flatten();
    let names = tasks.filter_map(|task| fs::read_to_string(task.ok()?.path().join("comm")).ok());
    names.filter(|name| name.starts_with("fracture")).collect()
}

/// The middle of an object, and how large it is.
pub fn place(open: &mut Open, name: &str) -> Vector3<f32> {
    let scene = open.engine.scene(open.scene).unwrap();
    let node = scene.graph.linear_iter().find(|node| node.name() == name);
    let handle = node.unwrap().children().to_vec();
    let boxes = handle
        .iter()
        .map(|child| scene.graph[*child].world_bounding_box());
    let mut all = fyrox::core::math::aabb::AxisAlignedBoundingBox::default();
    boxes.filter(|b| b.is_valid()).for_each(|b| all.add_box(b));
    all.center()
}

pub fn bomb(center: Vector3<f32>) -> Action {
    Action::Explosion {
        center: Point(center),
        radius: 2.0,
        energy: 4.2e6,
    }
}

#[test]
fn every_scene_stands_is_hit_and_breaks_into_closed_pieces_and_nothing_is_left_behind() {
    let _alone = alone();
    let mut seen = 0;
    for entry in GALLERY {
        let mut open = Open::new(entry.file);
        let objects = open.destruction.object_names();
        assert!(!objects.is_empty(), "{}", entry.title);
        for cube in entry.cubes {
            assert!(objects.contains(&(*cube).to_owned()), "{cube}");
        }
        open.frames(60);
        assert_eq!(
            open.broken(),
            Vec::<String>::new(),
            "{} falls by itself",
            entry.title
        );
        assert_eq!(open.destruction.faults().count(), 0, "{}", entry.title);

        let hit = objects[objects.len() / 2].clone();
        let center = place(&mut open, &hit);
        open.act(&bomb(center + Vector3::new(0.1, 0.2, 0.3)));
        open.frames(30);
        assert!(
            open.broken().contains(&hit),
            "{}: {hit} does not break",
            entry.title
        );
        for name in &objects {
            let pieces = open.destruction.pieces_of(name);
            assert!(
                pieces.iter().all(|piece| piece.closed == Some(true)),
                "{}: {name}",
                entry.title
            );
        }
        let count = open.destruction.pieces_of(&hit).len();
        assert!(count > 2, "{}: {count} pieces of {hit}", entry.title);

        seen += threads().len();
        // The next scene is opened: this one goes with all that belongs to it.
        let Open {
            mut engine,
            scene,
            destruction,
            ..
        } = open;
        drop(destruction);
        engine.close(scene);
        assert!(engine.scene(scene).is_none());
        drop(engine);
        // Threads of a pool end by themselves after it has gone.
        for _ in 0..1000 {
            if threads().is_empty() {
                break;
            }
            thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(threads(), Vec::<String>::new(), "{}", entry.title);
    }
    // Where threads have names at all, these had.
    assert!(seen > 0 || !Path::new("/proc/self/task").exists());
}
