//! Warnings that the host had before a save are not given again once that is loaded.

use fracture_simulation::save::Archive;
use fracture_simulation::{Body, BodyId, Event, Simulation};

use crate::buildings::{add_fixed, block};
use crate::loads::{press, pressed, used, CRATE};
use crate::setup::{quiet, step};
use crate::weight::{cantilever, of_strength};

/// Bodies that are held at one end.
struct Held {
    simulation: Simulation,
    ids: Vec<BodyId>,
}

/// A cantilever of two blocks, of which only the first bond, of mortar, comes near its strength.
fn blocks() -> Held {
    let part = |x: f32| block([0.5, 0.4, 0.2], [x, 5.0, 0.0], 5e6, 0.2);
    held([0.25, 0.75].map(part).to_vec())
}

/// A cantilever of one body.
fn beam() -> Held {
    held(vec![of_strength(cantilever(2.0, 0.3, 0.3), 3e6)])
}

fn held(bodies: Vec<Body>) -> Held {
    let mut simulation = quiet();
    add_fixed(&mut simulation, 1, [1.0, 4.0, 4.0], [-0.5, 5.0, 0.0]);
    let ids = bodies.into_iter().map(|body| simulation.add(body).unwrap());
    let ids = ids.collect();
    Held { simulation, ids }
}

impl Held {
    /// Presses the end for two thirds of a second; how often the host is warned.
    fn warnings(&mut self, place: [f32; 3], newtons: f32) -> usize {
        let end = *self.ids.last().unwrap();
        let force = pressed(end, CRATE, place, 0.1, newtons);
        let events = press(&mut self.simulation, &[force], 40);
        let is_warning = |event: &&Event| matches!(event, Event::Strained(_));
        events.iter().filter(is_warning).count()
    }

    /// As it is after it is saved, and loaded in a new game.
    fn loaded(&self, fresh: fn() -> Self) -> Self {
        let save = |id: &BodyId| (String::new(), self.simulation.save_compact(*id));
        let objects = self.ids.iter().map(save).collect();
        let bytes = Archive { objects }.to_bytes();
        let mut loaded = fresh();
        let read = Archive::from_bytes(bytes).unwrap();
        for (body, (_, log)) in loaded.ids.iter().zip(&read.objects) {
            loaded.simulation.restore(*body, log).unwrap();
        }
        loaded
    }
}

/// Under the first of two forces the host is warned, and under the second it is not.
fn check(fresh: fn() -> Held, place: [f32; 3], [strains, is_borne]: [f32; 2]) {
    let mut first = fresh();
    assert_eq!(first.warnings(place, is_borne), 0);
    assert_eq!(
        first.loaded(fresh).warnings(place, strains),
        1,
        "not warned before"
    );
    assert_eq!(first.warnings(place, strains), 1);

    let mut second = first.loaded(fresh);
    // A save of it before anything is known has the same.
    let mut third = second.loaded(fresh);
    assert_eq!(second.warnings(place, strains), 0, "loaded");
    assert_eq!(
        second.loaded(fresh).warnings(place, strains),
        0,
        "loaded twice"
    );
    assert_eq!(second.warnings(place, is_borne), 0);
    assert_eq!(second.warnings(place, strains), 1, "relieved in between");
    // What rests on it comes later than all else.
    for _ in 0..20 {
        step(&mut third.simulation);
    }
    assert_eq!(
        third.loaded(fresh).warnings(place, strains),
        0,
        "loaded and saved"
    );
    assert_eq!(third.warnings(place, strains), 0, "loaded before");
}

#[test]
fn a_strained_bond_is_not_told_again_after_loading() {
    let section: f32 = 0.2 * 0.4 * 0.4 / 6.0;
    let own = 2400.0 * 9.81 * 0.4 * 0.2 * 0.5;
    let force = |share: f32| (share * 1e6 * section - own) / 0.9;
    check(blocks, [0.9, 5.2, 0.0], [0.95, 0.6].map(force));
}

#[test]
fn a_strained_body_is_not_told_again_after_loading() {
    let place = [1.9, 0.15, 0.0];
    let mut beam_alone = beam();
    // Stress is linear in the load: two of them tell what it bears.
    let [low, high] = [1000.0, 3000.0].map(|newtons| {
        beam_alone.warnings(place, newtons);
        used(&beam_alone.simulation, beam_alone.ids[0])
    });
    let force = |share: f32| 1000.0 + (share - low) * 2000.0 / (high - low);
    check(beam, place, [0.95, 0.6].map(force));
}
