//! The demo as a page in a browser, called by `main.js`.

#![cfg(target_family = "wasm")]

use executor::demo::{run_on_page, Watch};
use fyrox::core::{
    log::Log,
    wasm_bindgen::{self, prelude::*},
};

thread_local! {
    static WATCH: Watch = Watch::default();
}

/// Begins to play, in a scene of the gallery by the name of its file.
///
/// # Errors
/// A sentence that says why the demo does not open.
#[wasm_bindgen]
pub fn main(scene: Option<String>) -> Result<(), String> {
    // The engine logs every collider it makes.
    Log::set_log_info(false);
    let watch = WATCH.with(Clone::clone);
    run_on_page(scene.as_deref(), &watch).map_err(|error| error.to_string())
}

/// The state of the demo after the last frame, as JSON.
#[wasm_bindgen]
pub fn state() -> String {
    let state = WATCH.with(Watch::get);
    serde_json::to_string(&state).unwrap_or_default()
}

/// Forgets the longest update so far.
#[wasm_bindgen]
pub fn forget_longest() {
    WATCH.with(|watch| {
        watch.change(|state| {
            state.longest_ms = 0.0;
            state.longest_step_ms = 0.0;
        });
    });
}
