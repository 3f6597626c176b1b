//! The fields of a script that cards have, too: whose figure counts, and the ways between them.

use crate::{
    asset_file::AssetFile,
    script::{
        asset_state::AssetState,
        card_field_set::CardFields,
        destructible::Destructible,
        enums::{CutMapping, Fading},
        material_card::{MaterialCard, MaterialCardResource, CARD_VERSION},
    },
};
use fyrox::{
    asset::{Resource, TypedResourceData},
    core::{pool::Handle, variable::InheritableVariable},
    graph::SceneGraph,
    scene::{graph::Graph, node::Node},
};

/// Calls a macro for each field that both a script and a card have, with its number, its name in the inspector, and its
/// places in a script and in a card.
macro_rules! each_field {
    ($do:ident) => {
        $do!(0, "Density", density, density);
        $do!(1, "Surface Tag", surface_tag, surface_tag);
        $do!(2, "Pattern", pattern, pattern);
        $do!(3, "Weakening", breaking.weakening, weakening);
        $do!(
            4,
            "Energy Per Volume",
            breaking.energy_per_volume,
            energy_per_volume
        );
        $do!(5, "Min Radius", breaking.min_radius, min_radius);
        $do!(6, "Max Radius", breaking.max_radius, max_radius);
        $do!(7, "Material", inside.material, inside_material);
        $do!(
            8,
            "Texture Mapping",
            inside.texture_mapping,
            texture_mapping
        );
        $do!(9, "Texture Scale", inside.texture_scale, texture_scale);
        $do!(10, "Bump Height", inside.bump_height, bump_height);
        $do!(11, "Bump Distance", inside.bump_distance, bump_distance);
        $do!(12, "Breaks In A Row", pieces.max_depth, max_depth);
        $do!(13, "Min Size", pieces.min_size, min_size);
        $do!(
            14,
            "Threshold Factor",
            pieces.threshold_factor,
            threshold_factor
        );
        $do!(15, "Lifetime", pieces.lifetime, lifetime);
        $do!(16, "Fading", pieces.fading, fading);
        $do!(17, "Fade Time", pieces.fade_time, fade_time);
        $do!(18, "Becomes Dust Below", pieces.dust_size, dust_size);
        $do!(
            19,
            "Tensile Strength",
            strength.tensile_strength,
            tensile_strength
        );
        $do!(20, "Min Neck", strength.min_neck, min_neck);
        $do!(
            21,
            "Sheet Toughness",
            breaking.sheet_toughness,
            sheet_toughness
        );
        $do!(
            22,
            "Held Pieces Stay",
            breaking.held_pieces_stay,
            held_pieces_stay
        );
        $do!(23, "Bar Spacing", strength.bar_spacing, bar_spacing);
        $do!(24, "Bar Diameter", strength.bar_diameter, bar_diameter);
        $do!(25, "Bar Cover", strength.bar_cover, bar_cover);
        $do!(
            26,
            "Bar Yield Strength",
            strength.bar_yield_strength,
            bar_yield_strength
        );
    };
}

impl CardFields {
    /// Whether the field with this name in the inspector is one of them.
    pub fn has_named(self, name: &str) -> bool {
        macro_rules! field {
            ($index:literal, $name:literal, $($place:ident).+, $card:ident) => {
                if $name == name {
                    return self.has($index);
                }
            };
        }
        each_field!(field);
        false
    }

    /// The fields of a script that are set on it.
    pub fn set_on(script: &Destructible) -> Self {
        Self(Self::marked_on(script).0 & !Self::only_marked_on(script).0)
    }

    /// The fields of a script that are marked as set.
    fn marked_on(script: &Destructible) -> Self {
        let mut fields = 0;
        macro_rules! field {
            ($index:literal, $name:literal, $($place:ident).+, $card:ident) => {
                fields |= u32::from(script.$($place).+.is_modified()) << $index;
            };
        }
        each_field!(field);
        Self(fields)
    }

    /// The fields of a script that were not in its file, and have not changed since.
    fn only_marked_on(script: &Destructible) -> Self {
        let mut fields = script.not_in_file.0;
        if fields == 0 {
            return Self(0); // the common case
        }
        let new = MaterialCard::default();
        macro_rules! field {
            ($index:literal, $name:literal, $($place:ident).+, $card:ident) => {
                if *script.$($place).+ != new.$card {
                    fields &= !(1 << $index);
                }
            };
        }
        each_field!(field);
        Self(fields)
    }

    /// The fields of a node's script that its card decides: those that are not set on the node, nor on a node of a
    /// prefab which it inherits from before it comes to the one that has the card.
    fn of_card(node: &Node, script: &Destructible) -> Self {
        let (mut set, mut is_at_card) = (Self::set_on(script), script.card.is_modified());
        let (mut prefab, mut original) = (node.resource(), node.original_handle_in_resource());
        while let Some(model) = prefab.take().filter(|_| !is_at_card) {
            let data = model.data_ref();
            let scene = data.as_loaded_ref().map(|model| model.get_scene());
            let node = scene.and_then(|scene| scene.graph.try_get_node(original).ok());
            let Some((node, script)) = node.and_then(|n| Some((n, n.try_get_script()?))) else {
                break;
            };
            let script: &Destructible = script;
            set.0 |= Self::set_on(script).0;
            is_at_card = script.card.is_modified();
            (prefab, original) = (node.resource(), node.original_handle_in_resource());
        }
        Self(!set.0)
    }
}

/// A field that is set on an object, and not as its card has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardDifference {
    /// Name of the field in the inspector.
    pub field: &'static str,
    /// The object's own value, in words.
    pub own: String,
    /// The value of the card, in words.
    pub card: String,
}

impl Default for MaterialCard {
    /// The figures of a new script.
    fn default() -> Self {
        Self::of_figures(&Destructible::default())
    }
}

impl MaterialCard {
    /// A card with the figures of a script, whatever its own card says. For those that count: [`effective_script`].
    pub fn of_figures(script: &Destructible) -> Self {
        let (breaking, inside, pieces) = (&script.breaking, &script.inside, &script.pieces);
        Self {
            version: CARD_VERSION,
            source: String::new(),
            density: *script.density,
            surface_tag: script.surface_tag.clone_inner(),
            friction: 0.6,
            restitution: 0.0,
            pattern: script.pattern.clone_inner(),
            energy_per_volume: *breaking.energy_per_volume,
            weakening: *breaking.weakening,
            sheet_toughness: *breaking.sheet_toughness,
            held_pieces_stay: *breaking.held_pieces_stay,
            min_radius: *breaking.min_radius,
            max_radius: *breaking.max_radius,
            tensile_strength: *script.strength.tensile_strength,
            min_neck: *script.strength.min_neck,
            bar_spacing: *script.strength.bar_spacing,
            bar_diameter: *script.strength.bar_diameter,
            bar_cover: *script.strength.bar_cover,
            bar_yield_strength: *script.strength.bar_yield_strength,
            inside_material: inside.material.clone_inner(),
            texture_mapping: *inside.texture_mapping,
            texture_scale: *inside.texture_scale,
            bump_height: *inside.bump_height,
            bump_distance: *inside.bump_distance,
            max_depth: *pieces.max_depth,
            min_size: *pieces.min_size,
            threshold_factor: *pieces.threshold_factor,
            lifetime: *pieces.lifetime,
            fading: *pieces.fading,
            fade_time: *pieces.fade_time,
            dust_size: *pieces.dust_size,
        }
    }
}

impl Destructible {
    /// A script with a card, from which it takes all that cards have.
    pub fn with_card(card: MaterialCardResource) -> Self {
        Self {
            card: Some(card).into(),
            ..Self::default()
        }
    }

    /// A new script with the figures of a card.
    pub(super) fn of_card(card: &MaterialCard) -> Self {
        let mut script = Self::default();
        script.apply(card, CardFields(u32::MAX));
        script
    }

    /// Notes which fields the file did not have from which the script was read. When the engine loads a scene, it marks
    /// all fields as set of the nodes that are no instances.
    pub(super) fn note_missing_fields(&mut self) {
        self.not_in_file = CardFields(!CardFields::marked_on(self).0);
    }

    /// Takes the engine's marks from the fields that were not in the file, so that they are not set again.
    pub(super) fn unmark_missing_fields(&mut self) {
        let fields = CardFields::only_marked_on(self);
        macro_rules! field {
            ($index:literal, $name:literal, $($place:ident).+, $card:ident) => {
                if fields.has($index) {
                    let value = self.$($place).+.clone_inner();
                    self.$($place).+ = InheritableVariable::new_non_modified(value);
                }
            };
        }
        each_field!(field);
        self.not_in_file = CardFields::default();
    }

    /// Gives the script another card, or none, and forgets its own values of all fields that cards have.
    pub fn lay_card(&mut self, card: Option<MaterialCardResource>) {
        self.card.set_value_and_mark_modified(card);
        let new = MaterialCard::default();
        macro_rules! field {
            ($index:literal, $name:literal, $($place:ident).+, $card:ident) => {
                self.$($place).+ = InheritableVariable::new_non_modified(new.$card.clone());
            };
        }
        each_field!(field);
    }

    /// Forgets the script's own value of a field, so that it has that of the card again. `field` is its name in the
    /// inspector; `base` is what the node would have without values of its own, see [`unset_script`].
    pub fn take_from_card(&mut self, field: &str, base: &Self) {
        macro_rules! field {
            ($index:literal, $name:literal, $($place:ident).+, $card:ident) => {
                if $name == field {
                    let value = base.$($place).+.clone_inner();
                    self.$($place).+ = InheritableVariable::new_non_modified(value);
                }
            };
        }
        each_field!(field);
    }

    /// Sets the fields that a card decides, without marking them as set.
    fn apply(&mut self, card: &MaterialCard, fields: CardFields) {
        macro_rules! field {
            ($index:literal, $name:literal, $($place:ident).+, $card:ident) => {
                if fields.has($index) {
                    self.$($place).+.set_value_silent(card.$card.clone());
                }
            };
        }
        each_field!(field);
    }

    /// The fields that are set on this script or one that it inherits from, and differ from the card.
    fn differences(&self, card: &MaterialCard, of_card: CardFields) -> Vec<CardDifference> {
        let mut differences = Vec::new();
        macro_rules! field {
            ($index:literal, $name:literal, $($place:ident).+, $card:ident) => {
                let (own, others) = (self.$($place).+.get_value_ref(), &card.$card);
                if !of_card.has($index) && own != others {
                    differences.push(CardDifference {
                        field: $name,
                        own: own.in_words(),
                        card: others.in_words(),
                    });
                }
            };
        }
        each_field!(field);
        differences
    }
}

/// A script with the figures that count, and which of them are those of its card.
pub(super) struct Effective {
    pub script: Destructible,
    pub of_card: CardFields,
    pub contact: CardContact,
}

/// Friction and bounce that a card gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CardContact {
    pub friction: f32,
    pub restitution: f32,
}

/// Reads the card of a script; `None` if it has none.
pub(super) fn read_card(node: &Node, script: &Destructible) -> Option<AssetState<Effective>> {
    let card = script.card.as_ref()?;
    // Before the card is locked: prefabs are locked to be read.
    let of_card = CardFields::of_card(node, script);
    Some(AssetState::read(card, MaterialCard::FILE_KIND, |card| {
        let mut effective = script.clone();
        effective.apply(card, of_card);
        Effective {
            script: effective,
            of_card,
            contact: CardContact {
                friction: card.friction,
                restitution: card.restitution,
            },
        }
    }))
}

/// The script of a node with the figures that count: those of its card, where it has no others. As it is while the
/// card is not loaded; `None` of a node without the script.
pub fn effective_script(graph: &Graph, node: Handle<Node>) -> Option<Destructible> {
    let node = graph.try_get_node(node).ok()?;
    let script = node.try_get_script::<Destructible>()?;
    match read_card(node, script) {
        Some(AssetState::Loaded(effective)) => Some(effective.script),
        _ => Some(script.clone()),
    }
}

/// The fields of a node's script that are set, and not as its card has them.
pub fn card_differences(graph: &Graph, node: Handle<Node>) -> Vec<CardDifference> {
    let node = graph.try_get_node(node).ok();
    let script = node.and_then(|node| Some((node, node.try_get_script::<Destructible>()?)));
    let Some((node, script)) = script else {
        return Vec::new();
    };
    let of_card = CardFields::of_card(node, script);
    let card = script.card.as_ref();
    let data = card.map(|card| card.data_ref());
    let card = data.as_ref().and_then(|data| data.as_loaded_ref());
    card.map_or_else(Vec::new, |card| script.differences(card, of_card))
}

/// The script that a node would have if nothing were set on it: that of its prefab, or a new one.
pub fn unset_script(node: &Node) -> Destructible {
    let model = node.resource();
    let data = model.as_ref().map(|model| model.data_ref());
    let scene = data.as_ref().and_then(|data| data.as_loaded_ref());
    let graph = scene.map(|model| &model.get_scene().graph);
    let original = node.original_handle_in_resource();
    let script = graph.and_then(|graph| graph.try_get_script_of::<Destructible>(original).ok());
    script.cloned().unwrap_or_default()
}

/// Writes the figures of a node's card into the fields of its script that are not set, for people to see them in an
/// inspector. They do not count as set, and are not saved.
pub fn show_card_figures(graph: &mut Graph, node: Handle<Node>) {
    if let Ok(script) = graph.try_get_script_of_mut::<Destructible>(node) {
        script.unmark_missing_fields();
    }
    let Some(mut shown) = effective_script(graph, node) else {
        return;
    };
    let Ok(node) = graph.try_get_node_mut(node) else {
        return;
    };
    let base = unset_script(node);
    let of_card = match shown.card.as_ref() {
        Some(_) => CardFields::of_card(node, &shown),
        None => CardFields::default(),
    };
    macro_rules! field {
        ($index:literal, $name:literal, $($place:ident).+, $card:ident) => {
            if !shown.$($place).+.is_modified() && !of_card.has($index) {
                let value = base.$($place).+.clone_inner();
                shown.$($place).+.set_value_silent(value);
            }
        };
    }
    each_field!(field);
    if let Some(script) = node.try_get_script_mut::<Destructible>() {
        *script = shown;
    }
}

/// A value of a field, for people.
trait InWords {
    fn in_words(&self) -> String;
}

macro_rules! in_words {
    ($($kind:ty),*) => {
        $(impl InWords for $kind {
            fn in_words(&self) -> String {
                self.to_string()
            }
        })*
    };
}

in_words!(bool, f32, f64, u32, String);

impl InWords for CutMapping {
    fn in_words(&self) -> String {
        self.as_ref().to_owned()
    }
}

impl InWords for Fading {
    fn in_words(&self) -> String {
        self.as_ref().to_owned()
    }
}

impl<T: TypedResourceData> InWords for Option<Resource<T>> {
    fn in_words(&self) -> String {
        let one = self.as_ref().map(|asset| asset.kind().is_external());
        let word = match one {
            None => "none",
            Some(true) => "a file",
            Some(false) => "one that is kept with it",
        };
        word.to_owned()
    }
}
