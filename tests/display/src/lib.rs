//! A display server of a test's own, for tests that open windows.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

use std::{
    env, fs,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

/// A virtual display with a window manager; closed when dropped.
pub struct Display {
    name: String,
    number: u32,
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
        let number = (40..90).find(|number| is_free(*number));
        let number = number.ok_or("no display number is free")?;
        let name = format!(":{number}");
        let server = quiet("Xvfb")
            .args([&name, "-screen", "0", "1600x900x24", "-nolisten", "tcp"])
            .spawn()
            .map_err(|error| format!("the display server does not start: {error}"))?;
        let mut display = Self {
            name,
            number,
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
        // A server that is killed leaves them behind.
        let _ = fs::remove_file(lock(self.number));
        let _ = fs::remove_file(format!("/tmp/.X11-unix/X{}", self.number));
    }
}

fn lock(number: u32) -> String {
    format!("/tmp/.X{number}-lock")
}

/// Whether no server has a display: there is no lock, or that of a server that is no more.
fn is_free(number: u32) -> bool {
    let Ok(server) = fs::read_to_string(lock(number)) else {
        return !Path::new(&lock(number)).exists();
    };
    Path::new("/proc/self").exists() && !Path::new("/proc").join(server.trim()).exists()
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
