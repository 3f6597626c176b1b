//! Makes everything in `data/` that is not written by hand: models, textures, materials, patterns,
//! cards, prefabs and scenes.
//!
//! ```text
//! cargo run --release -p executor --example make_data
//! cargo run --release -p executor --example make_data -- --only models,textures
//! cargo run --release -p executor --example make_data -- --only scenes --scenes wall,statue
//! ```
//!
//! Models, textures, materials, patterns and cards come out the same each time on one platform; a scene
//! differs in the random ids that the engine gives its nodes.

#![forbid(unsafe_code)]

mod bridges;
mod buildings;
mod cards;
mod coupling;
mod gallery;
mod glb;
mod ids;
mod landscape;
mod light;
mod lightmapped;
mod materials;
mod mill;
mod models;
mod noise;
mod painted;
mod parts;
mod patterns;
mod prefabs;
mod props;
mod rig;
mod scenes;
mod set;
mod shape;
mod sky;
mod solids;
mod statue;
mod stencils;
mod stones;
mod surfaces;
mod texture;
mod textures;
mod vector;
mod vessels;
mod weight;

use clap::{Parser, ValueEnum};
use executor::{data_folder::DataFolder, headless::Headless};
use std::error::Error;
use std::fs;
use std::path::PathBuf;

/// Makes the models, textures, materials, patterns, cards, prefabs and scenes in the data folder.
#[derive(Parser)]
struct Options {
    /// The folder to write into.
    #[arg(long, default_value = "data")]
    out: PathBuf,
    /// Make only these; later parts refer to earlier ones.
    #[arg(long, value_delimiter = ',')]
    only: Vec<Part>,
    /// Make only the scenes of these names.
    #[arg(long, value_delimiter = ',')]
    scenes: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Part {
    Models,
    Textures,
    Materials,
    Patterns,
    Cards,
    Prefabs,
    Scenes,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let wanted = |part| options.only.is_empty() || options.only.contains(&part);
    for folder in [
        "models",
        "textures",
        "materials",
        "patterns",
        "cards",
        "prefabs",
        "scenes",
    ] {
        fs::create_dir_all(options.out.join(folder))?;
    }
    if wanted(Part::Models) {
        models::write(&options.out.join("models"))?;
        stencils::write_model(&options.out.join("models"))?;
    }
    if wanted(Part::Textures) {
        textures::write(&options.out.join("textures"))?;
        stencils::write_pictures(&options.out.join("textures"))?;
        painted::write_picture(&options.out.join("textures"))?;
        lightmapped::write_pictures(&options.out.join("textures"))?;
    }
    let data = DataFolder::find(Some(&options.out), None)?;
    data.enter()?;
    let name = data.name();
    if wanted(Part::Patterns) {
        patterns::write(&name.join("patterns"))?;
    }
    ids::write(&name)?;
    if wanted(Part::Patterns) {
        stencils::write_patterns(Headless::new(&data)?.resources(), &name)?;
        ids::write(&name)?;
    }
    if wanted(Part::Materials) {
        materials::write(Headless::new(&data)?.resources(), &name)?;
        ids::write(&name)?;
    }
    if wanted(Part::Cards) {
        cards::write(Headless::new(&data)?.resources(), &name)?;
        ids::write(&name)?;
    }
    if wanted(Part::Prefabs) {
        prefabs::write(Headless::new(&data)?.resources(), &name)?;
        ids::write(&name)?;
    }
    if wanted(Part::Scenes) {
        let engine = Headless::new(&data)?;
        let wanted = |scene: &str| {
            let names = &options.scenes;
            names.is_empty() || names.iter().any(|name| name == scene)
        };
        scenes::write(engine.resources(), &name, wanted)?;
        gallery::write(engine.resources(), &name, wanted)?;
        if wanted("lightmapped") {
            lightmapped::write(engine.resources(), &name)?;
        }
        drop(engine);
        ids::write(&name)?;
        // Once more, so that the registry knows the scenes.
        Headless::new(&data)?;
    }
    Ok(())
}
