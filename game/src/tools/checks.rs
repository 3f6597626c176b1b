//! Checks of an object before it breaks in a game: of its mesh, whose faults are located, and of its fields, by
//! breaks at random points.

use crate::{
    impacts::impact::Impact,
    object::loading::NO_COLLIDER,
    tools::preview::{BreakPreview, PreviewError},
};
use fracture_geometry::{
    check::{check_closed, MeshReport},
    glam::DVec3,
    piece_mesh::CapStyle,
    FractureError, Mesh, Solid, SolidError,
};
use fracture_simulation::BreakFailure;
use fyrox::core::{algebra::Vector3, instant::Instant};
use std::sync::{atomic::AtomicBool, Arc};

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

/// The result of a break at a random point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TestBreak {
    /// Point of the impact, world space, metres.
    pub point: Vector3<f32>,
    /// Radius of the break, metres.
    pub radius: f32,
    /// Number of pieces; 0 if the impact broke nothing.
    pub pieces: usize,
    /// Volume of the smallest piece, m^3.
    pub smallest: f64,
    /// Volume of dust, relative to the object's.
    pub dust: f64,
    /// |volume of pieces + volume of dust - volume of the object| / volume of the object.
    pub volume_error: f64,
    /// Number of pieces that are not closed: 0, unless the cutter has a bug.
    pub open: usize,
    /// Time of the cut, ms. It depends on the machine.
    pub cut_ms: f32,
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

    /// Reasons why a sound mesh does not break as it should, with remedies.
    fn faults_beside_the_mesh(&self) -> impl Iterator<Item = String> {
        let solid = self.solid().ok();
        let size = solid.and_then(|solid| self.sizes.advice(solid));
        let collider = (!self.has_collider).then(|| NO_COLLIDER.to_owned());
        size.into_iter().chain(collider)
    }

    /// Breaks the object at a point, with a radius and a rotation of the pattern that follow from the
    /// number. Takes as long as a break; for a worker.
    ///
    /// # Errors
    /// A fault of the mesh or the pattern. An impact that breaks nothing gives a result without pieces.
    pub fn trial(&self, number: u64, cancel: &Arc<AtomicBool>) -> Result<TestBreak, PreviewError> {
        let mut rng = SplitMix64(number);
        let solid = self.shape.solid()?;
        let (point, normal) = surface_point(solid, &mut rng);
        let (min, max) = (self.material.min_radius, self.material.max_radius);
        let radius = min + (max - min) * rng.next_f64() as f32;
        let (point, normal) = (self.to_world(point), self.to_world_direction(normal));
        let impact = Impact::new(point, normal, 0.0).with_radius(radius);
        let seeded = Self {
            seed: self.seed ^ number,
            ..self.clone()
        };
        let begin = Instant::now();
        let broken = match seeded.break_at(&impact, false, cancel) {
            Ok(broken) => broken,
            Err(PreviewError::Refused(BreakFailure::Fracture(FractureError::OutOfReach {
                ..
            }))) => Default::default(),
            Err(error) => return Err(error),
        };
        let cut_ms = begin.elapsed().as_secs_f32() * 1e3;
        let style = CapStyle::own_surface(solid.mesh());
        let is_open = |piece: &&fracture_geometry::Piece| {
            !check_closed(&piece.to_mesh(solid, &style)).is_closed()
        };
        let volumes = broken.pieces.iter().map(|piece| piece.mass.volume);
        let whole = solid.mass().volume;
        let sum = volumes.clone().sum::<f64>() + broken.report.dust_volume;
        let lost = if broken.pieces.is_empty() {
            0.0
        } else {
            whole - sum
        };
        Ok(TestBreak {
            point,
            radius,
            pieces: broken.pieces.len(),
            smallest: volumes.reduce(f64::min).unwrap_or(0.0),
            dust: broken.report.dust_volume / whole,
            volume_error: (lost / whole).abs(),
            open: broken.pieces.iter().filter(is_open).count(),
            cut_ms,
        })
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

/// A point of a random triangle and its normal, body space.
fn surface_point(solid: &Solid, rng: &mut SplitMix64) -> ([f32; 3], DVec3) {
    let mesh = solid.mesh();
    let count = mesh.triangles.len();
    let pick = ((rng.next_f64() * count as f64) as usize).min(count.saturating_sub(1));
    let place = |vertex: u32| {
        let at = mesh.positions.get(vertex as usize).copied();
        DVec3::from_array(at.unwrap_or_default().map(f64::from))
    };
    let triangle = mesh.triangles.get(pick).copied().unwrap_or_default();
    let [a, b, c] = triangle.map(place);
    let (u, v) = (rng.next_f64(), rng.next_f64());
    let (u, v) = if u + v > 1.0 {
        (1.0 - u, 1.0 - v)
    } else {
        (u, v)
    };
    let point = a + (b - a) * u + (c - a) * v;
    let normal = (b - a).cross(c - a).try_normalize().unwrap_or(DVec3::Y);
    (point.as_vec3().to_array(), normal)
}

/// The random number generator SplitMix64 by Steele, Lea and Flood: the same sequence on every platform.
struct SplitMix64(u64);

impl SplitMix64 {
    /// A random number in [0, 1).
    fn next_f64(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}
