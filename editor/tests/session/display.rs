//! Pictures of a virtual display.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

pub use virtual_display::Display;

/// What is needed to look at it.
pub const PROGRAMS: [&str; 2] = ["import", "convert"];

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
