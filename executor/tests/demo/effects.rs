//! The prefab with the scripts of effects, in a scene of the demo.

use crate::{
    gallery::place,
    open::{alone, Open},
};
use fracture::{Impact, ImpactMarks};
use fyrox::{
    core::algebra::Vector3,
    resource::model::{Model, ModelResourceExtension},
    scene::particle_system::ParticleSystem,
};

#[test]
fn the_prefab_brings_dust_sounds_and_marks() {
    let _alone = alone();
    let mut open = Open::new("scenes/concrete.rgs");
    let prefab = open
        .engine
        .resources()
        .request::<Model>("data/prefabs/effects.rgs");
    open.frames(10);
    let at = place(&mut open, "Wall");
    let at = Vector3::new(at.x, 1.3, at.z);
    let scene = open.engine.scene(open.scene).unwrap();
    let node = prefab.instantiate(scene);
    assert!(scene.graph[node].try_get_script::<ImpactMarks>().is_some());
    open.frames(10);
    let scene = open.engine.scene(open.scene).unwrap();
    let blow = Impact::new(at, Vector3::z(), 9000.0);
    open.destruction
        .impact_by_name(scene, "Wall", blow)
        .unwrap();
    open.frames(30);
    assert!(open.destruction.statistics().sounds > 0);
    assert_eq!(open.destruction.faults().count(), 0);
    let scene = open.engine.scene(open.scene).unwrap();
    let systems = scene.graph.linear_iter();
    let mut systems = systems.filter_map(|node| node.cast::<ParticleSystem>());
    assert!(systems.any(|system| system.is_playing() && !system.particles().is_empty()));
}
