//! Evidence of a failed scenario: its report, the scene's meshes and a picture.

use crate::name_of;
use executor::{
    demo::{DemoOptions, PictureRequest},
    scenario::{run, Report, RunOptions},
};
use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};
use virtual_display::Display;

/// First word of the command line of a process that takes a picture.
const SHOW: &str = "--show-for-a-picture";
/// Longest time for a picture. It takes some 5 s on two cores without a graphics card.
const PICTURE_LIMIT: Duration = Duration::from_secs(120);

/// Evidence of a failure.
#[derive(Debug, Default)]
pub struct Kept {
    /// The files in words, and the reasons for those that are missing.
    pub description: String,
    /// File of the scene's meshes at the first failure, OBJ.
    pub pieces: Option<PathBuf>,
    /// Picture of the scene at the first failure; `None` without a display.
    pub picture: Option<PathBuf>,
}

/// Runs a scenario once more, and keeps evidence of its first failure in the folder `failures` of `target`.
pub fn gather(path: &Path, report: &Report, target: &Path) -> Kept {
    let mut kept = Kept::default();
    let folder = target.join("failures").join(name_of(path));
    if let Err(error) = fs::create_dir_all(&folder) {
        let folder = folder.display();
        kept.description = format!("nothing is kept: {folder} cannot be made: {error}");
        return kept;
    }
    let pieces = folder.join("pieces.obj");
    let options = RunOptions {
        pieces: Some(pieces.clone()),
        ..RunOptions::default()
    };
    match run(path, &options) {
        Ok(_) => {
            kept.description += &format!("its meshes: {}\n", pieces.display());
            kept.pieces = Some(pieces);
        }
        Err(error) => kept.description += &format!("its meshes are not kept: {error}\n"),
    }
    let text = serde_json::to_string_pretty(report).unwrap_or_default();
    let report_path = folder.join("report.json");
    if fs::write(&report_path, text).is_ok() {
        kept.description += &format!("its report: {}\n", report_path.display());
    }
    let failed = report.expectations.iter().find(|found| !found.passed);
    let frame = failed.map_or(report.frames.saturating_sub(1), |found| found.frame);
    match picture(path, &folder, frame) {
        Ok(picture) => {
            kept.description += &format!("its picture: {}\n", picture.display());
            kept.picture = Some(picture);
        }
        Err(reason) => kept.description += &format!("there is no picture: {reason}\n"),
    }
    kept
}

/// Takes a picture of the scenario on a virtual display, in a process of its own.
fn picture(scenario: &Path, folder: &Path, frame: u32) -> Result<PathBuf, String> {
    let display = Display::open(&[]).map_err(|error| error.to_string())?;
    let program = env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new(program);
    command
        .args([Path::new(SHOW), scenario, folder])
        .arg(frame.to_string())
        .env_remove("WAYLAND_DISPLAY")
        .env("DISPLAY", display.name());
    let output = virtual_display::run(&mut command, PICTURE_LIMIT)
        .map_err(|error| format!("{error}\n{}", display.describe()))?;
    let path = folder.join(format!("frame_{frame:04}.png"));
    if path.is_file() {
        Ok(path)
    } else {
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        Err(format!("the renderer does not work here: {messages}"))
    }
}

/// Options of the demo, if this process was started to take a picture.
pub fn picture_request() -> Option<DemoOptions> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [show, scenario, folder, frame] = words.as_slice() else {
        return None;
    };
    let frame = frame.parse().ok()?;
    (show == SHOW).then(|| DemoOptions {
        scenario: Some(scenario.into()),
        pictures: Some(PictureRequest {
            folder: folder.into(),
            frames: vec![frame],
        }),
        ..DemoOptions::default()
    })
}

/// Checks that evidence shows a broken scene, and returns its numbers.
///
/// # Errors
/// The problem with it.
pub fn check(kept: &Kept) -> Result<String, String> {
    let pieces = kept.pieces.as_ref().ok_or(&kept.description)?;
    let meshes = fs::read_to_string(pieces).map_err(|error| error.to_string())?;
    let names = meshes.lines().filter(|line| line.starts_with("o "));
    let fragments = names.filter(|name| name.contains("/fragment_")).count();
    let vertices = check_mesh(&meshes)?;
    if fragments < 3 {
        return Err(format!("{} has {fragments} fragments", pieces.display()));
    }
    let mut found = format!("{fragments} fragments, {vertices} vertices");
    if let Some(picture) = &kept.picture {
        let colors = check_picture(picture)?;
        found += &format!(", a picture of {colors} colours");
    }
    Ok(found)
}

/// Checks that all vertices are numbers and all faces have vertices, and returns the number of vertices.
fn check_mesh(text: &str) -> Result<usize, String> {
    let (mut vertices, mut faces) = (0, 0);
    for line in text.lines() {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("v") => {
                let numbers: Vec<f32> = words.filter_map(|word| word.parse().ok()).collect();
                if numbers.len() != 3 || numbers.iter().any(|number| !number.is_finite()) {
                    return Err(format!("no vertex: {line}"));
                }
                vertices += 1;
            }
            Some("f") => {
                let corner = |word: &str| word.split('/').next()?.parse::<usize>().ok();
                let corners: Vec<usize> = words.filter_map(corner).collect();
                if corners.len() != 3 || corners.iter().any(|at| !(1..=vertices).contains(at)) {
                    return Err(format!("no face: {line}"));
                }
                faces += 1;
            }
            _ => (),
        }
    }
    if faces == 0 {
        return Err("there are no faces".into());
    }
    Ok(vertices)
}

/// Checks that a picture shows something, and returns the number of its colours.
fn check_picture(path: &Path) -> Result<usize, String> {
    let named = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let file = fs::File::open(path).map_err(|error| named(&error))?;
    let decoder = png::Decoder::new(std::io::BufReader::new(file));
    let mut reader = decoder.read_info().map_err(|error| named(&error))?;
    let size = reader.output_buffer_size().ok_or("it is too large")?;
    let mut pixels = vec![0; size];
    let info = reader
        .next_frame(&mut pixels)
        .map_err(|error| named(&error))?;
    let pixels = pixels.get(..info.buffer_size()).unwrap_or_default();
    let colors: BTreeSet<&[u8]> = pixels.chunks_exact(3).collect();
    if colors.len() < 500 {
        return Err(named(&format!("it has {} colours", colors.len())));
    }
    Ok(colors.len())
}
