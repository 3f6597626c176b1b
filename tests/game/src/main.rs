//! A small game of somebody else's: a wall, a hammer, and a dust script. It depends on the module as
//! the README says and on nothing of the demo. Without a screen it runs by itself; it ends when the
//! wall has broken, and its exit status says whether that went as it should.

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
        Some(said) => {
            println!("{said}");
            ExitCode::SUCCESS
        }
        None => {
            eprintln!("the wall did not break");
            ExitCode::FAILURE
        }
    }
}

fn play(game: MyGame) {
    // The lines of the README; a test compares them.
    let mut executor = Executor::new(EventLoop::new().ok());
    executor.add_plugin(game);
    executor.add_plugin(fracture::FracturePlugin::default());
    executor.run();
}
