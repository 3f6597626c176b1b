//! Displays that are opened at once are different ones, and each has a window manager.

use std::{collections::BTreeSet, thread};
use virtual_display::{Display, DisplayError};

const AT_ONCE: usize = 4;
const ROUNDS: usize = 5;

#[test]
fn displays_that_are_opened_at_once_are_managed_and_have_names_of_their_own() {
    for _ in 0..ROUNDS {
        let threads: Vec<_> = (0..AT_ONCE)
            .map(|_| thread::spawn(|| Display::open(&[])))
            .collect();
        let opened: Result<Vec<Display>, DisplayError> = threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect();
        let displays = match opened {
            Ok(displays) => displays,
            Err(missing @ DisplayError::NotInstalled(_)) => {
                println!("skipped: {missing}");
                return;
            }
            Err(error) => panic!("{error}"),
        };
        let names: BTreeSet<&str> = displays.iter().map(Display::name).collect();
        assert_eq!(names.len(), AT_ONCE, "{names:?}");
    }
}
