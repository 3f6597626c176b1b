//! Pictures of pieces: their colours, sites placed by hand, a second pattern, rough cut faces.

use super::{fragments, pattern, running::pieces};
use crate::driver::{choose, handle, scene, text, then, undo, until, Step};
use editor::{
    commands::{tune, TunePattern},
    tool::ids,
};
use fracture::{Destructible, FracturePattern, WeaknessMapping};
use fyrox::{
    core::{algebra::Vector3, color::Color},
    graph::SceneGraph,
    material::MaterialResource,
    resource::texture::Texture,
    scene::{
        base::BaseBuilder, mesh::Mesh, node::Node, pivot::PivotBuilder, transform::TransformBuilder,
    },
};
use fyroxed_base::Editor;
use std::{cell::RefCell, collections::BTreeSet, rc::Rc};

/// The sites that are placed by hand, in the wall's space.
const SITES: [[f32; 3]; 4] = [
    [-0.2, 1.2, 0.0],
    [0.3, 1.3, 0.05],
    [0.0, 1.8, -0.05],
    [0.1, 0.6, 0.0],
];

pub fn steps() -> Vec<Step> {
    let mut steps = vec![until("the preview is there", broken)];
    steps.extend(colors());
    steps.extend(sites());
    steps.extend(second_pattern());
    steps.extend(rough());
    steps.extend(painted());
    steps
}

fn broken(editor: &mut Editor) -> bool {
    fragments(&text(editor, ids::FIGURES)) > 5
}

/// The colour of a material of the preview's; none of the object's own.
fn color(material: &MaterialResource) -> Option<Color> {
    let is_own = !material.kind().is_embedded();
    let data = material.data_ref();
    let group = data.as_loaded_ref()?.property_group_ref("properties")?;
    let color = group.property_ref("diffuseColor")?.as_color();
    color.filter(|_| !is_own)
}

/// The colours of fragments, or of islands.
fn seen(editor: &Editor, kind: &str) -> BTreeSet<Option<[u8; 3]>> {
    let all = pieces(editor).into_iter();
    let own = all.filter(|(graph, piece)| graph[*piece].name().contains(kind));
    let colors = own.flat_map(|(graph, piece)| {
        let mesh = graph.try_get_of_type::<Mesh>(piece).expect("a mesh");
        let materials = mesh
            .surfaces()
            .iter()
            .map(|surface| color(surface.material()));
        materials.collect::<Vec<_>>()
    });
    colors
        .map(|color| color.map(|color| [color.r, color.g, color.b]))
        .collect()
}

/// By each meaning of colours: how many there are of fragments, and of islands; 0 for their own
/// materials.
fn counts(editor: &Editor) -> [usize; 2] {
    ["/fragment_", "/island_"].map(|kind| {
        let colors = seen(editor, kind);
        if colors.contains(&None) {
            0
        } else {
            colors.len()
        }
    })
}

fn colors() -> Vec<Step> {
    let by = |name: &'static str, wanted: fn(&str) -> bool, right: fn([usize; 2]) -> bool| {
        [
            choose(
                &format!("pieces are coloured by {name}"),
                ids::COLORS,
                wanted,
            ),
            until("they have colours that mean it", move |editor| {
                right(counts(editor))
            }),
        ]
    };
    let mut steps = Vec::new();
    steps.extend(by("cell", |n| n == "cell", |[f, i]| f > 5 && i == 1));
    steps.extend(by("size", |n| n == "size", |[f, i]| f > 3 && i == 1));
    steps.extend(by("depth", |n| n == "depth", |[f, i]| f > 3 && i == 1));
    steps.extend(by("island", |n| n == "island", |[f, i]| f == 1 && i == 1));
    steps.extend(by("material", |n| n == "material", |both| both == [0, 0]));
    steps
}

/// Changes the wall's script by one step.
fn change(editor: &mut Editor, field: &str, act: impl FnMut(&mut Destructible)) {
    let wall = handle(editor, "Wall");
    let graph = &scene(editor).expect("a scene").graph;
    let step = tune(graph, &[wall], field, act);
    editor.message_sender.do_command(step.expect("a step"));
}

/// Figures before a change, to be there again after it is undone.
fn kept() -> (Step, Vec<Step>) {
    let before: Rc<RefCell<Vec<usize>>> = Default::default();
    let first = before.clone();
    let note = then("figures are noted", move |editor| {
        *first.borrow_mut() = numbers(editor);
    });
    let undone = vec![
        then("that is undone", undo),
        until("the preview is as before", move |editor| {
            numbers(editor) == *before.borrow()
        }),
    ];
    (note, undone)
}

/// Fragments and triangles.
fn numbers(editor: &Editor) -> Vec<usize> {
    let figures = text(editor, ids::FIGURES);
    let line = figures.lines().nth(1).unwrap_or_default();
    vec![fragments(&figures), fragments(line)]
}

fn sites() -> Vec<Step> {
    let (note, undone) = kept();
    let mut steps = vec![
        note,
        then("sites are placed by hand", |editor| {
            let wall = handle(editor, "Wall");
            let graph = &mut scene(editor).expect("a scene").graph;
            let site = |at: [f32; 3]| {
                let place = TransformBuilder::new().with_local_position(Vector3::from(at));
                let base = BaseBuilder::new().with_name("Site");
                let base = base.with_local_transform(place.build());
                PivotBuilder::new(base).build(graph).to_base::<Node>()
            };
            let sites = SITES.map(site).to_vec();
            for site in &sites {
                graph.link_nodes(*site, wall);
            }
            change(editor, "Site Nodes", |script| {
                script
                    .breaking
                    .site_nodes
                    .set_value_and_mark_modified(sites.clone());
            });
        }),
        until("the wall has a cell for each", |editor| {
            let (islands, fragments) = (pieces(editor), fragments(&text(editor, ids::FIGURES)));
            (1..=SITES.len()).contains(&fragments) && islands.len() <= SITES.len()
        }),
    ];
    steps.extend(undone);
    steps.push(then("the nodes are taken away", |editor| {
        for _ in SITES {
            let site = handle(editor, "Site");
            scene(editor).expect("a scene").graph.remove_node(site);
        }
    }));
    steps
}

fn second_pattern() -> Vec<Step> {
    let (note, undone) = kept();
    let before: Rc<RefCell<usize>> = Default::default();
    let first = before.clone();
    let mut steps = vec![
        note,
        then("the nearest cells are broken up further", move |editor| {
            *first.borrow_mut() = numbers(editor)[0];
            let pattern = FracturePattern {
                fine_cells: 4,
                fine_parts: 12,
                ..pattern(editor)
            };
            let resource = super::files::resource(editor);
            let step = TunePattern::new(resource, pattern, None, "Fine Cells");
            editor.message_sender.do_command(step);
        }),
        until("there are more of them", move |editor| {
            numbers(editor)[0] > *before.borrow() + 12
        }),
    ];
    steps.extend(undone);
    steps
}

fn rough() -> Vec<Step> {
    let (note, undone) = kept();
    let before: Rc<RefCell<usize>> = Default::default();
    let first = before.clone();
    let mut steps = vec![
        note,
        then("cut faces get bumps", move |editor| {
            *first.borrow_mut() = numbers(editor)[1];
            change(editor, "Cut Roughness", |script| {
                script.inside.bump_height.set_value_and_mark_modified(0.01);
                script
                    .inside
                    .bump_distance
                    .set_value_and_mark_modified(0.05);
            });
        }),
        until(
            "which takes triangles, and leaves all pieces closed",
            move |editor| {
                let closed = !text(editor, ids::FIGURES).contains("not closed");
                numbers(editor)[1] > 2 * *before.borrow() && closed
            },
        ),
    ];
    steps.extend(undone);
    steps
}

fn painted() -> Vec<Step> {
    let weak = |editor: &mut Editor| super::lines(editor, editor::tool::WEAK);
    let (note, undone) = kept();
    let mut steps = vec![
        note,
        then(
            "the wall is painted weak in the shape of a door",
            move |editor| {
                assert_eq!(weak(editor), 0);
                let resources = &editor.engine.resource_manager;
                let map = resources.request::<Texture>("data/textures/weak_door.png");
                change(editor, "Weakness Map", |script| {
                    let breaking = &mut script.breaking;
                    let mapping = &mut breaking.weakness_mapping;
                    mapping.set_value_and_mark_modified(WeaknessMapping::BroadSide);
                    let own = &mut breaking.weakness_map;
                    own.set_value_and_mark_modified(Some(map.clone()));
                });
            },
        ),
        until("its weak places are drawn", move |editor| {
            weak(editor) > 200
        }),
    ];
    steps.extend(undone);
    steps.push(until("they are gone", move |editor| weak(editor) == 0));
    steps
}
