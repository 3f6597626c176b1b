//! Sun, sky and camera of a set.

use crate::set::{Result, Set};
use fyrox::{
    core::{
        algebra::{UnitQuaternion, Vector3},
        color::Color,
    },
    resource::texture::Texture,
    scene::{
        base::BaseBuilder,
        camera::{CameraBuilder, Exposure},
        light::{
            directional::{CsmOptions, DirectionalLightBuilder, FrustumSplitOptions},
            BaseLightBuilder,
        },
        skybox::SkyBoxBuilder,
        transform::TransformBuilder,
    },
};

impl Set<'_> {
    /// The sky, which lights what the sun does not reach.
    pub fn sky(&mut self) -> Result<()> {
        let side = |name: &str| self.resource::<Texture>(&format!("textures/sky_{name}.png"));
        let sky = SkyBoxBuilder {
            left: Some(side("left")?),
            right: Some(side("right")?),
            top: Some(side("top")?),
            bottom: Some(side("bottom")?),
            front: Some(side("front")?),
            back: Some(side("back")?),
        };
        self.scene.set_skybox(Some(sky.build()?));
        Ok(())
    }

    pub fn sun(&mut self) {
        let fall = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), 44f32.to_radians());
        let turn = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), -42f32.to_radians());
        // A directional light shines along its own -y: here from the front, left and above.
        let place = TransformBuilder::new()
            .with_local_position(Vector3::new(0.0, 12.0, 0.0))
            .with_local_rotation(turn * fall)
            .build();
        let mut shadows = CsmOptions::default();
        shadows.split_options = FrustumSplitOptions::Absolute {
            far_planes: [7.0, 18.0, 60.0],
        };
        DirectionalLightBuilder::new(
            BaseLightBuilder::new(
                BaseBuilder::new()
                    .with_name("Sun")
                    .with_local_transform(place),
            )
            .with_color(Color::opaque(255, 238, 208))
            .with_intensity(2.3)
            .with_scatter_enabled(false),
        )
        .with_csm_options(shadows)
        .build(&mut self.scene.graph);
    }

    /// Puts the camera on the line from a place to another, looking at that, so far away that it shows a
    /// little less than a lens of 52 degrees from the first: a longer lens makes no eggs of balls.
    pub fn camera(&mut self, at: [f32; 3], target: [f32; 3]) {
        let [wide, lens] = [52.0f32, 40.0].map(f32::to_radians);
        let (at, target) = (Vector3::from(at), Vector3::from(target));
        let at = target + (at - target) * (0.86 * (wide * 0.5).tan() / (lens * 0.5).tan());
        let place = TransformBuilder::new()
            .with_local_position(at)
            .with_local_rotation(UnitQuaternion::face_towards(&(target - at), &Vector3::y()))
            .build();
        CameraBuilder::new(
            BaseBuilder::new()
                .with_name("Camera")
                .with_local_transform(place),
        )
        .with_fov(lens)
        .with_z_near(0.05)
        .with_z_far(400.0)
        .with_exposure(Exposure::Manual(2.0))
        .build(&mut self.scene.graph);
    }
}
