//! A display server of a test's own, and waits that end, for tests that open windows.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod bounded;
mod windows;

pub use bounded::{run, tail, wait};

use bounded::{capture, within};
use std::{
    env, fmt, fs,
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// Longest time for the display server, or the window manager, to be ready.
const START_LIMIT: Duration = Duration::from_secs(30);
/// Longest time for the display server to answer one question.
const ANSWER_LIMIT: Duration = Duration::from_secs(5);
/// Time between two looks at something that is waited for.
const POLL: Duration = Duration::from_millis(20);

/// Reason why there is no display.
#[derive(Debug)]
pub enum DisplayError {
    /// A program is not installed: the test may be skipped.
    NotInstalled(String),
    /// The programs are installed and do not work: the test fails.
    Failed(String),
}

impl fmt::Display for DisplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotInstalled(program) => write!(
                f,
                "{program} is not installed; tests/run installs xvfb, openbox, imagemagick and xdotool"
            ),
            Self::Failed(reason) => f.write_str(reason),
        }
    }
}

/// A virtual display with a window manager; closed when dropped.
pub struct Display {
    name: String,
    server: Child,
    manager: Option<Child>,
}

impl Display {
    /// Starts a display server on a free number and a window manager, and waits for both.
    /// `programs` are further programs that the test needs.
    ///
    /// # Errors
    /// The program that is missing, or what does not start.
    pub fn open(programs: &[&str]) -> Result<Self, DisplayError> {
        for program in ["Xvfb", "openbox"].iter().chain(programs) {
            if !is_installed(program) {
                return Err(DisplayError::NotInstalled((*program).to_owned()));
            }
        }
        Self::start().map_err(DisplayError::Failed)
    }

    /// A display, or `None` with a message where a program is missing.
    ///
    /// # Panics
    /// Panics when the display does not start.
    pub fn open_or_skip(programs: &[&str]) -> Option<Self> {
        match Self::open(programs) {
            Ok(display) => Some(display),
            Err(missing @ DisplayError::NotInstalled(_)) => {
                println!("skipped: {missing}");
                None
            }
            Err(error) => panic!("{error}"),
        }
    }

    fn start() -> Result<Self, String> {
        let server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1600x900x24"])
            // Without the second one it starts anew, and loses all clients that have just come, each time
            // that the last client goes.
            .args(["-nolisten", "tcp", "-noreset"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("the display server does not start: {error}"))?;
        let mut display = Self {
            name: String::new(),
            server,
            manager: None,
        };
        display.name = display.read_name()?;
        display.start_manager()?;
        Ok(display)
    }

    /// Reads the number that the server has chosen, which it prints when it is ready.
    fn read_name(&mut self) -> Result<String, String> {
        let stdout = self.server.stdout.take();
        let messages = capture(self.server.stderr.take());
        let read = move || {
            let mut number = String::new();
            // On an error the line stays empty.
            let _ = stdout.map(|stdout| BufReader::new(stdout).read_line(&mut number));
            number.trim().to_owned()
        };
        match within(START_LIMIT, read) {
            Some(number) if !number.is_empty() => Ok(format!(":{number}")),
            answer => {
                let _ = self.server.kill();
                let problem = match answer {
                    Some(_) => "ends at once",
                    None => "is not ready",
                };
                let messages = messages.recv_timeout(ANSWER_LIMIT).unwrap_or_default();
                let messages = String::from_utf8_lossy(&messages).into_owned();
                Err(format!(
                    "the display server {problem} (limit {START_LIMIT:?}); it says:\n{messages}"
                ))
            }
        }
    }

    /// Starts the window manager and waits until it has taken over the root window. A window that is
    /// mapped before that is managed by nobody: it may never get the focus, and draw nothing.
    fn start_manager(&mut self) -> Result<(), String> {
        let manager = Command::new("openbox")
            .env("DISPLAY", &self.name)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("the window manager openbox does not start: {error}"))?;
        let manager = self.manager.insert(manager);
        let messages = capture(manager.stderr.take());
        let end = Instant::now() + START_LIMIT;
        while Instant::now() < end {
            let name = self.name.clone();
            if within(ANSWER_LIMIT, move || windows::is_managed(&name)) == Some(Ok(true)) {
                return Ok(());
            }
            if let Ok(Some(status)) = manager.try_wait() {
                let messages = messages.recv_timeout(ANSWER_LIMIT).unwrap_or_default();
                let messages = String::from_utf8_lossy(&messages);
                let name = &self.name;
                return Err(format!(
                    "the window manager openbox has ended on {name}: {status}; it says:\n{messages}"
                ));
            }
            thread::sleep(POLL);
        }
        Err(format!(
            "openbox has not taken over the root window of {} within {START_LIMIT:?}: \
             _NET_SUPPORTING_WM_CHECK is not set",
            self.name
        ))
    }

    /// Waits until the window manager shows a window.
    ///
    /// # Errors
    /// After `limit`, with what is on the display instead.
    pub fn wait_for_window(&self, limit: Duration) -> Result<(), String> {
        let end = Instant::now() + limit;
        while Instant::now() < end {
            let name = self.name.clone();
            if within(ANSWER_LIMIT, move || windows::shows_window(&name)) == Some(Ok(true)) {
                return Ok(());
            }
            thread::sleep(POLL);
        }
        Err(format!(
            "no window is mapped within {limit:?}; {}",
            self.describe()
        ))
    }

    /// Describes what is on the display, for messages of tests that fail.
    pub fn describe(&self) -> String {
        let name = self.name.clone();
        let windows = match within(ANSWER_LIMIT, move || windows::list(&name)) {
            Some(Ok(windows)) => windows,
            Some(Err(error)) => format!("no answer: {error}"),
            None => format!("no answer within {ANSWER_LIMIT:?}"),
        };
        format!("on the display {}: {windows}", self.name)
    }

    /// Value for the variable `DISPLAY`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Number of the display. No other display that is open has the same.
    pub fn number(&self) -> &str {
        self.name.trim_start_matches(':')
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        for child in self.manager.iter_mut().chain([&mut self.server]) {
            let _ = child.kill();
            let _ = child.wait();
        }
        // A server that is killed leaves these files behind; they may be another server's by now.
        let number = self.number();
        let lock = format!("/tmp/.X{number}-lock");
        let owner = fs::read_to_string(&lock).unwrap_or_default();
        if owner.trim() == self.server.id().to_string() {
            let _ = fs::remove_file(format!("/tmp/.X11-unix/X{number}"));
            let _ = fs::remove_file(lock);
        }
    }
}

fn is_installed(program: &str) -> bool {
    let folders = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&folders).any(|folder| folder.join(program).is_file())
}
