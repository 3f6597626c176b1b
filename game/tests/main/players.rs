//! Several players of one scene.

use crate::world::{hard, World};
use fracture::{Anchoring, Breaking, Destructible, Held, Message, Role, Settings, PIECE_TAG};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{mesh::Mesh, node::Node, rigidbody::RigidBodyType},
};

/// A wall with its base held, one that is held by what it touches, and a cube that falls.
fn world(role: Role) -> World {
    let mut world = World::with(Settings {
        wait_for_results: true,
        settle_after: f32::INFINITY, // each piece keeps its node
        ..Settings::default()
    });
    world.destruction.set_role(role);
    world.floor();
    let script = |anchoring: Anchoring| Destructible {
        breaking: Breaking {
            max_radius: 0.6.into(),
            ..Breaking::default()
        },
        held: Held {
            anchoring: anchoring.into(),
            ..Held::default()
        },
        ..Destructible::default()
    };
    let size = Vector3::new(3.0, 2.0, 0.3);
    for (x, anchoring) in [(-3.0, Anchoring::Touching), (3.0, Anchoring::Base)] {
        let at = Vector3::new(x, 1.0, 0.0);
        world.block("Wall", RigidBodyType::Static, at, size, script(anchoring));
    }
    let at = Vector3::new(0.0, 0.6, 4.0);
    world.cube("Cube", RigidBodyType::Static, at, script(Anchoring::Base));
    world
}

/// The objects of a name.
fn objects(world: &World, name: &str) -> Vec<Handle<Node>> {
    let mut objects = world.named(name);
    objects.retain(|node| world.scene.graph[*node].has_scripts_assigned());
    objects
}

/// The meshes of all pieces: each as the bytes of its vertices, and all sorted. A node of which later breaks have left
/// nothing may still be there.
fn pieces(world: &World) -> Vec<Vec<u8>> {
    let nodes = world.scene.graph.pair_iter();
    let pieces = nodes.filter(|(_, node)| node.tag() == PIECE_TAG);
    let meshes = pieces.filter_map(|(handle, _)| {
        let mesh = world.scene.graph.try_get_of_type::<Mesh>(handle).ok()?;
        let mut bytes = Vec::new();
        for surface in mesh.surfaces() {
            let data = surface.data();
            let data = data.data_ref();
            bytes.extend_from_slice(data.vertex_buffer.raw_data());
        }
        Some(bytes).filter(|bytes| !bytes.is_empty())
    });
    let mut meshes: Vec<_> = meshes.collect();
    meshes.sort();
    meshes
}

/// An authority and a client, and what is under way between them: each third message is lost on the first way.
struct Session {
    authority: World,
    client: World,
    count: usize,
    blows: Vec<usize>,
}

impl Session {
    fn new() -> Self {
        let mut session = Self {
            authority: world(Role::Authority),
            client: world(Role::Client),
            count: 0,
            blows: Vec::new(),
        };
        session.steps(10);
        session
    }

    fn passes(&mut self, message: &Message) -> bool {
        self.count += 1;
        assert!(message.0.len() <= 1000);
        !self.count.is_multiple_of(3)
    }

    fn steps(&mut self, count: usize) {
        for _ in 0..count {
            self.authority.step();
            for message in self.authority.destruction.drain_messages() {
                self.blows.push(message.0.len());
                if self.passes(&message) {
                    assert!(self.client.destruction.receive(&message.0).is_empty());
                }
            }
            self.client.step();
            for message in self.client.destruction.drain_messages() {
                for answer in self.authority.destruction.receive(&message.0) {
                    if self.passes(&answer) {
                        self.client.destruction.receive(&answer.0);
                    }
                }
            }
        }
    }

    fn strike(&mut self, x: f32, y: f32) {
        let blow = hard(Vector3::new(x, y, 0.15));
        let authority = &mut self.authority;
        let strike = authority
            .destruction
            .impact_by_name(&authority.scene, "Wall", blow);
        strike.unwrap();
        self.steps(4);
    }

    fn assert_same(&self) {
        assert!(pieces(&self.authority).len() > 10);
        assert!(
            pieces(&self.authority) == pieces(&self.client),
            "other pieces"
        );
        for world in [&self.authority, &self.client] {
            assert_eq!(world.faults(), "");
        }
    }
}

/// Blows on both walls, several at places that others have cracked.
const BLOWS: [[f32; 2]; 8] = [
    [2.2, 1.4],
    [-3.4, 1.5],
    [2.4, 1.3],
    [3.9, 0.7],
    [-3.0, 1.2],
    [-2.1, 1.6],
    [3.3, 1.1],
    [-2.4, 1.5],
];

#[test]
fn two_players_see_the_same_pieces() {
    let mut session = Session::new();
    for [x, y] in BLOWS {
        session.strike(x, y);
    }
    session.steps(240);
    session.assert_same();
    println!("messages of {:?} bytes", session.blows);
    let mut late = world(Role::Client);
    late.steps(5);
    late.destruction
        .join(session.authority.destruction.join_save());
    late.steps(3);
    assert!(pieces(&late) == pieces(&session.authority), "other pieces");
    assert!(!late.destruction.needs_join_save());
    assert_eq!(late.faults(), "");
    session.client = late;
    session.strike(2.9, 1.7);
    session.steps(90);
    session.assert_same();
}

#[test]
fn a_clients_own_blow_is_seen_at_once_and_taken_back_where_the_authority_does_not_take_it() {
    let mut session = Session::new();
    let wall = objects(&session.client, "Wall")[1];
    let blow = || hard(Vector3::new(2.6, 1.3, 0.15));
    assert_eq!(session.client.destruction.foretell(wall, blow()), Ok(true));
    session.client.steps(3);
    assert!(pieces(&session.client).len() > 3);
    session.steps(200);
    session.assert_same();
    assert_eq!(session.client.destruction.network_statistics().confirmed, 1);

    let before = pieces(&session.client);
    session.authority.destruction.set_foretold_limit(1.0);
    let cube = objects(&session.client, "Cube")[0];
    let blow = hard(Vector3::new(0.1, 0.7, 4.5));
    assert_eq!(session.client.destruction.foretell(cube, blow), Ok(true));
    session.client.steps(3);
    assert!(pieces(&session.client).len() > before.len());
    session.steps(200);
    assert!(pieces(&session.client) == before, "something is left");
    assert_eq!(
        session.client.destruction.network_statistics().taken_back,
        1
    );
    session.assert_same();
}

#[test]
fn a_message_that_is_none_is_a_fault_that_is_told_once() {
    let mut world = world(Role::Client);
    world.steps(3);
    for _ in 0..10 {
        assert!(world.destruction.receive(b"hello").is_empty());
    }
    assert_eq!(world.faults().lines().count(), 1);
    assert!(world.faults().contains("version"), "{}", world.faults());
    assert_eq!(world.destruction.network_statistics().refused, 10);
}
