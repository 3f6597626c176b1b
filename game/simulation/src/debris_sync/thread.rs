//! Where the debris world is: here, or on its own thread, where it takes a step while the frame
//! goes on.
//!
//! Whoever wants the world while it is away waits for it, so nothing can be done to it in the middle
//! of a step. A frame that finds it away goes on without, see [`schedule`](crate::schedule).

use std::ops::{Deref, DerefMut};
use std::sync::OnceLock;
use std::thread::{Builder, JoinHandle};

use crossbeam::channel::{bounded, Receiver, Sender};
use rapier3d::rayon::ThreadPoolBuildError;

use crate::debris::DebrisWorld;
use crate::debris::Threads;
use crate::settings::Settings;

type Job = (Box<DebrisWorld>, f32, Threads);

/// The debris world and the thread on which it may take a step.
pub(crate) struct AsyncDebrisWorld {
    /// Not set while it is away.
    here: OnceLock<Option<Box<DebrisWorld>>>,
    /// Stands in for a world that the thread did not give back, which it always does.
    spare: Box<DebrisWorld>,
    away: Option<Sender<Job>>,
    back: Receiver<Box<DebrisWorld>>,
    thread: Option<JoinHandle<()>>,
    /// Whether a step was sent off that nobody has looked at.
    unseen: bool,
    /// For so many questions it says that the world is away.
    #[cfg(test)]
    pub pretended: u32,
}

impl AsyncDebrisWorld {
    pub fn new(settings: &Settings) -> Result<Self, ThreadPoolBuildError> {
        let (away, jobs) = bounded::<Job>(1);
        let (sender, back) = bounded(1);
        let thread = Builder::new()
            .name("fracture debris".to_owned())
            .spawn(move || work(&jobs, &sender));
        let world = DebrisWorld::new(settings)?;
        Ok(Self {
            here: OnceLock::from(Some(Box::new(world))),
            spare: Box::new(DebrisWorld::without_pool(settings)),
            // Without a thread steps are taken here.
            away: thread.is_ok().then_some(away),
            thread: thread.ok(),
            back,
            unseen: false,
            #[cfg(test)]
            pretended: 0,
        })
    }

    /// Sends the world off to take a step; takes it here when there is no thread, or nothing to do.
    pub fn send_off(&mut self, dt: f32, threads: Threads) {
        self.fetch();
        let Some(world) = self.here.take().flatten() else {
            return;
        };
        self.unseen = true;
        let refused = match &self.away {
            Some(away) if !world.is_still(dt) => {
                let refused = away.send((world, dt, threads)).err();
                refused.map(|refused| refused.0 .0)
            }
            _ => Some(world),
        };
        if let Some(mut refused) = refused {
            refused.step_safely(dt, threads);
            self.here = OnceLock::from(Some(refused));
        }
    }

    /// Whether the world is still away, and asking it for anything would mean to wait.
    pub fn is_away(&mut self) -> bool {
        #[cfg(test)]
        if self.pretended > 0 {
            self.pretended -= 1;
            return true;
        }
        if self.here.get().is_none() {
            if let Ok(world) = self.back.try_recv() {
                self.here = OnceLock::from(Some(world));
            }
        }
        self.here.get().is_none()
    }

    /// Whether a step was sent off since the last call; waits until it is done.
    pub fn came_back(&mut self) -> bool {
        self.fetch();
        std::mem::take(&mut self.unseen)
    }

    fn fetch(&self) -> &DebrisWorld {
        let world = self.here.get_or_init(|| self.back.recv().ok());
        world.as_deref().unwrap_or(&self.spare)
    }
}

impl Deref for AsyncDebrisWorld {
    type Target = DebrisWorld;

    fn deref(&self) -> &DebrisWorld {
        self.fetch()
    }
}

impl DerefMut for AsyncDebrisWorld {
    fn deref_mut(&mut self) -> &mut DebrisWorld {
        self.fetch();
        match self.here.get_mut() {
            Some(Some(world)) => world,
            _ => &mut self.spare,
        }
    }
}

impl Drop for AsyncDebrisWorld {
    fn drop(&mut self) {
        self.away = None;
        if let Some(thread) = self.thread.take() {
            // Steps catch their panics; there is nothing to do about another one.
            let _ = thread.join();
        }
    }
}

fn work(jobs: &Receiver<Job>, back: &Sender<Box<DebrisWorld>>) {
    for (mut world, dt, threads) in jobs {
        world.step_safely(dt, threads);
        if back.send(world).is_err() {
            return;
        }
    }
}
