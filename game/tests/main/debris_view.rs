//! The view of debris: fading, pooled nodes, batches of frozen pieces, dust.

use std::collections::BTreeSet;

use crate::world::{broken, hard, World, DT};
use fracture::{
    DebrisSettings, Destructible, Event, Fading, FracturePattern, PatternKind, PieceInfo, Pieces,
    RemoveReason, Settings,
};
use fyrox::{
    asset::{untyped::ResourceKind, Resource},
    core::{
        algebra::{Point3, Vector3},
        pool::Handle,
        Uuid,
    },
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        mesh::{
            buffer::{VertexAttributeUsage, VertexReadTrait},
            Mesh,
        },
        node::Node,
        particle_system::ParticleSystem,
        pivot::PivotBuilder,
        rigidbody::RigidBodyType,
    },
};

/// Position of cubes: the centre of a batch region.
const MIDDLE: Vector3<f32> = Vector3::new(2.0, 0.5, 2.0);
const TOP: Vector3<f32> = Vector3::new(2.0, 1.0, 2.0);

/// A cube on a floor, which breaks completely.
pub fn cube_on_floor(settings: Settings, script: Destructible) -> World {
    let mut world = World::with(Settings {
        wait_for_results: true,
        ..settings
    });
    world.floor();
    world.cube("crate", RigidBodyType::Dynamic, MIDDLE, script);
    world.steps(2);
    world
}

pub fn shatter(world: &mut World) -> Vec<PieceInfo> {
    let events = world.strike("crate", hard(TOP).with_radius(3.0));
    assert_eq!(broken(&events), ["crate"]);
    world.destruction.pieces_of("crate")
}

/// A script whose pieces break by impacts of the test only.
pub fn tough() -> Destructible {
    let even = FracturePattern {
        kind: PatternKind::Uniform,
        cells: 40,
        ..Default::default()
    };
    let even = Resource::new_ok(Uuid::new_v4(), ResourceKind::Embedded, even);
    Destructible {
        pattern: Some(even).into(),
        pieces: Pieces {
            threshold_factor: 1e6.into(),
            dust_size: 0.0.into(),
            ..Pieces::default()
        },
        ..Default::default()
    }
}

fn short_lived(fading: Fading) -> Destructible {
    Destructible {
        pieces: Pieces {
            lifetime: 3.0.into(),
            fading: fading.into(),
            fade_time: 0.5.into(),
            ..tough().pieces
        },
        ..tough()
    }
}

fn nodes(world: &World) -> usize {
    world.scene.graph.pair_iter().count()
}

/// Visible mesh nodes with something to draw.
fn drawn(world: &World) -> Vec<Handle<Node>> {
    let shows = |(handle, node): (Handle<Node>, &Node)| {
        let mesh = node.cast::<Mesh>()?;
        (mesh.global_visibility() && !mesh.surfaces().is_empty()).then_some(handle)
    };
    world.scene.graph.pair_iter().filter_map(shows).collect()
}

/// Asserts that every piece is shown by a visible node, its own or that of a batch, and nothing else is shown.
pub fn everything_is_shown(world: &World, name: &str) {
    let pieces = world.destruction.pieces_of(name);
    let shown: BTreeSet<_> = drawn(world).into_iter().collect();
    let mut own = BTreeSet::new();
    for piece in &pieces {
        assert!(shown.contains(&piece.node), "{} is not shown", piece.name);
        let name = world.node(piece.node).name().to_owned();
        if name == piece.name {
            assert!(own.insert(piece.node), "{name} shows two");
        } else {
            assert_eq!(name, "settled pieces");
        }
    }
}

#[test]
fn pieces_fade_and_leave_nothing_behind() {
    for fading in [
        Fading::Vanish,
        Fading::Shrink,
        Fading::Sink,
        Fading::Dissolve,
    ] {
        let mut world = cube_on_floor(Settings::default(), short_lived(fading));
        let before = nodes(&world);
        let pieces = shatter(&mut world).len();
        assert!(pieces > 5);
        let (mut fading_at_once, mut particles) = (0, 0);
        for _ in 0..10 * 60 {
            world.step();
            let statistics = world.destruction.statistics();
            fading_at_once = fading_at_once.max(statistics.fading);
            particles = particles.max(statistics.particles);
            everything_is_shown(&world, "crate");
        }
        assert_eq!(fading_at_once > 0, fading != Fading::Vanish, "{fading:?}");
        assert_eq!(particles > 0, fading == Fading::Dissolve, "{fading:?}");
        let statistics = world.destruction.statistics();
        assert_eq!(statistics.fragments + statistics.islands, 0);
        assert_eq!(statistics.removed, pieces as u64);
        // Unused nodes are removed after a while.
        world.steps(15 * 60);
        assert_eq!(nodes(&world), before, "{fading:?}");
    }
}

#[test]
fn fading_pieces_shrink_or_sink_in_place() {
    for fading in [Fading::Shrink, Fading::Sink] {
        let mut world = cube_on_floor(Settings::default(), short_lived(fading));
        let pieces = shatter(&mut world);
        let mut last: Vec<(Handle<Node>, f32, Vector3<f32>)> = Vec::new();
        let mut changed = 0;
        // Pieces that still move when their time has come leave flying on.
        let mut moving: BTreeSet<String> = BTreeSet::new();
        for _ in 0..6 * 60 {
            world.step();
            let living = world.destruction.pieces_of("crate");
            for piece in &living {
                if piece.velocity.norm() < 0.01 && piece.angular_velocity.norm() < 0.01 {
                    moving.remove(&piece.name);
                } else {
                    moving.insert(piece.name.clone());
                }
            }
            let leaving = pieces.iter().filter(|piece| {
                let lives = living.iter().any(|other| other.name == piece.name);
                !lives
                    && !moving.contains(&piece.name)
                    && world.named(&piece.name).contains(&piece.node)
            });
            let now: Vec<_> = leaving
                .map(|piece| {
                    let node = world.node(piece.node);
                    let scale = node.local_transform().scale().x;
                    (piece.node, scale, node.world_bounding_box().center())
                })
                .collect();
            for (node, scale, center) in &now {
                let Some((_, before, was)) = last.iter().find(|(other, ..)| other == node) else {
                    continue;
                };
                let way = center - was;
                match fading {
                    Fading::Shrink => assert!(scale < before && way.norm() < 0.05),
                    _ => assert!(*scale == 1.0 && way.y < 0.0 && way.xz().norm() < 1e-3),
                }
                changed += 1;
            }
            last = now;
        }
        assert!(changed > 20, "{changed}");
    }
}

#[test]
fn nodes_of_removed_pieces_do_not_pile_up() {
    let mut world = World::with(Settings {
        wait_for_results: true,
        ..Settings::default()
    });
    world.floor();
    world.steps(2);
    let mut added = nodes(&world);
    for round in 0..6 {
        let name = format!("crate {round}");
        let before = nodes(&world);
        let script = short_lived(Fading::Vanish);
        world.cube(&name, RigidBodyType::Dynamic, MIDDLE, script);
        added += nodes(&world) - before;
        world.steps(2);
        world.strike(&name, hard(TOP).with_radius(3.0));
        let pieces = world.destruction.pieces_of(name.as_str()).len();
        assert!(pieces > 5);
        everything_is_shown(&world, &name);
        world.steps(8 * 60);
        // Nodes that became spare in the last frame are counted in the next one.
        let events = world.step();
        let is_removed = |event: &&Event| matches!(event, Event::Removed { .. });
        let last = events.iter().filter(is_removed).count();
        let left = world.destruction.statistics();
        let spare = nodes(&world) - added - left.fragments - left.islands;
        assert!(
            spare <= 128 + last,
            "{spare} nodes show nothing after round {round}"
        );
    }
    world.steps(15 * 60);
    assert_eq!(nodes(&world), added);
}

#[test]
fn a_node_with_a_child_of_the_game_is_not_reused() {
    let mut world = cube_on_floor(Settings::default(), short_lived(Fading::Vanish));
    let pieces = shatter(&mut world);
    let graph = &mut world.scene.graph;
    let lamp = PivotBuilder::new(BaseBuilder::new().with_name("lamp")).build(graph);
    graph.link_nodes(lamp, pieces[0].node);
    world.steps(7 * 60);
    assert!(!world.scene.graph.is_valid_handle(pieces[0].node));
    assert!(world.named("lamp").is_empty(), "it went with the piece");
    assert!(world.scene.graph.is_valid_handle(pieces[1].node));
}

/// All drawn triangle corners in world space, in tenths of a millimetre.
fn corners(world: &World, names: &[&str]) -> Vec<[i64; 3]> {
    let mut corners = Vec::new();
    for handle in drawn(world) {
        let node = world.mesh(handle);
        if !names.iter().any(|name| node.name().starts_with(name)) {
            continue;
        }
        let place = node.global_transform();
        for surface in node.surfaces() {
            let data = surface.data_ref().data_ref();
            for vertex in data.vertex_buffer.iter() {
                let own = vertex.read_3_f32(VertexAttributeUsage::Position).unwrap();
                let there = place.transform_point(&Point3::from(own));
                corners.push([there.x, there.y, there.z].map(|x| (x * 1e4).round() as i64));
            }
        }
    }
    corners.sort_unstable();
    corners
}

/// A broken cube whose pieces are all frozen and batched, but for one that may have come to rest last: it has nobody to
/// be batched with.
pub fn merged(settings: Settings) -> (World, Vec<PieceInfo>) {
    let mut world = cube_on_floor(settings, tough());
    shatter(&mut world);
    world.steps(1200);
    let pieces = world.destruction.pieces_of("crate");
    let merged = world.destruction.statistics().merged;
    assert!(merged + 1 >= pieces.len(), "{merged} of {}", pieces.len());
    (world, pieces)
}

#[test]
fn frozen_pieces_are_batched_and_look_the_same() {
    let alone = Settings {
        merge_after: f32::INFINITY,
        ..Default::default()
    };
    let mut apart = cube_on_floor(alone, tough());
    let count = shatter(&mut apart).len();
    apart.steps(1200);
    assert_eq!(apart.destruction.statistics().merged, 0);
    let (mut together, pieces) = merged(Settings::default());
    together.steps(60);
    let statistics = together.destruction.statistics();
    assert!(statistics.batches < count / 4, "{statistics:?}");
    everything_is_shown(&together, "crate");
    assert_eq!(pieces.len(), count);
    let expected = corners(&apart, &["crate/"]);
    let shown = corners(&together, &["settled", "crate/"]);
    assert_eq!(expected.len(), shown.len());
    let near = |(a, b): (&[i64; 3], &[i64; 3])| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 2);
    let same = expected.iter().zip(&shown).filter(|pair| near(*pair));
    // Rounding may put a few numbers of the sorted lists elsewhere.
    let part = same.count() as f32 / shown.len() as f32;
    assert!(part > 0.9, "{part}");
    assert_eq!(
        apart.destruction.state_hash(),
        together.destruction.state_hash(),
        "it changes nothing but what is drawn"
    );
}

#[test]
fn an_impact_takes_the_piece_that_it_hits_out_of_its_batch() {
    let (mut world, pieces) = merged(Settings::default());
    let target = pieces
        .iter()
        .max_by(|a, b| a.volume.total_cmp(&b.volume))
        .unwrap();
    let impact = fracture::Impact::new(target.position, Vector3::y(), 2000.0);
    world.destruction.impact(target.node, impact).unwrap();
    let events = world.steps(2);
    assert_eq!(broken(&events), [target.name.as_str()]);
    everything_is_shown(&world, "crate");
    let young = world.named(&format!("{}/", target.name));
    assert!(young.len() > 1);
    // After some frames nothing is drawn twice.
    world.steps(3);
    let merged = world.destruction.statistics().merged;
    assert!(merged < pieces.len());
    let triangles: usize = drawn(&world)
        .iter()
        .filter(|node| {
            let name = world.node(**node).name().to_owned();
            name.starts_with("crate/") || name == "settled pieces"
        })
        .flat_map(|node| world.mesh(*node).surfaces().to_vec())
        .map(|surface| surface.data_ref().data_ref().geometry_buffer.len())
        .sum();
    assert_eq!(triangles as u64, world.destruction.statistics().triangles);
}

#[test]
fn a_pushed_piece_has_its_own_node_at_once() {
    let (mut world, _) = merged(Settings::default());
    world.ball(
        200.0,
        Vector3::new(0.0, 0.3, 2.0),
        Vector3::new(6.0, 0.0, 0.0),
    );
    let mut least = usize::MAX;
    for _ in 0..120 {
        world.step();
        everything_is_shown(&world, "crate");
        least = least.min(world.destruction.statistics().merged);
        // No moving piece is drawn by a batch.
        let statistics = world.destruction.statistics();
        let pieces = statistics.fragments + statistics.islands;
        assert!(
            statistics.awake + statistics.merged <= pieces,
            "{statistics:?}"
        );
    }
    let all = world.destruction.pieces_of("crate").len();
    assert!(least < all, "the ball has pushed some");
}

#[test]
fn a_piece_with_a_child_of_the_game_keeps_its_node() {
    let mut world = cube_on_floor(Settings::default(), tough());
    let pieces = shatter(&mut world);
    let graph = &mut world.scene.graph;
    let lamp = PivotBuilder::new(BaseBuilder::new().with_name("lamp")).build(graph);
    graph.link_nodes(lamp, pieces[0].node);
    world.steps(1200);
    // Of the others one may be left over, too.
    let merged = world.destruction.statistics().merged;
    assert!((1..pieces.len()).contains(&merged) && merged + 2 >= pieces.len());
    let own = world.destruction.pieces_of("crate");
    assert!(own.iter().any(|piece| piece.node == pieces[0].node));
    assert_eq!(world.named("lamp").len(), 1);
}

#[test]
fn pieces_are_removed_with_the_node_of_their_batch() {
    let (mut world, pieces) = merged(Settings::default());
    let node = pieces[0].node;
    let others = pieces.iter().filter(|piece| piece.node != node).count();
    world.scene.graph.remove_node(node);
    world.steps(3);
    let left = world.destruction.pieces_of("crate");
    assert_eq!(left.len(), others);
    everything_is_shown(&world, "crate");
}

#[test]
fn a_save_of_batched_pieces_restores_pieces() {
    let (mut world, pieces) = merged(Settings::default());
    let save = world.destruction.save_compact(&mut world.scene);
    let mut fresh = cube_on_floor(Settings::default(), tough());
    fresh.destruction.restore(&mut fresh.scene, save).unwrap();
    let restored = fresh.destruction.pieces_of("crate");
    assert_eq!(restored.len(), pieces.len());
    for (one, other) in pieces.iter().zip(&restored) {
        assert_eq!(one.name, other.name);
        assert!((one.position - other.position).norm() < 1e-3);
    }
    everything_is_shown(&fresh, "crate");
}

#[test]
fn tiny_pieces_become_dust_for_a_while() {
    let script = Destructible {
        pieces: Pieces {
            dust_size: 0.35.into(),
            ..tough().pieces
        },
        ..tough()
    };
    let mut all_bodies = cube_on_floor(Settings::default(), tough());
    let all = shatter(&mut all_bodies).len();
    let mut world = cube_on_floor(Settings::default(), script);
    let before = nodes(&world);
    let pieces = shatter(&mut world);
    let crumbs = all - pieces.len();
    assert!(crumbs > 3);
    assert_eq!(world.destruction.statistics().particles, crumbs);
    let systems: Vec<_> = world.named("dust");
    let [system] = systems[..] else {
        panic!("{systems:?}");
    };
    let graph = &world.scene.graph;
    let system = graph.try_get_of_type::<ParticleSystem>(system).unwrap();
    let particles = system.particles();
    assert_eq!(particles.len(), crumbs);
    let at = |particle: &fyrox::scene::particle_system::particle::Particle| {
        particle.position + system.global_position()
    };
    assert!(particles.iter().all(|p| {
        let at = at(p);
        (at.x - 2.0).abs() < 0.7 && (at.z - 2.0).abs() < 0.7 && (-0.2..1.3).contains(&at.y)
    }));
    world.steps((2.5 / DT) as usize);
    assert!(world.named("dust").is_empty());
    assert_eq!(world.destruction.statistics().particles, 0);
    assert_eq!(nodes(&world), before + pieces.len());
}

#[test]
fn particles_have_a_limit() {
    for most in [0, 5] {
        let script = Destructible {
            pieces: Pieces {
                dust_size: 0.35.into(),
                ..tough().pieces
            },
            ..tough()
        };
        let settings = Settings {
            max_particles: most,
            ..Default::default()
        };
        let mut world = cube_on_floor(settings, script);
        shatter(&mut world);
        assert_eq!(world.destruction.statistics().particles, most);
    }
}

#[test]
fn triangles_have_a_budget() {
    let settings = Settings {
        max_triangles: 300,
        ..Default::default()
    };
    let mut world = cube_on_floor(settings, tough());
    shatter(&mut world);
    let statistics = world.destruction.statistics();
    assert!(
        statistics.triangles <= 300 && statistics.removed > 0,
        "{statistics:?}"
    );
    everything_is_shown(&world, "crate");
}

#[test]
fn removal_events_name_the_reason() {
    let few = Settings {
        max_pieces: 5,
        ..Default::default()
    };
    let cases = [
        (few, tough(), RemoveReason::Budget),
        (
            Settings::default(),
            short_lived(Fading::Vanish),
            RemoveReason::Lifetime,
        ),
    ];
    for (settings, script, expected) in cases {
        let mut world = cube_on_floor(settings, script);
        let mut events = world.strike("crate", hard(TOP).with_radius(3.0));
        events.extend(world.steps(10 * 60));
        let reasons: Vec<RemoveReason> = events
            .iter()
            .filter_map(|event| match event {
                Event::Removed { reason, .. } => Some(*reason),
                _ => None,
            })
            .collect();
        assert!(reasons.len() > 5, "{expected:?}: {}", reasons.len());
        assert!(reasons.iter().all(|reason| *reason == expected));
    }
}

#[test]
fn a_scene_overrides_the_debris_settings() {
    let mut world = cube_on_floor(Settings::default(), tough());
    let rules = |max_pieces: u32| DebrisSettings {
        max_pieces: max_pieces.into(),
        merge_after: f32::INFINITY.into(),
        ..Default::default()
    };
    let base = BaseBuilder::new().with_script(rules(7));
    let node = PivotBuilder::new(base).build(&mut world.scene.graph);
    world.steps(2);
    assert_eq!(world.destruction.settings().max_pieces, 7);
    shatter(&mut world);
    assert_eq!(world.destruction.pieces_of("crate").len(), 7);
    let script = world
        .scene
        .graph
        .try_get_script_of_mut::<DebrisSettings>(node);
    *script.unwrap() = rules(3);
    world.steps(20);
    assert_eq!(world.destruction.pieces_of("crate").len(), 3);
    world.steps(600);
    assert_eq!(world.destruction.statistics().merged, 0);
}
