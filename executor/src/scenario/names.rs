//! Checks that the nodes named by a scenario exist.

use super::{
    action::Action, error::RunError, expectation::Expectation, format::Scenario, read::nearest,
    stage::Stage, wildcard::matches,
};
use std::path::Path;

/// Checks the names before the run: unknown names are mistakes in the file.
pub fn check_names(path: &Path, scenario: &Scenario, stage: &mut Stage) -> Result<(), RunError> {
    let nodes = stage.node_names();
    let objects = stage.objects().to_vec();
    let thrown = scenario
        .actions
        .iter()
        .filter_map(|timed| match &timed.action {
            Action::Throw { name, .. } => Some(name.clone()),
            _ => None,
        });
    let bodies: Vec<String> = nodes.iter().cloned().chain(thrown).collect();
    for (index, timed) in scenario.actions.iter().enumerate() {
        if let Some(name) = timed.action.node() {
            let any = matches!(
                timed.action,
                Action::Move { .. }
                    | Action::Remove { .. }
                    | Action::Push { .. }
                    | Action::Drive { .. }
            );
            let known = if any { &bodies } else { &objects };
            require(path, format!("action {}", index + 1), name, known, &nodes)?;
        }
    }
    for (index, timed) in scenario.expect.iter().enumerate() {
        let who = format!("expectation {}", index + 1);
        match (&timed.that, timed.that.body()) {
            (
                Expectation::Above { .. } | Expectation::Below { .. } | Expectation::Inside { .. },
                Some(body),
            ) => {
                let base = body.split('/').next().unwrap_or(body);
                let known = |name: &String| matches(body, name) || matches(base, name);
                if !bodies.iter().any(known) {
                    require(path, who, base, &bodies, &bodies)?;
                }
            }
            (Expectation::Whole(_), Some(name)) => {
                if !objects.iter().any(|object| matches(name, object)) {
                    require(path, who, name, &objects, &nodes)?;
                }
            }
            (_, Some(name)) => require(path, who, name, &objects, &nodes)?,
            (_, None) => (),
        }
    }
    Ok(())
}

fn require(
    path: &Path,
    who: String,
    name: &str,
    known: &[String],
    nodes: &[String],
) -> Result<(), RunError> {
    if known.iter().any(|other| other == name) {
        return Ok(());
    }
    let what = if nodes.iter().any(|other| other == name) {
        "that node carries no Destructible script"
    } else {
        "the scene has no such node"
    };
    let hint = match nearest(name, known.iter().map(String::as_str)) {
        Some(other) => format!("; did you mean \"{other}\"?"),
        None => format!("; there are: {}", known.join(", ")),
    };
    Err(RunError::Node {
        path: path.to_path_buf(),
        who,
        name: name.to_owned(),
        what,
        hint,
    })
}
