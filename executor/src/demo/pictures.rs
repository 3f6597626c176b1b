//! Pictures of chosen frames, as the scene is drawn, without the text over it.

use fyrox::{
    core::log::Log,
    graphics::{error::FrameworkError, framebuffer::ReadTarget, gpu_texture::GpuTextureKind},
    renderer::{RenderPassStatistics, SceneRenderPass, SceneRenderPassContext},
};
use std::{
    any::TypeId,
    cell::Cell,
    fs::File,
    io::{self, BufWriter},
    path::{Path, PathBuf},
    rc::Rc,
};

/// The pictures to take, and the folder for them.
#[derive(Clone, Debug, Default)]
pub struct PictureRequest {
    /// The folder; it is made.
    pub folder: PathBuf,
    /// The frames after which to take them.
    pub frames: Vec<u32>,
}

/// The frame whose picture is taken when it is drawn next.
pub type Shutter = Rc<Cell<Option<u32>>>;

/// Takes pictures of scenes as they are drawn.
pub struct PictureRecorder {
    folder: PathBuf,
    shutter: Shutter,
    plugin: TypeId,
}

impl PictureRecorder {
    /// Makes the recorder for a plugin; setting `shutter` takes a picture.
    pub fn new<P: 'static>(folder: PathBuf, shutter: Shutter) -> Self {
        Self {
            folder,
            shutter,
            plugin: TypeId::of::<P>(),
        }
    }

    fn take(&self, frame: u32, context: &SceneRenderPassContext) -> io::Result<()> {
        let lost = || io::Error::other("the renderer gives no picture");
        let target = context.framebuffer.color_attachments().first();
        let Some(GpuTextureKind::Rectangle { width, height }) =
            target.map(|target| target.texture.kind())
        else {
            return Err(lost());
        };
        let pixels = context.framebuffer.read_pixels(ReadTarget::Color(0));
        let pixels = pixels.ok_or_else(lost)?;
        let path = self.folder.join(format!("frame_{frame:04}.png"));
        write(&path, &pixels, [width, height])
    }
}

impl SceneRenderPass for PictureRecorder {
    fn on_ldr_render(
        &mut self,
        context: SceneRenderPassContext,
    ) -> Result<RenderPassStatistics, FrameworkError> {
        if let Some(frame) = self.shutter.take() {
            if let Err(error) = self.take(frame, &context) {
                Log::err(format!(
                    "The picture of frame {frame} is not taken: {error}"
                ));
            }
        }
        Ok(RenderPassStatistics::default())
    }

    fn source_type_id(&self) -> TypeId {
        self.plugin
    }
}

/// Writes rows of RGBA, the lowest first, as a picture without transparency.
fn write(path: &Path, pixels: &[u8], [width, height]: [usize; 2]) -> io::Result<()> {
    let mut rows = Vec::with_capacity(width * height * 3);
    for row in pixels.chunks_exact((width * 4).max(1)).rev() {
        rows.extend(row.chunks_exact(4).flat_map(|pixel| pixel.iter().take(3)));
    }
    let size = |number: usize| u32::try_from(number).map_err(io::Error::other);
    let file = BufWriter::new(File::create(path)?);
    let mut encoder = png::Encoder::new(file, size(width)?, size(height)?);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().map_err(io::Error::other)?;
    writer.write_image_data(&rows).map_err(io::Error::other)
}
