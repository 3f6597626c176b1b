//! The game among other players: a host tells which scene it opens, and a client opens the same.

use crate::demo::game::Game;
use crate::demo::program::Program;
use crate::demo::scene_list;
use crate::players::{HostedScene, Players, PlayersError};
use fyrox::plugin::PluginContext;
use std::path::{Component, Path};

/// Takes what has come from other players, and tells them what there is to tell.
pub(super) fn exchange(game: &mut Game, ctx: &mut PluginContext) {
    let is_open = !game.loading && is_in_hosted_run(game);
    let destruction = game.fracture.destruction_mut(game.scene);
    game.players.exchange(destruction.filter(|_| is_open));
    let Players::Client(client) = &mut game.players else {
        return;
    };
    let problem = client.take_problem();
    let scene = client.scene().map(|(run, scene)| (run, scene.clone()));
    if let Some(problem) = problem {
        game.complain(problem.to_string());
    }
    if let Some((run, scene)) = scene.filter(|(run, _)| game.opened_run != Some(*run)) {
        game.opened_run = Some(run);
        open_hosted(game, &scene, ctx);
    }
}

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

/// Whether another player's game decides which scene is open and when it begins anew; says so if it does.
pub(super) fn is_led(game: &mut Game) -> bool {
    let is_led = matches!(game.players, Players::Client(_));
    if is_led {
        game.hud
            .complain("The host chooses the scene, and resets it.".to_owned());
    }
    is_led
}

fn is_in_hosted_run(game: &Game) -> bool {
    match &game.players {
        Players::Client(client) => client.scene().map(|(run, _)| run) == game.opened_run,
        _ => true,
    }
}

/// Opens the scene that a host plays, if it is one of the data folder.
fn open_hosted(game: &mut Game, scene: &HostedScene, ctx: &mut PluginContext) {
    let file = Path::new(&scene.file);
    let is_inside = file
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    let path = game.program.data.join(file);
    if !is_inside || !path.is_file() {
        let file = scene.file.clone();
        return game.complain(PlayersError::NoScene { file }.to_string());
    }
    game.program.scene = path;
    game.program.choices.seed = scene.seed;
    game.menu
        .select(scene_list::at(&game.program.scene).unwrap_or(0));
    (game.last, game.repeats) = (None, false);
    game.load(ctx);
}
