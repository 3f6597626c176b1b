//! Damage of objects, and how much of them still stands.

use crate::{
    destruction::Destruction,
    mirror::transforms::{engine_vector, vec3},
    object::{
        object_ref::{resolve, ObjectRef},
        LiveObject, Object, ObjectId,
    },
    script::enums::Anchoring,
};
use fracture_simulation::{BodyId, Simulation};
use fyrox::{
    core::{algebra::Vector3, color::Color},
    scene::debug::{Line, SceneDrawingContext},
};

/// A place of an object that blows have weakened which were too weak to break it; see
/// [`Breaking::weakening`](crate::Breaking::weakening).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DamagedSpot {
    /// The middle, world space, metres.
    pub point: Vector3<f32>,
    /// Outward unit normal there.
    pub normal: Vector3<f32>,
    /// Distance from the middle where the damage ends, metres.
    pub radius: f32,
    /// Share of the energy of a break that a blow in the middle need not have any more, above 0, at most 0.9.
    pub damage: f32,
}

/// The damage of the worst place of the object, of what is left of it, or of all objects of the name: 0 for
/// none, at most 0.9. `None` if there is no such object, or if it is still being loaded.
pub(crate) fn damage(destruction: &Destruction, object: ObjectRef) -> Option<f32> {
    let simulation = destruction.simulation.as_ref()?;
    let bodies = bodies_of(destruction, object).into_iter();
    let damage = bodies.filter_map(|body| simulation.damage(body));
    damage.reduce(f32::max)
}

/// The damaged spots of the object and of its pieces, or of all objects of the name.
pub(crate) fn damaged_spots(destruction: &Destruction, object: ObjectRef) -> Vec<DamagedSpot> {
    let bodies = bodies_of(destruction, object);
    spots(destruction, &bodies)
}

/// The share of the volume of the object, or of all objects of the name, that still stands: 1 while it is
/// intact, then that of the pieces that are held, and of an object that nothing has held that of its largest
/// piece. `None` until it is prepared.
pub(crate) fn standing_share(destruction: &Destruction, object: ObjectRef) -> Option<f64> {
    let objects = resolve(destruction, object);
    let volumes = objects.iter().map(|id| {
        let object = destruction.objects.get(*id)?;
        let live = object.live()?;
        let whole = whole_volume(destruction, live)?;
        Some([
            standing_volume(destruction, *id, object, live, whole),
            whole,
        ])
    });
    let volumes: Vec<_> = volumes.collect::<Option<_>>()?;
    let sum = |index: usize| volumes.iter().map(|pair| pair[index]).sum::<f64>();
    let [standing, whole] = [0, 1].map(sum);
    (whole > 0.0).then(|| standing / whole)
}

/// Draws the damage of all objects: a ring on the surface around each damaged spot, yellow for little damage
/// and red for much. For tools: each ring takes some thirty ray casts.
pub(crate) fn draw_damage(destruction: &Destruction, context: &mut SceneDrawingContext) {
    let roots = destruction.objects.values().filter_map(Object::live);
    let roots = roots.map(|live| live.root);
    let pieces = destruction.pieces.iter().map(|(body, _)| body);
    let bodies: Vec<BodyId> = roots.chain(pieces).collect();
    for spot in spots(destruction, &bodies) {
        draw_ring(destruction, context, &spot);
    }
}

/// The volume of an object before its breaks, m^3; a broken one's is known from its save, before its mesh is prepared.
pub(crate) fn whole_volume(destruction: &Destruction, live: &LiveObject) -> Option<f64> {
    let simulation = destruction.simulation.as_ref()?;
    let broken = simulation.broken_volume(live.root);
    broken.or_else(|| Some(live.shape.reported()?.ok()?.mass().volume))
}

/// The bodies of an object: the intact one, or its pieces.
fn bodies_of(destruction: &Destruction, object: ObjectRef) -> Vec<BodyId> {
    let bodies = |id: ObjectId| match destruction.objects.live(id) {
        Some(live) if !live.broken => vec![live.root],
        _ => destruction.pieces.bodies_of(id),
    };
    resolve(destruction, object)
        .into_iter()
        .flat_map(bodies)
        .collect()
}

fn spots(destruction: &Destruction, bodies: &[BodyId]) -> Vec<DamagedSpot> {
    let of_body = |simulation: &Simulation, body: BodyId| {
        let pose = simulation.motion(body).unwrap_or_default().pose;
        let spots = simulation.damaged_spots(body).into_iter();
        let placed = spots.map(|spot| DamagedSpot {
            point: engine_vector(pose.transform_point(spot.point)),
            normal: engine_vector(pose.rotation * spot.normal),
            radius: spot.radius,
            damage: spot.damage,
        });
        placed.collect::<Vec<_>>()
    };
    let simulation = destruction.simulation.iter();
    simulation
        .flat_map(|simulation| bodies.iter().flat_map(|body| of_body(simulation, *body)))
        .collect()
}

fn standing_volume(
    destruction: &Destruction,
    id: ObjectId,
    object: &Object,
    live: &LiveObject,
    whole: f64,
) -> f64 {
    if !live.broken {
        return whole;
    }
    let pieces = destruction.pieces.iter().map(|(_, piece)| piece);
    let own = pieces.filter(|piece| piece.object == id);
    let is_held = !live.dynamic && *object.config.held.anchoring != Anchoring::Free;
    if is_held {
        let held = own.filter(|piece| piece.anchored);
        held.map(|piece| piece.volume).sum()
    } else {
        own.map(|piece| piece.volume).fold(0.0, f64::max)
    }
}

/// Draws a ring around a spot, where rays along its normal meet the surface; flat where there are no
/// colliders yet.
fn draw_ring(destruction: &Destruction, context: &mut SceneDrawingContext, spot: &DamagedSpot) {
    let (normal, radius) = (vec3(spot.normal), spot.radius);
    let (right, up) = normal.any_orthonormal_pair();
    let lift = normal * (RING_LIFT * radius);
    let on_plane = |index: usize| {
        let (sin, cos) = (index as f32 * std::f32::consts::TAU / RING_LINES as f32).sin_cos();
        vec3(spot.point) + (right * cos + up * sin) * radius
    };
    let on_surface = |index: usize| {
        let above = on_plane(index) + normal * radius;
        let hit = destruction.simulation.as_ref()?;
        let hit = hit.cast_ray(above, -normal, 2.0 * radius)?;
        Some(engine_vector(hit.point + lift))
    };
    let mut points: Vec<_> = (0..=RING_LINES).map(on_surface).collect();
    if points.iter().all(Option::is_none) {
        let flat = (0..=RING_LINES).map(|index| Some(engine_vector(on_plane(index) + lift)));
        points = flat.collect();
    }
    let health = ((1.0 - spot.damage).clamp(0.0, 1.0) * 255.0) as u8;
    for ends in points.windows(2) {
        if let [Some(begin), Some(end)] = *ends {
            let color = Color::opaque(255, health, 0);
            context.add_line(Line { begin, end, color });
        }
    }
}

/// Number of lines of a ring.
const RING_LINES: usize = 32;

/// Distance of a ring from the surface, in radii of its spot.
const RING_LIFT: f32 = 0.01;
