//! The platform, of which nothing else in this crate needs to know.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use rayon::{ThreadPool, ThreadPoolBuilder};
#[cfg(not(target_family = "wasm"))]
use thread_priority::{set_current_thread_priority, ThreadPriority, ThreadPriorityValue};

/// Whether threads can be had.
const HAS_THREADS: bool = cfg!(not(target_family = "wasm"));

/// Most worker threads by default: a break is not spread over more with gain.
const MAX_DEFAULT_THREADS: usize = 8;

/// The priority of threads that give way, 0 to 99; others have some 50. On Linux they get a third of the time of a thread
/// that they share a core with.
#[cfg(not(target_family = "wasm"))]
const LOW_PRIORITY: u8 = 35;

/// Number of worker threads for the machine.
pub(crate) fn default_threads() -> usize {
    if !HAS_THREADS {
        return 0;
    }
    let cores = available_parallelism().map_or(1, NonZeroUsize::get);
    match cores {
        0..=2 => cores,
        _ => (cores - 1).min(MAX_DEFAULT_THREADS),
    }
}

/// Has the current thread give way to others, as far as the platform can: where all cores are busy, it is better for a
/// debris step to be late than for a frame.
pub(crate) fn lower_priority() {
    #[cfg(not(target_family = "wasm"))]
    if let Ok(priority) = ThreadPriorityValue::try_from(LOW_PRIORITY) {
        // Refused, it goes on as the others do.
        let _ = set_current_thread_priority(ThreadPriority::Crossplatform(priority));
    }
}

/// Runs a function in which rayon finds no other thread than the calling one: rapier would spread its step over all
/// cores, and start threads for that. The calling thread becomes a pool of its own, for good. Where it belongs to one of
/// the caller's with more threads, `spare` takes its place, a pool of one thread, which is started when it is first needed.
pub(crate) fn on_this_thread<T: Send>(
    spare: &mut Option<ThreadPool>,
    function: impl FnOnce() -> T + Send,
) -> T {
    if rayon::current_thread_index().is_none() {
        let pool = ThreadPoolBuilder::new().num_threads(1).use_current_thread();
        if let Ok(pool) = pool.build() {
            std::mem::forget(pool); // one that is dropped ends
        }
    } else if rayon::current_num_threads() > 1 && spare.is_none() {
        *spare = ThreadPoolBuilder::new().num_threads(1).build().ok();
    }
    match spare {
        Some(pool) => pool.install(function),
        None => function(),
    }
}

#[cfg(test)]
mod tests {
    use std::thread::{current, spawn};

    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn a_thread_gives_way_to_others() {
        let niceness = || {
            let text = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
            let (_, after_name) = text.rsplit_once(')').unwrap();
            let mut fields = after_name.split_whitespace();
            fields.nth(16).unwrap().parse::<i32>().unwrap()
        };
        let lowered = spawn(move || {
            lower_priority();
            niceness()
        });
        // That of most programs is 0.
        assert!(lowered.join().unwrap() >= 5);
    }

    /// Whether a pool of its own is needed for rayon to find one thread.
    fn needs_spare() -> bool {
        let mut spare = None;
        for _ in 0..2 {
            let found = on_this_thread(&mut spare, || {
                (rayon::current_num_threads(), current().id())
            });
            assert_eq!((found.0, found.1 == current().id()), (1, spare.is_none()));
        }
        spare.is_some()
    }

    #[test]
    fn rayon_finds_one_thread_wherever_it_is_called() {
        assert!(!spawn(needs_spare).join().unwrap());
        let pool = |threads| ThreadPoolBuilder::new().num_threads(threads).build();
        assert!(!pool(1).unwrap().install(needs_spare));
        assert!(pool(3).unwrap().install(needs_spare));
    }
}
