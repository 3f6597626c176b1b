//! Attachments of objects: child nodes that are no part of the solid, and bodies on joints. When the object
//! breaks, each goes with the piece whose surface is nearest to it.

use crate::{
    events::{DetachedTo, Event},
    mirror::{
        engine_bodies::{key_of, to_matrix},
        joints::JointEnd,
        transforms::{ancestry, position_and_rotation, rotation_of, world_matrix, BodyFrame},
    },
    object::{LiveObject, ObjectId},
    script::embedded_save::{AttachmentHome, BodyStart},
    swap::{
        self,
        attachment_home::{set_end, subtree},
        carriers::{carrier_of, dust_distance, Carrier},
        pieces::{Piece, PieceStore},
        scene_edits::PIECE_TAG,
    },
};
use fracture_simulation::{BodyId, DustParticle, Pose};
use fyrox::{
    core::{
        algebra::{Isometry3, Matrix4, UnitQuaternion},
        math::Matrix4Ext,
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        collider::Collider,
        graph::Graph,
        joint::Joint,
        mesh::Mesh,
        node::Node,
        pivot::Pivot,
        rigidbody::{RigidBody, RigidBodyBuilder, RigidBodyType},
        transform::TransformBuilder,
    },
};
use rapier3d::math::Vec3;
use std::collections::{BTreeMap, BTreeSet};

/// Name of the bodies that hold the ends of joints on pieces.
const HOLDER_NAME: &str = "joint on a piece";

/// All attachments of broken objects.
#[derive(Default)]
pub(crate) struct Attachments {
    /// By the piece that carries them.
    carried: BTreeMap<BodyId, Vec<Attachment>>,
    /// Those that no piece carries.
    loose: Vec<Attachment>,
    /// Those on joints whose piece the game has removed since the last update.
    orphaned: Vec<Attachment>,
    /// Joints whose new body has been added to the scene, and that connect it from the next update on.
    reconnecting: Vec<Handle<Node>>,
}

/// Something that hangs on an object.
pub(crate) struct Attachment {
    object: ObjectId,
    pub home: AttachmentHome,
    /// The end on the object if it is a joint.
    joint: Option<JointEnd>,
    /// The kinematic body that holds this end of the joint, and the pose of the piece that it follows.
    holder: Option<(Handle<Node>, Pose)>,
}

/// An attachment of a body that breaks.
pub(crate) struct DetachedNode {
    attachment: Attachment,
    /// Transform in body space.
    local: Matrix4<f32>,
    /// The point that decides which piece carries it, body space, metres.
    point: Vec3,
}

/// A body that breaks, as its attachments see it.
pub(crate) struct BrokenBody<'a> {
    pub object: ObjectId,
    pub body: BodyId,
    /// The node of the object with the script.
    pub script: Handle<Node>,
    pub live: &'a LiveObject,
}

impl Attachments {
    /// Takes the attachments off a body that breaks. `joints` are those of the object's rigid body.
    pub fn take(
        &mut self,
        graph: &mut Graph,
        broken: &BrokenBody,
        pieces: &PieceStore,
        joints: impl FnOnce() -> Vec<JointEnd>,
    ) -> Vec<DetachedNode> {
        let piece = pieces.get(broken.body);
        match piece.filter(|piece| !piece.anchored) {
            Some(piece) => self.track_children(graph, broken.body, piece),
            None => self.track_body(graph, broken, joints),
        }
        let attachments = self.carried.remove(&broken.body).unwrap_or_default();
        if attachments.is_empty() {
            return Vec::new(); // the common case
        }
        let from = broken.pose(graph, pieces);
        let to_body = to_matrix(&from.inverse());
        let detached = attachments.into_iter().filter_map(|attachment| {
            graph.try_get_node(attachment.home.node).ok()?;
            let local = to_body * world_matrix(graph, attachment.home.node);
            let origin = Vec3::new(local[12], local[13], local[14]);
            let joint = attachment.joint.as_ref();
            let point = joint.map_or(origin, |joint| joint.frame.translation);
            Some(DetachedNode {
                attachment,
                local,
                point,
            })
        });
        detached.collect()
    }

    /// Notes what the game has hung on the node of a free piece.
    pub fn track_children(&mut self, graph: &Graph, body: BodyId, piece: &Piece) {
        let children = graph.try_get_node(piece.node).map(|node| node.children());
        for child in children.unwrap_or_default() {
            if self.is_tracked(*child) || !subtree(graph, *child).any(is_content) {
                continue;
            }
            let home = AttachmentHome::new(graph, *child).map(|home| AttachmentHome {
                parent: Handle::NONE, // nothing to return to
                ..home
            });
            self.add(body, home.map(|home| Attachment::new(piece.object, home)));
        }
    }

    /// Notes what hangs on the rigid body of an object: child nodes, and joints with dynamic bodies at their
    /// other ends, or by which a dynamic object hangs itself. Dynamic bodies below it are linked to the scene's root,
    /// because they move by themselves.
    fn track_body(
        &mut self,
        graph: &mut Graph,
        broken: &BrokenBody,
        joints: impl FnOnce() -> Vec<JointEnd>,
    ) {
        for joint in joints() {
            if !self.is_tracked(joint.node) {
                let attachment = Attachment::of_joint(graph, broken, joint);
                self.add(broken.body, attachment);
            }
        }
        for node in attached_nodes(graph, broken.script, broken.live) {
            if self.is_tracked(node) {
                continue;
            }
            let home = AttachmentHome::new(graph, node);
            let body = graph.try_get_of_type::<RigidBody>(node);
            let moves_itself = body.is_ok_and(|body| body.body_type() == RigidBodyType::Dynamic);
            let home = home.map(|home| AttachmentHome {
                moves_itself,
                ..home
            });
            let attachment = home.map(|home| Attachment::new(broken.object, home));
            if moves_itself {
                let (world, root) = (world_matrix(graph, node), graph.root());
                swap::link(graph, node, root, &world);
                self.loose.extend(attachment);
            } else {
                self.add(broken.body, attachment);
            }
        }
    }

    fn add(&mut self, body: BodyId, attachment: Option<Attachment>) {
        if let Some(attachment) = attachment {
            self.carried.entry(body).or_default().push(attachment);
        }
    }

    fn is_tracked(&self, node: Handle<Node>) -> bool {
        let mut all = self.carried.values().flatten().chain(&self.loose);
        all.any(|attachment| attachment.home.node == node)
    }

    /// Gives the attachments of a broken body to its pieces. Those of held pieces stay where they are.
    pub fn hand_over(
        &mut self,
        graph: &mut Graph,
        broken: &BrokenBody,
        detached: Vec<DetachedNode>,
        carriers: &[Carrier],
        dust: &[DustParticle],
        pieces: &PieceStore,
    ) -> Vec<Detachment> {
        let pose = broken.pose(graph, pieces);
        let mut told = Vec::new();
        for one in detached {
            let place = pose.transform_point(one.point);
            let falls = one.attachment.falls_alone(graph);
            let carrier = if one.attachment.holds_object() {
                None // pieces are moved by the debris world, which no joint of the engine reaches
            } else {
                carrier_of(one.point, carriers, dust_distance(dust, place), falls)
            };
            told.extend(match carrier {
                Some(carrier) => self.give(graph, one, carrier, pieces, broken.live),
                None => Some(self.lose(graph, one.attachment)),
            });
        }
        told
    }

    fn give(
        &mut self,
        graph: &mut Graph,
        mut one: DetachedNode,
        carrier: &Carrier,
        pieces: &PieceStore,
        live: &LiveObject,
    ) -> Option<Detachment> {
        let piece = pieces.get(carrier.body)?;
        let attachment = &mut one.attachment;
        let node = attachment.home.node;
        let mut detachment = None;
        if carrier.anchored {
            if attachment.joint.is_none() {
                show_below(graph, node, live);
            }
        } else {
            if let Some(joint) = attachment.joint.clone() {
                self.connect(graph, attachment, &joint, &piece.pose);
            } else {
                swap::link(graph, node, piece.node, &one.local);
            }
            detachment = Some(attachment.detachment(Some(DetachedTo::Piece {
                node: piece.node,
                name: piece.name.clone(),
            })));
        }
        self.add(carrier.body, Some(one.attachment));
        detachment
    }

    /// Connects a joint to a kinematic body that follows a piece, which has this pose.
    fn connect(
        &mut self,
        graph: &mut Graph,
        attachment: &mut Attachment,
        joint: &JointEnd,
        pose: &Pose,
    ) {
        let known = attachment.holder.map(|(holder, _)| holder);
        let holder = known.unwrap_or_else(|| add_holder(graph, pose));
        attachment.holder = Some((holder, *pose));
        wake(graph, joint.other);
        if known.is_some() {
            return;
        }
        // Below a body that moves, the engine would take the joint's anchors anew in each frame.
        let (world, root) = (world_matrix(graph, joint.node), graph.root());
        swap::link(graph, joint.node, root, &world);
        set_end(graph, joint.node, joint.end, holder);
        // The engine reads the handle of a body once, and the new body has none before the next frame.
        swap::set_enabled(graph, &[joint.node], false);
        self.reconnecting.push(joint.node);
    }

    /// Takes what a piece carries off it, when the piece has gone.
    pub fn drop_from(&mut self, graph: &mut Graph, piece: BodyId) -> Vec<Detachment> {
        let carried = self.carried.remove(&piece).unwrap_or_default();
        let lost = carried.into_iter();
        lost.map(|attachment| self.lose(graph, attachment))
            .collect()
    }

    /// Lets an attachment that nothing carries fall, or hides it.
    fn lose(&mut self, graph: &mut Graph, mut attachment: Attachment) -> Detachment {
        let node = attachment.home.node;
        let world = world_matrix(graph, node);
        let to = if let Some(joint) = &attachment.joint {
            swap::set_enabled(graph, &[node], false);
            self.reconnecting.retain(|joint| *joint != node);
            wake(graph, joint.other);
            DetachedTo::Nothing
        } else if attachment.falls_alone(graph) {
            attachment.home.make_dynamic(graph, &world);
            DetachedTo::Nothing
        } else {
            swap::set_enabled(graph, &[node], false);
            swap::set_visible(graph, &[node], false);
            let root = graph.root();
            swap::link(graph, node, root, &world);
            DetachedTo::Hidden
        };
        if let Some((holder, _)) = attachment.holder.take() {
            swap::remove(graph, holder);
        }
        let detachment = attachment.detachment(Some(to));
        self.loose.push(attachment);
        detachment
    }

    /// Forgets what hangs on a piece whose node the game has removed, and that with it, but for bodies on joints.
    pub fn forget(&mut self, piece: BodyId) {
        let carried = self.carried.remove(&piece).unwrap_or_default();
        let jointed = carried.into_iter().filter(|one| one.joint.is_some());
        self.orphaned.extend(jointed);
    }

    /// Lets fall what hung on joints on pieces that the game has removed. Returns it with its objects.
    pub fn drop_orphaned(&mut self, graph: &mut Graph) -> Vec<(ObjectId, Detachment)> {
        let orphaned = std::mem::take(&mut self.orphaned).into_iter();
        let lost = orphaned.map(|one| (one.object, self.lose(graph, one)));
        lost.collect()
    }

    /// Puts the attachments of an object back to where they were before its first break. What the game has hung
    /// on its pieces is hidden. Returns both.
    pub fn put_back(&mut self, graph: &mut Graph, object: ObjectId) -> Vec<Detachment> {
        let mut own = Vec::new();
        let mut take = |list: &mut Vec<Attachment>| {
            let all = std::mem::take(list).into_iter();
            let (of_object, others): (Vec<_>, Vec<_>) = all.partition(|one| one.object == object);
            own.extend(of_object);
            *list = others;
        };
        self.carried.values_mut().for_each(&mut take);
        take(&mut self.loose);
        self.carried.retain(|_, list| !list.is_empty());
        let mut told = Vec::new();
        for attachment in own {
            if attachment.home.parent.is_none() {
                told.push(self.lose(graph, attachment));
                continue;
            }
            let node = attachment.home.node;
            self.reconnecting.retain(|joint| *joint != node);
            if let Some((holder, _)) = attachment.holder {
                swap::remove(graph, holder);
            }
            attachment.home.put_back(graph);
            if attachment.joint.is_some() {
                swap::place_body(graph, &attachment.home.jointed);
                wake(graph, attachment.home.jointed.body);
            }
            told.push(attachment.detachment(None));
        }
        self.loose.retain(|one| one.home.parent.is_some());
        told
    }

    /// Enables the joints that were connected to pieces in the last update.
    pub fn reconnect(&mut self, graph: &mut Graph) {
        for joint in self.reconnecting.drain(..) {
            swap::set_enabled(graph, &[joint], true);
        }
    }

    /// Has the bodies that hold joints follow the pieces.
    pub fn follow(&mut self, graph: &mut Graph, pieces: &PieceStore) {
        for (body, carried) in &mut self.carried {
            if let Some(piece) = pieces.get(*body) {
                for attachment in carried {
                    attachment.follow(graph, &piece.pose);
                }
            }
        }
    }

    /// The homes of all attachments, for a saved scene.
    pub fn homes(&self) -> impl Iterator<Item = &AttachmentHome> {
        let all = self.carried.values().flatten().chain(&self.loose);
        all.map(|attachment| &attachment.home)
    }
}

/// An attachment and its fate.
pub(crate) struct Detachment {
    /// The node; of a joint, the body on it.
    pub node: Handle<Node>,
    name: String,
    /// `None` when it is back where it was at first.
    to: Option<DetachedTo>,
    /// The joint that holds or held it.
    pub joint: Option<Handle<Node>>,
}

impl Detachment {
    /// Whether it is where it was before the first break.
    pub fn is_home(&self) -> bool {
        self.to.is_none()
    }

    /// Whether it goes with a piece.
    pub fn is_carried(&self) -> bool {
        matches!(self.to, Some(DetachedTo::Piece { .. }))
    }

    /// The event about an attachment of the object with this node.
    pub fn event(self, object: Handle<Node>) -> Event {
        Event::Detached {
            node: self.node,
            name: self.name,
            object,
            to: self.to.unwrap_or(DetachedTo::Nothing),
        }
    }
}

impl BrokenBody<'_> {
    /// The pose of the body, world space.
    fn pose(&self, graph: &Graph, pieces: &PieceStore) -> Pose {
        let free = pieces.get(self.body).filter(|piece| !piece.anchored);
        let of_engine = || BodyFrame::new(graph, self.live.body).pose;
        free.map_or_else(of_engine, |piece| piece.pose)
    }
}

impl Attachment {
    fn new(object: ObjectId, home: AttachmentHome) -> Self {
        Self {
            object,
            home,
            joint: None,
            holder: None,
        }
    }

    /// A joint with a dynamic body at its other end, or by which the object hangs, being dynamic itself.
    fn of_joint(graph: &Graph, broken: &BrokenBody, joint: JointEnd) -> Option<Self> {
        let other = graph.try_get_of_type::<RigidBody>(joint.other).ok()?;
        let own = AttachmentHome::new(graph, joint.node)?;
        let (name, jointed) = if other.body_type() == RigidBodyType::Dynamic {
            (other.name_owned(), BodyStart::new(graph, joint.other)?)
        } else if broken.live.dynamic {
            (own.name.clone(), BodyStart::default())
        } else {
            return None;
        };
        let home = AttachmentHome {
            name,
            is_second_end: joint.end == 1,
            holder: joint.body,
            jointed,
            ..own
        };
        Some(Self {
            joint: Some(joint),
            ..Self::new(broken.object, home)
        })
    }

    /// Whether it is a joint by which the object hangs on something that does not fall.
    fn holds_object(&self) -> bool {
        self.joint.is_some() && self.home.jointed.body.is_none()
    }

    /// Has the body that holds a joint reach the pose of the piece with the engine's next step: so it has the
    /// piece's velocity there, and the joint is not torn.
    fn follow(&mut self, graph: &mut Graph, pose: &Pose) {
        let (Some((holder, last)), Some(joint)) = (&mut self.holder, &self.joint) else {
            return;
        };
        if last == pose {
            return; // the common case: the piece lies still
        }
        *last = *pose;
        let now = rotation_of(&world_matrix(graph, *holder).basis());
        if let Ok(holder) = graph.try_get_mut_of_type::<RigidBody>(*holder) {
            let (position, mut rotation) = position_and_rotation(pose);
            // Both signs are the same rotation. The engine takes that of its body from the matrix, and with the
            // other sign it would turn the body once around.
            if now.coords.dot(&rotation.coords) < 0.0 {
                rotation = UnitQuaternion::from_quaternion(-rotation.into_inner());
            }
            holder.set_next_kinematic_position(Isometry3::from_parts(position.into(), rotation));
        }
        wake(graph, joint.other);
    }

    fn detachment(&self, to: Option<DetachedTo>) -> Detachment {
        let hung = Some(self.home.jointed.body).filter(|body| body.is_some());
        Detachment {
            node: hung.unwrap_or(self.home.node),
            name: self.home.name.clone(),
            to,
            joint: self.joint.as_ref().map(|_| self.home.node),
        }
    }

    /// Whether it falls as a body of its own where nothing carries it.
    fn falls_alone(&self, graph: &Graph) -> bool {
        self.joint.is_some()
            || subtree(graph, self.home.node).any(|node| node.cast::<Collider>().is_some())
    }
}

/// The uppermost nodes below an object's body that are no part of the object.
fn attached_nodes(graph: &Graph, script: Handle<Node>, live: &LiveObject) -> Vec<Handle<Node>> {
    let mut own: BTreeSet<u64> = BTreeSet::new();
    for part in live.shown_meshes().chain([script]) {
        let path = ancestry(graph, part);
        let path = path.take_while(|node| node.handle() != live.body);
        own.extend(path.map(|node| key_of(node.handle())));
    }
    let (mut found, mut open) = (Vec::new(), vec![live.body]);
    while let Some(node) = open.pop() {
        let Ok(node) = graph.try_get_node(node) else {
            continue;
        };
        for child in node.children() {
            if own.contains(&key_of(*child)) {
                open.push(*child);
            } else if subtree(graph, *child).any(is_content) {
                found.push(*child);
            }
        }
    }
    found
}

/// Whether a node is more than a part of its parent or a mere place.
fn is_content(node: &Node) -> bool {
    let is_helper = node.cast::<Collider>().is_some()
        || node.cast::<Joint>().is_some()
        || (node.cast::<Pivot>().is_some() && !node.has_scripts_assigned())
        || (node.cast::<Mesh>().is_some() && !node.visibility());
    !is_helper && node.tag() != PIECE_TAG
}

/// Moves a node that is below a mesh of the broken object, which is hidden, up to the body.
fn show_below(graph: &mut Graph, node: Handle<Node>, live: &LiveObject) {
    let is_hidden = |above: &Node| live.shown_meshes().any(|mesh| mesh == above.handle());
    if ancestry(graph, node).any(is_hidden) {
        let to_body = world_matrix(graph, live.body).try_inverse();
        let local = to_body.unwrap_or_default() * world_matrix(graph, node);
        swap::link(graph, node, live.body, &local);
    }
}

fn add_holder(graph: &mut Graph, pose: &Pose) -> Handle<Node> {
    let (position, rotation) = position_and_rotation(pose);
    let place = TransformBuilder::new()
        .with_local_position(position)
        .with_local_rotation(rotation);
    let base = BaseBuilder::new()
        .with_name(HOLDER_NAME)
        .with_tag(PIECE_TAG.to_owned())
        .with_local_transform(place.build());
    let holder = RigidBodyBuilder::new(base)
        .with_body_type(RigidBodyType::KinematicPositionBased)
        .build(graph)
        .to_base();
    graph.update_hierarchical_data_for_descendants(holder);
    holder
}

fn wake(graph: &mut Graph, body: Handle<Node>) {
    if let Ok(body) = graph.try_get_mut_of_type::<RigidBody>(body) {
        body.wake_up();
    }
}
