//! Weakness that is painted on an object: by a picture, or by the colours of its vertices.

use crate::{
    object::conversion::{
        grey, has_colors, has_coordinates, GreyPixels, SourceSurface, VertexColors,
    },
    script::{enums::WeaknessMapping, paint::Paint},
};
use fracture_geometry::{
    glam::{DVec3, Vec3},
    steps::pause,
    Aabb, Mesh, Weakness,
};
use fracture_simulation::{pattern::PaintedWeakness, Shape};
use fyrox::scene::mesh::buffer::VertexBuffer;
use std::sync::Arc;
use thiserror::Error;

/// Reason why paint cannot be read. Each message names the remedy.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub(crate) enum PaintError {
    /// The picture is compressed, or is no picture.
    #[error("its Weakness Map is compressed, or no flat picture; set Compression to NoCompression in its import options, or choose another picture")]
    Picture,
    /// A mesh has no texture coordinates.
    #[error("mesh node \"{node}\" has no texture coordinates, by which the Weakness Map lies on it; unwrap the model, or set Weakness Mapping to BroadSide")]
    NoCoordinates {
        /// The mesh node.
        node: String,
    },
    /// No mesh has colours.
    #[error("none of its meshes has vertex colours; paint some, or switch Weak Where Painted off")]
    NoColors,
}

/// Checks that paint can be read from some surfaces, which have to be loaded.
pub(crate) fn check_paint(paint: &Paint, sources: &[SourceSurface]) -> Result<(), PaintError> {
    if let Some(picture) = &paint.picture {
        let picture = picture.data_ref();
        if !picture.as_loaded_ref().is_some_and(GreyPixels::can_read) {
            return Err(PaintError::Picture);
        }
        let by_coordinates = paint.mapping == WeaknessMapping::TextureCoordinates;
        let without = sources.iter().find(|source| !has(source, has_coordinates));
        if let Some(source) = without.filter(|_| by_coordinates) {
            let node = source.node.clone();
            return Err(PaintError::NoCoordinates { node });
        }
    }
    if paint.colors && !sources.iter().any(|source| has(source, has_colors)) {
        return Err(PaintError::NoColors);
    }
    Ok(())
}

/// The weakness of a shape with paint; the worker makes it.
pub(crate) fn painted_weakness(paint: Paint, shape: Arc<Shape>) -> PaintedWeakness {
    PaintedWeakness::in_steps(async move {
        let pixels = paint.picture.and_then(|picture| {
            let picture = picture.data_ref();
            GreyPixels::of(picture.as_loaded_ref()?)
        });
        pause().await;
        // Of a faulty mesh a break reports the error.
        let none = Mesh::default();
        let mesh = shape.solid().map_or(&none, |solid| solid.mesh());
        let colors = paint.colors.then(|| VertexColors::of(mesh));
        let by_side = paint.mapping == WeaknessMapping::BroadSide;
        let side = by_side.then(|| BroadSide::of(mesh));
        Weakness::of_paint_in_steps(mesh, |corners, weights| {
            let colors = colors.as_ref();
            let color = colors.map(|colors| brightness(colors, corners, weights));
            let pixels = pixels.as_ref();
            let place = || match &side {
                Some(side) => side.coordinates(mix(&mesh.positions, corners, weights)),
                None => mix(&mesh.uvs, corners, weights),
            };
            let pixel = pixels.map(|pixels| pixels.at(place()));
            let brightness = color.into_iter().chain(pixel).fold(1.0, f32::min);
            f64::from(1.0 - brightness)
        })
        .await
    })
}

fn has(source: &SourceSurface, has: impl Fn(&VertexBuffer) -> bool) -> bool {
    let data = source.data.data_ref();
    let data = data.as_loaded_ref();
    data.is_some_and(|data| has(&data.vertex_buffer))
}

/// The brightness of the colours of vertices at a place of a triangle.
fn brightness(colors: &VertexColors, corners: [u32; 3], weights: [f64; 3]) -> f32 {
    let brightness = |corner: u32| grey(colors.at(corner as usize));
    let shares = corners.into_iter().zip(weights);
    shares
        .map(|(corner, weight)| weight as f32 * brightness(corner))
        .sum()
}

/// The mean of what vertices have at a place of a triangle.
fn mix<const N: usize>(of_vertices: &[[f32; N]], corners: [u32; 3], weights: [f64; 3]) -> [f64; N] {
    let mut mean = [0.0; N];
    for (corner, weight) in corners.into_iter().zip(weights) {
        let own = of_vertices.get(corner as usize).copied();
        let own = own.unwrap_or([0.0; N]);
        for (mean, own) in mean.iter_mut().zip(own) {
            *mean += weight * f64::from(own);
        }
    }
    mean
}

/// The broad side of a mesh, over which a picture is stretched.
struct BroadSide {
    low: [f64; 3],
    sizes: [f64; 3],
    /// The axis that points at whoever looks at it.
    across: usize,
}

impl BroadSide {
    fn of(mesh: &Mesh) -> Self {
        let positions = mesh.positions.iter();
        let bounds = Aabb::from_points(positions.map(|place| Vec3::from(*place).as_dvec3()));
        let [low, high] = bounds.corners();
        let sizes = (high - low).max(DVec3::splat(f64::MIN_POSITIVE)).to_array();
        // Of a cube the front.
        let shortest = [2, 0, 1].into_iter();
        let across = shortest.min_by(|a, b| sizes[*a].total_cmp(&sizes[*b]));
        Self {
            low: low.to_array(),
            sizes,
            across: across.unwrap_or_default(),
        }
    }

    /// Texture coordinates of a place: from the left to the right, and from the top down.
    fn coordinates(&self, place: [f64; 3]) -> [f64; 2] {
        let [x, y, z] = [0, 1, 2].map(|axis| {
            // Less than the whole, where the picture would begin again.
            let share = (place[axis] - self.low[axis]) / self.sizes[axis];
            share.clamp(0.0, 1.0 - 1e-9)
        });
        let from_end = |share: f64| 1.0 - 1e-9 - share;
        match self.across {
            0 => [from_end(z), from_end(y)],
            1 => [x, z],
            _ => [x, from_end(y)],
        }
    }
}
