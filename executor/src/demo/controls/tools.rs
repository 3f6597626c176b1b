//! Tools of mouse and finger: shoot, bomb, hammer, blade and push. Tools only return scenario actions, so that
//! everything can be recorded.

use crate::demo::controls::gun::Gun;
use crate::scenario::{Action, Point};
use fracture::Destruction;
use fyrox::{
    core::{
        algebra::{Vector2, Vector3},
        pool::Handle,
    },
    scene::{node::Node, Scene},
};

/// Reach of push, hammer and blade, metres.
const REACH: f32 = 60.0;
/// Smallest and largest radius of a bomb, metres.
const BOMB: [f32; 2] = [0.4, 6.0];
const FIRST_BOMB: f32 = 1.5;
/// Energy of a bomb of 1 m, J, that of a kilogram of TNT; it grows with the square of the radius.
const BOMB_ENERGY: f32 = 4.2e6;
/// Frames until the hammer is fully charged.
const CHARGE: u32 = 75;
const HAMMER: [f32; 2] = [14_000.0, 900.0];
/// Impulse of a push per frame, N s, and the largest change of speed, m/s.
const PUSH: [f32; 2] = [260.0, 0.4];
/// Width that the blade takes out, metres.
const KERF: f32 = 0.01;

/// Shortest stroke of the blade, pixels.
const SLIP: f32 = 12.0;

/// A tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tool {
    /// A ball.
    #[default]
    Shoot,
    /// An explosion.
    Bomb,
    /// An impact, harder the longer the button is held.
    Hammer,
    /// A straight cut along a line that is drawn.
    Blade,
    /// A push that breaks nothing.
    Push,
}

impl Tool {
    /// All tools in the order of their keys, from 2 on.
    pub const ALL: [Self; 5] = [
        Self::Shoot,
        Self::Bomb,
        Self::Hammer,
        Self::Blade,
        Self::Push,
    ];

    /// The one after it, or before it, in the order of their keys.
    pub fn next(self, up: bool) -> Self {
        let step = if up { 1 } else { Self::ALL.len() - 1 };
        let own = Self::ALL.iter().position(|tool| *tool == self);
        let next = own.map(|at| (at + step) % Self::ALL.len());
        next.and_then(|at| Self::ALL.get(at).copied())
            .unwrap_or(self)
    }

    /// Its title.
    pub fn name(self) -> &'static str {
        match self {
            Self::Shoot => "shoot",
            Self::Bomb => "bomb",
            Self::Hammer => "hammer",
            Self::Blade => "blade",
            Self::Push => "push",
        }
    }
}

/// The player's view: scene, camera and picture size.
pub struct View<'a> {
    /// The scene.
    pub scene: &'a Scene,
    /// The scene's destruction, which can be queried for debris.
    pub destruction: &'a Destruction,
    /// The camera.
    pub camera: Handle<Node>,
    /// Size of the picture, pixels.
    pub size: Vector2<f32>,
}

/// The current tool and the state of the mouse.
#[derive(Debug)]
pub struct Tools {
    tool: Tool,
    radius: f32,
    cursor: Vector2<f32>,
    /// Frames since the button went down.
    held: Option<u32>,
    /// Where the button went down, pixels.
    start: Vector2<f32>,
}

impl Default for Tools {
    fn default() -> Self {
        Self {
            tool: Tool::default(),
            radius: FIRST_BOMB,
            cursor: Vector2::zeros(),
            held: None,
            start: Vector2::zeros(),
        }
    }
}

impl Tools {
    /// The current tool.
    pub fn tool(&self) -> Tool {
        self.tool
    }

    /// The radius of a bomb, metres.
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// Charge of the hammer, 0 to 1; `None` while the button is up.
    pub fn charge(&self) -> Option<f32> {
        let held = self.held.filter(|_| self.tool == Tool::Hammer)?;
        Some(held.min(CHARGE) as f32 / CHARGE as f32)
    }

    /// The stroke of the blade, pixels.
    pub fn stroke(&self) -> Option<[Vector2<f32>; 2]> {
        let drawn = self.held.filter(|_| self.tool == Tool::Blade);
        drawn.map(|_| [self.start, self.cursor])
    }

    /// Switches to another tool.
    pub fn take(&mut self, tool: Tool) {
        self.tool = tool;
        self.held = None;
    }

    /// Makes bombs larger or smaller.
    pub fn widen(&mut self, by: f32) {
        let [least, most] = BOMB;
        self.radius = (self.radius * (1.0 + 0.15 * by)).clamp(least, most);
    }

    /// Sets the cursor position, pixels.
    pub fn aim(&mut self, cursor: Vector2<f32>) {
        self.cursor = cursor;
    }

    /// The cursor, pixels.
    pub fn cursor(&self) -> Vector2<f32> {
        self.cursor
    }

    /// Handles the button going down.
    pub fn press(&mut self, view: &View) -> Option<Action> {
        (self.held, self.start) = (Some(0), self.cursor);
        match self.tool {
            Tool::Shoot => self.gun().shoot(view.scene, view.camera, view.size),
            Tool::Bomb => self.bomb(view),
            Tool::Hammer | Tool::Blade | Tool::Push => None,
        }
    }

    /// Handles a frame with the button held.
    pub fn hold(&mut self, view: &View) -> Option<Action> {
        let held = self.held?;
        self.held = Some(held.saturating_add(1));
        (self.tool == Tool::Push).then(|| self.push(view))?
    }

    /// Handles the button going up.
    pub fn release(&mut self, view: &View) -> Option<Action> {
        let (charge, stroke) = (self.charge(), self.stroke());
        self.held = None;
        match self.tool {
            Tool::Hammer => self.strike(view, charge?),
            Tool::Blade => cut(view, stroke?),
            Tool::Shoot | Tool::Bomb | Tool::Push => None,
        }
    }

    /// Returns the action of a bomb under the cursor, whatever the tool.
    pub fn bomb(&self, view: &View) -> Option<Action> {
        Some(Action::Explosion {
            center: Point(self.target(view)?).short(),
            radius: self.radius,
            energy: BOMB_ENERGY * self.radius * self.radius,
        })
    }

    /// Returns the point under the cursor.
    pub fn target(&self, view: &View) -> Option<Vector3<f32>> {
        let [eye, direction] = self.sight(view)?;
        let hit = view.destruction.cast_ray(eye, direction, REACH)?;
        Some(hit.point)
    }

    /// Returns the eye and the direction towards the cursor.
    pub fn sight(&self, view: &View) -> Option<[Vector3<f32>; 2]> {
        sight(view, self.cursor)
    }

    fn strike(&self, view: &View, charge: f32) -> Option<Action> {
        let [from, direction] = self.sight(view)?;
        let share = 0.1 + 0.9 * charge;
        let [energy, impulse] = HAMMER;
        Some(Action::Shoot {
            from: Point(from).short(),
            direction: Point(direction),
            distance: REACH,
            energy: energy * share * share,
            impulse: impulse * share,
        })
    }

    fn push(&self, view: &View) -> Option<Action> {
        let [from, direction] = self.sight(view)?;
        let [impulse, speed] = PUSH;
        Some(Action::Shove {
            from: Point(from).short(),
            direction: Point(direction),
            distance: REACH,
            impulse,
            speed,
        })
    }

    fn gun(&self) -> Gun {
        Gun::at(self.cursor)
    }
}

/// Returns the eye and the direction towards a place in the picture.
pub fn sight(view: &View, cursor: Vector2<f32>) -> Option<[Vector3<f32>; 2]> {
    let ray = Gun::at(cursor).ray(view.scene, view.camera, view.size)?;
    Some([ray.origin, ray.dir.try_normalize(f32::EPSILON)?])
}

fn cut(view: &View, [start, end]: [Vector2<f32>; 2]) -> Option<Action> {
    if (end - start).norm() < SLIP {
        return None;
    }
    let ([eye, from], [_, to]) = (sight(view, start)?, sight(view, end)?);
    Some(Action::Cut {
        eye: Point(eye).short(),
        from: Point(from),
        to: Point(to),
        distance: REACH,
        kerf: KERF,
    })
}
