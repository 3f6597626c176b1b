//! Clouds of dust.

use super::{
    effect::Effect,
    effect_nodes::{effect_base, tag},
    pictures::{lumps, smooth, square_texture, texels},
    scripts::{BreakDust, OwnDust},
    surface_kind::SurfaceKind,
    tagged_rows::row_of,
};
use crate::swap;
use fyrox::{
    core::{
        algebra::{UnitQuaternion, Vector3},
        color::Color,
        color_gradient::{ColorGradient, GradientPoint},
        pool::Handle,
    },
    graph::SceneGraph,
    material::{Material, MaterialResource, MaterialResourceBinding, MaterialTextureBinding},
    resource::{
        model::{ModelResource, ModelResourceExtension},
        texture::TexturePixelKind,
    },
    scene::{
        graph::Graph,
        node::Node,
        particle_system::{
            emitter::{base::BaseEmitterBuilder, sphere::SphereEmitterBuilder, Emitter},
            ParticleSystem, ParticleSystemBuilder,
        },
        Scene,
    },
};

/// Most clouds that begin in one update, the largest first.
const BEGINNING: usize = 6;
/// A cloud may be replaced by one that is denser by more than this factor.
const THIN: f32 = 0.5;
/// Most particles of a cloud.
const MOST_PARTICLES: f32 = 400.0;
/// Speed of particles, m/s, at a size of 0.6 m.
const DRIFT: f32 = 0.7;
/// Seconds in which a cloud appears.
const APPEARS: f32 = 0.08;
/// Distance from which on clouds are not seen, metres.
const SEEN: f32 = 150.0;
/// Acceleration of dust that does not hang, m/s^2: it sinks slower than stones.
const SINKS: f32 = -0.1;
/// The same of dust that hangs.
const HANGS: f32 = -0.01;

/// The clouds that are in the scene.
#[derive(Default)]
pub(super) struct Clouds {
    material: Option<MaterialResource>,
    /// Particle systems, which are used again and again.
    clouds: Vec<Cloud>,
    prefabs: Vec<Prefab>,
}

struct Cloud {
    node: Handle<ParticleSystem>,
    /// Seconds until the last particle has gone.
    remaining: f32,
    /// The same when it began.
    lifetime: f32,
    particles: f32,
}

impl Cloud {
    /// How much of it is seen.
    fn density(&self) -> f32 {
        if self.remaining > 0.0 {
            self.particles * self.remaining / self.lifetime
        } else {
            0.0
        }
    }
}

/// A prefab in the place of a cloud.
struct Prefab {
    node: Handle<Node>,
    /// Seconds until it is removed.
    remaining: f32,
}

impl Clouds {
    /// Raises the dust of an update of some seconds.
    pub fn update(&mut self, scene: &mut Scene, script: &BreakDust, effects: &[Effect], dt: f32) {
        self.begin(&mut scene.graph, *script.max_clouds as usize);
        self.age(&mut scene.graph, dt);
        let is_dusty = |effect: &&Effect| effect.dust > 0.0 && *script.amount > 0.0;
        let mut dusty: Vec<&Effect> = effects.iter().filter(is_dusty).collect();
        dusty.sort_by(|a, b| b.dust.total_cmp(&a.dust));
        for effect in dusty.into_iter().take(BEGINNING) {
            let own = row_of(script.own.iter(), effect.tag, 0);
            let prefab = own.and_then(|own| Some((own.prefab.as_ref()?, own.prefab_time)));
            match prefab.filter(|(prefab, _)| !prefab.is_failed_to_load()) {
                Some((prefab, seconds)) => self.place(scene, script, effect, prefab, seconds),
                None => self.puff(&mut scene.graph, script, effect, own, dt),
            }
        }
    }

    /// Removes all clouds.
    pub fn clear(&mut self, graph: &mut Graph) {
        for cloud in std::mem::take(&mut self.clouds) {
            swap::remove(graph, cloud.node.to_base());
        }
        for prefab in std::mem::take(&mut self.prefabs) {
            swap::remove(graph, prefab.node);
        }
    }

    fn age(&mut self, graph: &mut Graph, dt: f32) {
        for cloud in self.clouds.iter_mut().filter(|cloud| cloud.remaining > 0.0) {
            cloud.remaining -= dt;
            if cloud.remaining <= 0.0 {
                if let Ok(system) = graph.try_get_mut(cloud.node) {
                    system.play(false);
                }
            }
        }
        self.prefabs.retain_mut(|prefab| {
            prefab.remaining -= dt;
            if prefab.remaining <= 0.0 {
                swap::remove(graph, prefab.node);
            }
            prefab.remaining > 0.0
        });
    }

    /// Puts a prefab in the place of a cloud.
    fn place(
        &mut self,
        scene: &mut Scene,
        script: &BreakDust,
        effect: &Effect,
        prefab: &ModelResource,
        seconds: f32,
    ) {
        if self.prefabs.len() >= *script.max_clouds as usize || !prefab.is_ok() {
            return;
        }
        let node = prefab.instantiate(scene);
        self.prefabs.push(Prefab {
            node,
            remaining: seconds,
        });
        if let Ok(node) = scene.graph.try_get_node_mut(node) {
            tag(node);
            let transform = node.local_transform_mut();
            transform.set_position(effect.at);
            transform.set_rotation(upright_to(effect.normal));
        }
    }

    /// Emits a cloud.
    fn puff(
        &mut self,
        graph: &mut Graph,
        script: &BreakDust,
        effect: &Effect,
        own: Option<&OwnDust>,
        dt: f32,
    ) {
        let particles = (effect.dust * *script.amount).min(MOST_PARTICLES);
        if particles < 1.0 {
            return;
        }
        let Some(cloud) = self.free_cloud(particles, *script.max_clouds) else {
            return;
        };
        let Ok(system) = graph.try_get_mut(cloud.node) else {
            return;
        };
        let puff = Puff {
            particles,
            lifetime: 0.9 + 1.2 * effect.size + effect.hang * *script.hang_time,
            wind: *script.wind,
            dt,
        };
        cloud.lifetime = puff.lifetime + puff.emits_for(effect);
        (cloud.remaining, cloud.particles) = (cloud.lifetime, particles);
        system.local_transform_mut().set_position(effect.at);
        system.clear_particles();
        let emitters = vec![puff.emitter(effect)];
        system.emitters.set_value_and_mark_modified(emitters);
        let sinks = SINKS + (HANGS - SINKS) * effect.hang;
        system.set_acceleration(Vector3::y() * sinks);
        let usual = SurfaceKind::of(effect.tag).dust();
        let color = own.map_or(usual, |own| own.color);
        system.set_color_over_lifetime_gradient(fading(color, puff.lifetime));
        system.play(true);
    }

    /// Adds particle systems until there are enough: the nodes that come later have the same order as without.
    fn begin(&mut self, graph: &mut Graph, most: usize) {
        while self.clouds.len() < most {
            let material = self.material.get_or_insert_with(material).clone();
            let system = ParticleSystemBuilder::new(effect_base("dust cloud"))
                .with_material(material)
                .with_visible_distance(SEEN)
                .with_playing(false);
            self.clouds.push(Cloud {
                node: system.build(graph),
                remaining: 0.0,
                lifetime: 0.0,
                particles: 0.0,
            });
        }
    }

    /// A cloud that has gone, or else the thinnest, if that is thin beside one of so many particles.
    fn free_cloud(&mut self, particles: f32, most: u32) -> Option<&mut Cloud> {
        let used = self.clouds.iter_mut().take(most as usize);
        let thinnest = used.min_by(|a, b| a.density().total_cmp(&b.density()))?;
        (thinnest.density() < THIN * particles).then_some(thinnest)
    }
}

/// A cloud that is emitted.
struct Puff {
    particles: f32,
    /// Longest lifetime of particles, seconds.
    lifetime: f32,
    /// m/s
    wind: Vector3<f32>,
    /// Length of a frame, seconds.
    dt: f32,
}

impl Puff {
    /// The time for which particles come, seconds.
    fn emits_for(&self, effect: &Effect) -> f32 {
        0.08 + 0.5 * effect.hang
    }

    fn emitter(&self, effect: &Effect) -> Emitter {
        let size = effect.size;
        // Nothing slows particles down: those that live long have to be slow.
        let drift = DRIFT * (0.4 + size) / (1.0 + effect.hang);
        let along = effect.normal * (0.6 * drift) + Vector3::y() * (0.2 * drift) + self.wind;
        // The engine adds a velocity to the position once a frame, whatever the frame's length.
        let range = |speed: f32, varies: f32| {
            (speed - varies * drift) * self.dt..(speed + varies * drift) * self.dt
        };
        let (rising, falling) = (range(along.y, 0.4), range(along.y - effect.falls, 0.4));
        let base = BaseEmitterBuilder::new()
            .with_max_particles(self.particles as u32)
            .with_spawn_rate((self.particles / self.emits_for(effect)) as u32)
            .resurrect_particles(false)
            .with_lifetime_range(0.5 * self.lifetime..self.lifetime)
            .with_size_range(0.12 * size + 0.03..0.42 * size + 0.05)
            .with_size_modifier_range(0.15..0.35 + 0.2 * effect.hang)
            .with_x_velocity_range(range(along.x, 0.8))
            .with_y_velocity_range(falling.start..rising.end)
            .with_z_velocity_range(range(along.z, 0.8))
            .with_rotation_range(0.0..std::f32::consts::TAU)
            .with_rotation_speed_range(-0.4..0.4);
        SphereEmitterBuilder::new(base)
            .with_radius(0.5 * size)
            .build()
    }
}

/// The rotation that takes the y axis to a direction.
pub(super) fn upright_to(direction: Vector3<f32>) -> UnitQuaternion<f32> {
    let over = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f32::consts::PI);
    UnitQuaternion::rotation_between(&Vector3::y(), &direction).unwrap_or(over)
}

/// A gradient of a cloud that appears at once and fades slowly, over seconds.
fn fading(color: Color, lifetime: f32) -> ColorGradient {
    let mut gradient = ColorGradient::new();
    let appears = (APPEARS / lifetime).min(0.3);
    for (at, share) in [(0.0, 0.0), (appears, 1.0), (0.35, 0.35), (1.0, 0.0)] {
        let alpha = (f32::from(color.a) * share) as u8;
        let color = Color::from_rgba(color.r, color.g, color.b, alpha);
        gradient.add_point(GradientPoint::new(at, color));
    }
    gradient
}

/// The material of particles.
fn material() -> MaterialResource {
    let mut material = Material::standard_particle_system();
    material.set_property("softBoundarySharpnessFactor", 6.0f32);
    let value = square_texture(TexturePixelKind::R8, cloud());
    material.bind(
        "diffuseTexture",
        MaterialResourceBinding::Texture(MaterialTextureBinding { value }),
    );
    MaterialResource::new_embedded(material)
}

/// A round cloud that is thinner here and there: one byte for each texel.
fn cloud() -> Vec<u8> {
    let texel = |[x, y]: [f32; 2]| {
        let wisps = 0.6 * lumps(x * 2.5, y * 2.5) + 0.4 * lumps(x * 6.0 + 7.0, y * 6.0);
        let inside = 1.0 - x.hypot(y) - 0.55 * (0.6 - wisps);
        // Nothing is left at the rim.
        let rim = (2.5 * (1.0 - x.hypot(y))).clamp(0.0, 1.0);
        (255.0 * smooth(inside) * rim) as u8
    };
    texels().map(texel).collect()
}
