use super::*;
use fracture::BreakDiagnostics;
use fyrox::core::algebra::Vector3;
use fyrox::scene::{
    particle_system::ParticleSystem,
    sound::{Sound, Status},
};

fn broken(name: &str) -> Event {
    Event::Broken {
        node: Handle::NONE,
        piece: Handle::NONE,
        name: name.into(),
        surface_tag: "glass_cut".into(),
        pieces: Vec::new(),
        dust: 0,
        cause: BreakCause::Impact,
        point: Vector3::new(1.0, 2.0, 3.0),
        normal: Vector3::y(),
        energy: 500.0,
        radius: 0.5,
        crack_area: 1.2,
        diagnostics: BreakDiagnostics::default(),
    }
}

fn playing(scene: &Scene) -> [usize; 2] {
    let count = |chosen: &dyn Fn(&Node) -> bool| {
        let nodes = scene.graph.linear_iter();
        nodes.filter(|node| chosen(node)).count()
    };
    let clouds = |node: &Node| node.cast().is_some_and(ParticleSystem::is_playing);
    let sounds = |node: &Node| {
        let sound = node.cast::<Sound>();
        sound.is_some_and(|sound| sound.status() == Status::Playing)
    };
    [count(&clouds), count(&sounds)]
}

#[test]
fn breaks_raise_dust_and_play_sounds_without_new_nodes() {
    let mut scene = Scene::new();
    let mut effects = Effects::new(&mut scene, &SoundBank::made());
    let before = scene.graph.linear_iter().count();
    assert_eq!(playing(&scene), [0, 0]);
    effects.update(
        &mut scene,
        Handle::NONE,
        &[broken("Wall")],
        [true, true],
        0.016,
    );
    assert_eq!(playing(&scene), [1, 1]);
    for _ in 0..200 {
        let many = vec![broken("Wall/fragment_1_0"); 10];
        effects.update(&mut scene, Handle::NONE, &many, [true, true], 0.016);
        scene.update(
            fyrox::core::algebra::Vector2::new(1.0, 1.0),
            0.016,
            Default::default(),
        );
    }
    assert_eq!(scene.graph.linear_iter().count(), before);
}

#[test]
fn what_is_switched_off_does_nothing() {
    let mut scene = Scene::new();
    let mut effects = Effects::new(&mut scene, &SoundBank::made());
    effects.update(
        &mut scene,
        Handle::NONE,
        &[broken("Wall")],
        [false, false],
        0.016,
    );
    assert_eq!(playing(&scene), [0, 0]);
}

#[test]
fn what_is_near_its_strength_creaks_and_sheds_a_little_dust() {
    let strained = |tag: &str, utilisation| Event::Strained {
        node: Handle::NONE,
        piece: Handle::NONE,
        name: "Plank".into(),
        surface_tag: tag.into(),
        point: Vector3::new(1.0, 2.0, 3.0),
        utilisation,
    };
    let wood = Effects::effect_of(&strained("wood_cut", 0.91)).unwrap();
    let brick = Effects::effect_of(&strained("brick", 0.99)).unwrap();
    let crack = Effects::effect_of(&broken("Wall")).unwrap();
    assert_eq!(wood.cause, SoundCause::Creak);
    assert_eq!(wood.sort, SoundMaterial::Wood);
    assert_eq!(brick.sort, SoundMaterial::Brick);
    assert!(wood.loudness < brick.loudness && brick.loudness < crack.loudness);
    assert!(wood.puff > 0.0 && wood.puff < crack.puff);

    let mut scene = Scene::new();
    let mut effects = Effects::new(&mut scene, &SoundBank::made());
    let events = [strained("wood", 0.95)];
    effects.update(&mut scene, Handle::NONE, &events, [true, true], 0.016);
    assert_eq!(playing(&scene), [1, 1]);
}

#[test]
fn a_light_contact_is_quiet_and_raises_no_dust() {
    let contact = |energy| Event::Contact {
        node: Handle::NONE,
        name: "Wall/fragment_1_0".into(),
        surface_tag: "wood".into(),
        other: Handle::NONE,
        other_surface_tag: String::new(),
        point: Vector3::zeros(),
        normal: Vector3::y(),
        impulse: 3.0,
        speed: 1.0,
        energy,
    };
    let light = Effects::effect_of(&contact(4.0)).unwrap();
    let hard = Effects::effect_of(&contact(400.0)).unwrap();
    assert!(light.puff == 0.0 && hard.puff > 0.0);
    assert!(light.loudness < hard.loudness);
    assert_eq!(hard.sort, SoundMaterial::Wood);
    let gone = Event::Removed {
        node: Handle::NONE,
        position: Vector3::zeros(),
        name: "x".into(),
        reason: fracture::RemoveReason::Budget,
    };
    assert!(Effects::effect_of(&gone).is_none());
}
