//! Pictures of a virtual display.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

pub use virtual_display::{Display, DisplayError};

/// Programs that take and measure pictures.
pub const PROGRAMS: [&str; 2] = ["import", "convert"];

/// A part of the display: x, y, width, height.
pub type Part = [u32; 4];

/// A picture of the display that the session runs on.
#[derive(Clone)]
pub struct Picture(PathBuf);

impl Picture {
    /// Takes it. With `FRACTURE_PICTURES` a part of it is also kept there.
    pub fn take(name: &str, part: Part) -> Self {
        let path = PathBuf::from(format!("{name}.png"));
        run(Command::new("import").args(["-window", "root"]).arg(&path));
        if let Some(folder) = env::var_os("FRACTURE_PICTURES") {
            fs::create_dir_all(&folder).expect("a folder for pictures");
            let kept = Path::new(&folder).join(&path);
            let small = ["+repage", "-colors", "256", "-strip"];
            let crop = ["-crop", &geometry(part)];
            run(Command::new("convert")
                .arg(&path)
                .args(crop)
                .args(small)
                .arg(kept));
        }
        Self(path)
    }

    /// Returns the contrast of a part: the standard deviation of brightness.
    pub fn contrast(&self, part: Part) -> f32 {
        let output = Command::new("convert")
            .arg(&self.0)
            .args(["-crop", &geometry(part), "+repage", "-colorspace", "Gray"])
            .args(["-format", "%[fx:standard_deviation]", "info:"])
            .output()
            .expect("convert");
        let text = String::from_utf8_lossy(&output.stdout);
        text.trim().parse().expect("a number")
    }

    /// Returns the difference of a part from that of another picture, root mean square, 0 to 1.
    pub fn difference(&self, other: &Self, part: Part) -> f32 {
        let output = Command::new("convert")
            .args([&self.0, &other.0])
            .args(["-crop", &geometry(part), "+repage", "-metric", "RMSE"])
            .args(["-compare", "-format", "%[distortion]", "info:"])
            .output()
            .expect("convert");
        let text = String::from_utf8_lossy(&output.stdout);
        text.trim().parse().expect("a number")
    }
}

fn geometry([x, y, width, height]: Part) -> String {
    format!("{width}x{height}+{x}+{y}")
}

fn run(command: &mut Command) {
    let status = command.status().expect("a program");
    assert!(status.success(), "{command:?}: {status}");
}
