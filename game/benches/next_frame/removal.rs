//! A node that is taken out of a building: how what it held comes down.

use fracture::{BreakCause, Event};
use fyrox::graph::SceneGraph;

use super::{quantile, Options, Range, Reader, Update};

/// Frames after the removal that are looked at.
const FRAMES: usize = 300;

/// Takes a node out of scenes, and prints a table.
pub fn table(
    node: &str,
    inputs: &[String],
    reader: &Reader,
    options: &Options,
) -> Result<(), String> {
    println!("| scene | frames | bodies then | bodies in all | last | update p99, ms | longest | of the processor, p99 | longest |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for input in inputs {
        for _ in 0..options.runs {
            let resources = Some(&reader.engine.resource_manager);
            let mut range = Range::new(reader.scene(input)?, resources, options);
            range.prepare(options.cold);
            let graph = &mut range.scene.graph;
            let (removed, _) = graph
                .find_by_name_from_root(node)
                .ok_or_else(|| format!("{input}: no node \"{node}\""))?;
            graph.remove_node(removed);
            println!("| {input} | {} |", removal(range));
        }
    }
    Ok(())
}

/// Runs frames after a removal. Returns the figures of a row: the first frame in which bodies come down, how many then and
/// in all, the last such frame, and the updates.
fn removal(mut range: Range) -> String {
    range.updates.clear();
    let is_fall = |event: &&Event| match event {
        Event::Broken { cause, .. } => *cause == BreakCause::Weight,
        _ => false,
    };
    let falls = (1..=FRAMES).map(|frame| {
        range.frame();
        let count = range.destruction.events().iter().filter(is_fall).count();
        (frame, count)
    });
    let falls: Vec<(usize, usize)> = falls.filter(|(_, count)| *count > 0).collect();
    let (first, at_first) = falls.first().copied().unwrap_or_default();
    let (last, _) = falls.last().copied().unwrap_or_default();
    let all: usize = falls.iter().map(|(_, count)| count).sum();
    let of =
        |get: fn(&Update) -> f64, share| quantile(range.updates.iter().map(get).collect(), share);
    format!(
        "{first} | {at_first} | {all} | {last} | {:.2} | {:.2} | {:.2} | {:.2}",
        of(|update| update.time, 0.99),
        of(|update| update.time, 1.0),
        of(|update| update.work, 0.99),
        of(|update| update.work, 1.0),
    )
}
