//! The platform, of which nothing else in this crate needs to know.

/// Whether a thread can wait for a file. In a browser one comes only while the page's one thread does nothing.
pub(crate) const CAN_WAIT_FOR_FILES: bool = cfg!(not(target_family = "wasm"));
