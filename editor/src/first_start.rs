//! Settings of the editor's first start. Later starts read its own settings file.

use fyrox::core::algebra::Vector3;
use fyroxed_base::settings::{
    scene::{SceneCameraSettings, SceneSettings},
    Settings,
};
use std::{f32::consts::PI, fs, path::Path};

/// Build profile of the editor's Play button: debug builds of the engine are too slow, and the project
/// is built once, for release.
const PLAY_PROFILE: &str = "Release";
/// The folder of the scenes that are looked at from the front.
const SCENES: &str = "data/scenes";
/// The point around which the editor's camera turns at first, 3 m in front of it, metres.
const TARGET: [f32; 3] = [0.0, 1.2, 0.8];

/// Returns the settings of the first start in the current folder.
pub fn settings() -> Settings {
    let mut settings = Settings::default();
    let data = settings.data_mut();
    let profiles = &data.build.profiles;
    if let Some(index) = profiles.iter().position(|p| p.name == PLAY_PROFILE) {
        data.build.selected_profile = index;
    }
    let files = fs::read_dir(SCENES).into_iter().flatten().flatten();
    for file in files.filter(|file| is_scene(&file.path())) {
        let path = Path::new(SCENES).join(file.file_name());
        data.scene_settings.insert(path, from_the_front());
    }
    settings
}

fn is_scene(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rgs")
}

/// The front of a scene looks along +z, where the sun is, and the editor's camera along +z too.
fn from_the_front() -> SceneSettings {
    SceneSettings {
        camera_settings: SceneCameraSettings {
            position: Vector3::from(TARGET),
            yaw: PI,
            ..Default::default()
        },
        ..Default::default()
    }
}
