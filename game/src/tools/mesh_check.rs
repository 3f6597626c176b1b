//! Checks whether an object's mesh can break, and locates its faults.

use crate::object::loading::NO_COLLIDER;
use crate::tools::preview::BreakPreview;
use fracture_geometry::check::MeshReport;
use fracture_geometry::{Mesh, SolidError};
use fyrox::core::algebra::Vector3;

/// Faulty edges listed at most. More could not be told apart in a drawing.
const MAX_EDGES: usize = 5000;
/// Size of a point's mark, relative to the mesh's diagonal.
const MARK_SIZE: f32 = 0.01;

/// The result of a check of an object's mesh and pattern.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshCheck {
    /// The result in words, with remedies.
    pub text: String,
    /// Faulty edges, world space, metres: open borders, flipped or unbalanced edges, and the edges of
    /// degenerate, sliver, duplicate or inside-out triangles.
    pub edges: Vec<[Vector3<f32>; 2]>,
    /// Points where the mesh intersects itself, world space, metres.
    pub crossings: Vec<Vector3<f32>>,
    /// Size for marks at those points, metres.
    pub mark: f32,
    /// Whether the object can break.
    pub fine: bool,
}

impl BreakPreview {
    /// Checks the mesh and the pattern. For a worker.
    pub fn health(&self) -> MeshCheck {
        // The mesh has been read once the solid has been attempted.
        let refused = self.prepare().err();
        let look = |mesh: &Mesh| {
            let health = MeshReport::new(mesh)?;
            let edges: Vec<_> = faulty_edges(&health, mesh).take(MAX_EDGES).collect();
            Ok::<_, SolidError>((health, edges))
        };
        let (health, edges) = match self.shape.with_mesh(look) {
            Ok(found) => found,
            Err(error) => return unread(&error.to_string()),
        };
        let mut text = format!("The mesh: {health}.");
        match (&refused, self.cells()) {
            (Some(error), _) => text += &format!("\n{}.", self.advice(error)),
            (None, Ok(cells)) => text += &format!("\nThe pattern has {cells} cells."),
            (None, Err(error)) => text += &format!("\n{error}."),
        }
        for fault in self.faults_beside_the_mesh() {
            text += &format!("\nBut {fault}.");
        }
        let crossings = health.self_intersections.list.iter();
        MeshCheck {
            text,
            mark: health.diagonal as f32 * MARK_SIZE,
            edges: edges
                .into_iter()
                .map(|edge| edge.map(|end| self.to_world(end)))
                .collect(),
            crossings: crossings
                .map(|crossing| self.to_world(crossing.point))
                .collect(),
            fine: refused.is_none(),
        }
    }
}

impl BreakPreview {
    /// Reasons why a sound mesh does not break as it should, with remedies.
    fn faults_beside_the_mesh(&self) -> impl Iterator<Item = String> {
        let solid = self.solid().ok();
        let size = solid.and_then(|solid| self.sizes.advice(solid));
        let collider = (!self.has_collider).then(|| NO_COLLIDER.to_owned());
        size.into_iter().chain(collider)
    }
}

fn unread(error: &str) -> MeshCheck {
    MeshCheck {
        text: format!("{error}."),
        ..MeshCheck::default()
    }
}

fn faulty_edges<'a>(
    health: &'a MeshReport,
    mesh: &'a Mesh,
) -> impl Iterator<Item = [[f32; 3]; 2]> + 'a {
    let borders = health.boundary_loops.iter().flat_map(|border| {
        let points = &border.points;
        let next = points.iter().cycle().skip(1);
        let count = points.len() - usize::from(!border.is_closed && !points.is_empty());
        points.iter().zip(next).take(count).map(|(a, b)| [*a, *b])
    });
    let edges = health
        .inconsistent
        .iter()
        .chain(&health.unbalanced)
        .copied();
    let triangles = health.faulty_triangles();
    let sides = triangles.flat_map(|triangle| sides(mesh, triangle));
    borders.chain(edges).chain(sides)
}

fn sides(mesh: &Mesh, triangle: u32) -> impl Iterator<Item = [[f32; 3]; 2]> + '_ {
    let corners = mesh.triangles.get(triangle as usize);
    let sides = corners.map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]]);
    let place = |corner: u32| mesh.positions.get(corner as usize).copied();
    let sides = sides.into_iter().flatten();
    sides.filter_map(move |[a, b]| Some([place(a)?, place(b)?]))
}
