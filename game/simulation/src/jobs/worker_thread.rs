//! A worker thread: it works on what is most urgent without a limit, and waits when there is nothing.

use std::time::Duration;

use crossbeam::channel::{Select, Sender};

use super::channels::Channels;
use super::job::JobResult;
use super::workbench::{Workbench, Worked};

/// How long the thread has to be idle before it goes on with a computation in advance that it has left.
const RESTART_DELAY: Duration = Duration::from_millis(250);

/// A worker thread.
#[derive(Clone)]
pub(super) struct WorkerThread {
    pub channels: Channels,
    pub results: Sender<JobResult>,
}

impl WorkerThread {
    /// Works until the worker is dropped.
    pub fn run(&self) {
        let channels = &self.channels;
        let mut bench = Workbench::new(channels.clone());
        loop {
            // Other work would take the core that helpers need, so it waits meanwhile. A job that was left may have called
            // them itself.
            let has_jobs = || bench.has_left_job() || channels.has_jobs();
            channels.helpers.help_until(has_jobs);
            match bench.work(&mut || true) {
                Worked::Result(result) => {
                    if self.results.send(*result).is_err() {
                        return;
                    }
                }
                Worked::Something => {}
                Worked::Nothing if channels.is_closing() => return,
                Worked::Nothing if self.waits(bench.has_left()) => {}
                Worked::Nothing => _ = bench.resume(&mut || true),
            }
        }
    }

    /// Waits for work; for some time only if a computation was left. Returns whether there may be some.
    fn waits(&self, has_left: bool) -> bool {
        let Channels {
            jobs,
            helpers,
            background,
            ..
        } = &self.channels;
        let bell = helpers.bell();
        let mut select = Select::new();
        for queue in jobs {
            select.recv(queue);
        }
        select.recv(&bell);
        select.recv(&background.refinements);
        select.recv(&background.idle_tasks);
        select.recv(&background.precompute);
        let is_ready = if has_left {
            select.ready_timeout(RESTART_DELAY).is_ok()
        } else {
            select.ready();
            true
        };
        let _ = bell.try_recv();
        is_ready
    }
}

#[cfg(test)]
mod tests {
    use std::future::ready;
    use std::sync::atomic::Ordering;
    use std::sync::Arc;

    use super::*;
    use crate::jobs::job::{Job, Task, TaskOutput};
    use crate::stepped_lazy::Precompute;
    use crate::types::JobId;
    use crossbeam::channel::unbounded;

    /// Longer than anything here takes, so that a failure is reported.
    const TIMEOUT: Duration = Duration::from_secs(60);

    #[test]
    fn a_job_interrupts_a_computation_in_advance_which_is_gone_on_with_then() {
        let (senders, channels) = Channels::new();
        let closing = channels.closing.clone();
        let (result_sender, results) = unbounded();
        let thread = WorkerThread {
            channels,
            results: result_sender,
        };
        let running = std::thread::spawn(move || thread.run());
        let (start_sender, starts) = unbounded();
        let endless: Precompute = Box::new(move |should_stop| {
            let _ = start_sender.send(());
            while !should_stop() {
                std::thread::yield_now();
            }
            false
        });
        senders.precompute.send(endless).unwrap();
        starts.recv_timeout(TIMEOUT).expect("started");
        let job = Job {
            id: JobId(7),
            cancel: Arc::default(),
            task: Task::Background(Box::pin(ready(Box::new(()) as TaskOutput))),
        };
        assert!(senders.send(job));
        let result = results.recv_timeout(TIMEOUT).expect("finished");
        assert_eq!(result.id, JobId(7));
        starts.recv_timeout(TIMEOUT).expect("gone on with");
        // The computation never ends by itself.
        closing.store(true, Ordering::Relaxed);
        drop(senders);
        running.join().unwrap();
    }
}
