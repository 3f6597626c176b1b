//! Meshes of files, and bodies of meshes that are struck at their ends.

use fracture::{Anchoring, Destructible, FracturePattern, Impact, MaterialCard, PatternKind};
use fracture_geometry::Mesh;
use fyrox::{
    asset::Resource,
    core::algebra::Vector3,
    scene::{
        base::BaseBuilder,
        collider::{ColliderBuilder, ColliderShape},
        rigidbody::{RigidBodyBuilder, RigidBodyType},
        transform::TransformBuilder,
        Scene,
    },
};

use super::add_destructible;

/// Directions in which a mesh is struck, one after the other.
const ENDS: [[f32; 3]; 3] = [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]];

/// A mesh of an OBJ file, a metre large.
pub fn read_obj(file: &str) -> Result<Mesh, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let mut positions: Vec<Vector3<f32>> = Vec::new();
    let mut triangles = Vec::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let kind = words.next();
        if kind == Some("v") {
            let numbers: Vec<f32> = words.filter_map(|word| word.parse().ok()).collect();
            let [x, y, z, ..] = numbers[..] else {
                return Err(format!("{file}: a vertex needs three numbers"));
            };
            positions.push(Vector3::new(x, y, z));
        } else if kind == Some("f") {
            let corner = |word: &str| word.split('/').next()?.parse::<u32>().ok()?.checked_sub(1);
            let corners: Vec<u32> = words.filter_map(corner).collect();
            let rest = corners.get(1..).unwrap_or_default().windows(2);
            triangles.extend(rest.map(|pair| [corners[0], pair[0], pair[1]]));
        }
    }
    let first = *positions
        .first()
        .ok_or_else(|| format!("{file}: no vertex"))?;
    let (low, high) = positions
        .iter()
        .fold((first, first), |(low, high), p| (low.inf(p), high.sup(p)));
    let (center, size) = ((low + high) / 2.0, (high - low).max());
    let place = |p: &Vector3<f32>| ((p - center) / size).into();
    Ok(Mesh::from_triangles(
        positions.iter().map(place).collect(),
        triangles,
    ))
}

/// A wall of a card, 2 m wide and high and 0.2 m thick, that is held at its base.
pub fn wall_of(card: Resource<MaterialCard>) -> Scene {
    let mut mesh = Mesh::cuboid([2.0, 2.0, 0.2]);
    for position in &mut mesh.positions {
        position[1] += 1.0;
    }
    let mut scene = Scene::new();
    let graph = &mut scene.graph;
    let place = TransformBuilder::new().with_local_position(Vector3::y());
    let collider = ColliderBuilder::new(BaseBuilder::new().with_local_transform(place.build()))
        .with_shape(ColliderShape::cuboid(1.0, 1.0, 0.1))
        .build(graph);
    let body = RigidBodyBuilder::new(BaseBuilder::new().with_child(collider))
        .with_body_type(RigidBodyType::Static)
        .build(graph)
        .to_base();
    let mut script = Destructible::with_card(card);
    script.held.anchoring = Anchoring::Base.into();
    add_destructible(graph, body, &mesh, None, script);
    scene
}

/// A free body with a mesh, without gravity, struck on top: where it is hit, or everywhere into so many pieces.
/// Returns the impact, and more at other ends.
pub fn struck(mesh: &Mesh, cells: Option<u32>) -> (Scene, impl Iterator<Item = Impact> + '_) {
    let mut scene = Scene::new();
    let graph = &mut scene.graph;
    graph
        .physics
        .gravity
        .set_value_and_mark_modified(Vector3::zeros());
    let collider = ColliderBuilder::new(BaseBuilder::new())
        .with_shape(ColliderShape::cuboid(0.5, 0.5, 0.5))
        .build(graph);
    let body = RigidBodyBuilder::new(BaseBuilder::new().with_name("Mesh").with_child(collider))
        .with_body_type(RigidBodyType::Dynamic)
        .with_mass(200.0)
        .build(graph)
        .to_base();
    let pattern = cells.map(|cells| FracturePattern {
        kind: PatternKind::Uniform,
        cells,
        inside_mesh: true,
        ..FracturePattern::default()
    });
    add_destructible(graph, body, mesh, pattern, Destructible::default());
    let radius = if cells.is_some() { 3.0 } else { 0.3 };
    let impacts = ENDS.into_iter().map(move |normal| {
        let normal = Vector3::from(normal);
        let height = |point: &[f32; 3]| normal.dot(&Vector3::from(*point));
        let points = mesh.positions.iter();
        let highest = points.max_by(|a, b| height(a).total_cmp(&height(b)));
        let point = Vector3::from(highest.copied().unwrap_or_default());
        Impact::new(point, normal, 200.0)
            .with_impulse(normal * -50.0)
            .with_radius(radius)
    });
    (scene, impacts)
}
