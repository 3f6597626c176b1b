//! A small game: a wall, a hammer, and a dust script. It depends on the module as the README says, and on
//! nothing of the demo. It needs no screen. It ends when the wall has broken, with a status that says
//! whether it has.

#![forbid(unsafe_code)]

mod game;
mod wall;

use fyrox::{engine::executor::Executor, event_loop::EventLoop};
use game::{MyGame, Outcome};
use std::process::ExitCode;

fn main() -> ExitCode {
    let outcome = Outcome::default();
    play(MyGame::new(&outcome));
    match outcome.get() {
        Some(outcome) => {
            println!("{outcome}");
            ExitCode::SUCCESS
        }
        None => {
            eprintln!("the wall did not break");
            ExitCode::FAILURE
        }
    }
}

fn play(game: MyGame) {
    // These are the lines of the README; a test compares them.
    let mut executor = Executor::new(EventLoop::new().ok());
    executor.add_plugin(game);
    executor.add_plugin(fracture::FracturePlugin::default());
    executor.run();
}
