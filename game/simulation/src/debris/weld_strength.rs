//! Collisions that break welds, and loads under which bars bend.
//!
//! Pieces that are welded together move as one rigid body. The impulses of the contacts with all others, and the
//! inertia of the pieces that these slow down, are in equilibrium: they are the loads of a building whose nodes are the
//! pieces and whose bonds are the welds, and the stress in these follows as that of bonds does. What hangs on a held piece is
//! not slowed down by its inertia: the bars bear all of the impulses, and the weight.
//!
//! How a rigid body shares an impulse among more than three contacts is not determined, and what the solver finds is
//! uneven. So the impulses of one other body are taken as linear over their places, as stress is over a face.

use std::collections::{BTreeMap, BTreeSet};

use fracture_geometry::steps::finish;
use glam::{DMat3, DVec3, Quat};
use rapier3d::dynamics::{RigidBody, RigidBodyHandle};

use super::contact_forces::ContactForce;
use super::external::BodyRef;
use super::landings::{LinearImpulses, COLLISION_TIME};
use super::physics::Physics;
use super::physics_queries::contacts_of_pair;
use super::released::is_held;
use super::user_data::{center_of_mass, piece_id};
use super::welds::WeldEnd;
use crate::stress::building::{solve, BuildingBond, BuildingNode};
use crate::types::{point_inertia, BodyId};

/// A welded piece, world space.
struct WeldedPiece {
    center: DVec3,
    /// kg
    mass: f64,
    /// About the centre, kg m^2.
    inertia: DMat3,
    /// Force of its contacts with others, N.
    force: DVec3,
    /// Moment of that about the centre, N m.
    moment: DVec3,
    /// Half the diagonal of its box, metres.
    size: f64,
    /// Whether it is held, and others hang on it.
    is_held: bool,
}

/// The welds between joined pieces that do not bear their loads.
#[derive(Default)]
struct Overloaded {
    broken: Vec<u64>,
    bent: Vec<u64>,
}

/// Breaks and bends the welds of the pieces that a collision has struck in the last step, where it was too hard for them, and
/// bends those of pieces that have come to hang, where they are too heavy.
pub(super) fn break_and_bend_welds<'a>(
    physics: &mut Physics,
    struck: impl Iterator<Item = &'a RigidBodyHandle>,
) {
    if physics.welds.is_empty() {
        return; // the common case
    }
    let mut known = BTreeSet::new();
    let mut all = Overloaded::default();
    let struck = struck.filter_map(|handle| physics.bodies.get(*handle).and_then(piece_id));
    let loaded: Vec<BodyId> = struck.chain(physics.welds.take_hung()).collect();
    for piece in loaded {
        if known.contains(&piece) {
            continue;
        }
        let joined = physics.welds.joined(piece);
        if joined.len() > 1 {
            let new = overloaded(physics, &joined);
            all.broken.extend(new.broken);
            all.bent.extend(new.bent);
        }
        known.extend(joined);
    }
    physics.remove_welds(&all.broken);
    physics.bend_welds(&all.bent);
    physics.end_bending();
}

/// The welds between joined pieces that do not bear their contacts and the weight of what hangs.
fn overloaded(physics: &Physics, joined: &BTreeSet<BodyId>) -> Overloaded {
    let (mut members, mut nodes) = (Vec::with_capacity(joined.len()), BTreeMap::new());
    let mut contacts = BTreeMap::new();
    for piece in joined {
        let handle = physics.handle(BodyRef::Breakable(*piece));
        let member = handle.and_then(|handle| Some((handle, WeldedPiece::new(physics, handle)?)));
        if let Some((handle, member)) = member {
            add_contacts(physics, (members.len(), handle), joined, &mut contacts);
            nodes.insert(*piece, members.len() as u32);
            members.push(member);
        }
    }
    for contacts in contacts.values() {
        push_members(&mut members, contacts);
    }
    if members
        .iter()
        .all(|member| member.force == DVec3::ZERO && !member.is_held)
    {
        return Overloaded::default();
    }
    let (ends, bonds): (Vec<(WeldEnd, Quat)>, Vec<BuildingBond>) = joined
        .iter()
        .flat_map(|piece| bonds_of(physics, *piece, &nodes))
        .unzip();
    let nodes = balanced(&members, physics.gravity.as_dvec3());
    let Some(state) = finish(solve(&nodes, &bonds)) else {
        return Overloaded::default();
    };
    let mut found = Overloaded::default();
    for ((end, frame), load) in ends.iter().zip(state.loads) {
        let is_torn = match end.bends {
            true => end.stretch(frame, load.force) > 1.0,
            false => load.utilisation > 1.0,
        };
        if is_torn {
            found.broken.push(end.id);
        } else if end.bends && end.gives_way(frame, load.moment) {
            found.bent.push(end.id);
        }
    }
    found
}

/// The welds of which a piece is the first with the turns of their frames, and these as bonds between nodes.
fn bonds_of<'a>(
    physics: &'a Physics,
    piece: BodyId,
    nodes: &'a BTreeMap<BodyId, u32>,
) -> impl Iterator<Item = ((WeldEnd, Quat), BuildingBond)> + 'a {
    let handle = physics.handle(BodyRef::Breakable(piece));
    let body = handle.and_then(|handle| physics.bodies.get(handle));
    let pairs = physics.welds.pairs_of(piece);
    let own = pairs.filter(move |pair| pair.bodies[0] == piece);
    own.filter_map(move |pair| {
        let [first, second] = pair.bodies.map(|body| nodes.get(&body).copied());
        let bond = BuildingBond {
            nodes: [first?, second?],
            is_grounded: false,
            face: pair.first.face(body?.position()),
            strength: f64::from(pair.first.strength),
            friction: 0.0, // none of them is loose
        };
        let frame = body?.rotation() * pair.first.frame.rotation;
        Some(((pair.first, frame), bond))
    })
}

impl WeldedPiece {
    fn new(physics: &Physics, handle: RigidBodyHandle) -> Option<Self> {
        let body = physics.bodies.get(handle)?;
        Some(Self {
            center: center_of_mass(body).as_dvec3(),
            mass: f64::from(body.mass()),
            inertia: inertia(body),
            force: DVec3::ZERO,
            moment: DVec3::ZERO,
            size: 0.5 * f64::from(physics.bounds(handle)?.extents().length()),
            is_held: is_held(body),
        })
    }

    fn push(&mut self, place: DVec3, force: DVec3) {
        self.force += force;
        self.moment += (place - self.center).cross(force);
    }
}

/// Inertia of a body about its centre, kg m^2, world space.
fn inertia(body: &RigidBody) -> DMat3 {
    let properties = &body.mass_properties().local_mprops;
    let axes = *body.rotation() * properties.principal_inertia_local_frame;
    let axes = DMat3::from_quat(axes.as_dquat());
    let principal = properties.principal_inertia().as_dvec3();
    axes * DMat3::from_diagonal(principal) * axes.transpose()
}

/// A contact of a member with a body that it is not joined to, world space.
struct MemberContact {
    member: usize,
    place: DVec3,
    /// Unit normal towards the member.
    normal: DVec3,
    /// N s
    impulse: f64,
}

/// Adds the contacts of a piece, by what it touches.
fn add_contacts(
    physics: &Physics,
    (member, handle): (usize, RigidBodyHandle),
    joined: &BTreeSet<BodyId>,
    contacts: &mut BTreeMap<(u32, u32), Vec<MemberContact>>,
) {
    let share = ContactForce::share_of_reported(physics.parameters.num_solver_iterations);
    for (other, pair) in physics.contacts(handle) {
        let piece = physics.bodies.get(other).and_then(piece_id);
        let is_joined = piece.is_some_and(|piece| joined.contains(&piece));
        let first = physics.colliders.get(pair.collider1);
        let Some(first) = first.filter(|_| !is_joined && pair.has_any_active_contact()) else {
            continue;
        };
        let list = contacts.entry(other.into_raw_parts()).or_default();
        let solved = contacts_of_pair(first, pair, handle);
        list.extend(solved.map(|contact| MemberContact {
            member,
            place: contact.place,
            normal: contact.normal,
            impulse: f64::from(share * contact.impulse),
        }));
    }
}

/// Has the contacts with one other body push their members, with impulses that are linear over their places: those of
/// the same sum and the same first moments.
fn push_members(members: &mut [WeldedPiece], contacts: &[MemberContact]) {
    let impulses: Vec<(DVec3, f64)> = contacts
        .iter()
        .map(|own| (own.place, own.impulse))
        .collect();
    let linear = LinearImpulses::new(&impulses);
    for contact in contacts {
        if let Some(member) = members.get_mut(contact.member) {
            let force = contact.normal * (linear.at(contact.place) / f64::from(COLLISION_TIME));
            member.push(contact.place, force);
        }
    }
}

/// The members as nodes, with the inertia of one rigid body as their weight. If some are held, these stay, and bear the
/// weight of the others.
fn balanced(members: &[WeldedPiece], gravity: DVec3) -> Vec<BuildingNode> {
    let mass: f64 = members.iter().map(|member| member.mass).sum();
    let centers = members.iter().map(|member| member.mass * member.center);
    let center = centers.sum::<DVec3>() / mass;
    let [linear, angular] = if members.iter().any(|member| member.is_held) {
        [-gravity, DVec3::ZERO]
    } else {
        acceleration(members, mass, center)
    };
    let node = |member: &WeldedPiece| BuildingNode {
        center: member.center,
        weight: -(linear + angular.cross(member.center - center)) * member.mass,
        load: member.force,
        moment: member.moment - member.inertia * angular,
        size: member.size,
        displacement: [0.0; 6],
        stays: member.is_held,
    };
    members.iter().map(node).collect()
}

/// Linear and angular acceleration of the members as one rigid body of a mass, at its centre.
fn acceleration(members: &[WeldedPiece], mass: f64, center: DVec3) -> [DVec3; 2] {
    let force: DVec3 = members.iter().map(|member| member.force).sum();
    let (mut moment, mut inertia) = (DVec3::ZERO, DMat3::ZERO);
    for member in members {
        let arm = member.center - center;
        moment += member.moment + arm.cross(member.force);
        inertia += member.inertia + point_inertia(arm) * member.mass;
    }
    [force / mass, inertia.inverse() * moment]
}
