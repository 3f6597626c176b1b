//! The view of debris: frozen pieces drawn in batches, removed pieces that fade out, dust, shadows.

pub(crate) mod batches;
mod batching;
mod crack_materials;
mod dust;
mod fades;
mod shadows;

use crate::{
    mirror::transforms::vec3,
    object::ObjectId,
    script::enums::Fading,
    settings::Settings,
    statistics::Statistics,
    swap::{
        self,
        nodes::{NodePool, PieceAppearance},
        piece_colliders::remove_collider,
        pieces::{Piece, PieceStore},
    },
    update_limit::UpdateLimit,
};
use batches::StaticBatches;
use crack_materials::CrackMaterials;
use dust::{material_color, DustEmitters, DustSettings, DustSource};
use fades::{Fade, Fades};
use fracture_simulation::{BodyId, DustParticle, Motion, Simulation};
use fyrox::{
    core::color::Color,
    material::{Material, MaterialResource},
    scene::graph::Graph,
};
use shadows::Shadows;

/// The way in which a piece disappears.
pub(crate) struct FadeOut {
    pub fading: Fading,
    /// Seconds.
    pub duration: f32,
}

impl FadeOut {
    /// The piece is gone at once.
    pub const NONE: Self = Self {
        fading: Fading::Vanish,
        duration: 0.0,
    };
}

/// Colour of bars: hot-rolled steel, a little rusty.
const STEEL: Color = Color::opaque(88, 66, 54);

/// The material of bars.
fn steel() -> MaterialResource {
    let mut material = Material::standard();
    material.set_property("diffuseColor", STEEL);
    MaterialResource::new_embedded(material)
}

/// The nodes that show debris, and what happens to them.
#[derive(Default)]
pub(crate) struct DebrisView {
    pub batches: StaticBatches,
    pub pool: NodePool,
    fades: Fades,
    dust: DustEmitters,
    shadows: Shadows,
    crack_materials: CrackMaterials,
    /// The material of bars, once there are any.
    steel: Option<MaterialResource>,
    /// Length of the last frame in which time passed, seconds.
    pub frame: f32,
}

impl DebrisView {
    /// Does the work of a frame of `dt` seconds: batches frozen pieces, moves fading pieces and dust, and ends shadows.
    pub fn update(
        &mut self,
        graph: &mut Graph,
        simulation: &mut Simulation,
        pieces: &mut PieceStore,
        settings: &Settings,
        limit: &mut UpdateLimit,
        dt: f32,
    ) {
        self.update_batches(graph, simulation, pieces, settings.merge_after, limit, dt);
        let gravity = vec3(*graph.physics.gravity);
        self.fades.update(graph, &mut self.pool, dt, gravity);
        self.dust.update(graph, dt);
        let distance = settings.shadow_distance;
        self.shadows.update(graph, pieces, &self.batches, distance);
    }

    /// Removes nodes that no piece needs any more. To be called before any node becomes spare in a frame: the engine
    /// has messages for those, and would leave at the origin what the game makes in their place.
    pub fn remove_spare_nodes(&mut self, graph: &mut Graph) {
        self.pool.shrink(graph, self.frame);
    }

    /// Adds the numbers of the view to the statistics.
    pub fn count(&self, statistics: &mut Statistics) {
        (statistics.batches, statistics.merged) = self.batches.count();
        statistics.fading = self.fades.len();
        statistics.particles = self.dust.particle_count();
    }

    /// Removes a piece with its colliders and its node. The node of a batch keeps showing the piece until
    /// the batch is built again.
    pub fn remove_piece(
        &mut self,
        graph: &mut Graph,
        pieces: &mut PieceStore,
        body: BodyId,
    ) -> Option<Piece> {
        self.batches.remove_piece(body);
        let piece = pieces.remove(body)?;
        swap::remove(graph, piece.cracks);
        swap::remove(graph, piece.bars);
        if !piece.batched {
            self.pool.recycle(graph, piece.node);
        }
        for collider in &piece.colliders {
            remove_collider(graph, collider);
        }
        Some(piece)
    }

    /// Removes a piece, and lets its node fade out as the object's script says.
    pub fn fade_piece(
        &mut self,
        graph: &mut Graph,
        pieces: &mut PieceStore,
        body: BodyId,
        motion: Motion,
        fade_out: FadeOut,
        settings: &Settings,
    ) -> Option<Piece> {
        self.unbatch(graph, pieces, body);
        let piece = pieces.remove(body)?;
        let FadeOut { fading, duration } = fade_out;
        let size = swap::node_size(graph, piece.node);
        if fading == Fading::Dissolve && duration > 0.0 {
            let source = DustSource {
                motion,
                center: piece.center,
                size,
                duration,
            };
            let dust_settings = self.dust_settings(graph, piece.object, settings);
            let color = interior_color(&piece.appearance);
            self.dust.dissolve(graph, &source, color, &dust_settings);
        }
        let fade = Fade {
            object: piece.object,
            node: piece.node,
            fading,
            motion,
            center: piece.center,
            size,
            duration,
            elapsed: 0.0,
        };
        self.fades.begin(graph, &mut self.pool, fade);
        Some(piece)
    }

    /// The appearance of cracks in something that looks like this.
    pub fn crack_appearance(&mut self, appearance: &PieceAppearance) -> PieceAppearance {
        let flags = appearance.flags.without_shadow();
        let inside = interior_color(appearance);
        let material = self.crack_materials.of(inside, flags.render_path());
        PieceAppearance {
            materials: vec![material],
            flags,
        }
    }

    /// The appearance of a surface with its cracks, of something that looks like this.
    pub fn cracked_appearance(&mut self, appearance: &PieceAppearance) -> PieceAppearance {
        let mut cracked = appearance.clone();
        cracked.materials.pop(); // that of cut faces
        let cracks = self.crack_appearance(appearance).materials;
        cracked.materials.extend(cracks);
        cracked
    }

    /// The appearance of bars in something that looks like this.
    pub fn bar_appearance(&mut self, appearance: &PieceAppearance) -> PieceAppearance {
        let steel = self.steel.get_or_insert_with(steel);
        PieceAppearance {
            materials: vec![steel.clone()],
            flags: appearance.flags,
        }
    }

    /// Emits the dust of a break.
    pub fn emit_dust(
        &mut self,
        graph: &mut Graph,
        object: ObjectId,
        dust: &[DustParticle],
        appearance: &PieceAppearance,
        settings: &Settings,
    ) {
        if !dust.is_empty() {
            let dust_settings = self.dust_settings(graph, object, settings);
            let color = interior_color(appearance);
            self.dust.emit(graph, dust, color, &dust_settings);
        }
    }

    /// Removes all pieces of an object, those that fade out, and its dust.
    pub fn remove_object(&mut self, graph: &mut Graph, pieces: &mut PieceStore, object: ObjectId) {
        for body in pieces.bodies_of(object) {
            self.remove_piece(graph, pieces, body);
        }
        self.fades.remove_of(graph, &mut self.pool, object);
        self.dust.remove_of(graph, object);
    }

    fn dust_settings(&self, graph: &Graph, object: ObjectId, settings: &Settings) -> DustSettings {
        DustSettings {
            object,
            gravity: *graph.physics.gravity,
            dt: self.frame,
            max_particles: settings.max_particles,
        }
    }
}

/// The mean colour of the cut faces.
fn interior_color(appearance: &PieceAppearance) -> Color {
    material_color(appearance.materials.last())
}
