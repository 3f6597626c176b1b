//! Kinds of patterns in a scene.

use crate::world::{broken, hard, placed, World};
use fracture::{Breaking, Destructible, Event, FracturePattern, PatternKind, Pieces, PRESETS};
use fyrox::{
    asset::{untyped::ResourceKind, Resource},
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{base::BaseBuilder, node::Node, pivot::PivotBuilder, rigidbody::RigidBodyType},
};

fn with(pattern: FracturePattern) -> Destructible {
    let pattern = Resource::new_ok(Default::default(), ResourceKind::Embedded, pattern);
    Destructible {
        pattern: Some(pattern).into(),
        breaking: Breaking {
            max_radius: 0.5.into(),
            ..Breaking::default()
        },
        ..Default::default()
    }
}

#[test]
fn every_preset_breaks_a_cube_into_closed_pieces() {
    for (name, preset) in PRESETS {
        let mut world = World::new();
        world.cube(
            name,
            RigidBodyType::Static,
            Vector3::zeros(),
            with(preset()),
        );
        world.step();
        let events = world.strike(name, hard(Vector3::new(0.1, 0.5, 0.0)));
        assert_eq!(broken(&events), [name], "{events:?}");
        let pieces = world.destruction.pieces_of(name);
        let volume: f64 = pieces.iter().map(|piece| piece.volume).sum();
        // A blow on the end of its grain splits wood, into two at least.
        let least = if name == "wood" { 2 } else { 4 };
        assert!(pieces.len() >= least, "{name}: {}", pieces.len());
        assert!((volume - 1.0).abs() < 1e-4, "{name}: {volume}");
        assert!(pieces.iter().all(|p| p.closed == Some(true)), "{name}");
    }
}

/// Bricks are fixed on the object: every piece of two breaks far apart lies within one brick.
#[test]
fn bricks_keep_their_courses_wherever_the_wall_is_hit() {
    let bricks = FracturePattern {
        kind: PatternKind::Bricks,
        jitter: 0.0,
        offset: 0.0,
        brick_length: 0.25,
        brick_height: 0.125,
        brick_depth: 0.5,
        rows: 12,
        ..Default::default()
    };
    let mut world = World::new();
    let script = Destructible {
        breaking: Breaking {
            min_radius: 0.36.into(),
            max_radius: 0.36.into(),
            ..Breaking::default()
        },
        ..with(bricks)
    };
    world.cube("wall", RigidBodyType::Static, Vector3::zeros(), script);
    world.step();
    for corner in [Vector3::new(0.31, 0.3, 0.5), Vector3::new(-0.27, -0.2, 0.5)] {
        let mut impact = hard(corner);
        impact.normal = Vector3::z();
        world.strike("wall", impact);
    }
    let pieces = world.destruction.pieces_of("wall");
    let fragments: Vec<_> = pieces
        .iter()
        .filter(|piece| piece.kind == fracture::PieceKind::Fragment)
        .collect();
    assert!(fragments.len() > 8, "{}", fragments.len());
    let brick = 0.25 * 0.125 * 0.5;
    for piece in &fragments {
        assert!((piece.volume - brick).abs() < 1e-3 * brick, "{piece:?}");
    }
}

#[test]
fn a_blade_across_the_normal_slices_an_object_in_two() {
    let blade = FracturePattern {
        kind: PatternKind::Blade,
        tilt: 0.0,
        ..Default::default()
    };
    let mut world = World::new();
    world.cube(
        "melon",
        RigidBodyType::Static,
        Vector3::zeros(),
        with(blade),
    );
    world.step();
    let events = world.strike("melon", hard(Vector3::new(0.0, 0.2, 0.0)));
    assert_eq!(broken(&events), ["melon"]);
    let volumes: Vec<f64> = world
        .destruction
        .pieces_of("melon")
        .iter()
        .map(|piece| piece.volume)
        .collect();
    assert_eq!(volumes.len(), 2, "{volumes:?}");
    let upper = volumes.iter().copied().fold(1.0, f64::min);
    assert!((upper - 0.3).abs() < 1e-3, "{volumes:?}");
}

fn site(world: &mut World, at: Vector3<f32>, parent: Handle<Node>) -> Handle<Node> {
    let base = BaseBuilder::new().with_local_transform(placed(at));
    let graph = &mut world.scene.graph;
    let node = PivotBuilder::new(base).build(graph).to_base();
    if parent.is_some() {
        graph.link_nodes(node, parent);
    }
    node
}

#[test]
fn hand_placed_sites_determine_the_cells() {
    let mut world = World::new();
    let at = Vector3::new(5.0, 0.0, 0.0);
    let cube = world.cube("cube", RigidBodyType::Static, at, Destructible::default());
    let sites: Vec<_> = [-0.3f32, 0.1, 0.3]
        .map(|x| site(&mut world, Vector3::new(x, 0.0, 0.0), cube))
        .into();
    let script = world
        .scene
        .graph
        .try_get_script_of_mut::<Destructible>(cube);
    let script = script.unwrap();
    script.breaking.site_nodes = sites.into();
    script.breaking.min_radius = 3.0.into();
    script.breaking.max_radius = 3.0.into();
    world.step();
    world.strike("cube", hard(Vector3::new(5.0, 0.5, 0.0)));
    let pieces = world.destruction.pieces_of("cube");
    let mut volumes: Vec<f64> = pieces.iter().map(|piece| piece.volume).collect();
    volumes.sort_by(f64::total_cmp);
    let expected = [0.3, 0.3, 0.4];
    let off = volumes.iter().zip(expected).map(|(a, b)| (a - b).abs());
    assert!(
        volumes.len() == 3 && off.fold(0.0, f64::max) < 1e-3,
        "{volumes:?}"
    );
}

#[test]
fn a_site_that_is_not_below_the_body_is_named() {
    let mut world = World::new();
    let stray = site(&mut world, Vector3::zeros(), Handle::NONE);
    let script = Destructible {
        breaking: Breaking {
            site_nodes: vec![stray].into(),
            ..Breaking::default()
        },
        ..Default::default()
    };
    world.cube("cube", RigidBodyType::Static, Vector3::zeros(), script);
    world.steps(3);
    let fault = world.destruction.faults().next().unwrap().to_string();
    assert!(
        fault.contains("entry 0 of its Site Nodes is not below"),
        "{fault}"
    );
}

#[test]
fn a_parameter_out_of_range_is_named_and_leaves_the_object_intact() {
    let absurd = [
        FracturePattern {
            kind: PatternKind::Bricks,
            brick_height: 0.0,
            ..Default::default()
        },
        FracturePattern {
            kind: PatternKind::Splinters,
            aspect: f32::NAN,
            ..Default::default()
        },
        FracturePattern {
            kind: PatternKind::Planes,
            depth: 40,
            ..Default::default()
        },
        FracturePattern {
            kind: PatternKind::Radial,
            rays: 1_000_000,
            ..Default::default()
        },
        FracturePattern {
            kind: PatternKind::Uniform,
            inside_mesh: true,
            cells: 1,
            ..Default::default()
        },
    ];
    for pattern in absurd {
        let mut world = World::new();
        let name = format!("{:?}", pattern.kind);
        world.cube(
            &name,
            RigidBodyType::Static,
            Vector3::zeros(),
            with(pattern),
        );
        world.step();
        let events = world.strike(&name, hard(Vector3::new(0.0, 0.5, 0.0)));
        let failed = |event: &&Event| matches!(event, Event::Failed { reason, .. } if reason.contains("pattern"));
        assert!(events.iter().any(|event| failed(&event)), "{events:?}");
        assert_eq!(world.destruction.is_intact(&name), Some(true));
    }
}

#[test]
fn an_impact_on_a_single_brick_is_no_fault() {
    let brick = PRESETS.iter().find(|(name, _)| *name == "brick");
    let mut world = World::new();
    world.floor();
    world.block(
        "Wall",
        RigidBodyType::Static,
        Vector3::new(0.0, 0.5, 0.0),
        Vector3::new(2.0, 1.0, 0.2),
        Destructible {
            pieces: Pieces {
                threshold_factor: 1.0.into(),
                ..Pieces::default()
            },
            ..with(brick.unwrap().1())
        },
    );
    world.steps(2);
    world.strike("Wall", hard(Vector3::new(0.0, 0.5, 0.1)));
    let pieces = world.destruction.pieces_of("Wall");
    let mut whole = 0;
    for piece in pieces.iter().filter(|piece| !piece.anchored) {
        let now = world.destruction.pieces_of("Wall");
        if !now.iter().any(|other| other.name == piece.name) {
            continue; // it has been broken by what fell on it
        }
        let events = world.strike(&piece.name, hard(piece.position).with_radius(0.05));
        let failed = |event: &Event| matches!(event, Event::Failed { .. });
        assert!(!events.iter().any(failed), "{events:?}");
        let is_whole = |event: &&Event| matches!(event, Event::Unbreakable { .. });
        whole += events.iter().filter(is_whole).count();
    }
    assert!(whole > 0, "no brick of {} is whole", pieces.len());
    assert_eq!(world.destruction.faults().count(), 0);
}
