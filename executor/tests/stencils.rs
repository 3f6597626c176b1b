//! Stencils that ship are what their files say, and files that are none are refused by name.

mod data_copy;

use data_copy::data_copy;
use executor::{data_folder::DataFolder, headless::Headless};
use fracture::{read_stencil, FracturePattern, PatternKind};
use std::{fs, path::Path};

/// A picture of one brightness for each row, 32 by 32 pixels.
fn picture(path: &Path, brightness: impl Fn(u8) -> u8) {
    let file = fs::File::create(path).unwrap();
    let mut encoder = png::Encoder::new(file, 32, 32);
    encoder.set_color(png::ColorType::Grayscale);
    let pixels: Vec<u8> = (0..32).flat_map(|row| [brightness(row); 32]).collect();
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&pixels).unwrap();
}

#[test]
fn stencils_come_from_their_files() {
    let data = data_copy("stencils");
    let folder = DataFolder::find(Some(&data), None).unwrap();
    folder.enter().unwrap();
    let engine = Headless::new(&folder).unwrap();
    let resources = engine.resources();

    for (name, cells, found) in [
        ("hexagons", 37, "37 convex parts"),
        ("cracks", 49, "49 regions"),
        ("ripples", 100, "dense where it is dark"),
        ("sunflower", 160, "160 points"),
    ] {
        let path = Path::new("data/patterns")
            .join(name)
            .with_extension("pattern");
        let shipped = FracturePattern::from_bytes(&fs::read(&path).unwrap(), &path).unwrap();
        let mut again = shipped.clone();
        again.stencil = Default::default();
        let told = read_stencil(&mut again, resources).unwrap();
        assert!(
            told.contains(&shipped.source) && told.contains(found),
            "{told}"
        );
        assert_eq!(again, shipped, "{told}");
        assert!(shipped.planes().unwrap().cell_count() >= cells);
    }

    // Black above, white below: two regions without a line between them are one.
    picture(Path::new("data/textures/halves.png"), |row| {
        if row < 16 {
            0
        } else {
            255
        }
    });
    picture(Path::new("data/textures/grey.png"), |_| 90);
    fs::write("data/models/rag.glb", "no model").unwrap();
    for (source, remedy) in [
        ("data/textures/grey.png", "draw dark lines"),
        ("data/textures/halves.png", "close the lines"),
        (
            "data/models/table.glb",
            "1 closed parts, a stencil needs 2 to 2000; divide it",
        ),
        ("data/models/mill.glb", "choose another Source File"),
        ("data/models/rag.glb", "restore the file"),
        ("data/patterns/lost.points", "restore the file"),
        (
            "data/patterns/ice.pattern",
            "choose such a file as Source File",
        ),
        ("", "choose such a file as Source File"),
    ] {
        let mut pattern = FracturePattern {
            kind: PatternKind::Stencil,
            source: source.into(),
            ..Default::default()
        };
        let before = pattern.clone();
        let message = read_stencil(&mut pattern, resources)
            .unwrap_err()
            .to_string();
        assert!(message.contains(&format!("\"{source}\"")), "{message}");
        assert!(message.contains(remedy), "{message}");
        assert_eq!(pattern, before);
    }
    let message = read_stencil(&mut FracturePattern::default(), resources).unwrap_err();
    assert!(message.to_string().contains("choose the kind Stencil"));
}
