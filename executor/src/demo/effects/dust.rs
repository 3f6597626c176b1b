//! Clouds of dust.

use super::effect::Effect;
use fyrox::{
    asset::untyped::ResourceKind,
    core::{
        algebra::Vector3,
        color::Color,
        color_gradient::{ColorGradient, GradientPoint},
        pool::Handle,
        Uuid,
    },
    graph::SceneGraph,
    material::{Material, MaterialResource, MaterialResourceBinding, MaterialTextureBinding},
    resource::texture::{TextureKind, TexturePixelKind, TextureResource, TextureResourceExtension},
    scene::{
        base::BaseBuilder,
        particle_system::{
            emitter::{base::BaseEmitterBuilder, sphere::SphereEmitterBuilder, Emitter},
            ParticleSystem, ParticleSystemBuilder,
        },
        Scene,
    },
};

/// Clouds at once; beyond it the oldest goes.
const CLOUDS: usize = 20;
/// Side of the picture of a cloud, pixels.
const SIDE: usize = 64;
/// Drift of particles, metres per frame of 1/60 s.
const DRIFT: f32 = 0.012;

/// The particle systems, used in turn.
#[derive(Debug, Default)]
pub struct Dust {
    systems: Vec<Handle<ParticleSystem>>,
    next: usize,
}

impl Dust {
    /// Makes all particle systems, at rest.
    pub fn new(scene: &mut Scene) -> Self {
        let material = material();
        let make = |_| {
            ParticleSystemBuilder::new(BaseBuilder::new().with_name("Dust"))
                .with_material(material.clone())
                .with_acceleration(Vector3::new(0.0, -0.006, 0.0))
                .with_visible_distance(80.0)
                .with_playing(false)
                .build(&mut scene.graph)
        };
        Self {
            systems: (0..CLOUDS).map(make).collect(),
            next: 0,
        }
    }

    /// Emits a cloud.
    pub fn puff(&mut self, scene: &mut Scene, effect: &Effect) {
        let Some(handle) = self.systems.get(self.next).copied() else {
            return;
        };
        self.next = (self.next + 1) % self.systems.len();
        let Ok(system) = scene.graph.try_get_mut(handle) else {
            return;
        };
        system.local_transform_mut().set_position(effect.at);
        system.clear_particles();
        system
            .emitters
            .set_value_and_mark_modified(vec![emitter(effect)]);
        system.set_color_over_lifetime_gradient(fading(effect.sort.dust()));
        system.play(true);
    }
}

fn emitter(effect: &Effect) -> Emitter {
    let size = effect.size;
    let drift = DRIFT * (0.4 + size);
    let base = BaseEmitterBuilder::new()
        .with_max_particles(effect.puff as u32)
        .with_spawn_rate((effect.puff * 12.0) as u32)
        .resurrect_particles(false)
        .with_lifetime_range(0.6..0.9 + 1.2 * size)
        .with_size_range(0.10 * size + 0.03..0.34 * size + 0.05)
        .with_size_modifier_range(0.15..0.35)
        .with_x_velocity_range(-drift..drift)
        .with_y_velocity_range(-0.2 * drift..drift)
        .with_z_velocity_range(-drift..drift)
        .with_rotation_range(0.0..std::f32::consts::TAU)
        .with_rotation_speed_range(-0.4..0.4);
    SphereEmitterBuilder::new(base)
        .with_radius(0.5 * size)
        .build()
}

/// Returns the gradient of a cloud that appears at once and fades slowly.
fn fading(color: Color) -> ColorGradient {
    let mut gradient = ColorGradient::new();
    for (at, share) in [(0.0, 0.0), (0.06, 1.0), (0.45, 0.6), (1.0, 0.0)] {
        let alpha = (f32::from(color.a) * share) as u8;
        let color = Color::from_rgba(color.r, color.g, color.b, alpha);
        gradient.add_point(GradientPoint::new(at, color));
    }
    gradient
}

fn material() -> MaterialResource {
    let mut material = Material::standard_particle_system();
    material.set_property("softBoundarySharpnessFactor", 6.0f32);
    let kind = TextureKind::Rectangle {
        width: SIDE as u32,
        height: SIDE as u32,
    };
    let value = TextureResource::from_bytes(
        Uuid::new_v4(),
        kind,
        TexturePixelKind::R8,
        cloud(),
        ResourceKind::Embedded,
    );
    material.bind(
        "diffuseTexture",
        MaterialResourceBinding::Texture(MaterialTextureBinding { value }),
    );
    MaterialResource::new_embedded(material)
}

/// A round cloud that is thinner here and there.
fn cloud() -> Vec<u8> {
    let at = |k: usize| (k as f32 + 0.5) / SIDE as f32 * 2.0 - 1.0;
    let texel = |k: usize| {
        let (x, y) = (at(k % SIDE), at(k / SIDE));
        let wisps = 0.6 * lumps(x * 2.5, y * 2.5) + 0.4 * lumps(x * 6.0 + 7.0, y * 6.0);
        let inside = (1.0 - x.hypot(y) - 0.55 * (0.6 - wisps)).clamp(0.0, 1.0);
        // Nothing is left at the rim.
        let rim = (2.5 * (1.0 - x.hypot(y))).clamp(0.0, 1.0);
        (255.0 * inside * inside * (3.0 - 2.0 * inside) * rim) as u8
    };
    (0..SIDE * SIDE).map(texel).collect()
}

/// Smooth effect from 0 to 1, one lump to a unit.
fn lumps(x: f32, y: f32) -> f32 {
    let corner = |x: f32, y: f32| {
        let mixed = (x as i32 as u32).wrapping_mul(0x9e37_79b9)
            ^ (y as i32 as u32).wrapping_mul(0x85eb_ca6b);
        ((mixed ^ (mixed >> 15)).wrapping_mul(0x2c1b_3c6d) >> 16) as f32 / 65_535.0
    };
    let ease = |t: f32| t * t * (3.0 - 2.0 * t);
    let (left, low) = (x.floor(), y.floor());
    let (across, up) = (ease(x - left), ease(y - low));
    let row = |y: f32| corner(left, y) + (corner(left + 1.0, y) - corner(left, y)) * across;
    row(low) + (row(low + 1.0) - row(low)) * up
}
