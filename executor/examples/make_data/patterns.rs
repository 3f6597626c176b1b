//! Fracture patterns.

use fracture::{FracturePattern, PatternKind};
use fyrox::asset::ResourceData;
use std::error::Error;
use std::fs;
use std::path::Path;

/// Name, kind, cells, fall-off, seed.
const PATTERNS: &[(&str, PatternKind, u32, f32, u32)] = &[
    ("concrete", PatternKind::Clustered, 64, 1.0, 1),
    ("stone", PatternKind::Clustered, 48, 0.7, 2),
    ("glass", PatternKind::Clustered, 160, 2.0, 3),
    // A pattern that cuts nothing, for the cases that must be refused.
    ("single", PatternKind::Uniform, 1, 0.0, 0),
    ("even", PatternKind::Uniform, 64, 0.0, 4),
];

/// Writes every pattern as `<name>.pattern`.
pub fn write(folder: &Path) -> Result<(), Box<dyn Error>> {
    for &(name, kind, cells, falloff, seed) in PATTERNS {
        let mut pattern = FracturePattern {
            kind,
            cells,
            falloff,
            seed,
            ..Default::default()
        };
        pattern.save(&folder.join(name).with_extension("pattern"))?;
        println!("{name}.pattern: {cells} cells");
    }
    // Bytes that are no pattern, for the case that a file is damaged.
    fs::write(folder.join("damaged.pattern"), "This is not a pattern.\n")?;
    Ok(())
}
