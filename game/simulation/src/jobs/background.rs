//! Background tasks: functions of the host that run on the worker.

use super::job::{Task, TaskId, TaskOutput};
use super::queue::{JobKind, Jobs};
use crate::simulation::Simulation;

impl Simulation {
    /// Runs a function on the worker when it has time: a break never waits for more than one of them on
    /// each thread. `None` when the worker is busy; ask again in a later step. The output is ready after
    /// one of the next steps, see [`Simulation::drain_tasks`].
    pub fn spawn_task(
        &mut self,
        task: impl FnOnce() -> TaskOutput + Send + 'static,
    ) -> Option<TaskId> {
        if !self.jobs.has_room(&self.settings, JobKind::Other) {
            return None;
        }
        let frame = self.statistics.frame;
        let task = Task::Background(Box::new(task));
        let job = self.jobs.worker.submit(None, frame, task)?;
        let id = TaskId(job.0);
        self.jobs.running_tasks.insert(id);
        Some(id)
    }

    /// Outputs of background tasks since the last call; `None` for one that panicked.
    pub fn drain_tasks(&mut self) -> impl Iterator<Item = (TaskId, Option<TaskOutput>)> + '_ {
        self.jobs.task_outputs.drain(..)
    }
}

impl Jobs {
    /// Takes the result of a job that belongs to no body, in case it is a background task.
    pub fn finish_task(&mut self, id: TaskId, output: Option<TaskOutput>) {
        if self.running_tasks.remove(&id) {
            self.task_outputs.push((id, output));
        }
    }
}
