//! The effect of each tool on a scene.

use crate::open::{alone, Open};
use executor::{demo::Tool, demo::Tools, scenario::Action};
use fyrox::core::algebra::{Vector2, Vector3};

const CONCRETE: &str = "scenes/concrete.rgs";

fn wall() -> Vector3<f32> {
    Vector3::new(0.4, 1.6, 0.1)
}

#[test]
fn a_shot_throws_a_ball_that_meets_what_the_cursor_points_to() {
    let _alone = alone();
    let mut open = Open::new(CONCRETE);
    open.frames(5);
    let shot = open.click(Tool::Shoot, &[wall()], 0);
    let [Action::Throw { .. }] = shot.as_slice() else {
        panic!("{shot:?}");
    };
    open.act(&shot[0]);
    open.frames(20);
    assert_eq!(open.broken().first().map(String::as_str), Some("Wall"));
    let pieces = open.destruction.pieces_of("Wall");
    let near = |p: &fracture::PieceInfo| (p.position - wall()).norm() < 1.0;
    assert!(pieces.iter().filter(|piece| near(piece)).count() > 2);
}

#[test]
fn a_bomb_reaches_as_far_as_its_radius() {
    let _alone = alone();
    let pieces = |notches: f32| {
        let mut open = Open::new(CONCRETE);
        open.frames(5);
        let mut tools = Tools::default();
        tools.take(Tool::Bomb);
        tools.widen(notches);
        let at = open.pixel(wall());
        tools.aim(at);
        let bomb = open.with(&mut tools, Tools::press);
        let Some(Action::Explosion { center, radius, .. }) = &bomb else {
            panic!("{bomb:?}");
        };
        assert!((center.0 - wall()).norm() < 0.05, "{center:?}");
        assert_eq!(*radius, tools.radius());
        open.act(&bomb.unwrap());
        open.frames(3);
        let pieces = open.destruction.pieces_of("Wall");
        let far = pieces.iter().filter(|piece| !piece.anchored);
        far.map(|piece| piece.volume).sum::<f64>()
    };
    let (small, large) = (pieces(-2.0), pieces(4.0));
    assert!(small > 0.0 && large >= small, "{small} {large}");
}

#[test]
fn the_hammer_strikes_the_harder_the_longer_it_is_held() {
    let _alone = alone();
    let mut open = Open::new(CONCRETE);
    open.frames(5);
    let energy = |open: &mut Open, held| match open.click(Tool::Hammer, &[wall()], held).as_slice()
    {
        [Action::Shoot { energy, .. }] => *energy,
        other => panic!("{other:?}"),
    };
    let (tap, half, full) = (
        energy(&mut open, 0),
        energy(&mut open, 40),
        energy(&mut open, 75),
    );
    assert!(tap < half && half < full, "{tap} {half} {full}");
    assert_eq!(energy(&mut open, 500), full);
    let blow = open.click(Tool::Hammer, &[wall()], 75);
    open.act(&blow[0]);
    open.frames(3);
    assert_eq!(open.broken(), ["Wall"]);
}

#[test]
fn the_blade_cuts_along_the_line_that_is_drawn() {
    let _alone = alone();
    let mut open = Open::new(CONCRETE);
    open.frames(5);
    let ends = [Vector3::new(-1.9, 1.5, 0.1), Vector3::new(1.9, 1.7, 0.1)];
    let cut = open.click(Tool::Blade, &ends, 10);
    let [Action::Cut { .. }] = cut.as_slice() else {
        panic!("{cut:?}");
    };
    open.act(&cut[0]);
    open.frames(3);
    assert_eq!(open.broken(), ["Wall"]);
    let pieces = open.destruction.pieces_of("Wall");
    assert_eq!(pieces.len(), 2);
    assert!(pieces.iter().all(|piece| piece.closed == Some(true)));
    let [a, b] = [&pieces[0], &pieces[1]].map(|piece| piece.position.y);
    assert!(a.max(b) > 1.7 && a.min(b) < 1.5, "{a} {b}");
    // A click is no stroke.
    assert!(open.click(Tool::Blade, &[wall()], 10).is_empty());
}

#[test]
fn the_hand_pushes_what_is_free_as_long_as_it_is_held() {
    let _alone = alone();
    let mut open = Open::new("scenes/house.rgs");
    open.frames(10);
    let place = |open: &mut Open| {
        let scene = open.engine.scene(open.scene).unwrap();
        let node = scene
            .graph
            .linear_iter()
            .find(|node| node.name() == "Crate");
        node.unwrap().global_position()
    };
    let before = place(&mut open);
    let at = before + Vector3::new(0.0, 0.4, 0.0);
    let pushes = open.click(Tool::Push, &[at], 4);
    assert_eq!(pushes.len(), 4);
    assert!(pushes
        .iter()
        .all(|push| matches!(push, Action::Shove { .. })));
    open.frames(2);
    assert_eq!(open.broken(), Vec::<String>::new());
    let moved = place(&mut open) - before;
    assert!(moved.norm() > 0.01 && moved.z < 0.0, "{moved}");
}

#[test]
fn a_tool_that_points_to_the_sky_does_no_harm() {
    let _alone = alone();
    let mut open = Open::new(CONCRETE);
    open.frames(5);
    for tool in Tool::ALL {
        let mut tools = Tools::default();
        tools.take(tool);
        tools.aim(Vector2::new(5.0, 5.0));
        let pressed = open.with(&mut tools, Tools::press);
        let held = open.with(&mut tools, Tools::hold);
        tools.aim(Vector2::new(60.0, 5.0));
        let released = open.with(&mut tools, Tools::release);
        for action in [pressed, held, released].iter().flatten() {
            open.act(action);
        }
    }
    open.frames(60);
    assert_eq!(open.broken(), Vec::<String>::new());
    assert_eq!(open.destruction.faults().count(), 0);
}

#[test]
fn slow_motion_slows_balls_and_debris() {
    let _alone = alone();
    let fallen = |step: Option<f32>| {
        let mut open = Open::new(CONCRETE);
        open.frames(5);
        if let Some(step) = step {
            open.act(&Action::Pace { step });
        }
        let shot = open.click(Tool::Shoot, &[wall()], 0);
        open.act(&shot[0]);
        open.frames(8);
        open.broken().len()
    };
    assert!(fallen(None) > 0, "the ball has arrived");
    assert_eq!(fallen(Some(1.0 / 600.0)), 0, "it is under way");
}
