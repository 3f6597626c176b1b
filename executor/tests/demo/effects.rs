//! The prefab with the scripts of effects, in a scene of the demo.

use crate::{
    gallery::place,
    open::{alone, Open},
};
use fracture::{BreakDust, Impact, ImpactMarks, OwnDust};
use fyrox::{
    core::{algebra::Vector3, futures::executor::block_on},
    resource::model::{Model, ModelResource, ModelResourceExtension},
    scene::{base::BaseBuilder, particle_system::ParticleSystem, pivot::PivotBuilder},
};

/// A prefab, once it has been loaded.
fn loaded(open: &Open, path: &str) -> ModelResource {
    let prefab = open.engine.resources().request::<Model>(path);
    block_on(prefab).unwrap()
}

#[test]
fn the_prefab_brings_dust_sounds_and_marks() {
    let _alone = alone();
    let mut open = Open::new("scenes/concrete.rgs");
    let prefab = loaded(&open, "data/prefabs/effects.rgs");
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

#[test]
fn an_artists_prefab_is_put_in_the_place_of_dust_for_its_time() {
    let _alone = alone();
    let mut open = Open::new("scenes/concrete.rgs");
    let prefab = loaded(&open, "data/prefabs/plank.rgs");
    open.frames(10);
    let own = OwnDust {
        prefab: Some(prefab),
        prefab_time: 0.5,
        ..OwnDust::default()
    };
    let script = BreakDust {
        own: vec![own].into(),
        ..BreakDust::default()
    };
    let at = place(&mut open, "Wall");
    let at = Vector3::new(at.x, 1.3, at.z);
    let scene = open.engine.scene(open.scene).unwrap();
    let base = BaseBuilder::new().with_script(script);
    PivotBuilder::new(base).build(&mut scene.graph);
    open.frames(5);
    let scene = open.engine.scene(open.scene).unwrap();
    let blow = Impact::new(at, Vector3::z(), 9000.0);
    open.destruction
        .impact_by_name(scene, "Wall", blow)
        .unwrap();
    let planks = |open: &mut Open| {
        let scene = open.engine.scene(open.scene).unwrap();
        let nodes = scene.graph.linear_iter();
        nodes.filter(|node| node.name() == "plank").count()
    };
    open.frames(6);
    assert!(planks(&mut open) > 0);
    open.frames(600);
    assert_eq!(planks(&mut open), 0);
}
