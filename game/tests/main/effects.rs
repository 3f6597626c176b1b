//! Dust and marks of breaks, by the scripts of a scene.

use crate::world::{free, placed, World};
use fracture::{
    BreakDust, BreakSounds, Destructible, Event, Impact, ImpactMarks, OwnDust, OwnMark,
};
use fyrox::{
    asset::{state::LoadError, untyped::ResourceKind},
    core::{algebra::Vector3, color::Color, pool::Handle},
    graph::SceneGraph,
    resource::model::ModelResource,
    scene::{
        base::BaseBuilder,
        decal::Decal,
        node::Node,
        particle_system::ParticleSystem,
        pivot::PivotBuilder,
        rigidbody::{RigidBody, RigidBodyType},
    },
};

/// Adds a node with scripts of effects.
pub fn add_effects(
    world: &mut World,
    with: impl FnOnce(BaseBuilder) -> BaseBuilder,
) -> Handle<Node> {
    let base = with(BaseBuilder::new().with_name("effects"));
    PivotBuilder::new(base)
        .build(&mut world.scene.graph)
        .to_base()
}

/// A script for a body of a material of which nothing is held.
pub fn of_tag(tag: &str) -> Destructible {
    Destructible {
        surface_tag: tag.to_owned().into(),
        ..free()
    }
}

/// A script for a body that a blow does not break.
fn strong(tag: &str) -> Destructible {
    let mut script = of_tag(tag);
    script.breaking.damage_threshold = 1e6.into();
    script
}

fn dusty(script: BreakDust) -> World {
    let mut world = World::new();
    add_effects(&mut world, |base| base.with_script(script));
    world
}

fn marked(script: ImpactMarks) -> World {
    let mut world = World::new();
    add_effects(&mut world, |base| base.with_script(script));
    world
}

/// The clouds that are seen.
fn clouds(world: &World) -> Vec<&ParticleSystem> {
    let nodes = world.scene.graph.linear_iter();
    let systems = nodes.filter_map(|node| node.cast::<ParticleSystem>());
    let clouds = systems.filter(|system| system.name() == "dust cloud");
    clouds.filter(|cloud| cloud.is_playing()).collect()
}

fn particles(cloud: &ParticleSystem) -> usize {
    cloud.particles().len()
}

fn marks(world: &World) -> Vec<&Decal> {
    let nodes = world.scene.graph.linear_iter();
    let decals = nodes.filter_map(|node| node.cast::<Decal>());
    decals
        .filter(|decal| decal.local_transform().scale().x > 0.0)
        .collect()
}

/// Breaks a cube, with its top at the origin, and lets some frames pass.
fn break_cube(world: &mut World, tag: &str, energy: f32, radius: f32) {
    let at = Vector3::y() * -0.5;
    let cube = world.cube("cube", RigidBodyType::Static, at, of_tag(tag));
    world.step();
    let blow = Impact::new(Vector3::zeros(), Vector3::y(), energy).with_radius(radius);
    world.destruction.impact(cube, blow).unwrap();
    world.steps(20);
}

#[test]
fn a_break_raises_a_cloud_of_its_material_where_it_is() {
    let of = |tag: &str| {
        let mut world = dusty(BreakDust::default());
        break_cube(&mut world, tag, 3000.0, 0.5);
        let found = clouds(&world);
        let [cloud] = found[..] else {
            panic!("{} clouds", found.len());
        };
        let near = cloud
            .particles()
            .iter()
            .all(|particle| particle.position.norm() < 1.0);
        assert!(near && cloud.global_position().norm() < 1e-3);
        let color = cloud.particles()[0].color;
        [color.r, color.g, color.b]
    };
    assert_eq!(of("concrete"), [176, 170, 158]);
    assert_eq!(of("brick"), [172, 138, 122]);
}

#[test]
fn more_cracks_and_more_energy_raise_more_dust() {
    let amount = |energy, radius| {
        let mut world = dusty(BreakDust::default());
        break_cube(&mut world, "stone", energy, radius);
        clouds(&world).into_iter().map(particles).sum::<usize>()
    };
    let blows = [(500.0, 0.15), (500.0, 1.5), (12_000.0, 0.15)];
    let [small, large, hard] = blows.map(|(energy, radius)| amount(energy, radius));
    assert!(
        small >= 6 && large > 2 * small && hard > 2 * small,
        "{small} {large} {hard}"
    );
}

#[test]
fn dust_of_a_collapse_hangs_drifts_and_ends() {
    let wind = Vector3::new(1.0, 0.0, 0.0);
    let mut world = dusty(BreakDust {
        hang_time: 6.0.into(),
        wind: wind.into(),
        ..BreakDust::default()
    });
    let mut table = of_tag("stone");
    table.strength.tensile_strength = 3e5.into();
    table.strength.check_at_start = true.into();
    table.held.anchoring = fracture::Anchoring::Sides.into();
    let size = Vector3::new(8.0, 0.3, 2.0);
    world.block(
        "table",
        RigidBodyType::Static,
        Vector3::zeros(),
        size,
        table,
    );
    let mut frames = 0;
    while clouds(&world).is_empty() {
        assert!(frames < 600, "it does not come down");
        world.step();
        frames += 1;
    }
    let middle = |world: &World| {
        let systems = clouds(world);
        let cloud = systems.iter().max_by_key(|system| particles(system))?;
        let sum: Vector3<f32> = cloud
            .particles()
            .iter()
            .map(|particle| particle.position)
            .sum();
        Some(sum / particles(cloud) as f32)
    };
    world.steps(60);
    let early = middle(&world).unwrap();
    world.steps(120);
    let late = middle(&world).unwrap();
    let drift = late - early;
    assert!((1.5..2.5).contains(&drift.x), "{drift:?}");
    assert!(drift.y.abs() < 0.6, "{drift:?}");
    world.steps(60 * 12);
    assert_eq!(clouds(&world).len(), 0);
}

#[test]
fn clouds_are_as_many_as_allowed_and_none_without_an_amount() {
    let count = |script: BreakDust| {
        let mut world = dusty(script);
        for k in 0..12 {
            let at = Vector3::new(k as f32 * 2.0, 0.0, 0.0);
            let cube = world.cube("cube", RigidBodyType::Static, at, of_tag("stone"));
            world.step();
            let blow = Impact::new(at + Vector3::y() * 0.5, Vector3::y(), 8000.0);
            world.destruction.impact(cube, blow).unwrap();
            world.steps(3);
        }
        clouds(&world).len()
    };
    let most = BreakDust {
        max_clouds: 5.into(),
        ..BreakDust::default()
    };
    let none = BreakDust {
        amount: 0.0.into(),
        ..BreakDust::default()
    };
    assert_eq!([count(most), count(none)], [5, 0]);
}

#[test]
fn an_artists_colour_counts_for_its_material() {
    let own = OwnDust {
        tag: "stone".into(),
        color: Color::from_rgba(10, 20, 30, 200),
        ..OwnDust::default()
    };
    let script = BreakDust {
        own: vec![own].into(),
        ..BreakDust::default()
    };
    let color = |tag| {
        let mut world = dusty(script.clone());
        break_cube(&mut world, tag, 3000.0, 0.5);
        let color = clouds(&world)[0].particles()[0].color;
        [color.r, color.g, color.b]
    };
    assert_eq!(color("stone_cut"), [10, 20, 30]);
    assert_eq!(color("brick"), [172, 138, 122]);
}

#[test]
fn a_blow_that_breaks_nothing_leaves_a_pit_that_grows_with_its_energy() {
    let width = |energy| {
        let mut world = marked(ImpactMarks::default());
        let cube = world.cube(
            "wall",
            RigidBodyType::Static,
            Vector3::zeros(),
            strong("stone"),
        );
        world.step();
        let blow = Impact::new(Vector3::new(0.5, 0.1, 0.0), Vector3::x(), energy);
        world.destruction.impact(cube, blow).unwrap();
        world.steps(2);
        let found = marks(&world);
        let decal = found.first()?;
        let up = decal.global_transform().column(1).xyz().normalize();
        assert!(
            (up - Vector3::x()).norm() < 1e-3,
            "it does not lie on the wall"
        );
        assert!((decal.global_position() - Vector3::new(0.5, 0.1, 0.0)).norm() < 1e-3);
        Some(decal.local_transform().scale().x)
    };
    let [weak, hard] = [100.0, 800.0].map(|energy| width(energy).unwrap());
    assert!((hard / weak - 2.0).abs() < 0.01, "{weak} {hard}");
    assert_eq!(width(1.0), None);
}

#[test]
fn a_mark_moves_with_what_it_is_on_and_goes_when_that_breaks() {
    let mut world = marked(ImpactMarks::default());
    let cube = world.cube(
        "crate",
        RigidBodyType::Dynamic,
        Vector3::zeros(),
        strong("wood"),
    );
    world.step();
    let top = |world: &World| {
        world
            .node(cube)
            .global_transform()
            .transform_point(&Vector3::new(0.0, 0.5, 0.0).into())
            .coords
    };
    let blow = Impact::new(top(&world), Vector3::y(), 200.0);
    world.destruction.impact(cube, blow).unwrap();
    world.steps(40);
    let [mark] = marks(&world)[..] else {
        panic!("no mark");
    };
    let fallen = world.node(cube).global_position().y;
    assert!(fallen < -1.0, "{fallen}");
    let off = (mark.global_position() - top(&world)).norm();
    // The blow was a frame or two before its event.
    assert!(off < 0.02, "{off}");
    let node = world.scene.graph.try_get_node_mut(cube).unwrap();
    let script = node.try_get_script_mut::<Destructible>().unwrap();
    script.breaking.damage_threshold = 1.0.into();
    world.steps(3);
    let blow = Impact::new(top(&world), Vector3::y(), 9000.0);
    world.destruction.impact(cube, blow).unwrap();
    let events = world.steps(3);
    assert!(events
        .iter()
        .any(|event| matches!(event, Event::Broken { .. })));
    assert_eq!(marks(&world).len(), 0);
}

#[test]
fn a_break_takes_the_marks_near_it_and_leaves_the_others() {
    let mut world = marked(ImpactMarks::default());
    let size = Vector3::new(6.0, 2.0, 0.3);
    let mut script = Destructible::default();
    script.breaking.damage_threshold = 500.0.into();
    let wall = world.block(
        "wall",
        RigidBodyType::Static,
        Vector3::zeros(),
        size,
        script,
    );
    world.step();
    let strike = |world: &mut World, x: f32, energy: f32, impulse: f32| {
        let blow = Impact {
            impulse: -Vector3::z() * impulse,
            ..Impact::new(Vector3::new(x, 0.0, 0.15), Vector3::z(), energy)
        };
        world
            .destruction
            .impact(wall, blow.with_radius(0.5))
            .unwrap();
        world.steps(3);
    };
    for x in [-2.0, 0.1, 2.0] {
        strike(&mut world, x, 100.0, 10.0);
    }
    assert_eq!(marks(&world).len(), 3);
    strike(&mut world, 0.0, 5000.0, 2000.0);
    let left: Vec<f32> = marks(&world)
        .iter()
        .map(|mark| mark.global_position().x)
        .collect();
    // Fragments that strike what stays leave marks of their own.
    let has_stayed = [-2.0, 0.1, 2.0].map(|x| left.contains(&x));
    assert_eq!(has_stayed, [true, false, true], "{left:?}");
    world.destruction.restore_intact(wall).unwrap();
    world.steps(3);
    assert_eq!(marks(&world).len(), 0);
}

#[test]
fn rubble_that_lands_leaves_dust_on_the_floor() {
    let mut world = marked(ImpactMarks::default());
    world.floor();
    let at = Vector3::y() * 4.0;
    let cube = world.cube("cube", RigidBodyType::Static, at, of_tag("brick"));
    world.step();
    let blow = Impact::new(at + Vector3::y() * 0.5, Vector3::y(), 9000.0).with_radius(2.0);
    world.destruction.impact(cube, blow).unwrap();
    world.steps(90);
    let found = marks(&world);
    assert!(found.len() > 2, "{}", found.len());
    for mark in found {
        assert!(mark.global_position().y.abs() < 0.1);
        assert_eq!(mark.color(), Color::from_rgba(172, 138, 122, 255));
    }
}

#[test]
fn marks_are_as_many_as_allowed_fade_and_have_an_artists_look() {
    let own = OwnMark {
        tag: "stone".into(),
        color: Color::from_rgba(1, 2, 3, 100),
        size: 3.0,
        ..OwnMark::default()
    };
    let mut world = marked(ImpactMarks {
        max_marks: 3.into(),
        lifetime: 2.0.into(),
        own: vec![own].into(),
        ..ImpactMarks::default()
    });
    let size = Vector3::new(10.0, 2.0, 1.0);
    let wall = world.block(
        "wall",
        RigidBodyType::Static,
        Vector3::zeros(),
        size,
        strong("stone"),
    );
    world.step();
    for k in 0..5 {
        let point = Vector3::new(k as f32 - 2.0, 0.0, 0.5);
        let blow = Impact::new(point, Vector3::z(), 125.0);
        world.destruction.impact(wall, blow).unwrap();
        world.step();
    }
    world.step();
    let found = marks(&world);
    assert_eq!(found.len(), 3);
    for mark in found {
        assert!(mark.global_position().x > -0.5, "the oldest go first");
        assert_eq!(mark.color(), Color::from_rgba(1, 2, 3, 100));
        assert!((mark.local_transform().scale().x - 3.0 * 0.1).abs() < 1e-3);
    }
    world.steps(60 * 3);
    assert!(marks(&world).iter().all(|mark| mark.color().a < 60));
    world.steps(70);
    assert_eq!(marks(&world).len(), 0);
}

/// Effects are no part of what happens.
#[test]
fn a_scene_with_effects_goes_as_one_without() {
    let hash = |effects: bool| {
        let mut world = World::new();
        if effects {
            add_effects(&mut world, |base| {
                base.with_script(BreakDust::default())
                    .with_script(BreakSounds::default())
                    .with_script(ImpactMarks::default())
            });
        }
        world.floor();
        world.struck_wall(Vector3::y());
        world.steps(60);
        world.ball(
            20.0,
            Vector3::new(0.0, 1.0, 4.0),
            Vector3::new(0.0, 0.0, -20.0),
        );
        world.steps(120);
        (
            world.destruction.state_hash(),
            world.destruction.geometry_hash(),
        )
    };
    assert_eq!(hash(true), hash(false));
}

#[test]
fn nodes_of_effects_that_were_saved_with_a_scene_are_removed() {
    let mut world = dusty(BreakDust::default());
    let base = BaseBuilder::new()
        .with_name("old cloud")
        .with_tag("fracture effect".into())
        .with_local_transform(placed(Vector3::x()));
    PivotBuilder::new(base).build(&mut world.scene.graph);
    world.step();
    assert_eq!(world.named("old cloud").len(), 0);
    assert_eq!(world.faults(), "");
}

#[test]
fn odd_figures_are_named_and_the_first_script_counts() {
    let mut world = dusty(BreakDust {
        hang_time: f32::NAN.into(),
        ..BreakDust::default()
    });
    world.steps(3);
    assert_eq!(
        world.faults(),
        "destructible \"effects\": its Hang Time is NaN s; it must be from 0 to 600 s. It is taken as in a new script\n"
    );
}

/// Without the scripts, contacts are reported as the game asks; with one of them, whatever the game asks.
#[test]
fn contacts_are_reported_while_a_script_is_there() {
    let mut world = World::new();
    world.floor();
    let effects = add_effects(&mut world, |base| base.with_script(BreakDust::default()));
    let drop_cube = |world: &mut World| {
        let wall = world.struck_wall(Vector3::y() * 3.0);
        let events = world.steps(90);
        world.scene.graph.remove_node(wall);
        events
            .iter()
            .filter(|event| matches!(event, Event::Contact { .. }))
            .count()
    };
    assert!(drop_cube(&mut world) > 0);
    world.scene.graph.remove_node(effects);
    world.step();
    assert_eq!(drop_cube(&mut world), 0);
    let body = |node: &Node| node.cast::<RigidBody>().is_some();
    assert!(world.scene.graph.linear_iter().any(body));
}

#[test]
fn a_file_that_cannot_be_loaded_is_named_and_the_usual_dust_is_raised() {
    let error = LoadError::new("it is cut short");
    let prefab =
        ModelResource::new_load_error(ResourceKind::External, "data/puff.rgs".into(), error);
    let own = OwnDust {
        tag: "brick".into(),
        prefab: Some(prefab),
        ..OwnDust::default()
    };
    let mut world = dusty(BreakDust {
        own: vec![own].into(),
        ..BreakDust::default()
    });
    break_cube(&mut world, "brick", 3000.0, 0.5);
    assert_eq!(clouds(&world).len(), 1);
    let faults = world.faults();
    assert!(
        faults.contains("the file data/puff.rgs of its row for \"brick\" cannot be loaded: "),
        "{faults}"
    );
    assert_eq!(world.destruction.statistics().faults, 1, "{faults}");
}

#[test]
fn an_explosion_that_breaks_nothing_leaves_no_pits() {
    let mut world = marked(ImpactMarks::default());
    let at = Vector3::new(2.0, 0.0, 0.0);
    world.cube("wall", RigidBodyType::Static, at, strong("stone"));
    world.steps(10);
    let reached = world.destruction.explosion(Vector3::zeros(), 5.0, 4e5);
    assert_eq!(reached.unwrap(), 1);
    let events = world.steps(3);
    let is_weak =
        |event: &Event| matches!(event, Event::BelowThreshold { energy, .. } if *energy > 10.0);
    assert!(events.iter().any(is_weak), "{events:?}");
    assert_eq!(marks(&world).len(), 0);
}
