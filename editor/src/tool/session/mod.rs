//! The state of the Fracture window while it is open.

mod actions;
mod background;
mod card_list;
mod cards;
mod dropped_asset;
mod new_file;
mod preview_control;
mod refresh;
pub(crate) mod selection;

use crate::{
    background_job::Job,
    commands::BakedPieces,
    tool::{
        frame_time::FrameTime,
        impact::ImpactMarker,
        remembered::Remembered,
        session::{
            background::{CheckReport, CrackLines, CursorHit, Lines},
            card_list::Cards,
            selection::DestructibleSelection,
        },
        structure::StructureSurvey,
        view::{comparison::CompareWith, preview_pair::PreviewPair},
        window::FractureWindow,
    },
};
use fracture::{BreakPreview, FracturePattern, Impact, PreviewError};
use fyrox::{
    core::pool::Handle,
    scene::{node::Node, Scene},
};
use std::{cell::RefCell, rc::Rc};

/// The state of the Fracture window while it is open: selection, impact, preview and background jobs.
pub(crate) struct Session {
    pub window: FractureWindow,
    pub frame_time: FrameTime,
    pub selection: DestructibleSelection,
    /// The type of body and the card of nodes that are made destructible.
    pub remembered: Remembered,
    pub cards: Cards,
    pub sketch: Result<BreakPreview, PreviewError>,
    pub aim: Rc<RefCell<ImpactMarker>>,
    /// The impact on the object that was selected last.
    pub last_impact: Option<(Handle<Node>, Impact)>,
    pub energy: f32,
    pub preview: Option<PreviewPair>,
    /// Yaw and pitch to which the user has turned the camera.
    pub direction: Option<[f32; 2]>,
    /// How far pieces are moved apart, and the meaning of colours; kept over resets.
    pub explode: f32,
    pub colors: usize,
    /// Frames left until the object is broken again after an edit.
    pub break_in: Option<u32>,
    /// Frames left until its crack lines are computed again.
    pub cracks_in: Option<u32>,
    /// The choice of *Compare with*, and the list of choices.
    pub choice: CompareWith,
    pub choices: Vec<CompareWith>,
    /// The job that looks for pattern files.
    pub pattern_search: Option<Job<Vec<CompareWith>>>,
    pub other_seed: u32,
    /// The pattern as it was shown last, to notice changes from outside.
    pub shown: Option<FracturePattern>,
    /// Its label as it was shown last.
    pub label: String,
    /// Frames since the window was opened.
    pub age: u32,
    /// The text over the preview.
    pub notice: &'static str,
    /// Frames since the current break was started.
    pub busy: u32,
    /// Visibility that was set last: of the button that cancels a break, of the one that cancels a check
    /// or sweep, of the other seed.
    pub offered: Option<[bool; 3]>,
    pub picking: Option<Job<Result<Option<CursorHit>, PreviewError>>>,
    pub crack_job: Option<Job<Result<CrackLines, PreviewError>>>,
    pub check_job: Option<Job<CheckReport>>,
    /// Whether the job is a sweep, which reports its findings when it is cancelled.
    pub sweeping: bool,
    /// Pieces that have just been baked, to be handed to the queue.
    pub baked: Option<(Handle<Scene>, BakedPieces)>,
    /// Frames left until mesh and pattern are prepared to see whether the object can break.
    pub prepare_in: Option<u32>,
    pub prepare_job: Option<Job<Result<Lines, PreviewError>>>,
    pub structure: StructureSurvey,
}
