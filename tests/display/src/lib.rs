//! A display server of a test's own, for tests that open windows.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

use std::{
    env,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

/// A virtual display with a window manager; closed when dropped.
pub struct Display {
    name: String,
    server: Child,
    manager: Option<Child>,
}

impl Display {
    /// Starts a display server on a free number. The programs are those that the test needs besides.
    ///
    /// # Errors
    /// What is missing, and what installs it.
    pub fn open(programs: &[&str]) -> Result<Self, String> {
        for program in ["Xvfb", "openbox"].iter().chain(programs) {
            if !is_installed(program) {
                return Err(format!(
                    "{program} is not installed; tests/run installs xvfb, openbox, imagemagick and xdotool"
                ));
            }
        }
        let number = (40..90).find(|n| !Path::new(&format!("/tmp/.X{n}-lock")).exists());
        let name = format!(":{}", number.ok_or("no display number is free")?);
        let server = quiet("Xvfb")
            .args([&name, "-screen", "0", "1600x900x24", "-nolisten", "tcp"])
            .spawn()
            .map_err(|error| format!("the display server does not start: {error}"))?;
        let mut display = Self {
            name,
            server,
            manager: None,
        };
        thread::sleep(Duration::from_secs(2));
        if let Ok(Some(status)) = display.server.try_wait() {
            return Err(format!("the display server does not start: {status}"));
        }
        // Without a window manager a window may never get the focus, and draw nothing.
        let manager = quiet("openbox").env("DISPLAY", &display.name).spawn();
        display.manager = manager.ok();
        Ok(display)
    }

    /// What the variable `DISPLAY` has to say.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        for child in self.manager.iter_mut().chain([&mut self.server]) {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn quiet(program: &str) -> Command {
    let mut command = Command::new(program);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn is_installed(program: &str) -> bool {
    let folders = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&folders).any(|folder| folder.join(program).is_file())
}
