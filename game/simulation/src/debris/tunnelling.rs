//! Protection against tunnelling: no piece passes through a thin collider, which has no inside that would
//! push it back out.

use glam::Vec3;
use rapier3d::data::Coarena;
use rapier3d::dynamics::{RigidBody, RigidBodyHandle};
use rapier3d::geometry::{
    Aabb, Collider, ColliderHandle, ContactManifold, ContactPair, Ray, Shape, SolverFlags,
};
use rapier3d::math::Pose;
use rapier3d::pipeline::QueryFilter;
use rapier3d::prelude::BoundingVolume;

use super::contact_offset::ALLOWED_PENETRATION;
use super::external::BodyRef;
use super::physics::{is_non_solid, Physics};
use super::physics_queries::normal_towards;
use super::released::ReleasedPairs;
use super::user_data::{center_of_mass, is_piece, Extent};

/// Motion up to which a piece is not checked again, metres. Slow pieces are checked as well, because a block on top
/// can press a splinter through a floor.
const MIN_MOTION: f32 = 1e-5;

/// Depth by which a body may have sunk into another when it broke, metres.
const MAX_EMBEDDING: f32 = 0.1;

/// Depth up to which a piece may sink into a fixed solid, metres, however thin it is.
const MIN_SINKING: f32 = 2.0 * ALLOWED_PENETRATION;

/// Thickness up to which a piece tips from corner to corner in a few steps, metres.
const MAX_PEBBLE: f32 = 0.03;

/// Margin around the boxes of non-solid colliders, metres: more than their rounding errors.
const BOX_MARGIN: f32 = 1e-3;

/// Number of non-solid colliders above which a search through their boxes takes longer than casting the
/// ray at once.
const MAX_BOXES: usize = 32;

/// Speed from which on a piece predicts contacts, m/s.
const SOFT_CCD_SPEED: f32 = 1.0;

/// Distance at which a fast piece predicts contacts, metres: a step at 12 m/s. A longer one would meet
/// too many triangles of a dense mesh.
const SOFT_CCD_DISTANCE: f32 = 0.2;

/// Lets a fast piece see what is ahead of it. Otherwise it is inside of an obstacle before there is a
/// contact, and the correction lifts a whole landing heap.
pub(super) fn set_soft_ccd(body: &mut RigidBody) {
    let is_fast = body.linvel().length() > SOFT_CCD_SPEED;
    body.set_soft_ccd_prediction(if is_fast { SOFT_CCD_DISTANCE } else { 0.0 });
}

/// A piece before a step, and its centre of mass there.
pub(super) struct MovingPiece {
    pub handle: RigidBodyHandle,
    center: Vec3,
}

/// Where a piece has crossed a surface.
struct Crossing {
    /// Where its centre should be, world space.
    center: Vec3,
    /// Unit normal on the side from which it came.
    normal: Vec3,
}

/// Detection of pieces that have crossed a surface, by a ray from where their centre was.
#[derive(Default)]
pub(super) struct Tunnelling {
    non_solid_count: usize,
    /// Boxes of the non-solid colliders, where they are few.
    boxes: Vec<Aabb>,
    /// Where pieces were checked last.
    checked: Coarena<Vec3>,
}

impl Tunnelling {
    /// Moves new pieces back that lie behind a thin surface: their parent came down on it hard, and had
    /// sunk in a little when it broke.
    pub fn unembed_new(&mut self, physics: &mut Physics, released: &ReleasedPairs) {
        let new_pieces = std::mem::take(&mut physics.new_pieces);
        if !new_pieces.is_empty() {
            self.update_boxes(physics);
        }
        for piece in &new_pieces {
            let Some(body) = physics.bodies.get(piece.handle) else {
                continue;
            };
            let center = center_of_mass(body);
            let from = center + (piece.inside - center).clamp_length_max(MAX_EMBEDDING);
            let crossing = self.crossing(physics, released, piece.handle, from, true);
            if let (Some(crossing), Some(body)) = (crossing, physics.bodies.get_mut(piece.handle)) {
                body.set_translation(body.translation() + crossing.center - center, true);
            }
        }
        physics.new_pieces = new_pieces;
    }

    /// Moves pieces back whose centres have crossed a surface in the last step, those that were woken in it as well.
    /// Rapier's continuous collision detection would freeze a fresh break, whose pieces touch each other, and
    /// predicting contacts meets hundreds of triangles of a dense mesh; one ray does neither.
    pub fn correct(
        &mut self,
        physics: &mut Physics,
        moving: &[MovingPiece],
        released: &ReleasedPairs,
        has_stayed: &impl Fn(RigidBodyHandle) -> bool,
    ) {
        self.update_boxes(physics);
        for piece in moving {
            let from = self.last_checked(piece.handle);
            // Otherwise it has been moved there.
            let from = from.filter(|from| from.distance(piece.center) <= MIN_MOTION);
            let from = from.unwrap_or(piece.center);
            self.correct_one(physics, released, has_stayed, piece.handle, from);
        }
        let woken = physics.islands.active_bodies();
        let woken: Vec<_> = woken
            .filter_map(|handle| {
                let body = physics.bodies.get(handle).filter(|body| is_piece(body))?;
                let from = self.last_checked(handle)?;
                (center_of_mass(body).distance(from) > MIN_MOTION).then_some((handle, from))
            })
            .collect();
        for (handle, from) in woken {
            self.correct_one(physics, released, has_stayed, handle, from);
        }
    }

    fn correct_one(
        &mut self,
        physics: &mut Physics,
        released: &ReleasedPairs,
        has_stayed: &impl Fn(RigidBodyHandle) -> bool,
        handle: RigidBodyHandle,
        from: Vec3,
    ) {
        let Some(body) = physics.bodies.get(handle) else {
            return;
        };
        let center = center_of_mass(body);
        if center.distance(from) <= MIN_MOTION {
            return self.set_checked(handle, from);
        }
        let crossing = self.crossing(physics, released, handle, from, false);
        let is_crossing = crossing.is_some();
        let Some(crossing) = crossing.or_else(|| sunk_in(physics, handle, has_stayed(handle)))
        else {
            return self.set_checked(handle, center);
        };
        self.set_checked(handle, crossing.center);
        let gravity = physics.gravity;
        if let Some(body) = physics.bodies.get_mut(handle) {
            let (velocity, way) = (body.linvel(), crossing.center - center);
            body.set_translation(body.translation() + way, true);
            let into = velocity.dot(crossing.normal).min(0.0);
            body.set_linvel(velocity - into * crossing.normal, true);
            if !is_crossing {
                pay_lift(body, -body.mass() * gravity.dot(way));
            }
        }
    }

    /// Where a piece was checked last.
    fn last_checked(&self, handle: RigidBodyHandle) -> Option<Vec3> {
        self.checked.get(handle.0).copied()
    }

    fn set_checked(&mut self, handle: RigidBodyHandle, center: Vec3) {
        self.checked.insert(handle.0, center);
    }

    /// Forgets where a piece was, which is moved to another place.
    pub fn forget(&mut self, handle: RigidBodyHandle) {
        self.checked.remove(handle.0, Vec3::ZERO);
    }

    /// Looks where the non-solid colliders are now, and forgets removed ones.
    fn update_boxes(&mut self, physics: &mut Physics) {
        let colliders = &physics.colliders;
        physics
            .non_solid
            .retain(|handle| colliders.contains(*handle));
        self.non_solid_count = physics.non_solid.len();
        self.boxes.clear();
        if self.non_solid_count <= MAX_BOXES {
            let non_solid = physics.non_solid.iter();
            let boxes = non_solid.filter_map(|handle| Some(colliders.get(*handle)?.compute_aabb()));
            self.boxes
                .extend(boxes.map(|bounds| bounds.loosened(BOX_MARGIN)));
        }
    }

    /// Whether a segment may cross a non-solid collider.
    fn may_cross(&self, from: Vec3, to: Vec3) -> bool {
        let segment = Aabb::new(from.min(to), from.max(to));
        self.non_solid_count > MAX_BOXES || self.boxes.iter().any(|b| b.intersects(&segment))
    }

    /// The surface that a piece has crossed on its way from `from`. A solid collider counts only if the
    /// piece went right through it, as contacts push it out otherwise; never with `non_solid_only`.
    fn crossing(
        &self,
        physics: &Physics,
        released: &ReleasedPairs,
        handle: RigidBodyHandle,
        from: Vec3,
        non_solid_only: bool,
    ) -> Option<Crossing> {
        let body = physics.bodies.get(handle)?;
        let center = center_of_mass(body);
        let (direction, distance) = (center - from).normalize_and_length();
        let own = physics.colliders.get(*body.colliders().first()?)?;
        let thickness = Extent::from_user_data(own).thickness;
        let went_through = !non_solid_only && distance > 0.5 * thickness;
        if distance <= 0.0 || !(went_through || self.may_cross(from, center)) {
            return None;
        }
        let solver_groups = own.solver_groups();
        let own_ref = BodyRef::from_user_data(body);
        let stops = |_: ColliderHandle, other: &Collider| {
            let owner = || BodyRef::from_user_data(physics.bodies.get(other.parent()?)?);
            let stops =
                solver_groups.test(other.solver_groups()) && !released.contains(own_ref, owner());
            // A solid that the piece was in before is not crossed, and does not hide a surface behind it.
            let was_inside = || !is_non_solid(other) && contains(other, from);
            stops && (went_through || is_non_solid(other)) && !was_inside()
        };
        let filter = QueryFilter::exclude_dynamic()
            .groups(own.collision_groups())
            .predicate(&stops);
        let query = physics.query(filter);
        let ray = Ray::new(from, direction);
        let crossed = || {
            let (_, hit) = query.cast_ray_and_get_normal(&ray, distance, true)?;
            // The side that it came from counts, whichever way a triangle faces.
            let normal = hit.normal * -hit.normal.dot(direction).signum();
            let surface = from + hit.time_of_impact * direction;
            (hit.time_of_impact > 0.0).then_some([surface, normal])
        };
        let sunk_in = || went_through.then(|| way_out(physics, own, from, direction))?;
        let [surface, normal] = crossed().or_else(sunk_in)?;
        Some(Crossing {
            center: surface + 0.5 * thickness * normal,
            normal,
        })
    }
}

/// Where a piece has to be that has sunk into a fixed solid of the engine by more than half its thickness. What tumbles
/// fast turns corners down in a step that had no contact before it; something small sinks in so by a share of
/// its size in each step, and faster than overlaps are resolved. A pebble that has stayed where it is for long is left to
/// the contacts until all of it is in: lifted, it would stand on a corner, tip over, and be lifted at the next one, for
/// ever.
fn sunk_in(physics: &Physics, handle: RigidBodyHandle, has_stayed: bool) -> Option<Crossing> {
    let body = physics.bodies.get(handle)?;
    let own = physics.colliders.get(*body.colliders().first()?)?;
    let extent = Extent::from_user_data(own);
    let half = 0.5 * extent.thickness;
    let pebble = extent.thickness.min(MAX_PEBBLE);
    let allowed = MIN_SINKING.max(if has_stayed { half.max(pebble) } else { half });
    let is_fixed_solid = |other: &RigidBodyHandle| {
        let other = physics.bodies.get(*other).filter(|body| body.is_fixed());
        matches!(
            other.and_then(BodyRef::from_user_data),
            Some(BodyRef::External(_))
        )
    };
    // Behind a mere surface its normal points the wrong way.
    let is_surface = |pair: &ContactPair| {
        let colliders = [pair.collider1, pair.collider2].into_iter();
        let mut colliders = colliders.filter_map(|collider| physics.colliders.get(collider));
        colliders.any(is_non_solid)
    };
    let pushes = SolverFlags::COMPUTE_IMPULSES;
    let pairs = physics.contacts(handle);
    let manifolds = pairs
        .filter(|(other, pair)| is_fixed_solid(other) && !is_surface(pair))
        .flat_map(|(_, pair)| pair.manifolds.iter().map(move |manifold| (pair, manifold)))
        .filter(|(_, manifold)| manifold.data.solver_flags.contains(pushes));
    let sinkings = manifolds.filter_map(|(pair, manifold)| {
        let contacts = manifold.data.solver_contacts.iter();
        let depth = -contacts.map(|contact| contact.dist).reduce(f32::min)?;
        let normal = normal_towards(manifold, handle);
        let overlap = || overlap(physics, pair, manifold).unwrap_or(depth);
        (depth > allowed).then(|| (depth, overlap(), normal))
    });
    // Beyond the whole of it a piece is by a failure to find the contact, as of a flat one on a large box.
    let possible = sinkings.filter(|(_, overlap, _)| *overlap <= 2.0 * extent.radius);
    let depths = possible.map(|(depth, overlap, normal)| (depth.min(overlap), normal));
    let (depth, normal) = depths.max_by(|(a, _), (b, _)| a.total_cmp(b))?;
    (depth > allowed).then(|| Crossing {
        center: center_of_mass(body) + (depth - ALLOWED_PENETRATION) * normal,
        normal,
    })
}

/// How far the two parts of a contact are in each other along its normal, metres, after the step. The depth of the
/// contact itself is that before the step, and may be none that the parts have: a wall on the ground leapt up by metres.
/// `None` where one of them has no end, as a half space.
fn overlap(physics: &Physics, pair: &ContactPair, manifold: &ContactManifold) -> Option<f32> {
    let reach =
        |collider, part, direction| reach(physics.colliders.get(collider)?, part, direction);
    let normal = manifold.data.normal;
    let first = reach(pair.collider1, manifold.subshape1, normal)?;
    let second = reach(pair.collider2, manifold.subshape2, -normal)?;
    Some(first + second)
}

/// How far a convex part of a collider reaches along a direction, world space, metres.
fn reach(collider: &Collider, part: u32, direction: Vec3) -> Option<f32> {
    let mut reach = None;
    let mut measure = |pose: &Pose, shape: &dyn Shape| {
        let convex = shape.as_support_map();
        reach = convex.map(|convex| convex.support_point(pose, direction).dot(direction));
    };
    let pose = *collider.position();
    match collider.shape().as_composite_shape() {
        Some(parts) => parts.map_part_at(part, &mut |local, shape, _| {
            measure(&local.map_or(pose, |local| pose * *local), shape);
        }),
        None => measure(&pose, collider.shape()),
    }
    reach
}

/// Takes the energy by which a piece was lifted, J, out of its motion.
fn pay_lift(body: &mut RigidBody, work: f32) {
    let kinetic = body.kinetic_energy();
    if work > 0.0 && kinetic > 0.0 {
        let factor = (1.0 - work / kinetic).max(0.0).sqrt();
        body.set_linvel(factor * body.linvel(), true);
        body.set_angvel(factor * body.angvel(), true);
    }
}

/// The nearest point of the surface of an external solid that a piece is in and moves deeper into, and the unit
/// normal there.
fn way_out(physics: &Physics, own: &Collider, from: Vec3, direction: Vec3) -> Option<[Vec3; 2]> {
    let solver_groups = own.solver_groups();
    let is_met = |_: ColliderHandle, other: &Collider| {
        let owner = physics.body_of(other).and_then(BodyRef::from_user_data);
        solver_groups.test(other.solver_groups())
            && !is_non_solid(other)
            && matches!(owner, Some(BodyRef::External(_)))
    };
    let filter = QueryFilter::exclude_dynamic()
        .groups(own.collision_groups())
        .predicate(&is_met);
    let query = physics.query(filter);
    let (_, solid) = query.intersect_point(from).next()?;
    let projection = solid.shape().project_point(solid.position(), from, false);
    let outward = (projection.point - from).try_normalize()?;
    (outward.dot(direction) < 0.0).then_some([projection.point, outward])
}

fn contains(collider: &Collider, point: Vec3) -> bool {
    let shape = collider.shape();
    shape.contains_point(collider.position(), point)
}

/// Takes the lists of new and of pushed pieces, and returns all pieces that may move in the next step, `reinserted` ones
/// as well, pushed ones with their predicted contacts. rapier takes a sleeping piece that is pushed for active in the
/// next step only.
pub(super) fn moving_pieces(
    physics: &mut Physics,
    reinserted: &[RigidBodyHandle],
) -> Vec<MovingPiece> {
    let new_pieces = std::mem::take(&mut physics.new_pieces).into_iter();
    let new_pieces = new_pieces.map(|piece| piece.handle);
    let pushed = std::mem::take(&mut physics.pushed);
    for handle in &pushed {
        if let Some(body) = physics.bodies.get_mut(*handle) {
            set_soft_ccd(body);
        }
    }
    let active = physics.islands.active_bodies();
    let reinserted = reinserted.iter().copied();
    let candidates = active.chain(new_pieces).chain(reinserted).chain(pushed);
    let moving = |handle| {
        // Among the reinserted ones are those that were frozen.
        let body = physics.bodies.get(handle).filter(|body| body.is_dynamic());
        let center = center_of_mass(body.filter(|body| is_piece(body))?);
        Some(MovingPiece { handle, center })
    };
    candidates.filter_map(moving).collect()
}

#[cfg(test)]
mod tests {
    use fracture_geometry::MassProperties;
    use rapier3d::geometry::SharedShape;

    use super::super::bodies::{PieceDesc, PieceFigures};
    use super::super::external::{BodyDesc, BodyType, CollisionGroups, ContactProperties};
    use super::super::step::Threads;
    use super::super::world::DebrisWorld;
    use super::*;
    use crate::settings::Settings;
    use crate::types::{BodyId, Motion};

    const PIECES: u64 = 2000;

    fn motion(at: Vec3, linear: Vec3, angular: Vec3) -> Motion {
        let pose = rapier3d::math::Pose::from_translation(at);
        Motion {
            linear,
            angular,
            ..Motion::at(pose)
        }
    }

    /// Splinters of a few centimetres that fall, each by itself, and tumble over the ground.
    fn tumbling() -> DebrisWorld {
        let mut world = DebrisWorld::without_threads(&Settings::default());
        let floor = BodyDesc::new(SharedShape::cuboid(300.0, 2.0, 300.0), BodyType::Fixed);
        let at_rest = motion(Vec3::Y * -2.0, Vec3::ZERO, Vec3::ZERO);
        world.add_engine_body(BodyRef::External(1), &floor, &at_rest);
        let mut state = 5u64;
        let mut signed = |scale: f32| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            scale * (2.0 * (state >> 40) as f32 / (1u32 << 24) as f32 - 1.0)
        };
        for index in 0..PIECES {
            let size = 0.015 + signed(0.01);
            let points: Vec<_> = (0..10)
                .map(|_| Vec3::new(signed(1.0), signed(0.5), signed(1.0)) * size)
                .collect();
            let shape = SharedShape::convex_hull(&points).unwrap();
            let (corners, triangles) = shape.as_convex_polyhedron().unwrap().to_trimesh();
            let corners = corners.iter().map(|corner| corner.to_array());
            let mesh = fracture_geometry::Mesh::from_triangles(corners.collect(), triangles);
            let mass = MassProperties::from_mesh(&mesh);
            let row = Vec3::new((index % 40) as f32, 0.0, (index / 40) as f32) * 8.0;
            let at = row - Vec3::new(160.0, -0.3, 200.0);
            let linear = Vec3::new(signed(12.0), signed(6.0), signed(12.0));
            let spin = Vec3::new(signed(60.0), signed(60.0), signed(60.0));
            let id = hecs::Entity::from_bits((1 << 32) | index).unwrap();
            let piece = PieceDesc {
                shape: &shape,
                figures: &PieceFigures::new(&shape, &mass, 2400.0),
                motion: motion(at, linear, spin),
                inside: at,
                asleep: false,
                provisional: false,
                groups: CollisionGroups::default(),
                contact: ContactProperties::default(),
                reported_impulse: f32::INFINITY,
                may_tear: false,
            };
            world.add_piece(BodyId(id), &piece);
        }
        world
    }

    /// Whether more of a piece is below the ground than half of its thickness.
    fn is_sunk(world: &DebrisWorld, body: &RigidBody) -> bool {
        let mut colliders = world.physics.colliders_of(body);
        colliders.any(|own| {
            let depth = -own.shape().compute_aabb(body.position()).mins.y;
            depth > MIN_SINKING.max(0.5 * Extent::from_user_data(own).thickness)
        })
    }

    #[test]
    fn what_tumbles_over_a_floor_does_not_sink_into_it() {
        let mut world = tumbling();
        for _ in 0..480 {
            world.step_safely(1.0 / 60.0, Threads::Single);
        }
        let bodies = world.physics.bodies.iter();
        let pieces: Vec<_> = bodies.filter(|(_, body)| is_piece(body)).collect();
        assert_eq!(pieces.len() as u64, PIECES);
        for (handle, body) in pieces {
            let center = center_of_mass(body);
            assert!(!is_sunk(&world, body), "{handle:?} is sunk at {center}");
            assert!(body.is_sleeping(), "{handle:?} moves at {center}");
        }
    }
}
