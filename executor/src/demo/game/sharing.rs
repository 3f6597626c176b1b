//! The scene of a game among other players: a host tells which it opens, and a client opens the same.

use crate::demo::program::Program;
use crate::players::{HostedScene, Players, PlayersError};
use std::path::{Component, Path, PathBuf};

/// Tells clients of the scene that is about to be opened.
pub(super) fn begin_hosted_run(players: &mut Players, program: &Program) {
    let file = program.scene.strip_prefix(&program.data);
    let file = file.unwrap_or(&program.scene);
    if let Players::Host(host) = players {
        host.begin_run(HostedScene {
            file: file.to_string_lossy().replace('\\', "/"),
            seed: program.choices.seed,
        });
    }
}

/// Whether the scene that is open is that of the host's run, given the run that was opened.
pub(super) fn is_in_hosted_run(players: &Players, opened: Option<u64>) -> bool {
    match players {
        Players::Client(client) => client.scene().map(|(run, _)| run) == opened,
        _ => true,
    }
}

/// The file of the scene that a host plays, if it is one of the data folder.
///
/// # Errors
/// [`PlayersError::NoScene`] otherwise.
pub(super) fn hosted_file(scene: &HostedScene, data: &Path) -> Result<PathBuf, PlayersError> {
    let file = Path::new(&scene.file);
    let is_inside = file
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    let path = data.join(file);
    if is_inside && path.is_file() {
        return Ok(path);
    }
    let file = scene.file.clone();
    Err(PlayersError::NoScene { file })
}
