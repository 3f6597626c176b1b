//! A graph of the last frame times, with the main thread's share for destruction.

use fyrox::core::instant::Instant;
use fyrox::{
    asset::untyped::ResourceKind,
    core::{pool::Handle, Uuid},
    gui::{
        image::{Image, ImageBuilder},
        widget::{WidgetBuilder, WidgetMessage},
        BuildContext, HorizontalAlignment, Thickness, UserInterface,
    },
    resource::texture::{TextureKind, TexturePixelKind, TextureResource, TextureResourceExtension},
};
use std::collections::VecDeque;

const WIDTH: usize = 240;
const HEIGHT: usize = 60;
/// Milliseconds from the lower edge to the upper.
const SCALE: f32 = 50.0;
/// Frame time at 60 Hz, ms.
const FRAME: f32 = 1000.0 / 60.0;
const BACK: [u8; 4] = [10, 12, 16, 170];
const LINE: [u8; 4] = [120, 120, 120, 255];
const PICTURE: [u8; 4] = [120, 190, 255, 255];
const OWN: [u8; 4] = [255, 176, 64, 255];

/// The graph.
#[derive(Debug, Default)]
pub struct FrameGraph {
    image: Handle<Image>,
    texture: Option<TextureResource>,
    last: Option<Instant>,
    /// Frame time and its share for destruction, ms.
    times: VecDeque<[f32; 2]>,
}

impl FrameGraph {
    /// Builds the widget.
    pub fn build(ctx: &mut BuildContext) -> Self {
        let kind = TextureKind::Rectangle {
            width: WIDTH as u32,
            height: HEIGHT as u32,
        };
        let bytes = BACK.repeat(WIDTH * HEIGHT);
        let texture = TextureResource::from_bytes(
            Uuid::new_v4(),
            kind,
            TexturePixelKind::RGBA8,
            bytes,
            ResourceKind::Embedded,
        );
        let look = WidgetBuilder::new()
            .with_margin(Thickness::top_bottom(6.0))
            .with_horizontal_alignment(HorizontalAlignment::Left)
            .with_width(WIDTH as f32)
            .with_height(HEIGHT as f32)
            .with_hit_test_visibility(false);
        let image = ImageBuilder::new(look).with_opt_texture(texture.clone());
        Self {
            image: image.build(ctx),
            texture,
            ..Self::default()
        }
    }

    /// Records a frame that is about to be drawn; `own` is the time of destruction, ms.
    pub fn on_picture(&mut self, now: Instant, own: f32) {
        if let Some(last) = self.last.replace(now) {
            let took = (now - last).as_secs_f32() * 1e3;
            self.times.push_back([took, own]);
        }
        while self.times.len() > WIDTH {
            self.times.pop_front();
        }
    }

    /// The widget.
    pub fn image(&self) -> Handle<Image> {
        self.image
    }

    /// Shows or hides the graph.
    pub fn show(&self, ui: &UserInterface, show: bool) {
        ui.send(self.image, WidgetMessage::Visibility(show));
    }

    /// Paints the current times.
    pub fn draw(&self) {
        let Some(texture) = &self.texture else {
            return;
        };
        let mut data = texture.data_ref();
        let mut texture = data.modify();
        if let Some(pixels) = texture.data_mut_of_type::<[u8; 4]>() {
            paint(pixels, &self.times);
        }
    }
}

/// Columns of the newest times, at the right.
fn paint(pixels: &mut [[u8; 4]], times: &VecDeque<[f32; 2]>) {
    let height = |ms: f32| ((ms / SCALE * HEIGHT as f32) as usize).min(HEIGHT);
    let start = WIDTH.saturating_sub(times.len());
    for (index, pixel) in pixels.iter_mut().enumerate() {
        let (x, above) = (index % WIDTH, HEIGHT.saturating_sub(index / WIDTH));
        let [picture, own] = x
            .checked_sub(start)
            .and_then(|at| times.get(at))
            .map_or([0; 2], |time| time.map(height));
        *pixel = match above {
            _ if above <= own => OWN,
            _ if above == height(FRAME) => LINE,
            _ if above <= picture => PICTURE,
            _ => BACK,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_high_as_times_are_long() {
        let mut pixels = vec![[0; 4]; WIDTH * HEIGHT];
        let times = VecDeque::from([[25.0, 5.0], [1000.0, 0.0]]);
        paint(&mut pixels, &times);
        let column = |x: usize, color: [u8; 4]| {
            let rows = pixels.chunks(WIDTH);
            rows.filter(|row| row[x] == color).count()
        };
        assert_eq!(column(WIDTH - 2, OWN), 6);
        assert_eq!(column(WIDTH - 2, PICTURE) + column(WIDTH - 2, OWN) + 1, 30);
        assert_eq!(column(WIDTH - 1, PICTURE) + 1, HEIGHT);
        assert_eq!(column(0, BACK) + 1, HEIGHT);
    }
}
