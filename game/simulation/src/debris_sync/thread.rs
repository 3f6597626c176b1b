//! The debris world, here or on its own thread, where it takes a step while the frame goes on.

use std::sync::OnceLock;
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use crossbeam::channel::{bounded, Receiver, Sender};
use rayon::ThreadPoolBuildError;
use web_time::Instant;

use crate::debris::{DebrisWorld, Threads};
use crate::settings::Settings;

/// A step for the thread to take.
struct StepOrder {
    world: Box<DebrisWorld>,
    dt: f32,
    threads: Threads,
}

/// The debris world and the thread on which it may take a step. During a step the world is owned by the
/// thread, so that nothing can be done to it; access waits for the end of the step, and its name says so.
pub(crate) struct AsyncDebrisWorld {
    /// Not set during a step.
    here: OnceLock<Option<Box<DebrisWorld>>>,
    /// Stands in for a world that the thread did not give back, which it always does.
    spare: Box<DebrisWorld>,
    /// `None` without a thread: steps are taken here then.
    orders: Option<Sender<StepOrder>>,
    results: Receiver<Box<DebrisWorld>>,
    thread: Option<JoinHandle<()>>,
    /// Number of times that [`AsyncDebrisWorld::is_stepping`] answers yes whatever is the case.
    #[cfg(test)]
    pub pretended_steps: u32,
}

impl AsyncDebrisWorld {
    pub fn new(settings: &Settings) -> Result<Self, ThreadPoolBuildError> {
        let (orders, received) = bounded::<StepOrder>(1);
        let (sender, results) = bounded(1);
        let begin = || {
            let builder = Builder::new().name("fracture debris".to_owned());
            builder.spawn(move || take_steps(&received, &sender)).ok()
        };
        let thread = (settings.threads > 0).then(begin).flatten();
        let world = DebrisWorld::new(settings)?;
        Ok(Self {
            here: OnceLock::from(Some(Box::new(world))),
            spare: Box::new(DebrisWorld::without_threads(settings)),
            orders: thread.is_some().then_some(orders),
            thread,
            results,
            #[cfg(test)]
            pretended_steps: 0,
        })
    }

    /// Begins a step on the thread; takes it here without a thread, or if the step can be skipped. Waits
    /// for an earlier step.
    pub fn begin_step(&mut self, dt: f32, threads: Threads) {
        self.wait();
        let Some(world) = self.here.take().flatten() else {
            return;
        };
        let refused = match &self.orders {
            Some(orders) if !world.can_skip_step(dt) => {
                let order = StepOrder { world, dt, threads };
                let refused = orders.send(order).err();
                refused.map(|refused| refused.0.world)
            }
            _ => Some(world),
        };
        if let Some(mut world) = refused {
            world.step_safely(dt, threads);
            self.here = OnceLock::from(Some(world));
        }
    }

    /// Whether a step is running, so that access would have to wait.
    pub fn is_stepping(&mut self) -> bool {
        #[cfg(test)]
        if self.pretended_steps > 0 {
            self.pretended_steps -= 1;
            return true;
        }
        if self.here.get().is_none() {
            if let Ok(world) = self.results.try_recv() {
                self.here = OnceLock::from(Some(world));
            }
        }
        self.here.get().is_none()
    }

    /// Whether a step is still running after so long; it ends earlier if the step does. Sleeps meanwhile.
    pub fn is_stepping_after(&mut self, time: Duration) -> bool {
        #[cfg(test)]
        if self.pretended_steps > 0 {
            return self.is_stepping();
        }
        if self.is_stepping() {
            if let Ok(world) = self.results.recv_timeout(time) {
                self.here = OnceLock::from(Some(world));
            }
        }
        self.here.get().is_none()
    }

    /// The same without sleeping.
    pub fn is_stepping_throughout(&mut self, time: Duration) -> bool {
        #[cfg(test)]
        if self.pretended_steps > 0 {
            return self.is_stepping();
        }
        let start = Instant::now();
        while self.is_stepping() {
            if start.elapsed() >= time {
                return true;
            }
            std::hint::spin_loop();
        }
        false
    }

    /// The world. Waits for the end of a running step.
    pub fn wait(&self) -> &DebrisWorld {
        let world = self.here.get_or_init(|| self.results.recv().ok());
        world.as_deref().unwrap_or(&self.spare)
    }

    /// The world, to be changed. Waits for the end of a running step.
    pub fn wait_mut(&mut self) -> &mut DebrisWorld {
        self.wait();
        match self.here.get_mut() {
            Some(Some(world)) => world,
            _ => &mut self.spare,
        }
    }
}

impl Drop for AsyncDebrisWorld {
    fn drop(&mut self) {
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            // Steps catch their panics; about any other one nothing can be done.
            let _ = thread.join();
        }
    }
}

fn take_steps(orders: &Receiver<StepOrder>, results: &Sender<Box<DebrisWorld>>) {
    for mut order in orders {
        order.world.step_safely(order.dt, order.threads);
        if results.send(order.world).is_err() {
            return;
        }
    }
}
