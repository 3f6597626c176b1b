//! A virtual display with a window manager, and pictures of it.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

/// What is needed, by the program that is looked for.
const PROGRAMS: [&str; 4] = ["Xvfb", "openbox", "import", "convert"];

/// A display of our own; closed when dropped.
pub struct Display {
    name: String,
    server: Child,
    manager: Option<Child>,
}

impl Display {
    /// Starts a display server on a free number.
    pub fn open() -> Result<Self, String> {
        for program in PROGRAMS {
            if !is_installed(program) {
                return Err(format!(
                    "{program} is not installed; tests/run installs xvfb, openbox and imagemagick"
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
        // Without a window manager the editor never gets the focus, and draws nothing.
        let manager = quiet("openbox").env("DISPLAY", &display.name).spawn();
        display.manager = manager.ok();
        Ok(display)
    }

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

/// A picture of the display that the session runs on.
#[derive(Clone)]
pub struct Picture(PathBuf);

impl Picture {
    /// Takes it. With `FRACTURE_PICTURES` it is also kept there, smaller.
    pub fn take(name: &str) -> Self {
        let path = PathBuf::from(format!("{name}.png"));
        run(Command::new("import").args(["-window", "root"]).arg(&path));
        if let Some(folder) = env::var_os("FRACTURE_PICTURES") {
            fs::create_dir_all(&folder).expect("a folder for pictures");
            let kept = Path::new(&folder).join(&path);
            let small = ["-resize", "1200x", "-colors", "200", "-strip"];
            run(Command::new("convert").arg(&path).args(small).arg(kept));
        }
        Self(path)
    }

    /// How much there is to be seen in a part of it: the standard deviation of brightness.
    pub fn contrast(&self, [x, y, width, height]: [u32; 4]) -> f32 {
        let part = format!("{width}x{height}+{x}+{y}");
        let output = Command::new("convert")
            .arg(&self.0)
            .args(["-crop", &part, "+repage", "-colorspace", "Gray"])
            .args(["-format", "%[fx:standard_deviation]", "info:"])
            .output()
            .expect("convert");
        let text = String::from_utf8_lossy(&output.stdout);
        text.trim().parse().expect("a number")
    }

    /// How much a part of it differs from that of another, root mean square, 0 to 1.
    pub fn difference(&self, other: &Self, [x, y, width, height]: [u32; 4]) -> f32 {
        let part = format!("{width}x{height}+{x}+{y}");
        let output = Command::new("convert")
            .args([&self.0, &other.0])
            .args(["-crop", &part, "+repage", "-metric", "RMSE"])
            .args(["-compare", "-format", "%[distortion]", "info:"])
            .output()
            .expect("convert");
        let text = String::from_utf8_lossy(&output.stdout);
        text.trim().parse().expect("a number")
    }
}

fn run(command: &mut Command) {
    let status = command.status().expect("a program");
    assert!(status.success(), "{command:?}: {status}");
}
