//! The materials of cracks that stay.

use fyrox::{
    core::color::Color,
    material::{Material, MaterialResource},
    scene::mesh::RenderPath,
};

/// Brightness of cracks in parts of that of the inside: little light gets between two faces.
const SHADE: f32 = 0.25;

/// Colour of cracks in what is drawn as transparent: their faces throw the light back.
const BRIGHT: Color = Color::from_rgba(235, 243, 240, 200);

/// The materials of cracks by their colours, in the order in which they were first needed.
#[derive(Default)]
pub(crate) struct CrackMaterials(Vec<(Color, MaterialResource)>);

impl CrackMaterials {
    /// The material of cracks in something with an inside of this colour, which is drawn as `render_path` says.
    pub fn of(&mut self, inside: Color, render_path: RenderPath) -> MaterialResource {
        let dark = |part: u8| (SHADE * f32::from(part)) as u8;
        let color = match render_path {
            RenderPath::Deferred => Color::opaque(dark(inside.r), dark(inside.g), dark(inside.b)),
            RenderPath::Forward => BRIGHT,
        };
        if let Some((_, known)) = self.0.iter().find(|(known, _)| *known == color) {
            return known.clone();
        }
        let mut material = Material::standard();
        material.set_property("diffuseColor", color);
        let new = MaterialResource::new_embedded(material);
        self.0.push((color, new.clone()));
        new
    }
}
