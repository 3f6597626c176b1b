//! Work in steps, which can be left after each and gone on with later.
//!
//! Such work is an `async` function that calls [`pause`] between its steps. Nothing wakes it up: whoever has time polls
//! it, once for each step, and may do other things between two polls. [`finish`] does all steps at once.
//!
//! ```
//! use fracture_geometry::steps::{finish, pause};
//!
//! async fn sum(numbers: &[u32]) -> u32 {
//!     let mut sum = 0;
//!     for number in numbers {
//!         sum += number;
//!         pause().await;
//!     }
//!     sum
//! }
//! assert_eq!(finish(sum(&[1, 2, 3])), 6);
//! ```

use std::future::Future;
use std::pin::{pin, Pin};
use std::task::{Context, Poll, Waker};

/// The end of a step.
#[derive(Debug)]
pub struct Pause {
    is_over: bool,
}

/// Ends a step: the work goes on when it is polled next.
pub fn pause() -> Pause {
    Pause { is_over: false }
}

impl Future for Pause {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.is_over, true) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }
}

/// Does one step of some work; its output if that was the last.
pub fn step<T>(work: Pin<&mut (impl Future<Output = T> + ?Sized)>) -> Option<T> {
    match work.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}

/// Does all steps of some work.
pub fn finish<T>(work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    loop {
        if let Some(output) = step(work.as_mut()) {
            return output;
        }
    }
}
