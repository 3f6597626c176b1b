//! Scenes of the menu, saved by the engine in the middle of destruction.

use crate::{
    gallery::{bomb, place},
    open::{alone, Open},
};
use fracture::PieceInfo;
use fyrox::core::{algebra::Vector3, visitor::Visitor};
use std::path::{Path, PathBuf};

/// Sheets of crystals, a wall of bricks, a roof that comes down by its weight, a house, and cubes that
/// physics moves.
const SCENES: [&str; 5] = ["glass", "brick", "columns", "house", "cubes"];

/// The visible state of all pieces.
fn pieces(open: &Open) -> Vec<PieceInfo> {
    let names = open.destruction.object_names();
    let infos = names
        .iter()
        .flat_map(|name| open.destruction.pieces_of(name));
    let mut pieces: Vec<_> = infos
        .map(|info| PieceInfo {
            node: Default::default(),
            ..info
        })
        .collect();
    pieces.sort_by(|a, b| a.name.cmp(&b.name));
    pieces
}

/// Saves the scene as a game would that uses the engine's own saving.
fn write(open: &mut Open, name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("stowed_{name}.rgs"));
    let scene = open.engine.scene(open.scene).unwrap();
    open.destruction.embed_save(scene);
    let mut visitor = Visitor::new();
    scene.save("Scene", &mut visitor).unwrap();
    visitor.save_binary_to_file(&path).unwrap();
    path
}

fn saved(open: &mut Open) -> Vec<u8> {
    let scene = open.engine.scene(open.scene).unwrap();
    open.destruction.save_compact(scene)
}

#[test]
fn scenes_of_the_menu_go_on_where_the_engine_saved_them() {
    let _alone = alone();
    for name in SCENES {
        let mut open = Open::new(format!("scenes/{name}.rgs"));
        open.frames(5);
        let objects = open.destruction.object_names();
        let hit = objects[objects.len() / 2].clone();
        let center = place(&mut open, &hit) + Vector3::new(0.1, 0.2, 0.3);
        open.act(&bomb(center));
        open.frames(20);
        // A save completes the breaks that are under way.
        let path = write(&mut open, name);
        let before = pieces(&open);
        assert!(before.len() > 2, "{name}: {}", before.len());
        let (hash, save) = (open.destruction.geometry_hash(), saved(&mut open));
        drop(open);

        let mut loaded = Open::new(&path);
        let faults: Vec<String> = loaded.destruction.faults().map(|f| f.to_string()).collect();
        assert_eq!(faults, Vec::<String>::new(), "{name}");
        assert_eq!(loaded.destruction.geometry_hash(), hash, "{name}");
        assert_eq!(pieces(&loaded), before, "{name}");
        assert!(saved(&mut loaded) == save, "{name}: another state");
        loaded.frames(20);
        loaded.act(&bomb(center));
        loaded.frames(20);
        assert!(!loaded.broken().is_empty(), "{name}: it breaks no more");
        let faults: Vec<String> = loaded.destruction.faults().map(|f| f.to_string()).collect();
        assert_eq!(faults, Vec::<String>::new(), "{name}");
    }
}
