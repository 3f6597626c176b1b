//! Patterns in the asset browser: their thumbnails, and dragging them to nodes.

use super::{picture, script, ASSETS};
use crate::driver::{
    bring, center, handle, last_command, mouse, on_screen, scroll, text, then, undo, until, Mouse,
    Step,
};
use editor::tool::ids;
use fyrox::{
    core::{algebra::Vector2, algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    gui::{image::Image, UiNode},
    resource::texture::Texture,
};
use fyroxed_base::{
    asset::item::AssetItem,
    scene::{commands::ChangeSelectionCommand, Selection},
    world::selection::GraphSelection,
    Editor, Message,
};
use std::path::Path;

const GLASS: &str = "data/patterns/glass.pattern";

/// The item of a pattern in the browser.
fn item(editor: &Editor, name: &str) -> Option<Handle<UiNode>> {
    let ui = editor.engine.user_interfaces.first();
    let mut items = ui.nodes().pair_iter();
    let found = items.find(|(_, node)| {
        let item = node.cast::<AssetItem>();
        item.is_some_and(|item| item.path.ends_with(name))
    });
    found.map(|(handle, _)| handle)
}

/// Counts the colours of a pattern's thumbnail.
fn colors(editor: &Editor, name: &str) -> usize {
    let ui = editor.engine.user_interfaces.first();
    let Some(item) = item(editor, name) else {
        return 0;
    };
    let images = ui.traverse_iter(item);
    let pictures = images.filter_map(|(_, node)| node.cast::<Image>()?.texture.clone_inner());
    let count = |picture: fyrox::resource::texture::TextureResource| {
        let data = picture.data_ref();
        let pixels = data.as_loaded_ref().map(Texture::data).unwrap_or_default();
        let colors: std::collections::BTreeSet<&[u8]> = pixels.chunks(4).collect();
        colors.len()
    };
    pictures.map(count).max().unwrap_or(0)
}

/// Drags an item of the browser to a place.
fn drag(name: &str, to: fn(&mut Editor) -> Vector2<f32>) -> [Step; 4] {
    [
        then(&format!("{name} is scrolled into sight"), |editor| {
            let item = item(editor, "glass.pattern").expect("an item");
            bring(editor, item);
        }),
        then(&format!("{name} is dragged"), |editor| {
            let item = item(editor, "glass.pattern").expect("an item");
            let from = center(editor, item);
            mouse(editor, Mouse::Move(from));
            mouse(editor, Mouse::Press);
            mouse(editor, Mouse::Move(from + Vector2::new(8.0, 8.0)));
        }),
        then("over where it is to go", move |editor| {
            let to = to(editor);
            mouse(editor, Mouse::Move(to));
        }),
        then("and dropped", |editor| mouse(editor, Mouse::Release)),
    ]
}

fn has_glass(editor: &mut Editor, name: &str) -> bool {
    let pattern = script(editor, name).and_then(|script| script.pattern.clone_inner());
    let path = pattern.and_then(|pattern| {
        let resources = &editor.engine.resource_manager;
        resources.resource_path(pattern.as_ref())
    });
    path.is_some_and(|path| path == Path::new(GLASS))
}

pub fn steps(windowed: bool) -> Vec<Step> {
    let mut steps = vec![
        then("the patterns are looked at", |editor| {
            let path = Path::new(GLASS).canonicalize().expect("a file");
            let show = Message::ShowInAssetBrowser(path);
            editor.message_sender.send(show);
        }),
        until("they have thumbnails", |editor| {
            let names = ["glass", "brick", "wood", "ice"].map(|name| format!("{name}.pattern"));
            names.iter().all(|name| colors(editor, name) > 4)
        }),
    ];
    if windowed {
        steps.push(picture("editor_assets", ASSETS));
        return steps;
    }
    steps.extend(drag("glass", |editor| {
        on_screen(editor, Vector3::new(0.5, 1.8, 0.1))
    }));
    steps.extend([
        until("the wall under the cursor has it", |editor| {
            has_glass(editor, "Wall") && text(editor, ids::PATTERN) == GLASS
        }),
        then("by one step, which is undone", |editor| {
            assert_eq!(last_command(editor), "Set Pattern of \"Wall\"");
            undo(editor);
        }),
        until("the wall has its own pattern", |editor| {
            !has_glass(editor, "Wall")
        }),
    ]);
    steps.push(then("two nodes are selected", |editor| {
        let nodes = vec![handle(editor, "Wall"), handle(editor, "Foundation")];
        let selection = Selection::new(GraphSelection { nodes });
        let step = ChangeSelectionCommand::new(selection);
        editor.message_sender.do_command(step);
    }));
    steps.push(until("the window says so", |editor| {
        text(editor, ids::STATUS) == "\"Wall\" and 1 more: edits go to all of them"
    }));
    steps.push(scroll("the window is scrolled to its top", ids::STATUS));
    steps.extend(drag("glass", |editor| {
        let ui = editor.engine.user_interfaces.first();
        let found = ui.find_from_root(&mut |node: &UiNode| node.id == ids::STATUS);
        center(editor, found.expect("the status").0)
    }));
    steps.extend([
        until("both have it", |editor| {
            has_glass(editor, "Wall") && has_glass(editor, "Foundation")
        }),
        then("by one step, which is undone", |editor| {
            assert_eq!(last_command(editor), "Set Pattern of 2 Nodes");
            undo(editor);
        }),
        until("both are as before", |editor| {
            !has_glass(editor, "Wall") && script(editor, "Foundation").is_none()
        }),
    ]);
    steps
}
