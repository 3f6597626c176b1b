//! A display server of a test's own, for tests that open windows.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

use std::{
    env, fs,
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
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
        let server = quiet("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1600x900x24"])
            .args(["-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .spawn();
        let server =
            server.map_err(|error| format!("the display server does not start: {error}"))?;
        let mut display = Self {
            name: String::new(),
            server,
            manager: None,
        };
        display.name = display.number()?;
        // Without a window manager a window may never get the focus, and draw nothing.
        let manager = quiet("openbox").env("DISPLAY", &display.name).spawn();
        display.manager = manager.ok();
        Ok(display)
    }

    /// The number that the server has chosen, which it tells when it answers.
    fn number(&mut self) -> Result<String, String> {
        let mut number = String::new();
        if let Some(told) = self.server.stdout.take() {
            // At its end there is nothing to be read, and nothing has been.
            let _ = BufReader::new(told).read_line(&mut number);
        }
        match number.trim() {
            "" => Err("the display server does not start".to_owned()),
            number => Ok(format!(":{number}")),
        }
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
        // A server that is killed leaves them behind; they may be another's by now.
        let number = self.name.trim_start_matches(':');
        let lock = format!("/tmp/.X{number}-lock");
        let owner = fs::read_to_string(&lock).unwrap_or_default();
        if owner.trim() == self.server.id().to_string() {
            let _ = fs::remove_file(format!("/tmp/.X11-unix/X{number}"));
            let _ = fs::remove_file(lock);
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
