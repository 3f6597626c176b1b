//! Whether an object's mesh can break, in words and places.

use super::Sketch;
use fracture_geometry::Health as MeshHealth;
use fyrox::core::algebra::Vector3;

/// Most edges that are given; more are no help to anyone.
const DRAWN: usize = 5000;

/// What a check of an object's mesh and pattern has found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Health {
    /// In words, with what to do.
    pub text: String,
    /// Edges of the mesh that need mending (open borders, turned or unbalanced edges), world space,
    /// metres.
    pub edges: Vec<[Vector3<f32>; 2]>,
    /// Points where the mesh passes through itself, world space, metres.
    pub crossings: Vec<Vector3<f32>>,
    /// Whether it can break.
    pub fine: bool,
}

impl Sketch {
    /// Checks mesh and pattern. For a worker.
    pub fn health(&self) -> Health {
        // The mesh is there once making the solid has been tried.
        let refused = self.prepare().err();
        let health = match self.shape.with_mesh(MeshHealth::of) {
            Ok(health) => health,
            Err(error) => return unread(&error.to_string()),
        };
        let mut text = format!("The mesh: {health}.");
        match (&refused, self.cells()) {
            (Some(error), _) => text += &format!("\n{}.", self.advice(error)),
            (None, Ok(cells)) => text += &format!("\nThe pattern has {cells} cells."),
            (None, Err(error)) => text += &format!("\n{error}."),
        }
        let edges = faulty_edges(&health).take(DRAWN);
        let crossings = health.crossings.list.iter();
        Health {
            text,
            edges: edges
                .map(|edge| edge.map(|end| self.to_world(end)))
                .collect(),
            crossings: crossings
                .map(|crossing| self.to_world(crossing.at))
                .collect(),
            fine: refused.is_none(),
        }
    }
}

fn unread(error: &str) -> Health {
    Health {
        text: format!("{error}."),
        ..Health::default()
    }
}

fn faulty_edges(health: &MeshHealth) -> impl Iterator<Item = [[f32; 3]; 2]> + '_ {
    let borders = health.borders.iter().flat_map(|border| {
        let points = &border.points;
        let next = points.iter().cycle().skip(1);
        let count = points.len() - usize::from(!border.closed && !points.is_empty());
        points.iter().zip(next).take(count).map(|(a, b)| [*a, *b])
    });
    let edges = health.turned.iter().chain(&health.unbalanced).copied();
    borders.chain(edges)
}
