//! Cracks that stay are drawn below the nodes of what they are in, and go with them.

use crate::world::World;
use fracture::{Breaking, Destructible, Impact};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    material::MaterialProperty,
    scene::{
        collider::BitMask,
        mesh::{
            buffer::{VertexAttributeUsage, VertexReadTrait},
            Mesh, RenderPath,
        },
        node::Node,
        rigidbody::RigidBodyType,
    },
};

/// A wall that breaks at 20 N s.
fn wall(cracks_stay: bool) -> (World, Handle<Node>) {
    let script = Destructible {
        breaking: Breaking {
            damage_threshold: 20.0.into(),
            max_radius: 0.5.into(),
            cracks_stay: cracks_stay.into(),
            ..Breaking::default()
        },
        ..Destructible::default()
    };
    let mut world = World::new();
    let (at, size) = (Vector3::new(0.0, 1.0, 0.0), Vector3::new(3.0, 2.0, 0.3));
    let wall = world.block("Wall", RigidBodyType::Static, at, size, script);
    world.steps(3);
    (world, wall)
}

fn blow(impulse: f32) -> Impact {
    let point = Vector3::new(0.3, 1.2, 0.15);
    Impact::new(point, Vector3::z(), 100.0).with_impulse(-Vector3::z() * impulse)
}

/// The nodes of cracks, by the names of their parents.
fn cracked(world: &World) -> Vec<String> {
    let parents = world.named("cracks").into_iter().map(|cracks| {
        let mesh = world.mesh(cracks);
        assert!(mesh.surfaces().len() == 1 && mesh.local_bounding_box().is_valid());
        world.node(mesh.parent()).name_owned()
    });
    parents.collect()
}

/// Changes a field, with which the object is loaded anew.
fn load_anew(world: &mut World, wall: Handle<Node>) {
    let graph = &mut world.scene.graph;
    let script = graph.try_get_script_of_mut::<Destructible>(wall);
    script.unwrap().breaking.seed = 5.into();
    world.steps(20);
}

#[test]
fn cracks_of_a_weak_blow_are_below_the_body_until_it_breaks_and_then_below_what_stays() {
    let (mut world, wall) = wall(true);
    world.strike("Wall", blow(16.0));
    world.steps(3);
    assert_eq!(cracked(&world).len(), 1);
    // They outlast a change of fields.
    load_anew(&mut world, wall);
    assert_eq!(cracked(&world).len(), 1);
    world.strike("Wall", blow(60.0));
    world.steps(3);
    let cracked_pieces = cracked(&world);
    assert_eq!(cracked_pieces.len(), 1, "{cracked_pieces:?}");
    assert!(cracked_pieces[0].contains("island"), "{cracked_pieces:?}");
    world.destruction.restore_intact("Wall").unwrap();
    world.steps(20);
    assert!(cracked(&world).is_empty());
    assert_eq!(world.faults(), "");
}

#[test]
fn cracks_are_seen_in_all_frames_of_the_next_breaks() {
    let (mut world, _) = wall(true);
    world.strike("Wall", blow(16.0));
    world.steps(3);
    for impulse in [40.0, 60.0, 80.0] {
        world.strike("Wall", blow(impulse));
        for _ in 0..6 {
            world.steps(1);
            assert_eq!(cracked(&world).len(), 1);
        }
    }
    assert_eq!(world.faults(), "");
}

#[test]
fn cracks_are_dark_as_the_inside_and_bright_in_what_is_transparent() {
    let color = |render_path: RenderPath| {
        let (mut world, wall) = wall(true);
        let meshes = world.node(wall).children().to_vec();
        for node in meshes {
            let mesh = world.scene.graph.try_get_mut_of_type::<Mesh>(node);
            if let Ok(mesh) = mesh {
                mesh.set_render_path(render_path);
            }
        }
        load_anew(&mut world, wall);
        world.strike("Wall", blow(16.0));
        world.steps(3);
        let cracks = world.mesh(world.named("cracks")[0]);
        let material = cracks.surfaces()[0].material().clone();
        let material = material.data_ref().as_loaded_ref().unwrap().clone();
        let group = material.property_group_ref("properties").unwrap();
        match group.property_ref("diffuseColor") {
            Some(MaterialProperty::Color(color)) => u32::from(color.r),
            _ => panic!("no colour"),
        }
    };
    assert!(color(RenderPath::Deferred) < 80);
    assert!(color(RenderPath::Forward) > 200);
}

/// Whether cameras draw the meshes of an object, and the crack node below it.
pub fn drawn(world: &World, object: Handle<Node>) -> (bool, Option<&Mesh>) {
    let children = world.node(object).children().iter();
    assert!(children.len() > 1, "a collider and a mesh");
    let is_drawn = |node: &Handle<Node>| {
        let node = world.node(*node);
        let is_own = node.cast::<Mesh>().is_some() && node.name() != "cracks";
        is_own.then(|| node.visibility() && *node.render_mask != BitMask::none())
    };
    let own = children.filter_map(is_drawn).all(|is_drawn| is_drawn);
    let cracks = world.named("cracks").first().copied();
    (own, cracks.map(|node| world.mesh(node)))
}

/// A pane whose sheet tears at four times the energy of 20 N s, which cracks it.
pub fn laminated_pane(world: &mut World) -> Handle<Node> {
    let script = Destructible {
        breaking: Breaking {
            damage_threshold: 20.0.into(),
            cracks_stay: true.into(),
            sheet_toughness: 4.0.into(),
            ..Breaking::default()
        },
        ..Destructible::default()
    };
    let (at, size) = (Vector3::new(0.0, 1.0, 0.0), Vector3::new(2.0, 1.5, 0.02));
    world.block("Pane", RigidBodyType::Static, at, size, script)
}

/// A blow on that pane.
pub fn tap(impulse: f32) -> Impact {
    let point = Vector3::new(0.3, 1.2, 0.01);
    Impact::new(point, Vector3::z(), 10.0).with_impulse(-Vector3::z() * impulse)
}

#[test]
fn a_cracked_sheet_is_drawn_as_it_sags_until_it_tears() {
    let mut world = World::new();
    let pane = laminated_pane(&mut world);
    world.steps(3);
    let depth = |world: &World| {
        let lowest = |mesh: &Mesh| {
            let data = mesh.surfaces()[0].data();
            let data = data.data_ref();
            let vertices = data.vertex_buffer.iter();
            let heights =
                vertices.map(|vertex| vertex.read_3_f32(VertexAttributeUsage::Position).unwrap().z);
            -heights.fold(0.0, f32::min)
        };
        let (is_own_drawn, cracks) = drawn(world, pane);
        let mesh = cracks.filter(|_| !is_own_drawn).unwrap();
        assert_eq!(mesh.surfaces().len(), 2, "glass, and cracks in it");
        lowest(mesh)
    };
    world.strike("Pane", tap(16.0));
    world.steps(3);
    let (is_own_drawn, cracks) = drawn(&world, pane);
    let surfaces = cracks.map(|mesh| mesh.surfaces().len());
    assert!(is_own_drawn && surfaces == Some(1), "too weak to crack it");
    world.strike("Pane", tap(24.0));
    world.steps(5);
    let first = depth(&world);
    assert!((0.05..0.3).contains(&first), "{first}");
    world.strike("Pane", tap(24.0));
    world.steps(5);
    let second = depth(&world);
    assert!(second > first + 0.02, "{first} and {second}");
    load_anew(&mut world, pane);
    assert_eq!(depth(&world), second);
    assert_eq!(world.destruction.is_intact("Pane"), Some(true));
    world.strike("Pane", tap(60.0));
    world.steps(5);
    assert_eq!(world.destruction.is_intact("Pane"), Some(false));
    let surfaces = world.named("cracks").into_iter();
    assert!(surfaces
        .map(|node| world.mesh(node))
        .all(|mesh| mesh.surfaces().len() == 1));
    world.destruction.restore_intact("Pane").unwrap();
    world.steps(20);
    assert!(matches!(drawn(&world, pane), (true, None)));
    assert_eq!(world.faults(), "");
}

#[test]
fn without_the_switch_there_are_none() {
    let (mut world, _) = wall(false);
    world.strike("Wall", blow(16.0));
    world.strike("Wall", blow(60.0));
    world.steps(5);
    assert_eq!(world.destruction.is_intact("Wall"), Some(false));
    assert!(cracked(&world).is_empty());
}
