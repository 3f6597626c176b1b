//! Fracture patterns.

use fracture::{FracturePattern, PatternAxis, PatternKind, PRESETS};
use fyrox::asset::ResourceData;
use std::error::Error;
use std::fs;
use std::path::Path;

/// Writes every pattern as `<name>.pattern`.
pub fn write(folder: &Path) -> Result<(), Box<dyn Error>> {
    for (name, preset) in PRESETS {
        let file = match name {
            "concrete" => "concrete_crater",
            "stone" => "stone_crater",
            name => name,
        };
        save(folder, file, preset())?;
    }
    // Cells around the impact, for scenes whose scenarios count the pieces of such.
    for (name, cells, falloff, seed) in [("concrete", 64, 1.0, 1), ("stone", 48, 0.7, 2)] {
        let clustered = FracturePattern {
            cells,
            falloff,
            seed,
            ..Default::default()
        };
        save(folder, name, clustered)?;
    }
    let even = |cells, seed| FracturePattern {
        kind: PatternKind::Uniform,
        cells,
        falloff: 0.0,
        seed,
        ..Default::default()
    };
    save(folder, "even", even(64, 4))?;
    // Dice of tempered glass, all over the pane.
    let dice = FracturePattern {
        inside_mesh: true,
        ..even(900, 9)
    };
    save(folder, "dice", dice)?;
    let plywood = FracturePattern {
        kind: PatternKind::Splinters,
        axis: PatternAxis::Longest,
        cells: 60,
        falloff: 0.6,
        aspect: 3.0,
        seed: 10,
        ..Default::default()
    };
    save(folder, "plywood", plywood)?;
    // A pattern that cuts nothing, for the cases that must be refused.
    save(folder, "single", even(1, 0))?;
    // Bytes that are no pattern, for the case that a file is damaged.
    fs::write(folder.join("damaged.pattern"), "This is not a pattern.\n")?;
    Ok(())
}

fn save(folder: &Path, name: &str, mut pattern: FracturePattern) -> Result<(), Box<dyn Error>> {
    pattern.save(&folder.join(name).with_extension("pattern"))?;
    println!("{name}.pattern: {}", pattern.kind.as_ref());
    Ok(())
}
