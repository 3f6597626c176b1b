//! Whether the debris takes a step before its frame.

/// When the debris' step of a frame is taken in which bodies of the embedding layer are among it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum EarlyStep {
    /// In its frame, if any is.
    #[default]
    No,
    /// In the last frame it was, and in the next one it may have been taken by then.
    Possible,
    /// That of the next frame is under way.
    UnderWay,
    /// It has been taken in, and the next frame in which time passes has none any more.
    TakenIn,
}
