//! Materials: a colour texture and a normal map each, and glass.

use crate::texture::TEXTURES;
use fyrox::{
    asset::{manager::ResourceManager, ResourceData},
    core::{algebra::Vector2, color::Color, futures::executor::block_on},
    material::{Material, MaterialResourceBinding, MaterialTextureBinding},
    resource::texture::Texture,
};
use std::error::Error;
use std::path::Path;

/// Writes one material per texture as `<name>.material`, and the two of glass.
pub fn write(resources: &ResourceManager, data: &Path) -> Result<(), Box<dyn Error>> {
    let folder = data.join("materials");
    for texture in TEXTURES {
        let mut material = Material::standard();
        for (slot, file) in [
            ("diffuseTexture", format!("{}.png", texture.name)),
            ("normalTexture", format!("{}_normal.png", texture.name)),
        ] {
            bind(
                resources,
                &mut material,
                slot,
                &data.join("textures").join(file),
            )?;
        }
        material.set_property("texCoordScale", Vector2::new(1.0f32, 1.0));
        save(&mut material, &folder, texture.name)?;
    }
    // The engine does not light what one sees through: these are the colours one gets.
    for (name, color) in [
        ("glass", Color::from_rgba(60, 110, 105, 64)),
        ("glass_cut", Color::from_rgba(70, 150, 130, 170)),
    ] {
        let mut material = Material::standard();
        material.set_property("diffuseColor", color);
        save(&mut material, &folder, name)?;
    }
    Ok(())
}

fn bind(
    resources: &ResourceManager,
    material: &mut Material,
    slot: &str,
    path: &Path,
) -> Result<(), Box<dyn Error>> {
    let texture = block_on(resources.request::<Texture>(path))
        .map_err(|error| format!("{}: {error:?}", path.display()))?;
    let value = Some(texture);
    material.bind(
        slot,
        MaterialResourceBinding::Texture(MaterialTextureBinding { value }),
    );
    Ok(())
}

fn save(material: &mut Material, folder: &Path, name: &str) -> Result<(), Box<dyn Error>> {
    material.save(&folder.join(name).with_extension("material"))?;
    println!("{name}.material");
    Ok(())
}
