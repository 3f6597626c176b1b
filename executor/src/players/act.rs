//! Actions of a shared scene: what a player does here, what the host is asked for, and what others are shown.

use super::Players;
use crate::scenario::{perform, Action, Balls, Post};
use fracture::{Destruction, Impact};
use fyrox::scene::Scene;

/// Performs an action of this program's player. A client's shots and hammer break at once, foretold; bombs and cuts are
/// asked for. Balls are shown to the others.
///
/// # Errors
/// As [`perform`].
pub fn perform_shared(
    players: &mut Players,
    action: &Action,
    scene: &mut Scene,
    destruction: &mut Destruction,
    balls: &mut Balls,
    post: &mut Post,
) -> Result<(), String> {
    match (players, action) {
        (Players::Client(client), Action::Explosion { .. } | Action::Cut { .. }) => {
            client.ask(action);
            Ok(())
        }
        (Players::Client(client), Action::Throw { .. }) => {
            client.ask(action);
            perform(action, scene, destruction, balls, post)?;
            if let Some(ball) = balls.newest() {
                destruction.set_foretelling(ball, true);
            }
            Ok(())
        }
        (
            Players::Client(_),
            Action::Shoot {
                from,
                direction,
                distance,
                energy,
                impulse,
            },
        ) => {
            let Some(hit) = destruction.cast_ray(from.0, direction.0, *distance) else {
                return Ok(()); // a miss
            };
            let impact = Impact::new(hit.point, hit.normal, *energy)
                .with_impulse(direction.0.normalize() * *impulse);
            // What is not breakable is struck in vain.
            let _ = destruction.foretell(hit.node, impact);
            Ok(())
        }
        (Players::Host(host), Action::Throw { .. }) => {
            host.show(action);
            perform(action, scene, destruction, balls, post)
        }
        _ => perform(action, scene, destruction, balls, post),
    }
}

/// Performs what has come from other players. Their balls break nothing here: what they break comes as a blow.
///
/// # Errors
/// As [`perform`].
pub fn perform_of_others(
    players: &mut Players,
    scene: &mut Scene,
    destruction: &mut Destruction,
    balls: &mut Balls,
) -> Result<(), String> {
    let actions = match players {
        Players::None => return Ok(()),
        Players::Host(host) => host.take_actions(),
        Players::Client(client) => client.take_actions(),
    };
    for action in &actions {
        perform(action, scene, destruction, balls, &mut |_, _| ())?;
        if let (Action::Throw { .. }, Some(ball)) = (action, balls.newest()) {
            destruction.set_harmless(ball, true);
        }
    }
    Ok(())
}
