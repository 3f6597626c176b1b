//! A copy of a script's fields, to notice changes, and their conversion to settings of the simulation.

use crate::{
    asset_file::AssetFile,
    pattern::FracturePattern,
    script::{
        asset_state::AssetState,
        card_field_set::CardFields,
        card_fields::{read_card, CardContact},
        destructible::{Breaking, Destructible, Held, Inside, Pieces, Strength},
        enums::{Anchoring, MassSource, OpenMesh},
        paint::Paint,
    },
};
use fracture_simulation::{
    geometry::{bars::BarFigures, piece_mesh::Roughness},
    pattern::PatternFit,
    Anchors, ContactProperties, DebrisLifetime, InteriorFaces, Material, OpenMeshPolicy,
};
use fyrox::{
    asset::{manager::ResourceManager, untyped::UntypedResource, Resource},
    core::pool::Handle,
    resource::texture::Texture,
    scene::{node::Node, rigidbody::RigidBodyType},
};
use rapier3d::{dynamics::CoefficientCombineRule, math::Vec3};
use std::sync::Arc;

/// m^2.
const SQUARE_CENTIMETRE: f32 = 1e-4;

/// The fields of a [`Destructible`].
#[derive(Clone)]
pub(crate) struct DestructibleConfig {
    pattern: Option<Resource<FracturePattern>>,
    /// The content of the pattern asset when it was last read.
    pattern_state: AssetState<FracturePattern>,
    /// How often the picture of weakness was changed, if there is one.
    picture_state: AssetState<Option<u64>>,
    /// Friction and bounce of the card, if there is one.
    card: AssetState<Option<CardContact>>,
    /// The fields that are those of the card.
    pub(super) of_card: CardFields,
    pub(super) density: f32,
    pub mass_source: MassSource,
    surface_tag: String,
    mesh_nodes: Vec<Handle<Node>>,
    pub open_mesh: OpenMesh,
    pub break_in_pose: bool,
    pub(super) shell_thickness: f32,
    collider: Handle<Node>,
    pub breaking: Breaking,
    pub inside: Inside,
    pub held: Held,
    pub pieces: Pieces,
    pub strength: Strength,
}

/// A figure that is no number equals itself: else an object with one would be loaded anew in each frame.
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
            seed,
            site_nodes,
            cracks_stay,
            held_pieces_stay,
            weakness_map,
            weakness_mapping,
            weak_where_painted,
            ..
        } = &self.breaking;
        let Inside {
            material,
            texture_mapping,
            ..
        } = &self.inside;
        let stays = (cracks_stay, held_pieces_stay);
        let picture = (weakness_map, weakness_mapping, &self.picture_state);
        let sections = (
            picture,
            weak_where_painted,
            seed,
            site_nodes,
            stays,
            material,
            texture_mapping,
        );
        let pieces = (&self.pieces.max_depth, &self.pieces.fading);
        let held = (&self.held.anchoring, &self.strength.check_at_start);
        let pattern = (&self.pattern, &self.pattern_state, &self.card, self.of_card);
        let mesh = (
            &self.mesh_nodes,
            self.open_mesh,
            self.break_in_pose,
            self.collider,
        );
        let body = (self.mass_source, &self.surface_tag);
        (pattern, mesh, body, sections, held, pieces)
    }

    /// The fields of a node's script, with those of its card where they count.
    pub fn of_node(node: &Node, script: &Destructible) -> Self {
        let empty = |card| Self {
            card,
            ..Self::new(script)
        };
        match read_card(node, script) {
            None => Self::new(script),
            Some(AssetState::Loading) => empty(AssetState::Loading),
            Some(AssetState::Failed(reason)) => empty(AssetState::Failed(reason)),
            Some(AssetState::Loaded(effective)) => Self {
                card: AssetState::Loaded(Some(effective.contact)),
                of_card: effective.of_card,
                ..Self::new(&effective.script)
            },
        }
    }

    /// Copies the fields of a script, whatever its card says.
    pub fn new(script: &Destructible) -> Self {
        let pattern = script.pattern.as_ref();
        let picture = script.breaking.weakness_map.as_ref();
        Self {
            pattern_state: pattern.map_or_else(
                || AssetState::Loaded(FracturePattern::default()),
                |pattern| AssetState::read(pattern, FracturePattern::FILE_KIND, Clone::clone),
            ),
            picture_state: picture.map_or(AssetState::Loaded(None), |picture| {
                let version = |texture: &Texture| Some(texture.modifications_count());
                AssetState::read(picture, "picture", version)
            }),
            card: AssetState::Loaded(None),
            of_card: CardFields::default(),
            pattern: script.pattern.clone_inner(),
            density: *script.density,
            mass_source: *script.mass_source,
            surface_tag: script.surface_tag.clone_inner(),
            mesh_nodes: script.mesh_nodes.clone_inner(),
            open_mesh: *script.open_mesh,
            break_in_pose: *script.break_in_pose,
            shell_thickness: *script.shell_thickness,
            collider: *script.collider,
            breaking: script.breaking.clone(),
            inside: script.inside.clone(),
            held: script.held.clone(),
            pieces: script.pieces.clone(),
            strength: script.strength.clone(),
        }
    }

    /// The pattern; `None` while it or the card is being loaded.
    pub fn pattern(&self) -> Result<Option<&FracturePattern>, String> {
        match self.card.content()? {
            Some(_) => self.pattern_state.content(),
            None => Ok(None),
        }
    }

    /// The paint that makes places weak; `None` while its picture is being loaded.
    pub fn paint(&self) -> Result<Option<Paint>, String> {
        let is_loaded = self.picture_state.content()?.is_some();
        Ok(is_loaded.then(|| Paint {
            picture: self.breaking.weakness_map.clone_inner(),
            mapping: *self.breaking.weakness_mapping,
            colors: *self.breaking.weak_where_painted,
        }))
    }

    /// Whether the card, the pattern or the picture is being loaded, for the first time or again.
    pub fn is_loading(&self) -> bool {
        matches!(self.pattern(), Ok(None)) || matches!(self.paint(), Ok(None))
    }

    /// Friction, bounce and rules of the pieces, where the object's collider has these: a card gives what is as every
    /// new collider has it.
    pub fn contact(&self, collider: ContactProperties) -> ContactProperties {
        let Ok(Some(Some(card))) = self.card.content() else {
            return collider;
        };
        let is_new = collider.restitution == Some(0.0)
            && collider.restitution_rule == CoefficientCombineRule::Average;
        ContactProperties {
            friction: collider.friction.or(Some(card.friction)),
            restitution: collider
                .restitution
                .filter(|_| !is_new)
                .or(Some(card.restitution)),
            ..collider
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
            sheet_toughness: *breaking.sheet_toughness,
            volume_per_energy: breaking.energy_per_volume.recip() as f32,
            min_radius: *breaking.min_radius,
            max_radius: *breaking.max_radius,
            max_depth: *pieces.max_depth,
            min_volume: pieces.min_size.powi(3),
            threshold_factor: *pieces.threshold_factor,
            tensile_strength: *self.strength.tensile_strength,
            min_neck: *self.strength.min_neck * SQUARE_CENTIMETRE,
            held_pieces_stay: *breaking.held_pieces_stay,
            cracks_stay: *breaking.cracks_stay,
            bars: BarFigures {
                spacing: (*self.strength.bar_spacing).into(),
                diameter: (*self.strength.bar_diameter).into(),
                cover: (*self.strength.bar_cover).into(),
                yield_strength: (*self.strength.bar_yield_strength).into(),
            },
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
            AssetState::Loaded(pattern) => pattern.fit(),
            AssetState::Loading | AssetState::Failed(_) => PatternFit::default(),
        }
    }
}

impl Destructible {
    /// Whether both scripts have equal fields, and the same of them set where they have a card. Impacts in the inboxes
    /// are not compared.
    pub fn is_tuned_as(&self, other: &Self) -> bool {
        let set_fields = |script: &Self| script.card.as_ref().map(|_| CardFields::set_on(script));
        DestructibleConfig::new(self) == DestructibleConfig::new(other)
            && *self.card == *other.card
            && set_fields(self) == set_fields(other)
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
