//! Materials: textures with a tint and a polish, and what one sees through.

use crate::texture::TEXTURES;
use fyrox::{
    asset::{manager::ResourceManager, ResourceData},
    core::{algebra::Vector2, color::Color, futures::executor::block_on},
    material::{shader::Shader, Material, MaterialResourceBinding, MaterialTextureBinding},
    resource::texture::Texture,
};
use std::error::Error;
use std::path::Path;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// A material made from a texture of another name, or otherwise than as it is.
struct Look {
    name: &'static str,
    texture: &'static str,
    tint: [u8; 3],
    /// The texture of its roughness; none is dull.
    polish: Option<&'static str>,
    /// Repeats of the texture along u and v.
    repeats: [f32; 2],
}

const WHITE: [u8; 3] = [255; 3];
const PLAIN: Look = Look {
    name: "",
    texture: "",
    tint: WHITE,
    polish: None,
    repeats: [1.0, 1.0],
};

/// Properties of a material besides its textures.
const LOOKS: &[Look] = &[
    Look {
        name: "brickwork",
        texture: "brick",
        // Bricks of 0.25 m in courses of 0.075 m, on coordinates in metres.
        repeats: [1.0, 1.0 / 0.6],
        ..PLAIN
    },
    Look {
        name: "brick_cut",
        texture: "concrete_cut",
        tint: [214, 122, 92],
        ..PLAIN
    },
    Look {
        name: "timber",
        texture: "wood",
        polish: Some("satin"),
        ..PLAIN
    },
    Look {
        name: "wood_cut",
        texture: "split_wood",
        ..PLAIN
    },
    Look {
        name: "ceramic",
        texture: "glaze",
        polish: Some("polished"),
        ..PLAIN
    },
    Look {
        name: "ceramic_cut",
        texture: "plaster",
        tint: [255, 226, 200],
        ..PLAIN
    },
    Look {
        name: "marble",
        texture: "marble",
        polish: Some("satin"),
        ..PLAIN
    },
    Look {
        name: "marble_cut",
        texture: "stone_cut",
        tint: [232, 240, 255],
        ..PLAIN
    },
    Look {
        name: "oak_cut",
        texture: "split_wood",
        tint: [236, 220, 200],
        ..PLAIN
    },
    Look {
        name: "terracotta_cut",
        texture: "plaster",
        tint: [226, 128, 84],
        ..PLAIN
    },
    // The walls of the house.
    Look {
        name: "render",
        texture: "plaster",
        tint: [255, 226, 176],
        ..PLAIN
    },
    Look {
        name: "render_cut",
        texture: "concrete_cut",
        tint: [236, 214, 190],
        ..PLAIN
    },
];

/// Transparent materials: the colour with its opacity, the part that grows towards the rims, and a
/// texture in it.
const CLEAR: &[(&str, [u8; 4], f32, Option<&str>)] = &[
    ("glass", [150, 200, 192, 30], 0.75, None),
    ("glass_cut", [96, 190, 168, 150], 0.5, None),
    ("ice", [196, 226, 244, 196], 0.5, Some("ice")),
    ("ice_cut", [216, 238, 250, 216], 0.4, Some("ice")),
];

/// Writes one material per texture as `<name>.material`, and those of the lists.
pub fn write(resources: &ResourceManager, data: &Path) -> Result<()> {
    for texture in TEXTURES {
        let plain = Look {
            name: texture.name,
            texture: texture.name,
            ..PLAIN
        };
        if !LOOKS.iter().any(|look| look.name == texture.name) {
            write_look(resources, data, &plain)?;
        }
    }
    for look in LOOKS {
        write_look(resources, data, look)?;
    }
    let path = data.join("shaders/clear.shader");
    let shader = block_on(resources.request::<Shader>(&path))
        .map_err(|error| format!("{}: {error:?}", path.display()))?;
    for (name, [r, g, b, a], rim, texture) in CLEAR {
        let mut material = Material::from_shader(shader.clone());
        material.set_property("diffuseColor", Color::from_rgba(*r, *g, *b, *a));
        material.set_property("rim", *rim);
        if let Some(texture) = texture {
            bind(resources, &mut material, "diffuseTexture", data, texture)?;
        }
        save(&mut material, data, name)?;
    }
    Ok(())
}

fn write_look(resources: &ResourceManager, data: &Path, look: &Look) -> Result<()> {
    let mut material = Material::standard();
    bind(
        resources,
        &mut material,
        "diffuseTexture",
        data,
        look.texture,
    )?;
    let relief = |texture: &&crate::texture::Texture| texture.name == look.texture;
    if TEXTURES
        .iter()
        .find(relief)
        .is_some_and(|texture| texture.relief > 0.0)
    {
        let normal = format!("{}_normal", look.texture);
        bind(resources, &mut material, "normalTexture", data, &normal)?;
    }
    if let Some(polish) = look.polish {
        bind(resources, &mut material, "roughnessTexture", data, polish)?;
    }
    let [r, g, b] = look.tint;
    material.set_property("diffuseColor", Color::opaque(r, g, b));
    let [u, v] = look.repeats;
    material.set_property("texCoordScale", Vector2::new(u, v));
    save(&mut material, data, look.name)
}

fn bind(
    resources: &ResourceManager,
    material: &mut Material,
    slot: &str,
    data: &Path,
    texture: &str,
) -> Result<()> {
    let path = data.join("textures").join(texture).with_extension("png");
    let texture = block_on(resources.request::<Texture>(&path))
        .map_err(|error| format!("{}: {error:?}", path.display()))?;
    let value = Some(texture);
    material.bind(
        slot,
        MaterialResourceBinding::Texture(MaterialTextureBinding { value }),
    );
    Ok(())
}

fn save(material: &mut Material, data: &Path, name: &str) -> Result<()> {
    let path = data.join("materials").join(name);
    material.save(&path.with_extension("material"))?;
    println!("{name}.material");
    Ok(())
}
