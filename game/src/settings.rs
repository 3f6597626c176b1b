//! Settings of destruction in a scene, fixed when it starts.

/// Most worker threads.
const MAX_THREADS: usize = 64;

/// Settings of a [`Destruction`](crate::Destruction). A figure that makes no sense is a fault, which says what is taken
/// in its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Worker threads that break objects, 0 to 64: several objects at once, and one large object together. By
    /// default as many as the machine has cores, less one for the frame where there are more than two, and 8 at
    /// most. With 0 the module has no threads at all: updates do their work, in parts ([`Settings::job_ms`]), and step
    /// the debris. That is the default where threads cannot be had, as in a browser. Results do not depend on their
    /// number.
    pub threads: usize,
    /// Milliseconds of an update that breaks and preparation may take where there are no threads, above 0; infinite: no
    /// limit. What is not done then is gone on with in the next update: an object stays whole until then. Few parts of
    /// the work, of large meshes, cannot be left, and may take longer. Does not apply with `wait_for_results`.
    pub job_ms: f32,
    /// Whether each update first waits for all breaks requested before it, so that a run is exactly
    /// repeatable. For tests; a game leaves it off and never waits.
    pub wait_for_results: bool,
    /// Milliseconds of the main thread that pieces which come and go may take in an update, above 0; infinite: no
    /// limit. What there is beyond it follows in the next updates, in order: an object stays whole until its pieces
    /// can come together, however many they are. Does not apply with `wait_for_results`.
    pub update_ms: f32,
    /// Free pieces at once. Beyond it, pieces are removed that are in the frame of no enabled camera, the smallest and
    /// farthest first, and then small ones in view; those of a metre and more stay, even if they are too many.
    pub max_pieces: usize,
    /// Triangles of all free pieces together. Beyond it, the same pieces are removed.
    pub max_triangles: u64,
    /// Seconds of sleep after which a free piece is frozen, that is, fixed in its place. A frozen piece costs
    /// nothing, until it is pushed hard or loses its support. Infinite: none is frozen.
    pub settle_after: f32,
    /// Seconds after which a frozen piece is drawn in a batch with others near it: one mesh node shows up
    /// to 128 pieces within 4 m. Each can still be struck, and then gets a node of its own again. Infinite:
    /// no batches.
    pub merge_after: f32,
    /// Distance from the nearest enabled camera, m, within which a piece of one metre casts a shadow; for others it is as many
    /// times longer or shorter as they are. Infinite: shadows do not end.
    pub shadow_distance: f32,
    /// Dust particles at once; see [`Pieces::dust_size`](crate::Pieces::dust_size).
    pub max_particles: usize,
    /// Collision groups whose members break nothing, as bits: a rigid body is harmless when all of its colliders
    /// belong to these groups only. Single bodies: [`Destruction::set_harmless`](crate::Destruction::set_harmless).
    pub harmless_groups: u32,
    /// Impulse, N s, above which collisions of pieces are reported as
    /// [`Event::Contact`](crate::Event::Contact), the hardest 32 of a frame. Infinite: none is reported.
    pub report_contacts: f32,
    /// Whether scripts receive events. Each event goes to every script that has subscribed and to every
    /// [`Destructible`](crate::Destructible): a game that asks for
    /// [`Destruction::events`](crate::Destruction::events) instead turns it off.
    pub send_events_to_scripts: bool,
    /// Objects and pieces that falling debris may break in one frame, and large pieces that may tear where they land.
    /// Beyond it, the impacts with the least energy are dropped and counted.
    pub chain_breaks: usize,
    /// Whether the worker checks that the mesh of every piece is closed, for
    /// [`PieceInfo::closed`](crate::PieceInfo::closed).
    pub check_pieces: bool,
    /// Combined with every object's own seed.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            threads: fracture_simulation::Settings::default().threads,
            job_ms: fracture_simulation::Settings::default().job_ms,
            wait_for_results: false,
            update_ms: 2.0,
            max_pieces: 1000,
            max_triangles: 2_000_000,
            merge_after: 2.0,
            shadow_distance: 200.0,
            max_particles: 1000,
            harmless_groups: 0,
            settle_after: 1.0,
            report_contacts: f32::INFINITY,
            send_events_to_scripts: true,
            chain_breaks: 8,
            check_pieces: false,
            seed: 0,
        }
    }
}

impl Settings {
    /// Puts a sound figure in the place of each one that makes no sense. Returns what has been replaced, in words.
    pub(crate) fn mend(&mut self) -> Vec<String> {
        let default = Self::default();
        let mut refusals = Vec::new();
        if self.threads > MAX_THREADS {
            let given = std::mem::replace(&mut self.threads, MAX_THREADS);
            refusals.push(format!(
                "Settings::threads is {given}; it must be from 0 to {MAX_THREADS}. It is taken as {MAX_THREADS}"
            ));
        }
        refusals.extend(self.mend_job_time(default.job_ms));
        let figures = [
            (
                "settle_after",
                &mut self.settle_after,
                default.settle_after,
                "s",
            ),
            (
                "merge_after",
                &mut self.merge_after,
                default.merge_after,
                "s",
            ),
            (
                "shadow_distance",
                &mut self.shadow_distance,
                default.shadow_distance,
                "m",
            ),
            (
                "report_contacts",
                &mut self.report_contacts,
                default.report_contacts,
                "N s",
            ),
        ];
        for (name, value, default, unit) in figures {
            // NaN is neither.
            if *value >= 0.0 {
                continue;
            }
            let given = std::mem::replace(value, default);
            refusals.push(format!(
                "Settings::{name} is {given} {unit}; it must be 0 {unit} or more, or infinite for never. It is \
                 taken as {default} {unit}"
            ));
        }
        refusals
    }

    fn mend_job_time(&mut self, default: f32) -> Option<String> {
        // NaN is not.
        if self.job_ms > 0.0 {
            return None;
        }
        let given = std::mem::replace(&mut self.job_ms, default);
        Some(format!(
            "Settings::job_ms is {given}: nothing could ever break. Give the milliseconds that breaks may take in an \
             update, above 0, or infinity for no limit. It is taken as {default} ms"
        ))
    }
}
