//! Attachments of objects that break: child nodes, and bodies on joints.

use crate::world::{cube_surface, hard, placed, World};
use fracture::{Breaking, Destructible, DetachedTo, Event, Fading, Impact, Pieces, Settings};
use fyrox::{
    core::{
        algebra::{Matrix4, Vector3},
        math::Matrix4Ext,
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        collider::{ColliderBuilder, ColliderShape},
        decal::DecalBuilder,
        joint::{BallJoint, JointBuilder, JointParams, PrismaticJoint},
        light::{point::PointLightBuilder, BaseLightBuilder},
        mesh::MeshBuilder,
        node::Node,
        particle_system::ParticleSystemBuilder,
        rigidbody::{RigidBody, RigidBodyBuilder, RigidBodyType},
        sound::SoundBuilder,
    },
};

/// Where the wall is struck, where larger pieces come off, and far from there; local positions on the wall's front.
const STRUCK: Vector3<f32> = Vector3::new(-0.9, 0.5, 0.15);
const HOOK: Vector3<f32> = Vector3::new(-0.65, 0.35, 0.15);
const FAR: Vector3<f32> = Vector3::new(1.2, -0.6, 0.15);

struct Hung {
    world: World,
    wall: Handle<Node>,
    mesh: Handle<Node>,
}

/// A static wall on the floor, whose solid is one of its mesh nodes.
fn wall(pieces: Pieces) -> Hung {
    let mut world = World::new();
    world.floor();
    let script = Destructible {
        breaking: Breaking {
            max_radius: 0.5.into(),
            ..Breaking::default()
        },
        pieces,
        ..Destructible::default()
    };
    let at = Vector3::new(0.0, 1.0, 0.0);
    let size = Vector3::new(3.0, 2.0, 0.3);
    let wall = world.block("Wall", RigidBodyType::Static, at, size, script);
    let mesh = world.named("Wall mesh")[0];
    let graph = &mut world.scene.graph;
    let script = graph.try_get_script_of_mut::<Destructible>(wall).unwrap();
    script.mesh_nodes = vec![mesh].into();
    Hung { world, wall, mesh }
}

fn base(name: &str, at: Vector3<f32>) -> BaseBuilder {
    BaseBuilder::new()
        .with_name(name)
        .with_local_transform(placed(at))
}

impl Hung {
    fn lamp(&mut self, name: &str, at: Vector3<f32>, parent: Handle<Node>) -> Handle<Node> {
        let graph = &mut self.world.scene.graph;
        let surface = cube_surface(Matrix4::new_scaling(0.1), None);
        let lamp = MeshBuilder::new(base(name, at)).with_surfaces(vec![surface]);
        let lamp = lamp.build(graph).to_base();
        graph.link_nodes(lamp, parent);
        lamp
    }

    fn strike(&mut self) -> Vec<Event> {
        let point = STRUCK + Vector3::new(0.0, 1.0, 0.0);
        let impact = Impact::new(point, Vector3::z(), 2000.0);
        self.world.destruction.impact(self.wall, impact).unwrap();
        self.world.steps(3)
    }

    fn place(&self, node: Handle<Node>) -> Vector3<f32> {
        self.world.node(node).global_position()
    }
}

/// Names and new places of what has been detached.
fn detached(events: &[Event]) -> Vec<(&str, &DetachedTo)> {
    let of = |event: &'_ Event| matches!(event, Event::Detached { .. });
    let events = events.iter().filter(|event| of(event));
    events
        .filter_map(|event| match event {
            Event::Detached { name, to, .. } => Some((name.as_str(), to)),
            _ => None,
        })
        .collect()
}

/// The place of a node in the space of another.
fn place_in(world: &World, node: Handle<Node>, other: Handle<Node>) -> Vector3<f32> {
    let to_other = world.node(other).global_transform().try_inverse().unwrap();
    (to_other * world.node(node).global_transform()).position()
}

#[test]
fn what_hangs_elsewhere_stays_and_what_hangs_where_it_broke_goes_with_the_piece() {
    let mut hung = wall(Pieces::default());
    let (wall, mesh) = (hung.wall, hung.mesh);
    let stays = [
        hung.lamp("stays", FAR, wall),
        hung.lamp("below the mesh", FAR * 0.9, mesh),
    ];
    let goes = hung.lamp("goes", STRUCK, wall);
    hung.world.steps(3);
    let before = [stays[0], stays[1], goes].map(|node| hung.place(node));
    let events = hung.strike();
    let [("goes", DetachedTo::Piece { node: piece, name })] = detached(&events)[..] else {
        panic!("{:?}", detached(&events));
    };
    assert!(name.starts_with("Wall/fragment"), "{name}");
    assert!(events.iter().any(|event| matches!(
        event,
        Event::Detached { object, node, .. } if *object == wall && *node == goes
    )));
    let within = place_in(&hung.world, goes, *piece);
    hung.world.steps(90);
    assert!(
        hung.place(goes).y < before[2].y - 0.5,
        "{}",
        hung.place(goes)
    );
    let still_within = place_in(&hung.world, goes, *piece);
    assert!((within - still_within).norm() < 1e-4);
    for (node, before) in stays.into_iter().zip(before) {
        assert!((hung.place(node) - before).norm() < 1e-5);
        assert!(hung.world.node(node).global_visibility());
        assert!(hung.world.node(node).is_globally_enabled());
    }
    // The attachment is not drawn into a batch, and does not come back.
    hung.world.steps(300);
    assert_eq!(hung.world.node(goes).parent(), *piece);
    assert!(hung.world.node(goes).global_visibility());
}

#[test]
fn sounds_particles_lights_and_decals_go_too() {
    let mut hung = wall(Pieces::default());
    // The solid is all meshes below the wall: the default.
    let graph = &mut hung.world.scene.graph;
    let script = graph.try_get_script_of_mut::<Destructible>(hung.wall);
    script.unwrap().mesh_nodes = Vec::new().into();
    let at = |x: f32| STRUCK + Vector3::new(x, 0.0, 0.0);
    let nodes = [
        SoundBuilder::new(base("sound", at(0.0)))
            .build(graph)
            .to_base(),
        ParticleSystemBuilder::new(base("particles", at(0.1)))
            .build(graph)
            .to_base(),
        PointLightBuilder::new(BaseLightBuilder::new(base("light", at(-0.1))))
            .build(graph)
            .to_base(),
        DecalBuilder::new(base("decal", at(0.05)))
            .build(graph)
            .to_base(),
    ];
    for node in nodes {
        graph.link_nodes(node, hung.wall);
    }
    hung.world.steps(3);
    let before = nodes.map(|node| hung.place(node).y);
    let events = hung.strike();
    assert_eq!(detached(&events).len(), 4, "{:?}", detached(&events));
    hung.world.steps(90);
    for (node, before) in nodes.into_iter().zip(before) {
        assert!(hung.place(node).y < before - 0.3, "{}", hung.place(node));
        assert!(hung.world.node(node).global_visibility());
    }
}

#[test]
fn they_go_on_to_the_pieces_of_pieces_and_are_told_when_these_leave() {
    let mut hung = wall(Pieces {
        lifetime: 2.0.into(),
        fading: Fading::Vanish.into(),
        ..Pieces::default()
    });
    let wall = hung.wall;
    let lamp = hung.lamp("lamp", STRUCK, wall);
    hung.world.steps(3);
    let events = hung.strike();
    let [(_, DetachedTo::Piece { name: first, .. })] = detached(&events)[..] else {
        panic!("{:?}", detached(&events));
    };
    let first = first.clone();
    let point = hung.place(lamp);
    let impact = hard(point).with_radius(0.5);
    let events = hung.world.strike(&first, impact);
    if let [(_, DetachedTo::Piece { node, name })] = detached(&events)[..] {
        assert!(
            name.starts_with(&first) && name.len() > first.len(),
            "{name}"
        );
        assert_eq!(hung.world.node(lamp).parent(), *node);
    } else {
        assert!(detached(&events).is_empty());
    }
    // The game hangs something on another piece.
    let piece = hung.world.destruction.pieces_of(wall);
    let piece = piece.iter().find(|piece| !piece.anchored).unwrap().node;
    hung.lamp("hung later", Vector3::zeros(), piece);
    let events = hung.world.steps(400);
    let mut told = detached(&events);
    told.sort_by_key(|(name, _)| *name);
    let hidden = &DetachedTo::Hidden;
    assert_eq!(told, [("hung later", hidden), ("lamp", hidden)]);
    assert!(!hung.world.node(lamp).global_visibility());
    // Intact again, the wall has its lamp.
    hung.world.destruction.restore_intact(wall).unwrap();
    hung.world.steps(2);
    assert_eq!(hung.world.node(lamp).parent(), wall);
    assert_eq!(hung.place(lamp), STRUCK + Vector3::new(0.0, 1.0, 0.0));
    assert!(hung.world.node(lamp).global_visibility());
    assert!(hung.world.node(lamp).is_globally_enabled());
    assert_eq!(detached(&hung.strike()).len(), 1);
}

#[test]
fn what_hung_on_dust_falls_if_it_is_a_body_and_else_is_hidden() {
    // All that breaks off is dust.
    let mut hung = wall(Pieces {
        dust_size: 2.0.into(),
        ..Pieces::default()
    });
    let wall = hung.wall;
    let bare = hung.lamp("bare", STRUCK, wall);
    let solid = hung.lamp("solid", STRUCK + Vector3::new(0.1, 0.0, 0.05), wall);
    let picture = hung.lamp("picture", Vector3::zeros(), wall);
    let graph = &mut hung.world.scene.graph;
    let collider = |graph: &mut _| {
        ColliderBuilder::new(BaseBuilder::new())
            .with_shape(ColliderShape::cuboid(0.05, 0.05, 0.05))
            .build(graph)
            .to_base()
    };
    let below_mesh = collider(graph);
    graph.link_nodes(below_mesh, solid);
    let below_body = collider(graph);
    let frame = STRUCK + Vector3::new(-0.1, 0.0, 0.1);
    let frame = RigidBodyBuilder::new(base("frame", frame).with_child(below_body))
        .with_body_type(RigidBodyType::Static)
        .build(graph)
        .to_base();
    graph.link_nodes(frame, wall);
    graph.link_nodes(picture, frame);
    hung.world.steps(3);
    let before = [bare, solid, picture].map(|node| hung.place(node));
    let events = hung.strike();
    let mut told = detached(&events);
    told.sort_by_key(|(name, _)| *name);
    let (falls, hidden) = (&DetachedTo::Nothing, &DetachedTo::Hidden);
    assert_eq!(told, [("bare", hidden), ("frame", falls), ("solid", falls)]);
    hung.world.steps(120);
    assert!(!hung.world.node(bare).global_visibility() && !hung.world.node(bare).is_enabled());
    for (node, before) in [(solid, before[1]), (picture, before[2])] {
        let place = hung.place(node);
        assert!((0.02..0.3).contains(&place.y), "{place} from {before}");
        assert!(hung.world.node(node).global_visibility());
    }
    hung.world.destruction.restore_intact(wall).unwrap();
    hung.world.steps(2);
    for (node, before) in [bare, solid, picture].into_iter().zip(before) {
        assert!(
            (hung.place(node) - before).norm() < 1e-5,
            "{}",
            hung.place(node)
        );
        assert!(hung.world.node(node).global_visibility());
    }
    assert_eq!(hung.world.node(below_mesh).parent(), solid);
    let graph = &hung.world.scene.graph;
    let body = graph.try_get_of_type::<RigidBody>(frame).unwrap();
    assert_eq!(body.body_type(), RigidBodyType::Static);
    assert_eq!(hung.world.destruction.faults().count(), 0);
}

#[test]
fn nothing_is_disabled_with_the_body() {
    let mut world = World::new();
    let script = Destructible {
        pieces: Pieces {
            dust_size: 100.0.into(),
            ..Pieces::default()
        },
        ..Destructible::default()
    };
    let cube = world.cube("Cube", RigidBodyType::Dynamic, Vector3::zeros(), script);
    let graph = &mut world.scene.graph;
    let light = BaseLightBuilder::new(base("light", Vector3::new(0.0, 0.5, 0.0)));
    let light = PointLightBuilder::new(light).build(graph).to_base();
    graph.link_nodes(light, cube);
    // A dynamic body below another moves by itself.
    let free = base("free", Vector3::new(0.0, 3.0, 0.0));
    let free = RigidBodyBuilder::new(free).with_gravity_scale(0.0);
    let free = free.build(graph).to_base();
    graph.link_nodes(free, cube);
    world.steps(3);
    let events = world.strike("Cube", hard(Vector3::new(0.0, 0.5, 0.0)).with_radius(3.0));
    // One piece is left of all that, which is not where the light was.
    assert_eq!(detached(&events), [("light", &DetachedTo::Hidden)]);
    assert_eq!(world.node(free).parent(), world.scene.graph.root());
    world.steps(10);
    assert!(world.node(free).is_globally_enabled());
    let height = world.node(free).global_position().y;
    assert!((height - 3.0).abs() < 0.05, "{height}");
    // The cube has fallen, and goes back; the body stays where it has moved to.
    for _ in 0..2 {
        world.steps(30);
        let before = world.node(free).global_position();
        world.destruction.restore_intact(cube).unwrap();
        world.step();
        assert_eq!(world.node(light).parent(), cube);
        assert!(world.node(light).global_visibility());
        assert_eq!(world.node(free).parent(), cube);
        let way = world.node(free).global_position() - before;
        assert!(way.norm() < 0.01, "{way:?}");
        world.step();
        let top = world.node(cube).global_position() + Vector3::new(0.0, 0.5, 0.0);
        world.strike("Cube", hard(top).with_radius(3.0));
        assert_eq!(world.node(free).parent(), world.scene.graph.root());
    }
}

#[test]
fn what_stands_off_or_at_the_rim_of_a_hole_stays() {
    let mut hung = wall(Pieces {
        dust_size: 2.0.into(),
        ..Pieces::default()
    });
    let wall = hung.wall;
    // Before the middle of the hole, far off, and on the wall beside it.
    let nodes = [
        hung.lamp("far off", STRUCK + Vector3::new(0.0, 0.0, 6.0), wall),
        hung.lamp("at the rim", STRUCK + Vector3::new(0.9, 0.0, 0.0), wall),
        hung.lamp("close", STRUCK + Vector3::new(0.0, 0.0, 0.1), wall),
    ];
    hung.world.steps(3);
    let before = nodes.map(|node| hung.place(node));
    let events = hung.strike();
    assert_eq!(detached(&events), [("close", &DetachedTo::Hidden)]);
    hung.world.steps(30);
    for (node, before) in nodes[..2].iter().zip(before) {
        assert_eq!(hung.place(*node), before);
        assert!(hung.world.node(*node).global_visibility());
    }
}

#[test]
fn a_joint_by_which_an_object_hung_ends_with_an_event_and_comes_back() {
    let mut world = World::new();
    let at = Vector3::new(0.0, 4.0, 0.0);
    let cube = world.cube("Sign", RigidBodyType::Dynamic, at, Destructible::default());
    let graph = &mut world.scene.graph;
    let ceiling = RigidBodyBuilder::new(base("ceiling", Vector3::new(0.0, 6.0, 0.0)))
        .with_body_type(RigidBodyType::Static)
        .build(graph);
    let chain = JointBuilder::new(base("chain", Vector3::new(0.0, 5.0, 0.0)))
        .with_params(JointParams::BallJoint(BallJoint::default()))
        .with_body1(ceiling)
        .with_body2(cube.to_variant())
        .build(graph)
        .to_base();
    world.steps(30);
    let height = |world: &World| world.node(cube).global_position().y;
    assert!((height(&world) - 4.0).abs() < 0.05, "{}", height(&world));
    for _ in 0..2 {
        let side = world.node(cube).global_position() + Vector3::new(0.1, -0.2, 0.5);
        let blow = Impact::new(side, Vector3::z(), 2000.0);
        let events = world.strike("Sign", blow);
        let of_joint = |event: &&Event| {
            matches!(event, Event::Detached { node, object, to: DetachedTo::Nothing, .. }
                if *node == chain && *object == cube)
        };
        assert_eq!(events.iter().filter(of_joint).count(), 1, "{events:?}");
        assert_eq!(detached(&events), [("chain", &DetachedTo::Nothing)]);
        assert!(!world.node(chain).is_globally_enabled());
        world.steps(60);
        let pieces = world.destruction.pieces_of(cube);
        assert!(pieces.iter().all(|piece| piece.position.y < 2.0));
        world.destruction.restore_intact(cube).unwrap();
        world.steps(60);
        assert!(world.node(chain).is_globally_enabled());
        assert!((height(&world) - 4.0).abs() < 0.05, "{}", height(&world));
    }
    assert_eq!(world.faults(), "");
}

/// A lamp of 1 kg below a joint on the front of the wall.
fn joint(hung: &mut Hung, name: &str, at: Vector3<f32>, params: JointParams) -> [Handle<Node>; 2] {
    let graph = &mut hung.world.scene.graph;
    let collider = ColliderBuilder::new(BaseBuilder::new())
        .with_shape(ColliderShape::ball(0.05))
        .build(graph);
    let at = at + Vector3::new(0.0, 1.0, 0.1);
    let lamp = base(name, at - Vector3::new(0.0, 0.3, 0.0)).with_child(collider);
    let lamp = RigidBodyBuilder::new(lamp).with_mass(1.0).build(graph);
    let joint = JointBuilder::new(base(&format!("{name} joint"), at))
        .with_params(params)
        .with_body1(hung.wall.to_variant())
        .with_body2(lamp)
        .build(graph);
    [lamp.to_base(), joint.to_base()]
}

#[test]
fn bodies_on_joints_go_with_the_piece_that_holds_them() {
    let ball = || JointParams::BallJoint(BallJoint::default());
    let slide = || {
        JointParams::PrismaticJoint(PrismaticJoint {
            limits_enabled: true,
            limits: -0.1..0.1,
        })
    };
    for (kind, params) in [("ball", ball as fn() -> JointParams), ("slide", slide)] {
        let mut hung = wall(Pieces::default());
        let [stays, _] = joint(&mut hung, "stays", FAR, ball());
        let [goes, node] = joint(&mut hung, "goes", HOOK, params());
        hung.world.steps(30);
        let before = [stays, goes].map(|lamp| hung.place(lamp));
        let events = hung.strike();
        let [("goes", DetachedTo::Piece { node: piece, .. })] = detached(&events)[..] else {
            panic!("{kind}: {:?}", detached(&events));
        };
        let arm = |hung: &Hung| place_in(&hung.world, goes, *piece);
        let first = arm(&hung);
        for _ in 0..60 {
            hung.world.steps(2);
            let hook = HOOK + Vector3::new(0.0, 0.0, 0.1);
            let length = (arm(&hung) - hook).norm();
            assert!(
                (length - 0.3).abs() < 0.15,
                "{kind}: {length} m from its hook, {first}"
            );
        }
        let swing = hung.place(stays) - before[0];
        assert!(swing.norm() < 0.1, "{kind}: {swing}");
        // Intact again, both hang where they hung.
        hung.world.destruction.restore_intact(hung.wall).unwrap();
        hung.world.steps(60);
        let back = hung.place(goes) - before[1];
        assert!(back.norm() < 0.1, "{kind}: {back}");
        assert!(hung.world.node(node).is_globally_enabled());
        assert_eq!(hung.world.destruction.faults().count(), 0);
    }
}

#[test]
fn a_body_on_a_joint_falls_with_its_piece() {
    let mut world = World::new();
    let at = Vector3::new(0.0, 50.0, 0.0);
    let cube = world.cube("Cube", RigidBodyType::Dynamic, at, Destructible::default());
    let mut hung = Hung {
        wall: cube,
        mesh: cube,
        world,
    };
    let corner = Vector3::new(0.5, -0.4, 0.4);
    let params = JointParams::BallJoint(BallJoint::default());
    let at = at - Vector3::y() + corner;
    let [lamp, _] = joint(&mut hung, "lamp", at, params);
    hung.world.steps(3);
    let before = hung.place(lamp);
    let struck = hung.place(cube) + Vector3::new(-0.2, 0.5, 0.0);
    let events = hung.world.strike("Cube", hard(struck).with_radius(2.0));
    let [("lamp", DetachedTo::Piece { node: piece, .. })] = detached(&events)[..] else {
        panic!("{:?}", detached(&events));
    };
    let hook = corner + Vector3::new(0.0, 0.0, 0.1);
    for _ in 0..60 {
        hung.world.step();
        let length = (place_in(&hung.world, lamp, *piece) - hook).norm();
        assert!((length - 0.3).abs() < 0.25, "{length} m from its hook");
    }
    let fallen = before.y - hung.place(lamp).y;
    assert!(fallen > 3.0, "{fallen}");
}

#[test]
fn a_body_on_a_joint_falls_when_its_piece_has_gone() {
    let mut hung = wall(Pieces {
        lifetime: 0.5.into(),
        fading: Fading::Vanish.into(),
        ..Pieces::default()
    });
    let params = JointParams::BallJoint(BallJoint::default());
    let [lamp, joint] = joint(&mut hung, "lamp", STRUCK, params);
    hung.world.steps(10);
    hung.strike();
    let events = hung.world.steps(200);
    assert_eq!(detached(&events), [("lamp", &DetachedTo::Nothing)]);
    let place = hung.place(lamp);
    assert!((0.03..0.2).contains(&place.y), "{place}");
    assert!(!hung.world.node(joint).is_globally_enabled());
}

#[test]
fn a_body_on_a_joint_falls_when_the_game_removes_its_piece() {
    let mut hung = wall(Pieces::default());
    let params = JointParams::BallJoint(BallJoint::default());
    let [lamp, joint] = joint(&mut hung, "lamp", HOOK, params);
    hung.world.steps(30);
    let before = hung.place(lamp);
    let events = hung.strike();
    let [("lamp", DetachedTo::Piece { node: piece, .. })] = detached(&events)[..] else {
        panic!("{:?}", detached(&events));
    };
    hung.world.scene.graph.remove_node(*piece);
    let events = hung.world.steps(120);
    assert_eq!(detached(&events), [("lamp", &DetachedTo::Nothing)]);
    let place = hung.place(lamp);
    assert!((0.03..0.3).contains(&place.y), "{place} from {before}");
    assert!(!hung.world.node(joint).is_globally_enabled());
    hung.world.destruction.restore_intact(hung.wall).unwrap();
    hung.world.steps(60);
    let back = hung.place(lamp) - before;
    assert!(back.norm() < 0.1, "{back}");
    assert_eq!(hung.world.destruction.faults().count(), 0);
}

#[test]
fn saves_keep_what_hangs_on_pieces() {
    let scene = || {
        let mut hung = wall(Pieces::default());
        let wall = hung.wall;
        let lamps = [("goes", STRUCK), ("stays", FAR)];
        let lamps = lamps.map(|(name, at)| hung.lamp(name, at, wall));
        hung.world.steps(3);
        (hung, lamps)
    };
    let (mut hung, lamps) = scene();
    hung.strike();
    hung.world.steps(100);
    for compact in [false, true] {
        let (destruction, scene_of) = (&mut hung.world.destruction, &mut hung.world.scene);
        let save = if compact {
            destruction.save_compact(scene_of)
        } else {
            destruction.save(scene_of)
        };
        let (mut loaded, same) = scene();
        let world = &mut loaded.world;
        world.destruction.restore(&mut world.scene, save).unwrap();
        assert!(detached(world.destruction.events()).is_empty());
        world.step();
        for (node, before) in same.into_iter().zip(lamps) {
            let way = loaded.place(node) - hung.place(before);
            assert!(way.norm() < 0.05, "compact {compact}: {way}");
        }
        let parent = |hung: &Hung, node| {
            let parent = hung.world.node(hung.world.node(node).parent());
            parent.name().to_owned()
        };
        assert_eq!(parent(&loaded, same[0]), parent(&hung, lamps[0]));
    }
}

#[test]
fn nothing_is_told_of_objects_without_children() {
    let mut world = World::with(Settings {
        wait_for_results: true,
        ..Settings::default()
    });
    let at = Vector3::new(0.0, 0.5, 0.0);
    world.cube("Cube", RigidBodyType::Static, at, Destructible::default());
    world.steps(2);
    let events = world.strike("Cube", hard(Vector3::new(0.0, 1.0, 0.0)));
    assert!(detached(&events).is_empty());
}
