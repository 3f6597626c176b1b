//! Marks on what is hit.

use super::{
    clouds::upright_to,
    effect_nodes::effect_base,
    pictures::{lumps, smooth, square_texture, texels},
    scripts::ImpactMarks,
    surface_kind::SurfaceKind,
    tagged_rows::row_of,
};
use crate::{
    events::Event,
    mirror::transforms::{ancestry, rotation_of, world_matrix},
    swap,
};
use fracture_simulation::Striker;
use fyrox::{
    core::{
        algebra::{Matrix4, UnitQuaternion, Vector3},
        color::Color,
        math::Matrix4Ext,
        pool::Handle,
    },
    graph::SceneGraph,
    resource::texture::{TexturePixelKind, TextureResource},
    scene::{
        decal::{Decal, DecalBuilder},
        graph::Graph,
        node::Node,
        rigidbody::{RigidBody, RigidBodyType},
    },
};

/// Blows with less energy that break nothing leave no pit, J.
const PITTED: f32 = 10.0;
/// Contacts with less energy leave no dust, J.
const DUSTED: f32 = 60.0;
/// Width of the pit of one joule, m: its volume grows with the energy.
const PIT_WIDTH: f32 = 0.02;
/// The same of the dust of a contact.
const DUST_WIDTH: f32 = 0.05;
/// Widths of marks, metres.
const WIDTHS: [f32; 2] = [0.02, 1.5];
/// Depth of a mark's box as a share of its width: what is farther from the surface has none of it.
const DEPTH: f32 = 0.5;
/// Seconds in which a mark fades.
const FADES: f32 = 2.0;
/// The golden angle, radians: turns of marks one after the other.
const GOLDEN_ANGLE: f32 = 2.399_963;

/// The marks that are in the scene, oldest first.
#[derive(Default)]
pub(super) struct Marks {
    marks: Vec<Mark>,
    /// Decals without a size, for marks to come.
    unused: Vec<Handle<Decal>>,
    pit: Option<TextureResource>,
    dust: Option<TextureResource>,
    /// Marks made so far.
    made: usize,
}

struct Mark {
    node: Handle<Decal>,
    /// The node that it is on.
    on: Handle<Node>,
    /// Where it is on that, if that moves.
    local: Option<Pose>,
    /// In the world, when it was made.
    point: Vector3<f32>,
    width: f32,
    color: Color,
    /// Seconds.
    age: f32,
}

#[derive(Clone, Copy)]
struct Pose {
    point: Vector3<f32>,
    rotation: UnitQuaternion<f32>,
}

impl Pose {
    /// The pose in another frame, given the map to that.
    fn mapped(&self, map: &Matrix4<f32>) -> Self {
        Self {
            point: map.transform_point(&self.point.into()).coords,
            rotation: rotation_of(&map.basis()) * self.rotation,
        }
    }
}

/// A mark to be made.
struct NewMark<'a> {
    tag: &'a str,
    on: Handle<Node>,
    point: Vector3<f32>,
    normal: Vector3<f32>,
    /// Metres.
    width: f32,
    is_pit: bool,
    /// Whether what it is on moves.
    moves: bool,
}

impl Marks {
    /// Makes the marks of an update of some seconds.
    pub fn update<'a>(
        &mut self,
        graph: &mut Graph,
        script: &ImpactMarks,
        events: impl Iterator<Item = &'a Event> + Clone,
        dt: f32,
    ) {
        self.begin(graph, *script.max_marks as usize);
        self.remove_where(graph, |graph, mark| !graph.is_valid_handle(mark.on));
        self.age(graph, *script.lifetime, dt);
        let contacts: Vec<_> = events.clone().filter_map(contact_point).collect();
        for event in events {
            self.forget(graph, event);
            // A blow of rubble is told as a contact, too.
            let is_of_rubble = |new: &NewMark| new.is_pit && contacts.contains(&new.point);
            if let Some(new) = NewMark::of(event, graph).filter(|new| !is_of_rubble(new)) {
                self.add(graph, script, &new);
            }
        }
        self.follow(graph);
    }

    /// Removes all marks, and their nodes.
    pub fn clear(&mut self, graph: &mut Graph) {
        self.remove_where(graph, |_, _| true);
        for decal in std::mem::take(&mut self.unused) {
            swap::remove(graph, decal.to_base());
        }
    }

    /// Adds decals until there are as many as there may be marks: the nodes that come later have the same order as without.
    fn begin(&mut self, graph: &mut Graph, most: usize) {
        while self.marks.len() + self.unused.len() < most {
            let decal = DecalBuilder::new(effect_base("impact mark")).build(graph);
            shrink(graph, decal);
            self.unused.push(decal);
        }
    }

    fn remove_where(&mut self, graph: &mut Graph, goes: impl Fn(&Graph, &Mark) -> bool) {
        if !self.marks.iter().any(|mark| goes(graph, mark)) {
            return; // the common case
        }
        let all = std::mem::take(&mut self.marks).into_iter();
        let (gone, kept): (Vec<Mark>, _) = all.partition(|mark| goes(graph, mark));
        self.marks = kept;
        for mark in gone {
            shrink(graph, mark.node);
            self.unused.push(mark.node);
        }
    }

    /// Removes what an event takes away: marks near a break, and those on what moves and is not there any more.
    fn forget(&mut self, graph: &mut Graph, event: &Event) {
        match event {
            Event::Broken {
                node,
                piece,
                point,
                radius,
                crack_area,
                ..
            } => {
                let reach = radius.max(0.5 * crack_area.sqrt());
                let broken = struck(*node, *piece);
                let fixed = fixed_body(graph, *node);
                self.remove_where(graph, |_, mark| match mark.local {
                    Some(_) => mark.on == broken,
                    None => Some(mark.on) == fixed && (mark.point - point).norm() < reach,
                });
            }
            Event::Removed { node, .. } | Event::Restored { node, .. } => {
                self.remove_where(graph, |_, mark| mark.on == *node);
            }
            _ => {}
        }
    }

    /// Fades marks whose time has passed.
    fn age(&mut self, graph: &mut Graph, lifetime: f32, dt: f32) {
        if lifetime == 0.0 {
            return;
        }
        for mark in &mut self.marks {
            mark.age += dt;
            let left = (lifetime + FADES - mark.age) / FADES;
            if left < 1.0 {
                let alpha = (f32::from(mark.color.a) * left.max(0.0)) as u8;
                if let Ok(decal) = graph.try_get_mut(mark.node) {
                    decal.set_color(with_alpha(mark.color, alpha));
                }
            }
        }
        self.remove_where(graph, |_, mark| mark.age >= lifetime + FADES);
    }

    /// Moves marks with what they are on.
    fn follow(&mut self, graph: &mut Graph) {
        for mark in &self.marks {
            let Some(local) = mark.local else {
                continue;
            };
            let pose = local.mapped(&world_matrix(graph, mark.on));
            if let Ok(decal) = graph.try_get_mut(mark.node) {
                let transform = decal.local_transform_mut();
                transform.set_position(pose.point);
                transform.set_rotation(pose.rotation);
            }
        }
    }

    /// Makes a mark, unless a larger one is there already.
    fn add(&mut self, graph: &mut Graph, script: &ImpactMarks, new: &NewMark) {
        let (own, look) = self.look(script, new);
        let [least, most] = WIDTHS;
        let width = (new.width * *script.size * own).clamp(least, most);
        let is_here = |mark: &Mark| {
            mark.on == new.on && (mark.point - new.point).norm() < 0.5 * mark.width.max(width)
        };
        if let Some(old) = self.marks.iter_mut().find(|mark| is_here(mark)) {
            if old.width >= width {
                old.age = 0.0;
                return;
            }
        }
        let most = *script.max_marks as usize;
        if most == 0 || *script.size * own == 0.0 {
            return;
        }
        self.remove_where(graph, |_, mark| is_here(mark));
        while self.marks.len() >= most {
            let oldest = self.marks.remove(0);
            self.unused.push(oldest.node);
        }
        let Some(node) = self.unused.pop() else {
            return;
        };
        let turn =
            UnitQuaternion::from_axis_angle(&Vector3::y_axis(), self.made as f32 * GOLDEN_ANGLE);
        let pose = Pose {
            point: new.point,
            rotation: upright_to(new.normal) * turn,
        };
        self.made += 1;
        show(graph, node, &pose, width, &look);
        self.marks.push(Mark {
            node,
            on: new.on,
            local: new.moves.then(|| local(graph, new.on, &pose)),
            point: new.point,
            width,
            color: look.color,
            age: 0.0,
        });
    }

    /// The factor on a mark's width, and how it looks.
    fn look(&mut self, script: &ImpactMarks, new: &NewMark) -> (f32, Look) {
        let own = row_of(script.own.iter(), new.tag, self.made);
        let (picture, make): (_, fn() -> Vec<u8>) = if new.is_pit {
            (&mut self.pit, pit)
        } else {
            (&mut self.dust, dust)
        };
        if picture.is_none() {
            *picture = square_texture(TexturePixelKind::RGBA8, make());
        }
        let dust = SurfaceKind::of(new.tag).dust();
        let usual = Look {
            texture: picture.clone(),
            color: with_alpha(dust, u8::MAX),
        };
        let Some(own) = own else {
            return (1.0, usual);
        };
        let look = Look {
            texture: own.texture.clone().or(usual.texture),
            color: own.color,
        };
        (own.size, look)
    }
}

/// The look of a mark.
struct Look {
    texture: Option<TextureResource>,
    color: Color,
}

impl<'a> NewMark<'a> {
    /// The mark that an event leaves.
    fn of(event: &'a Event, graph: &Graph) -> Option<Self> {
        match event {
            Event::BelowThreshold {
                node,
                piece,
                surface_tag,
                point,
                normal,
                energy,
                striker: Striker::Stone | Striker::Body { .. },
                ..
            } if *energy >= PITTED => {
                let body = fixed_body(graph, struck(*node, *piece));
                // Rubble has none.
                let on = body.or_else(|| piece.is_none().then_some(*node))?;
                Some(Self {
                    tag: surface_tag,
                    on,
                    moves: body.is_none(),
                    point: *point,
                    normal: *normal,
                    width: PIT_WIDTH * energy.cbrt(),
                    is_pit: true,
                })
            }
            Event::Contact {
                object,
                other,
                surface_tag,
                point,
                normal,
                energy,
                ..
            } if *energy >= DUSTED => Some(Self {
                tag: surface_tag,
                // What comes off an object leaves no dust on that.
                on: fixed_body(graph, *other)
                    .filter(|body| Some(*body) != fixed_body(graph, *object))?,
                moves: false,
                point: *point,
                normal: -normal,
                width: DUST_WIDTH * energy.cbrt(),
                is_pit: false,
            }),
            _ => None,
        }
    }
}

fn contact_point(event: &Event) -> Option<Vector3<f32>> {
    match event {
        Event::Contact { point, .. } => Some(*point),
        _ => None,
    }
}

/// The node of a piece, or of an intact object.
fn struck(object: Handle<Node>, piece: Handle<Node>) -> Handle<Node> {
    if piece.is_some() {
        piece
    } else {
        object
    }
}

/// The static body that a node belongs to.
fn fixed_body(graph: &Graph, node: Handle<Node>) -> Option<Handle<Node>> {
    let body = ancestry(graph, node).find_map(|node| node.cast::<RigidBody>())?;
    (body.body_type() == RigidBodyType::Static).then(|| body.handle())
}

/// A pose in the frame of a node.
fn local(graph: &Graph, node: Handle<Node>, pose: &Pose) -> Pose {
    let inverse = world_matrix(graph, node).try_inverse();
    pose.mapped(&inverse.unwrap_or_default())
}

/// Shows a decal, with its y axis along the normal.
fn show(graph: &mut Graph, decal: Handle<Decal>, pose: &Pose, width: f32, look: &Look) {
    let Ok(node) = graph.try_get_mut(decal) else {
        return;
    };
    let transform = node.local_transform_mut();
    transform.set_position(pose.point);
    transform.set_rotation(pose.rotation);
    transform.set_scale(Vector3::new(width, DEPTH * width, width));
    node.set_color(look.color);
    node.set_diffuse_texture(look.texture.clone());
    graph.update_hierarchical_data_for_descendants(decal.to_base::<Node>());
}

/// Makes a decal so small that nothing is drawn: the engine draws those that are hidden, too.
fn shrink(graph: &mut Graph, decal: Handle<Decal>) {
    if let Ok(node) = graph.try_get_mut(decal) {
        node.local_transform_mut().set_scale(Vector3::zeros());
        graph.update_hierarchical_data_for_descendants(decal.to_base::<Node>());
    }
}

fn with_alpha(color: Color, alpha: u8) -> Color {
    Color::from_rgba(color.r, color.g, color.b, alpha)
}

/// A pit with a ragged rim: dark inside, light where the surface has come off around it.
fn pit() -> Vec<u8> {
    let texel = |[x, y]: [f32; 2]| {
        let ragged = 0.5 * lumps(x * 3.0 + 5.0, y * 3.0) + 0.5 * lumps(x * 9.0, y * 9.0 + 3.0);
        let r = x.hypot(y) + 0.5 * (ragged - 0.5);
        let (inside, rim) = (smooth((0.42 - r) / 0.35), smooth((0.78 - r) / 0.12));
        let grit = 0.25 * (lumps(x * 14.0, y * 14.0) - 0.5);
        let light = (1.05 - 0.65 * inside + grit).clamp(0.0, 1.0);
        let shown = rim * (0.45 + 0.4 * inside);
        let light = (255.0 * light) as u8;
        [light, light, light, (255.0 * shown) as u8]
    };
    texels().flat_map(texel).collect()
}

/// Dust that has been pressed against something.
fn dust() -> Vec<u8> {
    let texel = |[x, y]: [f32; 2]| {
        let thin = 0.6 * lumps(x * 3.0, y * 3.0) + 0.4 * lumps(x * 8.0 + 3.0, y * 8.0);
        let shown = smooth(1.0 - x.hypot(y)) * thin * 0.6;
        [255, 255, 255, (255.0 * shown) as u8]
    };
    texels().flat_map(texel).collect()
}
