//! A copy of a script's fields, to notice changes, and their conversion to settings of the simulation.

use crate::{
    pattern::FracturePattern,
    script::{
        destructible::{Breaking, Destructible, Held, Inside, Pieces, Strength},
        enums::{Anchoring, MassSource, OpenMesh},
    },
};
use fracture_simulation::{
    geometry::piece_mesh::Roughness, pattern::PatternFit, Anchors, DebrisLifetime, InteriorFaces,
    Material, OpenMeshPolicy,
};
use fyrox::{
    asset::{manager::ResourceManager, state::ResourceState, untyped::UntypedResource, Resource},
    core::pool::Handle,
    scene::{node::Node, rigidbody::RigidBodyType},
};
use rapier3d::math::Vec3;
use std::sync::Arc;

/// The fields of a [`Destructible`].
#[derive(Clone)]
pub(crate) struct DestructibleConfig {
    pattern: Option<Resource<FracturePattern>>,
    /// The content of the pattern asset when it was last read. Assets are edited in place.
    pattern_state: PatternState,
    pub(super) density: f32,
    pub mass_source: MassSource,
    surface_tag: String,
    mesh_nodes: Vec<Handle<Node>>,
    pub open_mesh: OpenMesh,
    pub(super) shell_thickness: f32,
    collider: Handle<Node>,
    pub breaking: Breaking,
    pub inside: Inside,
    pub held: Held,
    pub pieces: Pieces,
    pub strength: Strength,
}

/// The loading state of a pattern asset.
#[derive(Clone)]
enum PatternState {
    Loading,
    Loaded(FracturePattern),
    Failed(String),
}

/// A figure that is no number equals itself here: else an object with one would be loaded anew in each frame.
impl PartialEq for PatternState {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Loading, Self::Loading) => true,
            (Self::Loaded(one), Self::Loaded(other)) => {
                one == other || format!("{one:?}") == format!("{other:?}")
            }
            (Self::Failed(one), Self::Failed(other)) => one == other,
            _ => false,
        }
    }
}

/// A figure that is no number equals itself, here as well.
impl PartialEq for DestructibleConfig {
    fn eq(&self, other: &Self) -> bool {
        let (own, others) = (self.figures(), other.figures());
        let mut figures = own.iter().zip(&others);
        figures.all(|(own, other)| own.bits() == other.bits()) && self.choices() == other.choices()
    }
}

impl DestructibleConfig {
    /// All fields that are no figures. Each field of a section is named here or among the figures.
    fn choices(&self) -> impl PartialEq + '_ {
        let Breaking {
            seed, site_nodes, ..
        } = &self.breaking;
        let Inside {
            material,
            texture_mapping,
            ..
        } = &self.inside;
        let sections = (seed, site_nodes, material, texture_mapping);
        let pieces = (&self.pieces.max_depth, &self.pieces.fading);
        let held = (&self.held.anchoring, &self.strength.check_at_start);
        let pattern = (&self.pattern, &self.pattern_state);
        let mesh = (&self.mesh_nodes, self.open_mesh, self.collider);
        let body = (self.mass_source, &self.surface_tag);
        (pattern, mesh, body, sections, held, pieces)
    }

    /// Copies the fields of a script.
    pub fn new(script: &Destructible) -> Self {
        Self {
            pattern_state: PatternState::new(&script.pattern),
            pattern: script.pattern.clone_inner(),
            density: *script.density,
            mass_source: *script.mass_source,
            surface_tag: script.surface_tag.clone_inner(),
            mesh_nodes: script.mesh_nodes.clone_inner(),
            open_mesh: *script.open_mesh,
            shell_thickness: *script.shell_thickness,
            collider: *script.collider,
            breaking: script.breaking.clone(),
            inside: script.inside.clone(),
            held: script.held.clone(),
            pieces: script.pieces.clone(),
            strength: script.strength.clone(),
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

    /// The surface tag of events: the script's, or the stem of a file name.
    pub fn surface_tag(&self, resources: Option<&ResourceManager>) -> Arc<str> {
        if !self.surface_tag.is_empty() {
            return self.surface_tag.as_str().into();
        }
        let stem = |resource: &UntypedResource| {
            let path = resources?.resource_path(resource)?;
            Some(path.file_stem()?.to_string_lossy().as_ref().into())
        };
        let inside = self.inside.material.as_ref();
        let inside = inside.map(AsRef::as_ref).and_then(stem);
        let pattern = || self.pattern.as_ref().map(AsRef::as_ref).and_then(stem);
        inside.or_else(pattern).unwrap_or_default()
    }

    /// The material in the terms of the simulation.
    pub fn material(&self) -> Material {
        let (breaking, pieces) = (&self.breaking, &self.pieces);
        Material {
            density: self.density,
            damage_threshold: Some(*breaking.damage_threshold).filter(|typed| *typed != 0.0),
            weakening: *breaking.weakening,
            volume_per_energy: breaking.energy_per_volume.recip() as f32,
            min_radius: *breaking.min_radius,
            max_radius: *breaking.max_radius,
            max_depth: *pieces.max_depth,
            min_volume: pieces.min_size.powi(3),
            threshold_factor: *pieces.threshold_factor,
            tensile_strength: *self.strength.tensile_strength,
        }
    }

    /// Lifetime of pieces, and the size below which they become dust.
    pub fn lifespan(&self) -> DebrisLifetime {
        DebrisLifetime {
            lifetime: if *self.pieces.lifetime == 0.0 {
                f32::INFINITY
            } else {
                *self.pieces.lifetime
            },
            dust_size: *self.pieces.dust_size,
        }
    }

    /// Surface, texture mapping and roughness of cut faces. `surface` is the one after those of the meshes.
    pub fn cut_faces(&self, surface: u32) -> InteriorFaces {
        let inside = &self.inside;
        InteriorFaces {
            surface: Some(surface),
            uv_scale: (*inside.texture_scale > 0.0).then_some(*inside.texture_scale),
            mapping: (*inside.texture_mapping).into(),
            turn: inside.texture_turn.to_radians(),
            roughness: Roughness {
                height: *inside.bump_height,
                grain: *inside.bump_distance,
                seed: u64::from(*self.breaking.seed),
            },
        }
    }

    /// The anchors of an object with a body of this type. A dynamic body has none.
    pub fn anchors(&self, body_type: RigidBodyType) -> Anchors {
        let depth = *self.held.depth;
        let anchoring = match (*self.held.anchoring, body_type) {
            (Anchoring::Free, _) | (_, RigidBodyType::Dynamic) => return Anchors::free(),
            (Anchoring::Touching, RigidBodyType::Static) => {
                return Anchors::Touching {
                    gap: *self.held.gap,
                    bond_strength: *self.held.bond_strength,
                };
            }
            (Anchoring::Touching, _) => Anchoring::All,
            (anchoring, _) => anchoring,
        };
        Anchors::from_bounds(move |bounds| {
            let boxes = anchoring.boxes(bounds.map(|corner| corner.to_array()), depth);
            boxes
                .into_iter()
                .map(|corners| corners.map(Vec3::from_array))
                .collect()
        })
    }

    /// Placement of the pattern on the object.
    pub fn fit(&self) -> PatternFit {
        match &self.pattern_state {
            _ if !self.breaking.site_nodes.is_empty() => PatternFit::IN_PLACE,
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
        script.inside.texture_scale = 2.0.into();
        script.inside.texture_turn = 180.0.into();
        script.inside.bump_height = 0.01.into();
        let faces = DestructibleConfig::new(&script).cut_faces(3);
        assert_eq!(faces.uv_scale, Some(2.0));
        assert!((faces.turn - std::f32::consts::PI).abs() < 1e-6);
        assert!(!faces.roughness.is_flat());
    }
}
