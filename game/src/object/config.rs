//! A copy of a script's fields, to notice changes, and their conversion to settings of the simulation.

use crate::{
    pattern::FracturePattern,
    script::{
        destructible::Destructible,
        enums::{Anchoring, CutMapping, Fading, OpenMesh},
    },
};
use fracture_simulation::{
    geometry::Roughness, DebrisLifetime, InteriorFaces, Material, OpenMeshPolicy, PatternFit,
};
use fyrox::{
    asset::{manager::ResourceManager, state::ResourceState, untyped::UntypedResource, Resource},
    core::pool::Handle,
    material::MaterialResource,
    scene::node::Node,
};
use std::sync::Arc;

/// The fields of a [`Destructible`].
#[derive(Clone, PartialEq)]
pub(crate) struct DestructibleConfig {
    pattern: Option<Resource<FracturePattern>>,
    /// The content of the pattern asset when it was last read. Assets are edited in place.
    pattern_state: PatternState,
    density: f32,
    pub toughness: f32,
    energy_to_radius: f32,
    min_radius: f32,
    max_radius: f32,
    mesh_nodes: Vec<Handle<Node>>,
    pub open_mesh: OpenMesh,
    shell_thickness: f32,
    collider: Handle<Node>,
    site_nodes: Vec<Handle<Node>>,
    pub anchoring: Anchoring,
    pub anchor_depth: f32,
    pub seed: u32,
    material: String,
    pub cut_material: Option<MaterialResource>,
    cut_uv: CutMapping,
    cut_uv_scale: f32,
    cut_uv_turn: f32,
    cut_roughness: f32,
    cut_grain: f32,
    max_generation: u32,
    smallest_volume: f32,
    piece_toughness: f32,
    strength: f32,
    pub weigh_at_start: bool,
    piece_lifetime: f32,
    pub fading: Fading,
    pub fade_time: f32,
    crumb_size: f32,
}

/// The loading state of a pattern asset.
#[derive(Clone, PartialEq)]
enum PatternState {
    Loading,
    Loaded(FracturePattern),
    Failed(String),
}

impl DestructibleConfig {
    /// Copies the fields of a script.
    pub fn new(script: &Destructible) -> Self {
        Self {
            pattern_state: PatternState::new(&script.pattern),
            pattern: script.pattern.clone_inner(),
            density: *script.density,
            toughness: *script.toughness,
            energy_to_radius: *script.energy_to_radius,
            min_radius: *script.min_radius,
            max_radius: *script.max_radius,
            mesh_nodes: script.mesh_nodes.clone_inner(),
            open_mesh: *script.open_mesh,
            shell_thickness: *script.shell_thickness,
            collider: *script.collider,
            site_nodes: script.site_nodes.clone_inner(),
            anchoring: *script.anchoring,
            anchor_depth: *script.anchor_depth,
            seed: *script.seed,
            material: script.material.clone_inner(),
            cut_material: script.cut_material.clone_inner(),
            cut_uv: *script.cut_uv,
            cut_uv_scale: *script.cut_uv_scale,
            cut_uv_turn: *script.cut_uv_turn,
            cut_roughness: *script.cut_roughness,
            cut_grain: *script.cut_grain,
            max_generation: *script.max_generation,
            smallest_volume: *script.smallest_volume,
            piece_toughness: *script.piece_toughness,
            strength: *script.strength,
            weigh_at_start: *script.weigh_at_start,
            piece_lifetime: *script.piece_lifetime,
            fading: *script.fading,
            fade_time: *script.fade_time,
            crumb_size: *script.crumb_size,
        }
    }

    /// The pattern; `None` while it is being loaded.
    pub fn pattern(&self) -> Result<Option<FracturePattern>, String> {
        match &self.pattern_state {
            PatternState::Loading => Ok(None),
            PatternState::Loaded(pattern) => Ok(Some(pattern.clone())),
            PatternState::Failed(reason) => Err(reason.clone()),
        }
    }

    /// The policy for a mesh that is not closed.
    pub fn open_mesh_policy(&self) -> OpenMeshPolicy {
        self.open_mesh.policy(self.shell_thickness)
    }

    /// The name of the material in events: the script's, or the stem of a file name.
    pub fn material_name(&self, resources: Option<&ResourceManager>) -> Arc<str> {
        if !self.material.is_empty() {
            return self.material.as_str().into();
        }
        let stem = |resource: &UntypedResource| {
            let path = resources?.resource_path(resource)?;
            Some(path.file_stem()?.to_string_lossy().as_ref().into())
        };
        let cut = self.cut_material.as_ref().map(AsRef::as_ref).and_then(stem);
        let pattern = || self.pattern.as_ref().map(AsRef::as_ref).and_then(stem);
        cut.or_else(pattern).unwrap_or_default()
    }

    /// The material in the terms of the simulation.
    pub fn material(&self) -> Material {
        Material {
            density: self.density,
            toughness: self.toughness,
            energy_to_radius: self.energy_to_radius,
            min_radius: self.min_radius,
            max_radius: self.max_radius,
            max_generation: self.max_generation,
            smallest_volume: self.smallest_volume,
            piece_toughness: self.piece_toughness,
            strength: self.strength,
        }
    }

    /// Lifetime of pieces, and the size below which they become dust.
    pub fn lifespan(&self) -> DebrisLifetime {
        DebrisLifetime {
            lifetime: match self.piece_lifetime {
                0.0 => f32::INFINITY,
                lifetime => lifetime,
            },
            dust_size: self.crumb_size,
        }
    }

    /// Surface, texture mapping and roughness of cut faces. `surface` is the one after those of the meshes.
    pub fn cut_faces(&self, surface: u32) -> InteriorFaces {
        InteriorFaces {
            surface: Some(surface),
            uv_scale: (self.cut_uv_scale > 0.0).then_some(self.cut_uv_scale),
            mapping: self.cut_uv.into(),
            turn: self.cut_uv_turn.to_radians(),
            roughness: Roughness {
                height: self.cut_roughness,
                grain: self.cut_grain,
                seed: u64::from(self.seed),
            },
        }
    }

    /// Placement of the pattern on the object.
    pub fn fit(&self) -> PatternFit {
        match &self.pattern_state {
            _ if !self.site_nodes.is_empty() => PatternFit::IN_PLACE,
            PatternState::Loaded(pattern) => pattern.fit(),
            PatternState::Loading | PatternState::Failed(_) => PatternFit::default(),
        }
    }
}

impl Destructible {
    /// Whether both scripts have equal fields. Impacts in the inboxes are not compared.
    pub fn is_tuned_as(&self, other: &Self) -> bool {
        DestructibleConfig::new(self) == DestructibleConfig::new(other)
    }
}

impl PatternState {
    fn new(pattern: &Option<Resource<FracturePattern>>) -> Self {
        let Some(pattern) = pattern else {
            return Self::Loaded(FracturePattern::default());
        };
        let header = pattern.header();
        match &header.state {
            ResourceState::Pending { .. } | ResourceState::Unloaded => Self::Loading,
            ResourceState::LoadError { error, .. } => Self::Failed(format!(
                "its pattern cannot be loaded: {error}; restore the file or choose another pattern"
            )),
            ResourceState::Ok { .. } => {
                drop(header);
                match pattern.data_ref().as_loaded_ref() {
                    Some(pattern) => Self::Loaded(pattern.clone()),
                    None => Self::Failed(
                        "its pattern is another kind of file; choose a .pattern file".into(),
                    ),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cut_faces_are_as_the_script_says() {
        let mut script = Destructible::default();
        let faces = DestructibleConfig::new(&script).cut_faces(3);
        assert_eq!(faces.surface, Some(3));
        // As dense as the outside, and flat, unless it is said otherwise.
        assert_eq!(faces.uv_scale, None);
        assert!(faces.roughness.is_flat());
        script.cut_uv_scale = 2.0.into();
        script.cut_uv_turn = 180.0.into();
        script.cut_roughness = 0.01.into();
        let faces = DestructibleConfig::new(&script).cut_faces(3);
        assert_eq!(faces.uv_scale, Some(2.0));
        assert!((faces.turn - std::f32::consts::PI).abs() < 1e-6);
        assert!(!faces.roughness.is_flat());
    }
}
