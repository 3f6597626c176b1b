//! Everyday blows with the damage threshold that follows from the material and the size: some break, some do not.
//!
//! Strikers are given by mass, density and speed, objects by their boxes. The cases of the table come with their sources;
//! the others are common knowledge.

use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::geometry::{Mesh, Solid};
use fracture_simulation::{Body, BodyId, Event, Impact, Material, Shape, Striker};

use crate::setup::{broken, pattern, step, waiting};

use Blow::{Charge, Fall, Hit};

const BRICKWORK: Matter = Matter(1800.0, 1e4);
const CONCRETE: Matter = Matter(2400.0, 1e4);
const GLASS: Matter = Matter(2500.0, 1e4);
const MARBLE: Matter = Matter(2700.0, 1e4);
const CERAMIC: Matter = Matter(2400.0, 1e4);
/// Bending strength 90 MPa, modulus 11 GPa.
const OAK: Matter = Matter(700.0, 1e5);

/// Density (kg/m^3) and energy that breaks a cubic metre (J/m^3).
#[derive(Clone, Copy)]
struct Matter(f32, f32);

/// A box of a material, metres.
#[derive(Clone, Copy)]
struct Target(Matter, [f32; 3]);

/// Mass (kg), density (kg/m^3) and speed (m/s) of a striker.
#[derive(Clone, Copy)]
struct Thrown(f32, f32, f32);

const BRICK_WALL: Target = Target(BRICKWORK, [3.0, 2.8, 0.2]);
const THICK_WALL: Target = Target(CONCRETE, [4.0, 3.0, 0.25]);
const FLOOR: Target = Target(CONCRETE, [4.0, 0.2, 4.0]);
const PANE: Target = Target(GLASS, [1.0, 1.0, 0.004]);
const PLANK: Target = Target(OAK, [4.0, 0.05, 0.4]);

/// A body of a mesh and a material.
fn body(mesh: Mesh, Matter(density, energy): Matter) -> Body {
    let material = Material {
        density,
        volume_per_energy: energy.recip(),
        ..Material::default()
    };
    Body {
        material,
        ..Body::new(Shape::new(mesh), pattern(24))
    }
}

/// Whether a body is broken by an impact on it.
fn is_broken(body: Body, impact: impl Fn(BodyId) -> Impact) -> bool {
    let mut simulation = waiting();
    let id = simulation.add(body).unwrap();
    simulation.impact(impact(id)).unwrap();
    for _ in 0..4 {
        for event in step(&mut simulation) {
            match event {
                Event::Broken(_) => return true,
                Event::BelowThreshold(blow) => {
                    assert!(blow.impulse.length() < blow.damage_threshold);
                    return false;
                }
                Event::BreakFailed { reason, .. } => panic!("{reason}"),
                _ => {}
            }
        }
    }
    panic!("nothing was told");
}

impl Target {
    fn body(self) -> Body {
        let Self(matter, size) = self;
        body(Mesh::cuboid(size), matter)
    }

    /// Whether a blow on the middle of the largest face breaks it.
    fn breaks(self, blow: impl Fn(Impact) -> Impact) -> bool {
        let size = Vec3::from(self.1);
        let mut normal = Vec3::ZERO;
        normal[size.min_position()] = 1.0;
        let point = normal * size * 0.5;
        let impact = |id| blow(Impact::new(id, point, normal, Vec3::ZERO, 0.0));
        is_broken(self.body(), impact)
    }

    /// Whether blows on one place break or damage it.
    fn is_damaged_by(self, thrown: Thrown, blows: usize) -> bool {
        let mut simulation = waiting();
        let id = simulation.add(self.body()).unwrap();
        let size = Vec3::from(self.1);
        let mut normal = Vec3::ZERO;
        normal[size.min_position()] = 1.0;
        let impact = Impact::new(id, normal * size * 0.5, normal, Vec3::ZERO, 0.0);
        (0..blows).any(|_| {
            simulation.impact(thrown.impact(impact)).unwrap();
            let events = [step(&mut simulation), step(&mut simulation)];
            let is_damage =
                |event: &Event| matches!(event, Event::Broken(_) | Event::Damaged { .. });
            events.iter().flatten().any(is_damage)
        })
    }

    fn breaks_by(self, thrown: Thrown) -> bool {
        self.breaks(|impact| thrown.impact(impact))
    }
}

/// Whether an object breaks when it falls flat on the floor from a height, metres.
fn breaks_by_fall(mesh: &Mesh, matter: Matter, height: f32) -> bool {
    breaks_by_turned_fall(mesh, matter, height, 1.0)
}

/// The same of an object of which the floor stops a share at once: the rest turns about the place.
fn breaks_by_turned_fall(mesh: &Mesh, matter: Matter, height: f32, stopped: f32) -> bool {
    let solid = Solid::new(mesh.clone()).unwrap();
    let mass = stopped * matter.0 * solid.mass().volume as f32;
    let [low, _] = solid.bounds().corners();
    let bottom = Vec3::new(0.0, low.y as f32, 0.0);
    let impulse = Vec3::Y * (mass * fallen(height));
    let energy = mass * 9.81 * height;
    let impact = |id| Impact {
        striker: Striker::Ground { stopped },
        ..Impact::new(id, bottom, Vec3::NEG_Y, impulse, energy)
    };
    is_broken(body(mesh.clone(), matter), impact)
}

impl Thrown {
    fn impact(self, impact: Impact) -> Impact {
        let Self(mass, density, speed) = self;
        let radius = (0.75 / std::f32::consts::PI * mass / density).cbrt();
        Impact {
            impulse: -impact.normal * (mass * speed),
            energy: 0.5 * mass * speed * speed,
            striker: Striker::Body { radius, density },
            ..impact
        }
    }
}

/// The speed after a fall from a height (m), m/s.
fn fallen(height: f32) -> f32 {
    (2.0 * 9.81 * height).sqrt()
}

/// Energy of a kilogram of TNT, J.
const TNT: f32 = 4.184e6;
const PERSON: f32 = 80.0;
const FLESH: f32 = 1000.0;
const STEEL: f32 = 7850.0;
const ICE: f32 = 900.0;
const STONE: f32 = 2600.0;

/// Something that may break an object.
#[derive(Clone, Copy)]
enum Blow {
    /// A striker that hits the middle of the largest face.
    Hit(Thrown),
    /// A fall of the object on hard ground, metres.
    Fall(f32),
    /// A charge of so many kilograms of TNT at a distance, metres.
    Charge(f32, f32),
}

/// A case: the object, the blow, whether it breaks, and the source.
struct Case(Target, Blow, bool, &'static str);

/// The specimen of EN 12600.
const SPECIMEN: Target = Target(GLASS, [0.876, 1.938, 0.004]);
/// A light partition, half a brick thick.
const PARTITION: Target = Target(BRICKWORK, [2.5, 2.5, 0.12]);
const VASE: Target = Target(CERAMIC, [0.12, 0.25, 0.12]);
const PLATE: Target = Target(CERAMIC, [0.25, 0.006, 0.25]);
const TILE: Target = Target(CERAMIC, [0.3, 0.3, 0.009]);
const MARBLE_BLOCK: Target = Target(MARBLE, [0.5, 0.8, 0.5]);
const CAR: f32 = 1200.0;

const STEPS: &str = "EN 1991-1-1: floors bear 2 kN on a spot; a step presses with 1.5 times the weight, a jump with up to six \
                     (Bachmann and Ammann, Vibrations in Structures, 1987)";
const SOFT_BODY: &str = "ETAG 003, soft body: a partition holds a bag of 50 kg with 400 J";
const HARD_BODY: &str = "ETAG 003, hard body: a partition holds a steel ball of 1 kg with 10 J";
const PENDULUM: &str = "EN 12600: 50 kg from 190 mm break float glass of 4 mm";
const HAIL: &str =
    "FM 4473: 10 mm of ice fall with 9 m/s, 50 mm with 32 m/s and break what is not made for it";
const LUMBER: &str =
    "ASTM E1996, large missile: a beam of 4.1 kg with 15.3 m/s breaks glass that is not laminated";
const HARD_GLASS: &str = "EN 356, class P1A: 4.11 kg from 1.5 m; only laminated glass holds them";
const PISTOL: &str = "EN 1063, class BR2: 8 g with 400 m/s; only thick laminated glass holds them";
const STONE_SHOT: &str =
    "Mol and Gomez-Heras, Heritage Science 6 (2018): bullets leave craters in building stone";
const VEHICLES: &str = "Gilbert, Hobbs and Molyneaux, Int. J. Impact Eng. 27 (2002): blows of some 3 kN s go through walls of a brick";
const DROPS: &str = "ISTA 1A: parcels are dropped from 760 mm, which bare ceramics do not bear";
const TABLEWARE: &str =
    "EN 12980, impact resistance of tableware: it bears knocks of some 0.1 J at its rim";
const TILES: &str = "ISO 10545-5: steel balls of 19 mm bounce off tiles on concrete from 1 m";
const PRESSURE_ON_PANES: &str = "Glasstone and Dolan (1977): panes break from some 3 to 7 kPa on";
const PRESSURE_ON_WALLS: &str = "Glasstone and Dolan (1977): walls of a brick fail at some 50 kPa, in Kingery and Bulmash (1984) the pressure at 3 m";
const FAR_CHARGE: &str =
    "Kingery and Bulmash (1984): at 6 m 22 kPa, less than half of what walls of a brick bear";
const GRENADE: &str =
    "Kingery and Bulmash (1984): 180 g of composition B, 0.23 kg of TNT, give 15 kPa at 5 m";
const IMPULSE_ON_WALLS: &str =
    "Kingery and Bulmash (1984): 150 g reflect 53 Pa s at 2.5 m, 4 J a square metre of wall; to tip it takes 50 J";

const CASES: [Case; 30] = [
    Case(FLOOR, Hit(Thrown(PERSON, FLESH, 1.5)), false, STEPS),
    Case(FLOOR, Hit(Thrown(100.0, FLESH, 1.0)), false, STEPS),
    Case(FLOOR, Hit(Thrown(PERSON, FLESH, 4.4)), false, STEPS),
    Case(PARTITION, Hit(Thrown(50.0, 1500.0, 4.0)), false, SOFT_BODY),
    Case(BRICK_WALL, Hit(Thrown(50.0, 1500.0, 4.0)), false, SOFT_BODY),
    Case(PARTITION, Hit(Thrown(1.0, STEEL, 4.5)), false, HARD_BODY),
    Case(SPECIMEN, Hit(Thrown(50.0, FLESH, 1.93)), true, PENDULUM),
    Case(PANE, Hit(Thrown(0.0005, ICE, 9.0)), false, HAIL),
    Case(PANE, Hit(Thrown(0.06, ICE, 32.0)), true, HAIL),
    Case(PANE, Hit(Thrown(4.1, 500.0, 15.3)), true, LUMBER),
    Case(SPECIMEN, Hit(Thrown(4.11, STEEL, 5.4)), true, HARD_GLASS),
    Case(PANE, Hit(Thrown(0.008, 9000.0, 400.0)), true, PISTOL),
    Case(SPECIMEN, Hit(Thrown(0.008, 9000.0, 400.0)), true, PISTOL),
    Case(
        MARBLE_BLOCK,
        Hit(Thrown(0.01, 9000.0, 400.0)),
        true,
        STONE_SHOT,
    ),
    Case(
        BRICK_WALL,
        Hit(Thrown(0.01, 9000.0, 400.0)),
        true,
        STONE_SHOT,
    ),
    Case(BRICK_WALL, Hit(Thrown(CAR, 130.0, 14.0)), true, VEHICLES),
    Case(BRICK_WALL, Hit(Thrown(380.0, 2000.0, 8.0)), true, VEHICLES),
    Case(VASE, Fall(0.76), true, DROPS),
    Case(PLATE, Fall(0.76), true, DROPS),
    Case(VASE, Fall(0.05), false, TABLEWARE),
    Case(PLATE, Fall(0.01), false, TABLEWARE),
    Case(TILE, Hit(Thrown(0.028, STEEL, 4.43)), false, TILES),
    Case(PANE, Charge(1.0, 15.0), true, PRESSURE_ON_PANES),
    Case(PANE, Charge(1.0, 300.0), false, PRESSURE_ON_PANES),
    Case(BRICK_WALL, Charge(1.0, 3.0), true, PRESSURE_ON_WALLS),
    Case(BRICK_WALL, Charge(1.0, 6.0), false, FAR_CHARGE),
    Case(BRICK_WALL, Charge(1.0, 15.0), false, PRESSURE_ON_WALLS),
    Case(PANE, Charge(0.23, 5.0), true, GRENADE),
    Case(BRICK_WALL, Charge(0.23, 5.0), false, GRENADE),
    Case(THICK_WALL, Charge(0.15, 2.5), false, IMPULSE_ON_WALLS),
];

#[test]
fn everyday_blows_break_what_their_sources_say() {
    for Case(target, blow, breaks, source) in CASES {
        let found = match blow {
            Hit(thrown) => target.breaks_by(thrown),
            Fall(height) => breaks_by_fall(&Mesh::cuboid(target.1), target.0, height),
            Charge(mass, distance) => breaks_by_blast(target, distance, mass * TNT),
        };
        assert_eq!(found, breaks, "{:?}: {source}", target.1);
    }
}

#[test]
fn people_break_neither_walls_nor_floors() {
    let walks = Thrown(PERSON, FLESH, 1.5);
    let steps_down = Thrown(PERSON, FLESH, fallen(0.05));
    let jumps_down = Thrown(PERSON, FLESH, fallen(1.0));
    let runs = Thrown(PERSON, FLESH, 5.0);
    // As a capsule of 0.3 m radius and 1.8 m, as games have it.
    let capsule = Thrown(PERSON, 180.0, 5.0);
    for target in [THICK_WALL, BRICK_WALL, FLOOR, PLANK] {
        for person in [walks, steps_down, runs, capsule] {
            assert!(!target.breaks_by(person), "{:?}", target.1);
        }
    }
    assert!(!FLOOR.breaks_by(jumps_down));
}

#[test]
fn people_wear_down_neither_walls_nor_floors() {
    let walks = Thrown(PERSON, FLESH, 1.5);
    let steps_down = Thrown(PERSON, FLESH, fallen(0.05));
    let stamps = Thrown(PERSON, FLESH, fallen(0.3));
    for target in [THICK_WALL, BRICK_WALL, FLOOR, PLANK] {
        for person in [walks, steps_down, stamps] {
            assert!(!target.is_damaged_by(person, 20), "{:?}", target.1);
        }
    }
    // A hammer does not break the wall at once, but wears it down.
    let hammer = Thrown(1.5, STEEL, 6.0);
    assert!(!BRICK_WALL.breaks_by(hammer) && BRICK_WALL.is_damaged_by(hammer, 10));
}

#[test]
fn what_is_thrown_hard_breaks_a_wall_of_bricks() {
    for density in [180.0, 600.0, 1400.0, STEEL] {
        assert!(
            BRICK_WALL.breaks_by(Thrown(20.0, density, 30.0)),
            "{density}"
        );
    }
    // A sledgehammer; a wrecking ball; a car at 50 km/h.
    assert!(BRICK_WALL.breaks_by(Thrown(5.0, STEEL, 8.0)));
    assert!(THICK_WALL.breaks_by(Thrown(500.0, STEEL, 5.0)));
    assert!(BRICK_WALL.breaks_by(Thrown(1200.0, 130.0, 14.0)));
    // A pebble, a football and a bowling ball that is let roll do not.
    assert!(!BRICK_WALL.breaks_by(Thrown(0.1, STONE, 15.0)));
    assert!(!BRICK_WALL.breaks_by(Thrown(0.43, 77.0, 25.0)));
    assert!(!BRICK_WALL.breaks_by(Thrown(7.0, 1300.0, 3.0)));
}

#[test]
fn bullets_break_glass_and_marble() {
    let bullet = Thrown(0.01, 9000.0, 400.0);
    let block = Target(MARBLE, [0.5, 0.8, 0.5]);
    for target in [PANE, block, Target(GLASS, [1.5, 2.0, 0.01]), BRICK_WALL] {
        assert!(target.breaks_by(bullet), "{:?}", target.1);
        // As a shot of which only energy and impulse are known.
        let shot = |impact: Impact| Impact {
            impulse: -impact.normal * 4.0,
            energy: 800.0,
            ..impact
        };
        assert!(target.breaks(shot), "{:?}", target.1);
    }
}

#[test]
fn tableware_breaks_from_a_table_and_not_from_a_hands_breadth() {
    let bowl = Mesh::bowl(0.1, 0.006, 24, 8);
    let plate = Mesh::cuboid([0.25, 0.006, 0.25]);
    let figure = Mesh::cuboid([0.06, 0.2, 0.06]);
    for object in [&bowl, &plate, &figure] {
        assert!(breaks_by_fall(object, CERAMIC, 0.75));
        for height in [0.03, 0.1] {
            assert!(!breaks_by_fall(object, CERAMIC, height));
        }
    }
    for stopped in [0.9, 0.4, 0.2] {
        let on_its_corner = |height| breaks_by_turned_fall(&figure, CERAMIC, height, stopped);
        assert!(on_its_corner(0.75) && !on_its_corner(0.1), "{stopped}");
    }
    // A wine glass with walls of 1 mm.
    let wine_glass = Mesh::bowl(0.04, 0.001, 24, 8);
    assert!(breaks_by_fall(&wine_glass, GLASS, 1.0));
    assert!(!breaks_by_fall(&wine_glass, GLASS, 0.03));
}

#[test]
fn what_is_put_down_or_dropped_from_low_stays_whole() {
    let crate_of_20_kg = Thrown(20.0, 300.0, fallen(0.1));
    assert!(!PLANK.breaks_by(crate_of_20_kg));
    assert!(!FLOOR.breaks_by(crate_of_20_kg));
    // A block of a building of blocks that comes to rest on the one below.
    assert!(!breaks_by_fall(
        &Mesh::cuboid([1.0, 0.5, 0.5]),
        CONCRETE,
        0.01
    ));
    // A brick from a ladder, and a statue that tips over.
    assert!(breaks_by_fall(
        &Mesh::cuboid([0.24, 0.07, 0.115]),
        BRICKWORK,
        3.0
    ));
    assert!(breaks_by_fall(&Mesh::cuboid([0.5, 0.5, 1.8]), MARBLE, 0.9));
}

/// Whether a charge of an energy, J, breaks an object from a distance, metres.
fn breaks_by_blast(target: Target, distance: f32, energy: f32) -> bool {
    let mut simulation = waiting();
    let body = simulation.add(target.body()).unwrap();
    for _ in 0..3 {
        step(&mut simulation); // until its shape is prepared
    }
    let center = Vec3::new(0.0, 0.0, distance);
    let loads = simulation.blast(center, 2.0 * distance, energy);
    let load = loads
        .iter()
        .find(|load| load.body.breakable() == Some(body));
    let load = load.unwrap();
    let impact = Impact {
        striker: Striker::Gas { distance },
        ..Impact::new(body, load.point, load.normal, load.impulse, load.energy)
    };
    simulation.breaks(&impact).unwrap()
}

#[test]
fn what_children_and_pets_do_breaks_windows_at_most() {
    let football = |speed| Thrown(0.43, 77.0, speed);
    assert!(PANE.breaks_by(football(20.0)));
    assert!(!PANE.breaks_by(football(3.0)));
    let door = Target(OAK, [0.9, 2.0, 0.04]);
    let child = Thrown(25.0, FLESH, 4.0);
    assert!(!door.breaks_by(child) && !BRICK_WALL.breaks_by(child));
    // A cat of 4 kg jumps half a metre down onto a table of glass.
    let table = Target(GLASS, [1.2, 0.01, 0.7]);
    assert!(!table.breaks_by(Thrown(4.0, FLESH, fallen(0.5))));
}

#[test]
fn a_hammer_breaks_a_tile_and_chips_concrete_at_most() {
    let hammer = |speed| Thrown(0.5, STEEL, speed);
    let tile = Target(CERAMIC, [0.2, 0.008, 0.2]);
    assert!(tile.breaks_by(hammer(5.0)));
    assert!(!tile.breaks_by(hammer(0.3)));
    assert!(!FLOOR.breaks_by(hammer(5.0)) && !THICK_WALL.breaks_by(hammer(5.0)));
}

#[test]
fn a_pistol_chips_walls_and_shatters_a_vase() {
    let bullet = Thrown(0.008, 9000.0, 360.0);
    let vase = Target(CERAMIC, [0.12, 0.25, 0.12]);
    for target in [BRICK_WALL, THICK_WALL, vase, PANE] {
        assert!(target.breaks_by(bullet), "{:?}", target.1);
    }
    // Cast by hand it does not.
    for target in [BRICK_WALL, THICK_WALL, vase, PANE] {
        assert!(
            !target.breaks_by(Thrown(0.008, 9000.0, 5.0)),
            "{:?}",
            target.1
        );
    }
}

#[test]
fn the_same_energy_breaks_more_when_it_is_small_and_fast() {
    // 800 J of one density: from a bullet to a ball of medicine.
    let mut was_broken = true;
    for mass in [0.01, 0.1, 1.0, 10.0, 100.0, 1000.0] {
        let speed = (1600.0_f32 / mass).sqrt();
        let broken = THICK_WALL.breaks_by(Thrown(mass, STONE, speed));
        assert!(was_broken || !broken, "{mass} kg");
        was_broken = broken;
    }
    assert!(!was_broken);
}

#[test]
fn a_typed_threshold_holds_for_every_striker() {
    let mut simulation = waiting();
    let body = simulation.add(PANE.body()).unwrap();
    let material = Material {
        damage_threshold: Some(10.0),
        ..Material::default()
    };
    simulation.set_material(body, material).unwrap();
    let impact = |impulse: f32, striker| Impact {
        striker,
        ..Impact::new(body, Vec3::ZERO, Vec3::Z, Vec3::Z * -impulse, 1e6)
    };
    let far = Striker::Body {
        radius: 1.0,
        density: 1.0,
    };
    for striker in [Striker::Stone, Striker::Gas { distance: 1.0 }, far] {
        assert_eq!(simulation.breaks(&impact(9.9, striker)), Some(false));
        assert_eq!(simulation.breaks(&impact(10.0, striker)), Some(true));
        assert_eq!(
            simulation.damage_threshold(&impact(5.0, striker)),
            Some(10.0)
        );
    }
}

#[test]
fn a_striker_without_size_is_refused() {
    let mut simulation = waiting();
    let body = simulation.add(PANE.body()).unwrap();
    for (radius, density) in [
        (0.0, 1.0),
        (1.0, -1.0),
        (f32::NAN, 1.0),
        (1.0, f32::INFINITY),
    ] {
        let impact = Impact {
            striker: Striker::Body { radius, density },
            ..Impact::new(body, Vec3::ZERO, Vec3::Z, Vec3::Z, 1.0)
        };
        assert!(simulation.impact(impact).is_err());
    }
}

/// The position of a node lies in its middle, and is the first thing that one types.
#[test]
fn a_blow_at_the_middle_of_a_solid_breaks_it_where_it_came_in() {
    let mut simulation = waiting();
    let cube = Body {
        pattern: pattern(500),
        ..body(Mesh::cuboid([2.0; 3]), CONCRETE)
    };
    let id = simulation.add(cube).unwrap();
    let blow = Impact {
        radius: Some(0.3),
        ..Impact::new(id, Vec3::ZERO, Vec3::X, Vec3::X * -1e4, 1e6)
    };
    simulation.impact(blow).unwrap();
    let broken = broken(&mut simulation);
    assert!(broken.pieces.len() >= 2);
    assert!(broken.point.distance(Vec3::X) < 1e-3, "{}", broken.point);
}
