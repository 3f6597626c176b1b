//! Fields of the script with figures that make no sense: each is a fault with its name in the inspector, or does not
//! count.

use crate::{
    bad_figures::{body, check, scene, ODD},
    world::{broken, hard, World},
};
use fracture::{Anchoring, Destructible, OpenMesh, Settings};
use fyrox::{core::algebra::Vector3, scene::rigidbody::RigidBodyType};

type Field = fn(&mut Destructible, f32);

const FIELDS: [(&str, Field); 26] = [
    ("Density", |s, odd| s.density = odd.into()),
    ("Shell Thickness", |s, odd| s.shell_thickness = odd.into()),
    ("Damage Threshold", |s, odd| {
        s.breaking.damage_threshold = odd.into()
    }),
    ("Weakening", |s, odd| s.breaking.weakening = odd.into()),
    ("Energy Per Volume", |s, odd| {
        s.breaking.energy_per_volume = f64::from(odd).into();
    }),
    ("Min Radius", |s, odd| s.breaking.min_radius = odd.into()),
    ("Max Radius", |s, odd| s.breaking.max_radius = odd.into()),
    ("Threshold Factor", |s, odd| {
        s.pieces.threshold_factor = odd.into()
    }),
    ("Min Size", |s, odd| s.pieces.min_size = odd.into()),
    ("Lifetime", |s, odd| s.pieces.lifetime = odd.into()),
    ("Fade Time", |s, odd| s.pieces.fade_time = odd.into()),
    ("Becomes Dust Below", |s, odd| {
        s.pieces.dust_size = odd.into()
    }),
    ("Tensile Strength", |s, odd| {
        s.strength.tensile_strength = odd.into()
    }),
    ("Min Neck", |s, odd| s.strength.min_neck = odd.into()),
    ("Bar Spacing", |s, odd| s.strength.bar_spacing = odd.into()),
    ("Bar Diameter", |s, odd| {
        s.strength.bar_diameter = odd.into()
    }),
    ("Bar Cover", |s, odd| s.strength.bar_cover = odd.into()),
    ("Bar Yield Strength", |s, odd| {
        s.strength.bar_yield_strength = odd.into()
    }),
    ("Sheet Toughness", |s, odd| {
        s.breaking.sheet_toughness = odd.into()
    }),
    ("Depth", |s, odd| {
        s.held.anchoring = Anchoring::Base.into();
        s.held.depth = odd.into();
    }),
    ("Gap", |s, odd| s.held.gap = odd.into()),
    ("Bond Strength", |s, odd| s.held.bond_strength = odd.into()),
    ("Bump Height", |s, odd| s.inside.bump_height = odd.into()),
    ("Bump Distance", |s, odd| {
        s.inside.bump_height = 0.01.into();
        s.inside.bump_distance = odd.into();
    }),
    ("Texture Scale", |s, odd| {
        s.inside.texture_scale = odd.into()
    }),
    ("Texture Turn", |s, odd| s.inside.texture_turn = odd.into()),
];

#[test]
fn odd_script_fields_are_faults_by_name_or_the_object_breaks() {
    for (name, field) in FIELDS {
        for odd in ODD {
            let script = || {
                let mut script = Destructible::default();
                field(&mut script, odd);
                script
            };
            let mut world = scene(Settings::default(), script);
            let what = format!("{name} {odd:e}");
            // A fault and a refusal, or a break, and neither by halves.
            let faults = world.faults();
            let is_refused = faults.contains(&format!("\"wall\": its {name} is "));
            assert_eq!(is_refused, faults.contains("must be"), "{what}: {faults}");
            let impact = hard(Vector3::new(1.0, 1.0, 0.0));
            let result = world
                .destruction
                .impact_by_name(&world.scene, "wall", impact);
            assert_eq!(result.is_err(), is_refused, "{what}: {result:?}");
            let events = world.steps(2);
            assert_eq!(broken(&events).contains(&"wall"), !is_refused, "{what}");
            check(&mut world, &what);
        }
    }
}

#[test]
fn odd_fields_that_come_in_play_are_told_once_and_mended() {
    for (name, field) in FIELDS {
        for odd in [f32::NAN, -3.0, f32::INFINITY, 3e30] {
            let mut world = scene(Settings::default(), Destructible::default);
            let what = format!("{name} {odd:e}");
            let mut good = Destructible::default();
            let mut bad = good.clone();
            field(&mut bad, odd);
            good.breaking.seed = 7.into();
            set_script(&mut world, bad);
            world.steps(6);
            let faults = world.destruction.statistics().faults;
            assert!(faults <= 1, "{what}: {}", world.faults());
            // The object breaks where the figure does not count: it is not loaded again in each frame.
            let impact = hard(Vector3::new(1.0, 1.0, 0.0));
            let result = world
                .destruction
                .impact_by_name(&world.scene, "wall", impact);
            let breaks = broken(&world.steps(2)).contains(&"wall");
            assert_eq!((result.is_ok(), faults == 0), (breaks, breaks), "{what}");
            set_script(&mut world, good);
            world.steps(6);
            let said = world.faults().replace("its fields were changed", "");
            assert_eq!(said.matches("must be").count(), faults, "{what}: {said}");
            if !breaks {
                let events = world.strike("wall", hard(Vector3::new(1.0, 1.0, 0.0)));
                assert!(broken(&events).contains(&"wall"), "{what}");
            }
        }
    }
}

/// Gives the wall another script.
fn set_script(world: &mut World, new: Destructible) {
    let wall = body(world, "wall");
    let script = world.scene.graph.try_get_script_of_mut(wall);
    *script.unwrap() = new;
}

type Change = fn(&mut Destructible);

const INVALID_FIELDS: [(Change, &str); 31] = [
    (
        |s| s.density = f32::NAN.into(),
        "Density is NaN kg/m^3; it must be from 1e-6 to 1e9 kg/m^3",
    ),
    (|s| s.density = 2e9.into(), "Density is 2e9 kg/m^3"),
    (
        |s| {
            s.open_mesh = OpenMesh::Shell.into();
            s.shell_thickness = 0.0.into();
        },
        "Shell Thickness is 0 m; it must be from 1e-9 to 1e9 m",
    ),
    (
        |s| s.breaking.damage_threshold = (-1.5).into(),
        "Damage Threshold is -1.5 N s; it must be from 0 to 1e18 N s",
    ),
    (
        |s| s.breaking.weakening = 1.25.into(),
        "Weakening is 1.25; it must be from 0 to 1",
    ),
    (
        |s| s.breaking.energy_per_volume = 0.0.into(),
        "Energy Per Volume is 0 J/m^3; it must be from 1e-18 to 1e18 J/m^3",
    ),
    (
        |s| s.breaking.energy_per_volume = f64::INFINITY.into(),
        "Energy Per Volume is inf J/m^3",
    ),
    (
        |s| s.breaking.energy_per_volume = 1e300.into(),
        "Energy Per Volume is 1e300 J/m^3",
    ),
    (
        |s| s.breaking.min_radius = 0.0.into(),
        "Min Radius is 0 m; it must be from 1e-9 to 1e9 m",
    ),
    (
        |s| s.breaking.max_radius = f32::INFINITY.into(),
        "Max Radius is inf m; it must be from 0.1 to 1e9 m",
    ),
    (
        |s| s.breaking.max_radius = 0.05.into(),
        "Max Radius is 0.05 m; it must be from 0.1 to 1e9 m",
    ),
    (
        |s| s.inside.texture_scale = (-2.0).into(),
        "Texture Scale is -2 per metre; it must be from 0 to 1e9 per metre",
    ),
    (
        |s| s.inside.texture_turn = f32::NAN.into(),
        "Texture Turn is NaN degrees; it must be from -1000000 to 1000000 degrees",
    ),
    (
        |s| s.inside.bump_height = f32::NEG_INFINITY.into(),
        "Bump Height is -inf m; it must be from 0 to 1e9 m",
    ),
    (
        |s| s.inside.bump_distance = 0.0.into(),
        "Bump Distance is 0 m; it must be from 1e-9 to 1e9 m",
    ),
    (
        |s| {
            s.held.anchoring = Anchoring::Sides.into();
            s.held.depth = 0.00005.into();
        },
        "Depth is 5e-5 m; it must be from 0.0001 to 1e9 m",
    ),
    (|s| s.held.gap = (-0.25).into(), "Gap is -0.25 m"),
    (
        |s| s.held.gap = f32::MAX.into(),
        "Gap is 3.4028235e38 m; it must be from 0 to 1e9 m",
    ),
    (
        |s| s.held.bond_strength = f32::NAN.into(),
        "Bond Strength is NaN; it must be from 0 to 1e18",
    ),
    (
        |s| s.pieces.min_size = (-0.1).into(),
        "Min Size is -0.1 m; it must be from 0 to 1e9 m",
    ),
    (|s| s.pieces.min_size = 1e20.into(), "Min Size is 1e20 m"),
    (
        |s| s.pieces.threshold_factor = 0.5.into(),
        "Threshold Factor is 0.5; it must be from 1 to 1e18",
    ),
    (
        |s| s.pieces.lifetime = (-4.0).into(),
        "Lifetime is -4 s; it must be 0 s or more",
    ),
    (|s| s.pieces.lifetime = f32::NAN.into(), "Lifetime is NaN s"),
    (
        |s| s.pieces.fade_time = f32::NAN.into(),
        "Fade Time is NaN s; it must be from 0 to 1e18 s",
    ),
    (|s| s.pieces.fade_time = (-2.0).into(), "Fade Time is -2 s"),
    (
        |s| s.pieces.dust_size = f32::INFINITY.into(),
        "Becomes Dust Below is inf m; it must be from 0 to 1e9 m",
    ),
    (
        |s| s.strength.tensile_strength = (-3e6).into(),
        "Tensile Strength is -3000000 Pa; it must be from 0 to 1e18 Pa",
    ),
    (
        |s| s.strength.min_neck = (-5.0).into(),
        "Min Neck is -5 cm^2; it must be from 0 to 1e18 cm^2",
    ),
    (
        |s| s.strength.bar_spacing = (-0.1).into(),
        "Bar Spacing is -0.1 m; it must be from 0 to 1e9 m",
    ),
    (
        |s| s.breaking.sheet_toughness = 0.5.into(),
        "Sheet Toughness is 0.5; it must be from 1 to 1e18",
    ),
];

#[test]
fn invalid_fields_are_refused_by_name() {
    for (change, words) in INVALID_FIELDS {
        let mut world = World::new();
        let mut script = Destructible::default();
        change(&mut script);
        world.cube("wall", RigidBodyType::Static, Vector3::zeros(), script);
        world.steps(5);
        let text = world.faults();
        let expected = format!("\"wall\": its {words}");
        assert!(text.contains(&expected), "{words}: {text}");
        assert_eq!(world.destruction.statistics().faults, 1, "{words}: {text}");
    }
}

#[test]
fn figures_at_the_ends_of_their_ranges_and_those_that_do_not_count_are_taken() {
    let changes: [Change; 8] = [
        |s| {
            s.held.anchoring = Anchoring::Base.into();
            s.held.depth = 0.0001.into();
        },
        |s| s.breaking.max_radius = 0.1.into(),
        |s| s.breaking.min_radius = 1e-9.into(),
        |s| s.pieces.lifetime = f32::INFINITY.into(),
        |s| s.shell_thickness = f32::NAN.into(),
        |s| s.held.depth = f32::NAN.into(),
        |s| {
            s.held.anchoring = Anchoring::All.into();
            s.held.gap = f32::NAN.into();
            s.held.bond_strength = (-1.0).into();
        },
        |s| s.inside.texture_turn = 270.0.into(),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let mut world = World::new();
        let mut script = Destructible::default();
        change(&mut script);
        world.cube("wall", RigidBodyType::Static, Vector3::zeros(), script);
        world.steps(4);
        let events = world.strike("wall", hard(Vector3::new(0.0, 0.5, 0.0)));
        assert_eq!(broken(&events), ["wall"], "{number}: {}", world.faults());
        assert_eq!(world.faults(), "", "{number}");
    }
}
