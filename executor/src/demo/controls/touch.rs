//! Fingers on a touch screen: a tap uses the tool, one finger that moves looks, one that rests holds the tool down until
//! it is lifted, two that move fly, and a tap with two opens the menu.

use fyrox::{core::algebra::Vector2, event::TouchPhase};

/// Way within which a finger counts as resting, as a share of the picture's height.
const REST: f32 = 0.02;
/// Updates after which a resting finger holds the tool down.
const HOLD: u32 = 20;
/// Updates that count for one picture: where pictures take long, many updates follow at once, before it is seen that the
/// finger moves.
const MOST_AT_ONCE: u32 = 5;

/// A movement of fingers. Ways are in heights of the picture, places in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gesture {
    /// A short touch.
    Tap(Vector2<f32>),
    /// A finger has moved.
    Look(Vector2<f32>),
    /// Two fingers have moved.
    Fly(Vector2<f32>),
    /// A short touch with two fingers.
    Menu,
    /// A finger has rested: the tool goes down.
    Press(Vector2<f32>),
    /// The finger that holds the tool has moved.
    Drag(Vector2<f32>),
    /// The finger that holds the tool was lifted.
    Release,
    /// The system has taken the finger that holds the tool.
    Cancel,
}

/// The use that the fingers are put to, from the first that touches to the last that is lifted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Purpose {
    /// One finger, which has neither moved nor rested long enough.
    #[default]
    Open,
    Look,
    Tool,
    /// Two fingers that have not moved.
    Pair,
    Fly,
    Done,
}

/// The fingers on the screen.
#[derive(Debug, Default)]
pub struct Fingers {
    /// Number and place of each, pixels.
    down: Vec<(u64, Vector2<f32>)>,
    purpose: Purpose,
    /// Way since the last one of those that count touched, in heights of the picture.
    way: Vector2<f32>,
    /// Updates since then that count.
    updates: u32,
    /// Updates since the last picture.
    at_once: u32,
}

impl Fingers {
    /// Handles a finger in a picture of some height, pixels.
    pub fn on_touch(
        &mut self,
        id: u64,
        phase: TouchPhase,
        place: Vector2<f32>,
        height: f32,
    ) -> Option<Gesture> {
        let at = self.down.iter().position(|(other, _)| *other == id);
        match (phase, at) {
            (TouchPhase::Started, None) => self.touch(id, place),
            (TouchPhase::Moved, Some(at)) => {
                let (_, before) = self.down.get_mut(at)?;
                let by = (place - std::mem::replace(before, place)) / height;
                return self.slide(by, place, at);
            }
            (TouchPhase::Ended, Some(at)) => return self.lift(at, place),
            (TouchPhase::Cancelled, Some(at)) => {
                let lifted = self.lift(at, place);
                return lifted
                    .filter(|g| *g == Gesture::Release)
                    .map(|_| Gesture::Cancel);
            }
            _ => (),
        }
        None
    }

    /// Handles a new picture.
    pub fn on_picture(&mut self) {
        self.at_once = 0;
    }

    /// Handles an update.
    pub fn rest(&mut self) -> Option<Gesture> {
        let (_, place) = *self.down.first()?;
        self.at_once += 1;
        if self.at_once <= MOST_AT_ONCE {
            self.updates = self.updates.saturating_add(1);
        }
        if self.purpose != Purpose::Open || self.updates < HOLD {
            return None;
        }
        self.purpose = Purpose::Tool;
        Some(Gesture::Press(place))
    }

    fn touch(&mut self, id: u64, place: Vector2<f32>) {
        self.down.push((id, place));
        self.purpose = match (self.down.len(), self.purpose) {
            (1, _) => Purpose::Open,
            (2, Purpose::Open | Purpose::Look) => Purpose::Pair,
            _ => return,
        };
        (self.way, self.updates) = (Vector2::zeros(), 0);
    }

    /// Handles the way of a finger, in heights of the picture, to a place.
    fn slide(&mut self, by: Vector2<f32>, place: Vector2<f32>, at: usize) -> Option<Gesture> {
        // Two fingers count half each.
        let by = by / self.down.len() as f32;
        self.way += by;
        let moves = self.way.norm() > REST;
        match self.purpose {
            // The way up to here counts: a flick may be a single event.
            Purpose::Open if moves => {
                self.purpose = Purpose::Look;
                Some(Gesture::Look(self.way))
            }
            Purpose::Pair if moves => {
                self.purpose = Purpose::Fly;
                Some(Gesture::Fly(self.way))
            }
            Purpose::Look => Some(Gesture::Look(by)),
            Purpose::Fly => Some(Gesture::Fly(by)),
            Purpose::Tool if at == 0 => Some(Gesture::Drag(place)),
            _ => None,
        }
    }

    fn lift(&mut self, at: usize, place: Vector2<f32>) -> Option<Gesture> {
        self.down.remove(at);
        let done = match self.purpose {
            Purpose::Open => Some(Gesture::Tap(place)),
            Purpose::Pair => Some(Gesture::Menu),
            Purpose::Tool if at == 0 => Some(Gesture::Release),
            Purpose::Tool => return None,
            Purpose::Look | Purpose::Fly | Purpose::Done => None,
        };
        self.purpose = Purpose::Done;
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use TouchPhase::{Cancelled, Ended, Moved, Started};

    const HEIGHT: f32 = 500.0;

    /// Returns the gestures of a list of events: finger, phase, place. After each, `rests` pictures are drawn, one an update.
    fn gestures(rests: u32, events: &[(u64, TouchPhase, [f32; 2])]) -> Vec<Gesture> {
        let mut fingers = Fingers::default();
        let mut found = Vec::new();
        for &(id, phase, [x, y]) in events {
            found.extend(fingers.on_touch(id, phase, Vector2::new(x, y), HEIGHT));
            for _ in 0..rests {
                fingers.on_picture();
                found.extend(fingers.rest());
            }
        }
        assert!(fingers.down.is_empty());
        found
    }

    fn at(x: f32, y: f32) -> Vector2<f32> {
        Vector2::new(x, y)
    }

    #[test]
    fn a_tap_uses_the_tool_even_when_the_finger_trembles() {
        let tap = [
            (7, Started, [90.0, 40.0]),
            (7, Moved, [94.0, 43.0]),
            (7, Ended, [94.0, 43.0]),
        ];
        assert_eq!(gestures(2, &tap), [Gesture::Tap(at(94.0, 43.0))]);
    }

    #[test]
    fn a_finger_that_moves_looks_and_shoots_at_nothing() {
        let slide = [
            (1, Started, [100.0, 100.0]),
            (1, Moved, [120.0, 100.0]),
            (1, Moved, [170.0, 125.0]),
            (1, Ended, [170.0, 125.0]),
        ];
        let looks = [at(0.04, 0.0), at(0.1, 0.05)].map(Gesture::Look);
        assert_eq!(gestures(2, &slide), looks);
    }

    #[test]
    fn a_finger_that_rests_holds_the_tool_until_it_is_lifted() {
        let hold = |end| {
            [
                (1, Started, [10.0, 10.0]),
                (1, Moved, [60.0, 10.0]),
                (1, end, [60.0, 10.0]),
            ]
        };
        let [press, drag] = [
            Gesture::Press(at(10.0, 10.0)),
            Gesture::Drag(at(60.0, 10.0)),
        ];
        assert_eq!(
            gestures(HOLD, &hold(Ended)),
            [press, drag, Gesture::Release]
        );
        assert_eq!(
            gestures(HOLD, &hold(Cancelled)),
            [press, drag, Gesture::Cancel]
        );
    }

    #[test]
    fn a_finger_that_is_seen_to_move_after_two_slow_pictures_looks() {
        let mut fingers = Fingers::default();
        let started = fingers.on_touch(1, Started, at(10.0, 10.0), HEIGHT);
        let mut held = None;
        for update in 0..30 {
            if update % 15 == 0 {
                fingers.on_picture();
            }
            held = held.or(fingers.rest());
        }
        let moved = fingers.on_touch(1, Moved, at(60.0, 10.0), HEIGHT);
        assert_eq!((started, held), (None, None));
        assert_eq!(moved, Some(Gesture::Look(at(0.1, 0.0))));
    }

    #[test]
    fn two_fingers_open_the_menu_or_fly() {
        let tap = [
            (1, Started, [10.0, 10.0]),
            (2, Started, [90.0, 10.0]),
            (1, Ended, [10.0, 10.0]),
            (2, Ended, [90.0, 10.0]),
        ];
        assert_eq!(gestures(1, &tap), [Gesture::Menu]);
        let fly = [
            (1, Started, [10.0, 10.0]),
            (2, Started, [90.0, 10.0]),
            (1, Moved, [10.0, 60.0]),
            (2, Moved, [90.0, 60.0]),
            (3, Started, [5.0, 5.0]),
            (3, Ended, [5.0, 5.0]),
            (1, Ended, [10.0, 60.0]),
            (2, Ended, [90.0, 60.0]),
        ];
        assert_eq!(gestures(1, &fly), [Gesture::Fly(at(0.0, 0.05)); 2]);
    }

    #[test]
    fn a_cancelled_touch_does_nothing_and_the_next_one_counts_again() {
        let events = [
            (1, Started, [10.0, 10.0]),
            (1, Cancelled, [10.0, 10.0]),
            (4, Ended, [10.0, 10.0]),
            (5, Started, [20.0, 10.0]),
            (5, Ended, [20.0, 10.0]),
        ];
        assert_eq!(gestures(1, &events), [Gesture::Tap(at(20.0, 10.0))]);
    }
}
