//! Small worlds for the tests.

use std::sync::Arc;

use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::geometry::{Mesh, Pattern, Recipe};
use fracture_simulation::rapier3d::parry::shape::TypedShape;
use fracture_simulation::save::{Archive, BreakLog};
use fracture_simulation::{
    pattern::LazyPattern, Anchors, Body, BodyId, Broken, Event, Impact, Material, Motion, NewPiece,
    Pose, Push, Settings, Shape, SharedShape, Simulation,
};

pub const DT: f32 = 1.0 / 60.0;

/// The meshes of all pieces of a body, to the last bit, as hashes in ascending order.
pub fn piece_hashes(simulation: &Simulation, root: BodyId) -> Vec<u64> {
    let pieces = simulation.descendants(root).into_iter();
    let mut hashes: Vec<u64> = pieces
        .map(|piece| simulation.geometry_hash([("", piece)]))
        .collect();
    hashes.sort_unstable();
    hashes
}

/// A simulation whose steps wait for their jobs, so that frames and results are exact.
pub fn waiting() -> Simulation {
    with(Settings::default())
}

pub fn with(settings: Settings) -> Simulation {
    Simulation::new(Settings {
        wait_for_results: true,
        check_pieces: true,
        ..settings
    })
    .unwrap()
}

/// A simulation in which debris does not break what it hits.
pub fn quiet() -> Simulation {
    with(Settings {
        chain_breaks: 0,
        ..Settings::default()
    })
}

pub fn pattern(cells: u32) -> Arc<LazyPattern> {
    LazyPattern::new(move || {
        let recipe = Recipe::Clustered {
            cells,
            falloff: 1.0,
        };
        Pattern::from_recipe(&recipe, 5)
    })
}

/// A free concrete cube of one metre, at rest at the origin.
pub fn cube() -> Body {
    body(Mesh::cuboid([1.0; 3]))
}

/// A wall 4 m wide, 2 m high and 0.2 m thick with an anchored base, y from 0 to 2.
pub fn wall() -> Body {
    let mut mesh = Mesh::cuboid([4.0, 2.0, 0.2]);
    for position in &mut mesh.positions {
        position[1] += 1.0;
    }
    Body {
        anchors: Anchors::boxes(vec![[
            Vec3::new(-2.0, -0.1, -0.2),
            Vec3::new(2.0, 0.01, 0.2),
        ]]),
        ..body(mesh)
    }
}

/// A body that breaks from 20 N s on, whose pieces break by impacts only, and not when they fall.
pub fn body(mesh: Mesh) -> Body {
    Body {
        material: Material {
            damage_threshold: Some(20.0),
            min_radius: 0.3,
            max_radius: 0.7,
            threshold_factor: 1e6,
            ..Material::default()
        },
        ..Body::new(Shape::new(mesh), pattern(32))
    }
}

/// An impact from above that is strong enough for any body.
pub fn impact_at(body: BodyId, point: [f32; 3]) -> Impact {
    let impulse = Vec3::new(0.0, -50.0, 0.0);
    Impact::new(body, point.into(), Vec3::Y, impulse, 1000.0)
}

/// A blow of some energy (J) from the front.
pub fn front_blow(body: BodyId, point: [f32; 3], energy: f32) -> Impact {
    Impact {
        normal: Vec3::Z,
        impulse: Vec3::NEG_Z * 50.0,
        energy,
        ..impact_at(body, point)
    }
}

/// Strikes, and steps until all has come of it: the first break, and the other events.
pub fn strike(simulation: &mut Simulation, impact: Impact) -> (Option<Broken>, Vec<Event>) {
    simulation.impact(impact).unwrap();
    let (mut broken, mut others) = (None, Vec::new());
    for _ in 0..5 {
        for event in step(simulation) {
            match event {
                Event::Broken(new) => broken = broken.or(Some(*new)),
                Event::BreakFailed { reason, .. } => panic!("{reason}"),
                other => others.push(other),
            }
        }
    }
    (broken, others)
}

/// The piece of a break that stays.
pub fn remainder(broken: &Broken) -> BodyId {
    let held = broken.pieces.iter().find(|piece| piece.anchored);
    held.unwrap().body
}

pub fn at(x: f32, y: f32, z: f32) -> Motion {
    Motion::at(Pose::from_translation(Vec3::new(x, y, z)))
}

/// A push of an unknown energy and without a highest speed.
pub fn push(impulse: Vec3) -> Push {
    Push {
        impulse,
        energy: 0.0,
        max_speed: f32::INFINITY,
    }
}

/// Steps once and gives the events, without pushes: the intact bodies of most tests do not move.
pub fn step(simulation: &mut Simulation) -> Vec<Event> {
    simulation.step(DT);
    let events = simulation.drain_events();
    let is_told = |event: &Event| !matches!(event, Event::Pushed { .. });
    events.filter(is_told).collect()
}

/// The breaks among events.
pub fn breaks_among(events: impl IntoIterator<Item = Event>) -> impl Iterator<Item = Broken> {
    events.into_iter().filter_map(|event| match event {
        Event::Broken(broken) => Some(*broken),
        _ => None,
    })
}

/// Steps until a body is broken, at most four times, and gives the break with the lasting colliders of its pieces.
pub fn broken(simulation: &mut Simulation) -> Broken {
    let mut broken = just_broken(simulation);
    refine(simulation, &mut broken);
    broken
}

/// Steps until a body is broken, at most four times, and gives the break as it is told.
pub fn just_broken(simulation: &mut Simulation) -> Broken {
    for _ in 0..4 {
        for event in step(simulation) {
            match event {
                Event::Broken(broken) => return *broken,
                Event::BreakFailed { reason, .. } => panic!("{reason}"),
                _ => {}
            }
        }
    }
    panic!("nothing broke");
}

/// Waits for the lasting colliders of the pieces while no time passes.
pub fn refine(simulation: &mut Simulation, broken: &mut Broken) {
    if simulation.is_idle() {
        return;
    }
    simulation.step(0.0);
    for event in simulation.drain_events() {
        let mut own = broken.pieces.iter_mut();
        match event {
            Event::Refined(refined) => {
                for piece in own.filter(|piece| piece.body == refined.body) {
                    piece.colliders = refined.colliders.clone();
                }
                broken.hulls += refined.hulls;
                broken.boxed_hulls += refined.boxed_hulls;
                broken.loose_hulls += refined.loose_hulls;
                broken.clipped_pieces += refined.clipped_pieces;
            }
            Event::CollisionRefined(refined) => {
                if let Some(piece) = own.find(|piece| piece.body == refined.body) {
                    piece.collision_chunks = refined.collision_chunks;
                    piece.colliders = refined.colliders.unwrap_or(piece.colliders.clone());
                }
            }
            _ => {}
        }
    }
}

/// Breaks a body that is alone in its simulation.
pub fn break_one(body: Body, point: [f32; 3]) -> (Simulation, Broken) {
    let mut simulation = waiting();
    let id = simulation.add(body).unwrap();
    simulation.impact(impact_at(id, point)).unwrap();
    let broken = broken(&mut simulation);
    (simulation, broken)
}

/// The vertices of all hulls, or of the triangle mesh.
pub fn corners(shape: &SharedShape) -> Vec<Vec3> {
    if let Some(compound) = shape.as_compound() {
        let shapes = compound.shapes().iter();
        return shapes.flat_map(|(_, part)| corners(part)).collect();
    }
    if let TypedShape::ConvexPolyhedron(hull) = shape.as_typed_shape() {
        assert!(hull.faces().len() > 3);
        return hull.points().to_vec();
    }
    shape.as_trimesh().unwrap().vertices().to_vec()
}

/// The vertices of the colliders of each piece.
pub fn collided(broken: &Broken) -> Vec<Vec<Vec3>> {
    let shapes = |piece: &NewPiece| piece.colliders.shapes().flat_map(corners).collect();
    broken.pieces.iter().map(shapes).collect()
}

/// The number of free pieces with several hulls.
pub fn dented(broken: &Broken) -> u32 {
    let free = broken.pieces.iter().filter(|piece| !piece.anchored);
    let is_dented = |piece: &&NewPiece| piece.colliders.first().as_compound().is_some();
    free.filter(is_dented).count() as u32
}

/// A save, written to bytes and read from them.
pub fn written_and_read(save: BreakLog) -> BreakLog {
    let objects = vec![("object".to_owned(), save)];
    let archive = Archive { objects };
    let mut read = Archive::from_bytes(archive.to_bytes()).unwrap();
    assert_eq!(read, archive);
    read.objects.remove(0).1
}
