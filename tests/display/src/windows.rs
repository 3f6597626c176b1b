//! Questions to a display server: who manages its windows, and which there are.

use std::error::Error;
use x11rb::{
    connect,
    protocol::xproto::{AtomEnum, ConnectionExt, MapState, Window},
    rust_connection::RustConnection,
};

type Answer<T> = Result<T, String>;

/// A connection to a server and its root window.
struct Root {
    connection: RustConnection,
    window: Window,
}

impl Root {
    fn new(display: &str) -> Result<Self, Box<dyn Error>> {
        use x11rb::connection::Connection;
        let (connection, screen) = connect(Some(display))?;
        let window = connection.setup().roots[screen].root;
        Ok(Self { connection, window })
    }

    /// The windows that a property of the root window names.
    fn property(&self, name: &str) -> Result<Vec<Window>, Box<dyn Error>> {
        let atom = self.connection.intern_atom(false, name.as_bytes())?;
        let atom = atom.reply()?.atom;
        let kind = AtomEnum::WINDOW;
        let property = (self.connection).get_property(false, self.window, atom, kind, 0, 1024)?;
        let property = property.reply()?;
        Ok(property.value32().into_iter().flatten().collect())
    }

    fn is_viewable(&self, window: Window) -> Result<bool, Box<dyn Error>> {
        let attributes = self.connection.get_window_attributes(window)?.reply()?;
        Ok(attributes.map_state == MapState::VIEWABLE)
    }

    /// Name, size and state of a window.
    fn describe(&self, window: Window) -> Result<String, Box<dyn Error>> {
        let name = AtomEnum::WM_NAME;
        let name = (self.connection).get_property(false, window, name, AtomEnum::ANY, 0, 64)?;
        let name = name.reply()?.value;
        let size = self.connection.get_geometry(window)?.reply()?;
        let state = if self.is_viewable(window)? {
            "mapped"
        } else {
            "not mapped"
        };
        let name = String::from_utf8_lossy(&name);
        Ok(format!("\"{name}\" {}x{} {state}", size.width, size.height))
    }
}

/// Returns whether a window manager has taken over the root window.
pub fn is_managed(display: &str) -> Answer<bool> {
    let ask = || {
        Ok(!Root::new(display)?
            .property("_NET_SUPPORTING_WM_CHECK")?
            .is_empty())
    };
    ask().map_err(to_text)
}

/// Returns whether a window is shown that the window manager knows.
pub fn shows_window(display: &str) -> Answer<bool> {
    let ask = || {
        let root = Root::new(display)?;
        let managed = root.property("_NET_CLIENT_LIST")?;
        // One that has just been closed is none.
        Ok(managed
            .iter()
            .any(|window| root.is_viewable(*window).unwrap_or(false)))
    };
    ask().map_err(to_text)
}

/// All windows that are managed, and the others below the root window.
pub fn list(display: &str) -> Answer<String> {
    let ask = || {
        let root = Root::new(display)?;
        let managed = root.property("_NET_CLIENT_LIST")?;
        let children = root.connection.query_tree(root.window)?.reply()?.children;
        let text = |windows: &[Window]| {
            let texts = windows.iter().filter_map(|w| root.describe(*w).ok());
            match texts.collect::<Vec<_>>() {
                texts if texts.is_empty() => "none".to_owned(),
                texts => texts.join(", "),
            }
        };
        Ok(format!(
            "windows of the window manager: {}; all below the root: {}",
            text(&managed),
            text(&children)
        ))
    };
    ask().map_err(to_text)
}

fn to_text(error: Box<dyn Error>) -> String {
    error.to_string()
}
