//! Questions about what is where: debris and the engine's bodies together.

use crate::{
    destruction::Destruction,
    mirror::{
        engine_bodies::node_of,
        transforms::{pose, vec3},
    },
};
use fracture_simulation::{BodyRef, Pose, RayHit, SharedShape, StressBond, StressGraph};
use fyrox::{
    core::{
        algebra::{UnitQuaternion, Vector3},
        color::Color,
        pool::Handle,
    },
    scene::{
        debug::{Line, SceneDrawingContext},
        node::Node,
    },
};

/// What a ray or a moving shape has met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueryHit {
    /// A piece's node, the node that carries the script of a whole object, or a collider of something
    /// else; for something else that physics moves, its rigid body.
    pub node: Handle<Node>,
    /// Whether it is a destructible or a piece of one.
    pub breakable: bool,
    /// World space, metres.
    pub point: Vector3<f32>,
    /// Outward unit normal there.
    pub normal: Vector3<f32>,
    /// How far the ray or the shape has come, metres.
    pub distance: f32,
}

/// As of the last update; the engine's own queries do not know debris. The scene is mirrored when
/// it is first updated, meshes and terrains a few frames later.
impl Destruction {
    /// The first thing on a ray; the direction has any length.
    pub fn ray(
        &self,
        origin: Vector3<f32>,
        direction: Vector3<f32>,
        longest: f32,
    ) -> Option<QueryHit> {
        let simulation = self.simulation.as_ref()?;
        let hit = simulation.cast_ray(vec3(origin), vec3(direction), longest)?;
        self.found(&hit)
    }

    /// The first thing that a ball meets on its way: a fat ray. Where it starts inside something,
    /// the distance is 0.
    pub fn cast_ball(
        &self,
        center: Vector3<f32>,
        radius: f32,
        direction: Vector3<f32>,
        longest: f32,
    ) -> Option<QueryHit> {
        let simulation = self.simulation.as_ref()?;
        let ball = ball(radius)?;
        let place = pose(&center, &UnitQuaternion::identity());
        let hit = simulation.cast_shape(&ball, place, vec3(direction), longest)?;
        self.found(&hit)
    }

    /// The nodes of all that a ball touches, as in [`QueryHit::node`].
    pub fn overlap_ball(&self, center: Vector3<f32>, radius: f32) -> Vec<Handle<Node>> {
        let place = (center, UnitQuaternion::identity());
        ball(radius).map_or_else(Vec::new, |ball| self.overlaps(&ball, place))
    }

    /// The nodes of all that a box touches, as in [`QueryHit::node`].
    pub fn overlap_box(
        &self,
        center: Vector3<f32>,
        rotation: UnitQuaternion<f32>,
        half_extents: Vector3<f32>,
    ) -> Vec<Handle<Node>> {
        if !half_extents
            .iter()
            .all(|half| *half > 0.0 && half.is_finite())
        {
            return Vec::new();
        }
        let half = half_extents;
        let cuboid = SharedShape::cuboid(half.x, half.y, half.z);
        self.overlaps(&cuboid, (center, rotation))
    }

    fn overlaps(
        &self,
        shape: &SharedShape,
        (center, rotation): (Vector3<f32>, UnitQuaternion<f32>),
    ) -> Vec<Handle<Node>> {
        let Some(simulation) = &self.simulation else {
            return Vec::new();
        };
        let touched = simulation.overlaps(shape, pose(&center, &rotation));
        let nodes = touched.into_iter().filter_map(|owner| self.node_of(owner));
        nodes.map(|(node, _)| node).collect()
    }

    fn found(&self, hit: &RayHit) -> Option<QueryHit> {
        let own = hit.body.map(BodyRef::Breakable);
        let owner = own.or(hit.external.map(BodyRef::External))?;
        let (node, breakable) = self.node_of(owner)?;
        Some(QueryHit {
            node,
            breakable,
            point: Vector3::from(hit.point.to_array()),
            normal: Vector3::from(hit.normal.to_array()),
            distance: hit.distance,
        })
    }

    /// The node that stands for an owner, and whether it can break.
    pub(crate) fn node_of(&self, owner: BodyRef) -> Option<(Handle<Node>, bool)> {
        let body = match owner {
            BodyRef::External(key) => return Some((node_of(key), false)),
            BodyRef::Breakable(body) => body,
        };
        if let Some(piece) = self.pieces.get(body) {
            return Some((piece.node, true));
        }
        let mut objects = self.objects.values();
        let own = objects.find(|object| object.live().is_some_and(|live| live.root == body));
        own.map(|object| (object.node, true))
    }
}

fn ball(radius: f32) -> Option<SharedShape> {
    (radius > 0.0 && radius.is_finite()).then(|| SharedShape::ball(radius))
}

/// A face between two parts of what is held, as a line between their centres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SupportLine {
    /// The centre of one part, world space, metres.
    pub from: Vector3<f32>,
    /// The centre of the other.
    pub to: Vector3<f32>,
    /// How much of what the face bears is used: above 1 it breaks.
    pub utilisation: f32,
    /// Whether it is broken.
    pub broken: bool,
}

impl SupportLine {
    /// Adds it to what a scene draws over itself: green is at rest, red near breaking, black broken.
    pub fn draw(&self, context: &mut SceneDrawingContext) {
        let share = (self.utilisation.clamp(0.0, 1.0) * 255.0) as u8;
        context.add_line(Line {
            begin: self.from,
            end: self.to,
            color: match self.broken {
                true => Color::BLACK,
                false => Color::opaque(share, 255 - share, 40),
            },
        });
    }
}

impl Destruction {
    /// How everything that has a strength and has been weighed carries its weight: after its last
    /// break, or at the start.
    pub fn supports(&self) -> Vec<SupportLine> {
        let Some(simulation) = &self.simulation else {
            return Vec::new();
        };
        let supports = simulation.supports().into_iter();
        let placed = supports.filter_map(|(body, support)| {
            let pose = simulation.motion(body)?.pose;
            Some((pose, support))
        });
        placed
            .flat_map(|(pose, support)| lines(&pose, &support))
            .collect()
    }
}

fn lines(pose: &Pose, support: &StressGraph) -> Vec<SupportLine> {
    let place = |node: u32| {
        let center = support.nodes.get(node as usize)?.center;
        Some(Vector3::from(pose.transform_point(center).to_array()))
    };
    let line = |bond: &StressBond| {
        let [from, to] = bond.nodes.map(place);
        Some(SupportLine {
            from: from?,
            to: to?,
            utilisation: bond.utilisation,
            broken: bond.broken,
        })
    };
    support.bonds.iter().filter_map(line).collect()
}
