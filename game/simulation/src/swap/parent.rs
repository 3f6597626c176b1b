//! A body that breaks: where its pieces begin, and what they inherit.

use std::sync::Arc;

use fracture_geometry::{Mesh, PieceKind};
use glam::Vec3;
use rapier3d::geometry::Aabb;

use crate::event::{Cause, DustParticle};
use crate::history::{PieceOrigin, PieceRef, SourceInfo};
use crate::pieces::components::{BreakSeed, Breakable, BreakableAsset, Generation};
use crate::pieces::{Anchor, Anchors, BrokenPiece, Cracks, Damage, Shape};
use crate::seeds::mix;
use crate::simulation::Simulation;
use crate::stress::BrokenBonds;
use crate::types::{BodyId, Motion};

/// A broken body, as far as its pieces inherit from it.
pub(crate) struct Parent {
    pub asset: Arc<BreakableAsset>,
    pub shape: Arc<Shape>,
    pub broken_bonds: Arc<BrokenBonds>,
    pub damage: Damage,
    pub anchors: Anchors,
    /// Where the break found it held.
    pub held_at: Arc<[Anchor]>,
    pub generation: Generation,
    /// Seed of this break.
    pub seed: u64,
    /// Impacts that asked for a break so far.
    pub impacts: u64,
    pub motion: Motion,
    pub origin: PieceOrigin,
    /// Centre of mass, body space.
    pub center: Vec3,
    /// Volume of the intact body, m^3.
    whole: f64,
    /// Whether other games have it, too.
    pub is_shared: bool,
}

/// Where a piece comes from, as far as its later breaks depend on it.
pub(crate) struct PieceLineage {
    /// Number of ancestors that were broken by impacts.
    pub generation: u32,
    pub seed: BreakSeed,
    pub broken_bonds: Arc<BrokenBonds>,
    pub damage: Damage,
    pub origin: PieceOrigin,
}

/// Where a piece is at first, and how it moves.
pub(crate) struct PieceStart {
    pub motion: Motion,
    /// A point that was inside its parent, world space.
    pub inside: Vec3,
    pub asleep: bool,
}

impl Parent {
    /// `source` and `anchors` are those that the break found for the body.
    pub fn new(
        simulation: &Simulation,
        body: BodyId,
        source: &SourceInfo,
        anchors: &Arc<[Anchor]>,
    ) -> Option<Self> {
        let entity = simulation.world.entity(body.0).ok()?;
        let breakable = entity.get::<&Breakable>()?;
        let mut asset = breakable.asset.clone();
        // The first break chooses the surface of cut faces; pieces of pieces keep it.
        if asset.interior_faces.surface != Some(source.cap_surface) {
            Arc::make_mut(&mut asset).interior_faces.surface = Some(source.cap_surface);
        }
        let seed = entity.get::<&BreakSeed>()?;
        let origin = entity.get::<&PieceOrigin>();
        let damage = entity.get::<&Damage>();
        let own_anchors = entity.get::<&Anchors>();
        let touching = own_anchors.filter(|own| own.is_touching());
        let generation = *entity.get::<&Generation>()?;
        Some(Self {
            asset,
            shape: breakable.shape.clone(),
            broken_bonds: breakable.broken_bonds.clone(),
            damage: damage.map_or_else(Damage::default, |damage| (*damage).clone()),
            anchors: touching.map_or_else(|| Anchors::Boxes(anchors.clone()), |own| (*own).clone()),
            held_at: anchors.clone(),
            generation,
            seed: mix(seed.seed, seed.impacts),
            impacts: seed.impacts,
            motion: *entity.get::<&Motion>()?,
            origin: origin.map_or_else(|| PieceOrigin::intact(body), |origin| (*origin).clone()),
            center: source.center.as_vec3(),
            whole: match generation.volume {
                None => source.volume,
                Some(_) => generation.whole,
            },
            is_shared: simulation
                .network
                .object_of(&simulation.world, body)
                .is_some(),
        })
    }

    pub fn lineage_of(
        &self,
        cause: Cause,
        number: u64,
        piece_ref: PieceRef,
        piece: &BrokenPiece,
    ) -> PieceLineage {
        // An anchored remainder can be hit again and again; a piece that fell by its weight can still
        // break by impacts as often as before.
        let is_deeper = cause == Cause::Impact && !piece.anchored;
        // Of a piece that a replay makes, and nobody needs, there are no colliders; cracks are to be the same.
        let bounds = if self.is_shared && !self.damage.cracks.0.is_empty() {
            piece.shape.with_mesh(mesh_bounds)
        } else {
            piece.colliders.bounds()
        };
        let mut damage = self.damage.of_piece(&bounds);
        if cause == Cause::Impact && matches!(piece.kind, PieceKind::Fragment { .. }) {
            damage.cracks = Cracks::default(); // it has broken off along them
        }
        damage.bars.clone_from(&piece.bars);
        PieceLineage {
            generation: self.generation.depth + u32::from(is_deeper),
            seed: BreakSeed {
                seed: mix(self.seed, number),
                impacts: 0,
            },
            broken_bonds: self.broken_bonds.clone(),
            damage,
            origin: self.origin.of_piece(piece_ref, piece.kind),
        }
    }

    /// The generation of a piece with a lineage.
    pub fn generation_of(&self, lineage: &PieceLineage, piece: &BrokenPiece) -> Generation {
        Generation {
            depth: lineage.generation,
            volume: Some(piece.mass.volume),
            whole: self.whole,
        }
    }

    /// The parent's motion at the piece's centre, and its change of velocity by the impact.
    pub fn start_of(&self, piece: &BrokenPiece) -> PieceStart {
        PieceStart {
            motion: self.motion_of(piece),
            inside: self.motion.pose.transform_point(self.center),
            asleep: false,
        }
    }

    pub fn motion_of(&self, piece: &BrokenPiece) -> Motion {
        let motion = self.motion_at(piece);
        let to_world = motion.pose.rotation;
        let change = piece.velocity_change;
        Motion {
            pose: motion.pose,
            linear: motion.linear + to_world * change.linear.as_vec3(),
            angular: motion.angular + to_world * change.angular.as_vec3(),
        }
    }

    /// The motion of a piece as a part of the parent.
    pub fn motion_at(&self, piece: &BrokenPiece) -> Motion {
        let parent = self.motion;
        if piece.anchored {
            return parent;
        }
        let arm = parent.pose.rotation * (piece.mass.center.as_vec3() - self.center);
        Motion {
            linear: parent.linear + parent.angular.cross(arm),
            ..parent
        }
    }

    pub fn dust_particle(&self, piece: &BrokenPiece) -> DustParticle {
        let center = piece.mass.center.as_vec3();
        DustParticle {
            position: self.motion.pose.transform_point(center),
            velocity: self.motion_of(piece).linear,
            volume: piece.mass.volume as f32,
        }
    }
}

fn mesh_bounds(mesh: &Mesh) -> Aabb {
    let points = mesh.positions.iter().map(|point| Vec3::from_array(*point));
    let (low, high) = points.fold(
        (Vec3::INFINITY, Vec3::NEG_INFINITY),
        |(low, high), point| (low.min(point), high.max(point)),
    );
    Aabb::new(low, high)
}
