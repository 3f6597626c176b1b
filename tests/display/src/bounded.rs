//! Waiting for processes and answers, never longer than a limit.

use std::{
    fs,
    io::Read,
    path::Path,
    process::{Child, Command, ExitStatus, Output, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
    time::{Duration, Instant},
};

/// Time between two looks at a process.
const POLL: Duration = Duration::from_millis(50);

/// Runs a program to its end and returns what it printed.
///
/// # Errors
/// When it does not start, or takes longer than `limit`; it is killed then.
pub fn run(command: &mut Command, limit: Duration) -> Result<Output, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{name} does not start: {error}"))?;
    let stdout = capture(child.stdout.take());
    let stderr = capture(child.stderr.take());
    let status = wait(&mut child, limit);
    // Its children may keep the pipes open.
    let printed = |pipe: Receiver<Vec<u8>>| pipe.recv_timeout(limit).unwrap_or_default();
    let (stdout, stderr) = (printed(stdout), printed(stderr));
    match status {
        Some(status) => Ok(Output {
            status,
            stdout,
            stderr,
        }),
        None => Err(format!(
            "{name} has not ended within {limit:?}; it says:\n{}{}",
            String::from_utf8_lossy(&stderr),
            String::from_utf8_lossy(&stdout)
        )),
    }
}

/// Waits for a process to end. One that takes longer than `limit` is killed, and `None` returned.
pub fn wait(child: &mut Child, limit: Duration) -> Option<ExitStatus> {
    let end = Instant::now() + limit;
    while Instant::now() < end {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        thread::sleep(POLL);
    }
    let _ = child.kill();
    let _ = child.wait();
    None
}

/// The last lines of a log file, for messages of tests that fail.
pub fn tail(log: &Path, lines: usize) -> String {
    let text = fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let all: Vec<&str> = text.lines().collect();
    all[all.len().saturating_sub(lines)..].join("\n")
}

/// Result of a function that may block, or `None` after `limit`. Its thread is left alone then.
pub(crate) fn within<T: Send + 'static>(
    limit: Duration,
    function: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(function()));
    receiver.recv_timeout(limit).ok()
}

/// Reads a pipe to its end on a thread, so that whatever writes into it never has to wait.
pub(crate) fn capture(pipe: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.map(|mut pipe| pipe.read_to_end(&mut bytes));
        sender.send(bytes)
    });
    receiver
}
