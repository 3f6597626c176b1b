//! Bonds of a body: what it touches, where, and what the bonds carry.

use std::sync::Arc;

use fracture_geometry::support::AreaProperties;
use glam::{DVec3, Vec3};
use hecs::World;
use rapier3d::math::Pose;

use super::place_order::place_key;
use crate::debris::BodyRef;
use crate::pieces::{Anchor, Anchors};
use crate::stress::building::{BondLoad, Displacement};
use crate::stress::StressLoad;
use crate::types::BodyId;

/// Growth of the loads on a body from which on the stress in it is solved again...
const NOTABLE_GROWTH: f64 = 1.05;
/// ... and the least load that counts, N.
const MIN_NOTABLE: f64 = 1.0;

/// Force upwards from which on a bond holds a body up, in parts of all that its bonds bear.
const LIFTING_SHARE: f64 = 1e-3;

/// Farthest that a bond may be from where a save says, metres: rounding of its centre.
const SAME_PLACE: f32 = 1e-3;

/// A bond of a body with another one.
#[derive(Clone)]
pub(crate) struct BodyBond {
    pub with: BodyRef,
    /// The places, in the space of the body that has this bond.
    pub places: Arc<[Anchor]>,
    /// World space; its normal points away from the body that has this bond.
    pub face: AreaProperties,
    /// Whether it has broken or never had a strength: it carries only pressure and friction.
    pub is_loose: bool,
    /// Whether the host has been warned that it is near its strength.
    pub is_strained: bool,
    /// Whether the host was warned of it before a save that has been restored, and it has not been near its strength since.
    pub was_told: bool,
    /// Whether it holds the body up: it lifts it, or is with what is nearer to the ground where that is not known.
    pub supports: bool,
    /// Whether it is with what is held, and so holds the body.
    pub holds: bool,
    /// On the body that has this bond, as it was solved last.
    pub load: BondLoad,
    /// Whether that is known.
    pub is_weighed: bool,
}

/// A bond of a body that is held by touch with something that it touches; see
/// [`Simulation::bonds`](crate::Simulation::bonds).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HoldingBond {
    /// The body that it touches.
    pub with: BodyRef,
    /// Area in which the two touch, m^2.
    pub area: f32,
    /// Centre of that area, world space, metres.
    pub center: Vec3,
    /// Whether that body holds this one up.
    pub supports: bool,
    /// Whether it carries only pressure and friction, because it has broken or is loose by its material.
    pub is_loose: bool,
    /// Stress in it as a share of its strength; 0 of a loose one, and where there is no strength.
    pub utilisation: f32,
}

/// Centres of bonds of a body that was restored from a save, body space.
#[derive(Default)]
pub(crate) struct SavedBonds {
    /// Those that had broken.
    pub broken: Vec<Vec3>,
    /// Those of which the host had been warned.
    pub strained: Vec<Vec3>,
}

impl SavedBonds {
    /// Whether a bond had broken, by its centre in body space, and whether the host had been warned of it.
    pub fn state(&self, center: Vec3) -> [bool; 2] {
        let is_there = |place: &Vec3| place.distance(center) < SAME_PLACE;
        [&self.broken, &self.strained].map(|places| places.iter().any(is_there))
    }
}

/// The other side of a bond.
#[derive(Clone, Copy)]
pub(crate) enum Neighbor {
    /// It is not there any more.
    Gone,
    /// Nothing holds it.
    Falling,
    /// It has a way to the ground of so many steps.
    Held(u32),
}

/// All bonds of a body that may be held, or hold another one.
#[derive(Clone, Default)]
pub(crate) struct BodyBonds {
    /// By what is touched, ascending.
    list: Vec<BodyBond>,
    /// Whether they have been searched where the body is now.
    pub is_known: bool,
    /// Where it is held by anything: what stays there when the body breaks. `None` while that is not known; it is held
    /// everywhere then.
    held_at: Option<Arc<[Anchor]>>,
    /// The part of these places where it is held up.
    supported_at: Option<Arc<[Anchor]>>,
    /// Whether these places are those of the bonds.
    are_places_known: bool,
    /// Whether something has held it before a save that has been restored.
    pub was_held: bool,
    /// Their state as a save tells it.
    pub saved: Arc<SavedBonds>,
    /// Whether nothing holds it any more, so that it is about to fall.
    pub falls: bool,
    /// Whether the host has asked for its stress before it was known what holds it.
    pub is_to_be_solved: bool,
    /// Sum of the loads with which the body is known to hold, N.
    noted_load: Option<f64>,
    /// Steps to the ground; `None` of a body that has no way there.
    pub level: Option<u32>,
    /// Whether what holds the body has been looked at since its bonds have changed, and the levels of its neighbors.
    pub is_updated: bool,
    /// Whether it has been weighed since anything about it has changed.
    pub is_weighed: bool,
    /// Its index as a node of the part of a building that is gathered to be weighed; left as it was then.
    pub node: Option<u32>,
    /// As it was found when the building was weighed last.
    pub displacement: Displacement,
}

impl BodyBonds {
    /// Bonds of a new piece, in the space of the body that it is a part of.
    pub fn of_piece(held_at: &Arc<[Anchor]>) -> Self {
        Self {
            held_at: Some(held_at.clone()),
            // That it holds under any load is not known.
            noted_load: Some(0.0),
            ..Self::default()
        }
    }

    pub fn list(&self) -> &[BodyBond] {
        &self.list
    }

    /// The breakable bodies that it is bonded to.
    pub fn neighbors(&self) -> impl Iterator<Item = BodyId> + '_ {
        self.list.iter().filter_map(|bond| bond.with.breakable())
    }

    /// The bonds in the order of their centres.
    pub fn by_place(&self) -> impl Iterator<Item = &BodyBond> {
        let order = self.order_by_place().into_iter();
        order.filter_map(|index| self.list.get(index))
    }

    /// The order of the bonds by their centres.
    fn order_by_place(&self) -> Vec<usize> {
        let center = |index: &usize| Some(self.list.get(*index)?.face.center.as_vec3());
        let mut order: Vec<usize> = (0..self.list.len()).collect();
        order.sort_by_key(|index| center(index).map(place_key));
        order
    }

    /// Adds a bond, in place of an older one with the same body.
    pub fn insert(&mut self, bond: BodyBond) {
        self.note_change();
        let found = self.list.binary_search_by_key(&bond.with, |own| own.with);
        match found {
            Ok(index) => self.list[index] = bond,
            Err(index) => self.list.insert(index, bond),
        }
    }

    /// Whether what holds the body is known, and is something else than itself.
    pub fn is_carried(&self) -> bool {
        self.is_known && !self.falls && self.level.is_some_and(|level| level > 0)
    }

    /// The loads on the body at a pose by what does not hold it, body space.
    pub fn loads(&self, pose: Pose) -> Vec<StressLoad> {
        let to_body = pose.rotation.inverse().as_dquat();
        let loads = self
            .by_place()
            .filter(|bond| !bond.supports && bond.load != BondLoad::default());
        let load = |bond: &BodyBond| StressLoad {
            places: bond.places.clone(),
            center: to_body * (bond.face.center - pose.translation.as_dvec3()),
            force: to_body * bond.load.force,
            moment: to_body * bond.load.moment,
        };
        loads.map(load).collect()
    }

    /// Sum of the forces of what does not hold the body, N.
    pub fn load(&self) -> f64 {
        let loads = self.list.iter().filter(|bond| !bond.supports);
        loads.map(|bond| bond.load.force.length()).sum()
    }

    /// Sum of all forces that its bonds bear, N.
    pub fn borne(&self) -> f64 {
        self.list.iter().map(|bond| bond.load.force.length()).sum()
    }

    /// Whether anything is known to lift the body.
    pub fn is_lifted(&self, up: DVec3) -> bool {
        let mut supports = self.list.iter().filter(|bond| bond.supports);
        supports.any(|bond| bond.load.force.dot(up) > 0.0)
    }

    /// The places where the body only rests on what holds it.
    pub fn loose_supports(&self) -> Vec<Anchor> {
        let loose = self
            .by_place()
            .filter(|bond| bond.supports && bond.is_loose);
        loose.flat_map(|bond| bond.places.iter().copied()).collect()
    }

    /// Takes the loads as solved. Returns whether they are so much more than those before that the stress in the body
    /// has to be solved.
    pub fn note_loads(&mut self) -> bool {
        if !self.is_known {
            return false;
        }
        let sum = self.load();
        let is_more = self
            .noted_load
            .is_some_and(|noted| sum > NOTABLE_GROWTH * noted + MIN_NOTABLE);
        if is_more || self.noted_load.is_none_or(|noted| sum < noted) {
            self.noted_load = Some(sum);
        }
        is_more || std::mem::take(&mut self.is_to_be_solved)
    }

    /// The bond with a body.
    pub fn get_mut(&mut self, with: BodyRef) -> Option<&mut BodyBond> {
        let found = self.list.binary_search_by_key(&with, |own| own.with);
        self.list.get_mut(found.ok()?)
    }

    pub fn remove(&mut self, with: BodyRef) {
        self.note_change();
        self.list.retain(|bond| bond.with != with);
    }

    /// Removes all bonds, to be searched anew.
    pub fn take(&mut self) -> Vec<BodyBond> {
        self.note_change();
        std::mem::take(&mut self.list)
    }

    fn note_change(&mut self) {
        self.is_updated = false;
        self.are_places_known = false;
    }

    /// Whether it is known what holds the body up.
    pub fn has_supports(&self) -> bool {
        self.supported_at.is_some()
    }

    /// Finds what holds the body up, with what each of its bonds is with: what lifts it, and where that is not known, what is
    /// nearer to the ground. Forgets the bonds with what is gone. Returns whether what holds it up has changed.
    pub fn update_supports(&mut self, neighbors: &[Neighbor], up: DVec3) -> bool {
        let least = LIFTING_SHARE * self.borne();
        let own_level = self.level;
        let lifts = |(bond, neighbor): (&BodyBond, &Neighbor)| {
            let is_held = own_level.is_some() && matches!(neighbor, Neighbor::Held(_));
            is_held && bond.load.force.dot(up) > least
        };
        let is_lower = |neighbor: &Neighbor| match neighbor {
            Neighbor::Held(level) => own_level.is_some_and(|own| *level < own),
            Neighbor::Gone | Neighbor::Falling => false,
        };
        let is_lifted = self.list.iter().zip(neighbors).any(lifts);
        let mut is_same = self.are_places_known;
        for (bond, neighbor) in self.list.iter_mut().zip(neighbors) {
            let before = (bond.holds, bond.supports);
            bond.holds = matches!(neighbor, Neighbor::Held(_));
            bond.supports = if is_lifted && bond.is_weighed {
                lifts((bond, neighbor))
            } else {
                is_lower(neighbor)
            };
            is_same &= before == (bond.holds, bond.supports);
        }
        let mut all = neighbors.iter();
        self.list
            .retain(|_| !matches!(all.next(), Some(Neighbor::Gone)));
        !is_same && self.set_places()
    }

    /// Sets the places where the body is held to those of its bonds. Returns whether it is held up at others.
    fn set_places(&mut self) -> bool {
        self.are_places_known = true;
        let order = self.order_by_place();
        let bonds = order.iter().filter_map(|index| self.list.get(*index));
        let holding = bonds.filter(|bond| bond.holds);
        set_places(&mut self.held_at, holding.clone());
        set_places(&mut self.supported_at, holding.filter(|bond| bond.supports))
    }
}

/// Sets places to those of some bonds, and returns whether they are others.
fn set_places<'a>(
    own: &mut Option<Arc<[Anchor]>>,
    bonds: impl Iterator<Item = &'a BodyBond> + Clone,
) -> bool {
    let places = bonds.flat_map(|bond| bond.places.iter());
    // Nearly always they are the same: nothing is allocated for them.
    let is_other = !own
        .as_ref()
        .is_some_and(|own| own.iter().eq(places.clone()));
    if is_other {
        *own = Some(places.copied().collect());
    }
    is_other
}

/// Notes what a save says of a body's bonds, for when they are found.
pub(crate) fn note_saved_bonds(world: &World, body: BodyId, saved: SavedBonds) {
    if let Ok(mut bonds) = world.get::<&mut BodyBonds>(body.0) {
        bonds.saved = saved.into();
    }
}

/// Gives the pieces that stay of a body its bonds, until their own are found.
pub(crate) fn inherit_bonds(world: &World, body: BodyId, pieces: &[BodyId]) {
    let Ok(bonds) = world
        .get::<&BodyBonds>(body.0)
        .map(|bonds| bonds.list.clone())
    else {
        return;
    };
    let own = BodyRef::Breakable(body);
    let insert = |body: BodyId, bond: BodyBond| {
        if let Ok(mut bonds) = world.get::<&mut BodyBonds>(body.0) {
            bonds.insert(bond);
        }
    };
    for bond in bonds {
        let neighbor = bond.with.breakable();
        let other_side = neighbor.and_then(|neighbor| {
            let mut bonds = world.get::<&mut BodyBonds>(neighbor.0).ok()?;
            Some((neighbor, bonds.get_mut(own)?.clone()))
        });
        for piece in pieces {
            insert(*piece, bond.clone());
            if let Some((neighbor, other_side)) = &other_side {
                let with = BodyRef::Breakable(*piece);
                insert(
                    *neighbor,
                    BodyBond {
                        with,
                        ..other_side.clone()
                    },
                );
            }
        }
    }
}

/// The anchors with which a body breaks.
pub(crate) fn anchors_of_break(anchors: &Anchors, bonds: Option<&BodyBonds>) -> Anchors {
    let bonds = bonds.filter(|_| anchors.is_touching());
    let held_at = bonds.and_then(|bonds| bonds.held_at.clone());
    held_at.map_or_else(|| anchors.clone(), Anchors::Boxes)
}

/// The anchors with which a body carries its weight.
pub(crate) fn anchors_of_weight(anchors: &Anchors, bonds: Option<&BodyBonds>) -> Anchors {
    let known = bonds.filter(|_| anchors.is_touching());
    let supported_at = known.and_then(|bonds| bonds.supported_at.clone());
    supported_at.map_or_else(|| anchors_of_break(anchors, bonds), Anchors::Boxes)
}
