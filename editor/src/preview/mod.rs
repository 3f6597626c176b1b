//! A break shown in a copy of the scene: by the code and with the seeds of the game, and without a
//! trace in the scene itself, because nothing of it is ever in there.

mod colors;
mod figures;
mod heavy;
mod histogram;
mod near;
mod spread;
#[cfg(test)]
mod timing;

pub use colors::ColorBy;
pub(crate) use figures::{share, volume};
pub use figures::{Figures, FRAME_MS};
pub use histogram::{label, Histogram, BARS, DECADES};
pub use near::bounds;

use colors::Paint;
use figures::Whole;
use fracture::{Destruction, Event, Impact, ImpactError, PieceInfo, Settings};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        camera::Camera,
        graph::Graph,
        mesh::{Mesh, MeshBuilder},
        node::Node,
        transform::Transform,
        Scene,
    },
};
use heavy::{Parts, Remedy};
use near::Near;
use spread::Center;
use std::collections::BTreeMap;

/// Appended to the object's name in the copy, so that it is the only one of that name.
const MARK: &str = " (preview)";

/// An object in a copy of its scene, and what has become of it there.
///
/// The copy is the caller's: it has to be updated each frame before [`Preview::update`].
pub struct Preview {
    object: Handle<Node>,
    name: String,
    destruction: Destruction,
    /// Of the surroundings.
    parts: Parts,
    running: bool,
    steps: u32,
    explode: f32,
    paint: Paint,
    /// Where pieces are when they are not spread.
    rests: BTreeMap<Handle<Node>, Rest>,
    figures: Figures,
    fault: Option<String>,
    struck_at: Vector3<f32>,
    /// From the struck surface outwards.
    normal: Vector3<f32>,
}

/// A piece that is held.
struct Rest {
    /// Where it belongs.
    base: Transform,
    /// Where it is shown.
    shown: Vector3<f32>,
}

impl Rest {
    fn of(node: &Node) -> Self {
        let base = node.local_transform().clone();
        let shown = **base.position();
        Self { base, shown }
    }

    /// Whether somebody else has moved it since.
    fn has_moved(&self, node: &Node) -> bool {
        let now = node.local_transform();
        **now.position() != self.shown || **now.rotation() != **self.base.rotation()
    }
}

/// Copies an object and what of its scene is near; what the editor has put there stays behind. Handles
/// are those of the original. Takes as long for a large scene as for a small one.
///
/// Colliders that the engine takes long to make are disabled in the copy; [`Preview::new`] wants what
/// is given beside it, and puts something lighter in their place.
pub fn copy(
    scene: &Scene,
    object: Handle<Node>,
    root: Handle<Node>,
    editor_objects: Handle<Node>,
) -> (Scene, Surroundings) {
    let near = Near::to(&scene.graph, object);
    let (mut copy, _) = scene.clone_ex(
        root,
        true,
        &mut |handle, _| handle != editor_objects && near.has(handle),
        &mut |handle, node| {
            let remedy = near.remedy(handle);
            if remedy.is_some_and(|remedy| remedy != Remedy::Box) {
                node.set_enabled(false);
            }
        },
        &mut |_, _, _| {},
    );
    copy.drawing_context.clear_lines();
    let cameras: Vec<_> = copy
        .graph
        .pair_iter()
        .filter(|(_, node)| node.cast::<Camera>().is_some())
        .map(|(handle, _)| handle)
        .collect();
    for camera in cameras {
        if let Ok(camera) = copy.graph.try_get_mut_of_type::<Camera>(camera) {
            camera.set_enabled(false);
        }
    }
    for collider in near.heavy(Remedy::Box) {
        heavy::box_in(&mut copy.graph, collider);
    }
    let surroundings = Surroundings {
        heavy: near.heavy(Remedy::Parts),
    };
    (copy, surroundings)
}

/// What is still missing around an object in its copied scene.
#[derive(Default)]
pub struct Surroundings {
    /// Colliders that are to be put in part by part.
    heavy: Vec<Handle<Node>>,
}

impl Preview {
    /// A preview of an object that is in the copy. Nothing moves and nothing is broken.
    pub fn new(copy: &mut Scene, object: Handle<Node>, surroundings: Surroundings) -> Self {
        let mut near = bounds(&copy.graph, object);
        near.inflate(Vector3::repeat(2.0 * near::reach(&near)));
        let parts = Parts::of(&copy.graph, &surroundings.heavy, near);
        let mut name = String::new();
        if let Ok(node) = copy.graph.try_get_node_mut(object) {
            name = node.name_owned() + MARK;
            node.set_name(&name);
        }
        set_physics(&mut copy.graph, false);
        Self {
            object,
            name,
            destruction: Destruction::new(Settings {
                check_pieces: true,
                // Each piece is looked at, coloured and moved by itself.
                merge_after: f32::INFINITY,
                ..Settings::default()
            }),
            parts,
            running: false,
            steps: 0,
            explode: 0.0,
            paint: Paint::default(),
            rests: BTreeMap::new(),
            figures: Figures::default(),
            fault: None,
            struck_at: Vector3::zeros(),
            normal: Vector3::zeros(),
        }
    }

    /// The object, in the scene and in the copy.
    pub fn object(&self) -> Handle<Node> {
        self.object
    }

    /// Strikes the object, or once it is broken the piece nearest to the blow.
    ///
    /// # Errors
    /// Why the blow was not taken.
    pub fn strike(&mut self, copy: &Scene, blow: Impact) -> Result<(), ImpactError> {
        (self.struck_at, self.normal) = (blow.point, blow.normal);
        self.destruction.impact_by_name(copy, &self.name, blow)
    }

    /// Strikes the first thing along a ray: energy in J, with an impulse of at least `least`, N s.
    /// Returns whether there was one.
    pub fn shoot(
        &mut self,
        from: Vector3<f32>,
        direction: Vector3<f32>,
        (energy, least): (f32, f32),
    ) -> bool {
        let impulse = (2.0 * energy.max(0.0)).sqrt().max(least);
        let hit = self
            .destruction
            .shoot(from, direction, f32::MAX, energy, impulse);
        hit.is_some()
    }

    /// Lets things fall, or holds them.
    pub fn set_running(&mut self, copy: &mut Scene, running: bool) {
        self.running = running;
        if running {
            self.explode = 0.0;
            self.gather(&mut copy.graph);
        }
        set_physics(&mut copy.graph, running && self.parts.are_in());
    }

    /// Whether things fall.
    pub fn is_running(&self) -> bool {
        self.running
    }

    /// Lets things fall for one frame.
    pub fn step(&mut self, copy: &mut Scene) {
        self.set_running(copy, true);
        self.steps = 1;
    }

    /// How far pieces are moved apart: 0 not at all, 1 as far as it goes. Stops the fall.
    pub fn set_explode(&mut self, copy: &mut Scene, explode: f32) {
        if self.running {
            self.set_running(copy, false);
        }
        self.explode = if explode.is_finite() {
            explode.max(0.0)
        } else {
            0.0
        };
    }

    /// What the colours of pieces mean.
    pub fn set_colors(&mut self, by: ColorBy) {
        self.paint.set(by);
    }

    /// Does a frame's work; the copy has been updated. `dt` is in seconds.
    pub fn update(&mut self, copy: &mut Scene, dt: f32) {
        if !self.parts.are_in() {
            self.parts.update(&mut copy.graph);
            // Nothing falls before the ground is there.
            set_physics(&mut copy.graph, self.running && self.parts.are_in());
        }
        self.destruction.update(copy, dt);
        self.take_events(&copy.graph);
        if self.running && self.steps > 0 && self.parts.are_in() {
            self.steps -= 1;
            if self.steps == 0 {
                self.set_running(copy, false);
            }
        }
        let pieces = self.pieces();
        if !self.running {
            self.spread(&mut copy.graph, &pieces);
        }
        self.paint.apply(&mut copy.graph, &pieces, self.struck_at);
    }

    /// Whether a break is being computed.
    pub fn is_busy(&self) -> bool {
        !self.destruction.is_idle() || !self.parts.are_in()
    }

    /// The pieces there are.
    pub fn pieces(&self) -> Vec<PieceInfo> {
        self.destruction.pieces_of(&self.name)
    }

    /// The figures of the last break.
    pub fn figures(&self) -> &Figures {
        &self.figures
    }

    /// Why the last blow came to nothing, with the remedy.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    fn take_events(&mut self, graph: &Graph) {
        for event in self.destruction.events() {
            match event {
                Event::Broken { .. } => {
                    let statistics = self.destruction.statistics();
                    let whole = Whole {
                        volume: self.destruction.source_volume(&self.name),
                        triangles: self.destruction.source_triangles(&self.name).unwrap_or(0),
                    };
                    let pieces = self.destruction.pieces_of(&self.name);
                    self.figures = Figures::of(event, &pieces, &statistics, whole, graph);
                    self.fault = None;
                }
                Event::Failed { reason, .. }
                | Event::Missed { reason, .. }
                | Event::Dropped { reason, .. } => self.fault = Some(reason.clone()),
                Event::Unbreakable { name, .. } => {
                    self.fault = Some(format!(
                        "{} may not break again; raise Max Generation or lower Smallest Volume",
                        name.replace(MARK, "")
                    ));
                }
                Event::BelowThreshold {
                    impulse, toughness, ..
                } => {
                    self.fault = Some(format!(
                        "a blow of {impulse:.1} N s is below the toughness of {toughness:.1} N s; \
                         strike harder or lower Toughness"
                    ));
                }
                Event::Removed { .. } | Event::Contact { .. } => {}
            }
        }
        let object_fault = self.destruction.faults().last();
        if let (None, Some(fault)) = (&self.fault, object_fault) {
            self.fault = Some(fault.to_string().replace(MARK, ""));
        }
    }

    /// Moves pieces apart.
    fn spread(&mut self, graph: &mut Graph, pieces: &[PieceInfo]) {
        let center = Center::of(pieces, self.struck_at, self.normal);
        for piece in pieces {
            let away = center.away(piece, self.explode);
            let away = to_parent(graph, piece.node, away);
            let Ok(node) = graph.try_get_node_mut(piece.node) else {
                continue;
            };
            let rest = self.rests.entry(piece.node);
            let rest = rest.or_insert_with(|| Rest::of(node));
            if rest.has_moved(node) {
                // The last step of the fall has come to its end after all was held.
                *rest = Rest::of(node);
            }
            rest.shown = **rest.base.position() + away;
            node.local_transform_mut().set_position(rest.shown);
        }
    }

    /// Puts pieces back to where they belong.
    fn gather(&mut self, graph: &mut Graph) {
        for (node, rest) in std::mem::take(&mut self.rests) {
            if let Ok(node) = graph.try_get_node_mut(node) {
                node.set_local_transform(rest.base);
            }
        }
    }

    /// Nodes that show the pieces as they lie, not spread, with their own materials, in world space.
    pub fn baked(&self, copy: &Scene) -> Vec<Node> {
        let make = |piece: PieceInfo| {
            let source = copy.graph.try_get_of_type::<Mesh>(piece.node).ok()?;
            let mut surfaces = source.surfaces().to_vec();
            self.paint.unpaint(piece.node, &mut surfaces);
            let spread = **source.local_transform().position();
            let rest = self.rests.get(&piece.node);
            let back = rest.map_or(Vector3::zeros(), |rest| **rest.base.position() - spread);
            let world = source.global_transform();
            let parent = copy.graph.try_get_node(source.parent()).ok()?;
            let back = parent.global_transform().transform_vector(&back);
            let name = piece.name.replace(MARK, "");
            let base = BaseBuilder::new()
                .with_name(name.rsplit('/').next().unwrap_or(&name))
                .with_cast_shadows(source.cast_shadows())
                .with_local_transform(placed(&world, back));
            let mesh = MeshBuilder::new(base)
                .with_surfaces(surfaces)
                .with_render_path(source.render_path());
            Some(mesh.build_node())
        };
        self.pieces().into_iter().filter_map(make).collect()
    }
}

/// The rigid transform of a piece's world matrix, moved; pieces have no scale of their own.
fn placed(world: &fyrox::core::algebra::Matrix4<f32>, moved: Vector3<f32>) -> Transform {
    use fyrox::core::algebra::{Matrix3, UnitQuaternion};
    let linear: Matrix3<f32> = world.fixed_view::<3, 3>(0, 0).into_owned();
    let at = Vector3::new(world[12], world[13], world[14]) + moved;
    let mut transform = Transform::identity();
    transform
        .set_position(at)
        .set_rotation(UnitQuaternion::from_matrix(&linear));
    transform
}

fn to_parent(graph: &Graph, node: Handle<Node>, offset: Vector3<f32>) -> Vector3<f32> {
    let parent = graph.try_get_node(node).ok().map(|node| node.parent());
    let parent = parent.and_then(|parent| graph.try_get_node(parent).ok());
    let inverse = parent.and_then(|parent| parent.global_transform().try_inverse());
    inverse.map_or(offset, |inverse| inverse.transform_vector(&offset))
}

fn set_physics(graph: &mut Graph, running: bool) {
    graph.physics.enabled.set_value_and_mark_modified(running);
}
