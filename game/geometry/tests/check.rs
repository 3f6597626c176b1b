//! One break, checked against the whole contract.

use fracture_geometry::check::check_closed;
use fracture_geometry::hulls::{HullError, Hulls, HULL_TOLERANCE};
use fracture_geometry::piece_mesh::CapStyle;
use fracture_geometry::{
    fracture, CellSelection, Fracture, FractureParams, Mesh, Pattern, PieceKind, Placement, Recipe,
    Solid, VertexSource, Workspace, CAP_SURFACE,
};
use glam::{DVec3, Vec3};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

pub fn random(seed: u64) -> Pcg64Mcg {
    Pcg64Mcg::seed_from_u64(seed)
}

pub fn in_box(random: &mut Pcg64Mcg) -> DVec3 {
    let mut next = || random.random_range(-1.0..1.0);
    DVec3::new(next(), next(), next())
}

pub fn solid(mesh: Mesh) -> Solid {
    Solid::new(mesh).expect("a closed mesh")
}

/// Breaks and checks; the name says which case failed.
pub fn broken(name: &str, solid: &Solid, pattern: &Pattern, cut: &FractureParams) -> Fracture {
    broken_within(1e-5, name, solid, pattern, cut)
}

/// [`broken`] where positions are too coarse for the volumes to add up to 1e-5.
pub fn broken_within(
    tolerance: f64,
    name: &str,
    solid: &Solid,
    pattern: &Pattern,
    cut: &FractureParams,
) -> Fracture {
    let result = fracture(solid, pattern, cut, &mut Workspace::default());
    let result = result.unwrap_or_else(|error| panic!("{name}: {error}"));
    check(tolerance, name, solid, &result);
    result
}

/// The volume that moving every point of the surface by one step of f32 can add, relatively.
pub fn coarseness(solid: &Solid) -> f64 {
    let mesh = solid.mesh();
    let place = |v: u32| Vec3::from(mesh.positions[v as usize]).as_dvec3();
    let area = |t: &[u32; 3]| {
        let [a, b, c] = t.map(place);
        0.5 * (b - a).cross(c - a).length()
    };
    let area: f64 = mesh.triangles.iter().map(area).sum();
    let [low, high] = solid.bounds().corners();
    let step = low.abs().max(high.abs()).max_element() * f64::from(f32::EPSILON);
    area * step / solid.mass().volume
}

pub fn all() -> FractureParams<'static> {
    FractureParams {
        placement: Placement::IDENTITY,
        selection: CellSelection::All,
    }
}

pub fn near(point: DVec3, radius: f64) -> FractureParams<'static> {
    FractureParams {
        placement: Placement::IDENTITY,
        selection: CellSelection::Within { point, radius },
    }
}

/// Many cells around the middle.
pub fn clustered() -> Pattern {
    let recipe = Recipe::Clustered {
        cells: 64,
        falloff: 1.0,
    };
    Pattern::from_recipe(&recipe, 5).expect("a pattern")
}

/// A hit on the vertex that is farthest out in some direction.
pub fn hit(solid: &Solid, angle: f64, radius: f64) -> FractureParams<'static> {
    let (sin, cos) = libm::sincos(angle);
    let outwards = DVec3::new(cos, 0.3 * libm::sin(3.0 * angle), sin).normalize();
    let places = solid.mesh().positions.iter();
    let places = places.map(|p| Vec3::from(*p).as_dvec3());
    let far = |a: &DVec3, b: &DVec3| a.dot(outwards).total_cmp(&b.dot(outwards));
    let point = places.max_by(far).expect("a vertex");
    FractureParams {
        placement: Placement::at_impact(point, outwards, angle, 2.0 * radius),
        ..near(point, radius)
    }
}

/// Largest part of a piece that hulls may leave uncovered, as a fraction of its size.
const LEFT_OUT: f64 = 0.01;

/// Hulls cover a piece and reach out of it by no more than they may.
pub fn assert_fits(name: &str, hulls: &Hulls, solid: &Solid) {
    let fit = HullError::measure(&hulls.hulls, solid);
    assert!(
        hulls.within_tolerance && fit.protrusion <= HULL_TOLERANCE,
        "{name}: {fit:?}"
    );
    assert!(fit.uncovered <= LEFT_OUT, "{name}: {fit:?}");
}

/// How far sums over pieces are off, relative to the solid's volume and size.
#[derive(Clone, Copy, Debug, Default)]
pub struct Errors {
    pub volume: f64,
    pub center: f64,
    pub moments: f64,
}

impl Errors {
    /// The larger of each.
    pub fn worst(self, other: Self) -> Self {
        Self {
            volume: self.volume.max(other.volume),
            center: self.center.max(other.center),
            moments: self.moments.max(other.moments),
        }
    }
}

/// The whole contract on one result.
pub fn check(tolerance: f64, name: &str, solid: &Solid, result: &Fracture) -> Errors {
    let mesh = solid.mesh();
    let style = CapStyle::own_surface(mesh);
    let mut volume = result.report.dust_volume;
    for piece in &result.pieces {
        let name = format!("{name}: {:?}", piece.kind);
        let own = piece.to_mesh(solid, &style);
        let closed = check_closed(&own);
        assert!(closed.is_closed(), "{name}: {closed:?}");
        assert!(
            piece.mass.volume > 0.0,
            "{name}: volume {}",
            piece.mass.volume
        );
        assert_eq!(own.surfaces.len(), own.triangles.len(), "{name}");
        assert!(own.surfaces.is_sorted(), "{name}: surfaces are not grouped");
        check_sources(&name, mesh, &piece.expanded(solid));
        volume += piece.mass.volume;
    }
    let whole = solid.mass().volume;
    let dust = result.report.dust_volume / whole;
    assert!(dust > -tolerance, "{name}: a cavity is dust, {dust:e}");
    let error = (volume - whole).abs() / whole;
    assert!(error <= tolerance, "{name}: volume error {error:e}");
    check_order(name, result);
    let [center, moments] = check_moments(tolerance, name, solid, result);
    Errors {
        volume: error,
        center,
        moments,
    }
}

/// Old vertices are old to the bit, points on triangles lie on them, caps face outwards.
fn check_sources(name: &str, mesh: &Mesh, piece: &fracture_geometry::Piece) {
    let place = |p: [f32; 3]| Vec3::from(p).as_dvec3();
    for (triangle, surface) in piece.triangles.iter().zip(&piece.surfaces) {
        for corner in triangle.map(|c| &piece.vertices[c as usize]) {
            match corner.source {
                VertexSource::Vertex(v) => {
                    assert_eq!(corner.position, mesh.positions[v as usize], "{name}");
                }
                VertexSource::Triangle { triangle, weights } => {
                    let at = mesh.triangles[triangle as usize]
                        .map(|v| place(mesh.positions[v as usize]));
                    let sum = at[0] * f64::from(weights[0])
                        + at[1] * f64::from(weights[1])
                        + at[2] * f64::from(weights[2]);
                    let size = at.iter().map(|p| p.length()).fold(1e-30, f64::max);
                    let off = (sum - place(corner.position)).length() / size;
                    assert!(off < 1e-5, "{name}: {off:e} off its triangle");
                    assert_eq!(mesh.surface(triangle as usize), *surface, "{name}");
                }
                VertexSource::Cap { normal } => {
                    assert_eq!(*surface, CAP_SURFACE, "{name}");
                    assert!((Vec3::from(normal).length() - 1.0).abs() < 1e-5, "{name}");
                }
            }
        }
    }
}

/// Fragments by cell, parts counted from 0, then islands.
fn check_order(name: &str, result: &Fracture) {
    let kinds: Vec<PieceKind> = result.pieces.iter().map(|p| p.kind).collect();
    assert!(kinds.is_sorted(), "{name}: {kinds:?}");
    for (at, kind) in kinds.iter().enumerate() {
        let part = match *kind {
            PieceKind::Fragment { cell, .. } => kinds[..at]
                .iter()
                .filter(|k| matches!(k, PieceKind::Fragment { cell: c, .. } if *c == cell))
                .count(),
            PieceKind::Island { .. } => kinds[..at]
                .iter()
                .filter(|k| matches!(k, PieceKind::Island { .. }))
                .count(),
        };
        let own = match *kind {
            PieceKind::Fragment { part, .. } | PieceKind::Island { part } => part,
        };
        assert_eq!(own as usize, part, "{name}");
    }
    for contact in &result.contacts {
        let [a, b] = contact.pieces;
        assert!(
            a < b && (b as usize) < kinds.len() && contact.area >= 0.0,
            "{name}"
        );
    }
}

/// Linear and second moments add up like the volumes.
fn check_moments(tolerance: f64, name: &str, solid: &Solid, result: &Fracture) -> [f64; 2] {
    if result.report.dust > 0 {
        return [0.0; 2];
    }
    let masses = result.pieces.iter().map(|p| p.mass);
    let Some(sum) = masses.reduce(|a, b| a.union(&b)) else {
        return [0.0; 2];
    };
    let whole = solid.mass();
    let [low, high] = solid.bounds().corners();
    let size = (high - low).length();
    // Where parts cancel, the centre lies far out, and what moves the volume moves it as many times.
    let far = 1.0 + ((low + high) * 0.5 - whole.center).length() / size;
    let center = (sum.center - whole.center).length() / (size * far);
    assert!(center < tolerance, "{name}: centre off by {center:e}");
    let scale = whole.volume * size * size * far * far;
    let moments = sum.moments - whole.moments;
    let moments = moments
        .to_cols_array()
        .map(f64::abs)
        .into_iter()
        .fold(0.0, f64::max)
        / scale;
    assert!(moments < tolerance, "{name}: moments off by {moments:e}");
    [center, moments]
}
