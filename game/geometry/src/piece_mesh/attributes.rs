//! Attributes of pieces whose meaning only the host knows. A cut face has those of the old surface beside it: a point of a
//! lightmap that is lit as its surroundings, and one point for the whole face, because the charts of two surfaces that meet
//! are far apart in a lightmap, with the light of others between them.

use crate::fracture::{PieceVertex, VertexSource};
use crate::mesh::{position_bits, Attribute, Mesh};
use glam::Vec3;
use std::collections::HashMap;

/// The attributes of a piece's own vertices, then of more ones of the solid's mesh.
pub(super) fn attributes(own: &[PieceVertex], more: &[u32], source: &Mesh) -> Vec<Attribute> {
    if source.attributes.is_empty() {
        return Vec::new(); // the common case
    }
    let places = old_places(own, source);
    let of_piece = |attribute: &Attribute| {
        let mut values = attribute.empty(own.len() + more.len());
        for (vertex, place) in own.iter().zip(&places) {
            match attribute.on_cuts.filter(|_| is_cut(vertex)) {
                Some(value) => values.values.extend((0..attribute.size).map(|_| value)),
                None => add_row(&mut values.values, attribute, source, *place),
            }
        }
        let rows = more.iter().filter_map(|v| attribute.row(*v as usize));
        rows.for_each(|row| values.values.extend(row));
        values
    };
    source.attributes.iter().map(of_piece).collect()
}

/// Adds the numbers at a place on the mesh of the solid.
fn add_row(values: &mut Vec<f32>, attribute: &Attribute, mesh: &Mesh, place: VertexSource) {
    let row = |vertex: u32| attribute.row(vertex as usize).unwrap_or_default();
    match place {
        VertexSource::Vertex(vertex) => values.extend(row(vertex)),
        VertexSource::Triangle { triangle, weights } => {
            let rows = mesh.triangles[triangle as usize].map(row);
            let sum = |index: usize| -> f32 {
                let weighted = rows.iter().zip(weights);
                weighted.map(|(row, weight)| row[index] * weight).sum()
            };
            values.extend((0..attribute.size).map(sum));
        }
        // A mesh without vertices has no pieces.
        VertexSource::Cap { .. } => values.extend((0..attribute.size).map(|_| 0.0)),
    }
}

/// The places on the mesh of the solid from which a piece's vertices have their attributes: their own, and for those of
/// cut faces that which is nearest to the middle of the face, of the ones at its rim if it has any.
fn old_places(own: &[PieceVertex], mesh: &Mesh) -> Vec<VertexSource> {
    let old = || own.iter().filter(|vertex| !is_cut(vertex));
    let mut at_position = HashMap::new(); // only looked up, never iterated
    for vertex in old() {
        at_position
            .entry(bits(vertex))
            .or_insert((vertex.position, vertex.source));
    }
    let mut places = Vec::with_capacity(own.len());
    for face in own.chunk_by(|a, b| is_cut(a) && a.source == b.source) {
        if !face.iter().all(is_cut) {
            places.extend(face.iter().map(|vertex| vertex.source));
            continue;
        }
        let sum: Vec3 = face.iter().map(|vertex| Vec3::from(vertex.position)).sum();
        let middle = sum / face.len() as f32;
        let rim = face
            .iter()
            .filter_map(|vertex| at_position.get(&bits(vertex)));
        let of_piece = || old().map(|vertex| (vertex.position, vertex.source));
        let of_solid = || {
            let vertices = (0..).map(VertexSource::Vertex);
            mesh.positions.iter().copied().zip(vertices)
        };
        let place = nearest(middle, rim.copied())
            .or_else(|| nearest(middle, of_piece()))
            .or_else(|| nearest(middle, of_solid()));
        let first = face.first().map(|vertex| vertex.source);
        places.extend(place.or(first).into_iter().cycle().take(face.len()));
    }
    places
}

fn nearest(
    point: Vec3,
    places: impl Iterator<Item = ([f32; 3], VertexSource)>,
) -> Option<VertexSource> {
    let distance = |position: [f32; 3]| Vec3::from(position).distance_squared(point);
    let measured = places.map(|(position, place)| (distance(position), place));
    let nearest = measured.min_by(|a, b| a.0.total_cmp(&b.0));
    nearest.map(|(_, place)| place)
}

fn is_cut(vertex: &PieceVertex) -> bool {
    matches!(vertex.source, VertexSource::Cap { .. })
}

fn bits(vertex: &PieceVertex) -> [u32; 3] {
    position_bits(&vertex.position)
}
