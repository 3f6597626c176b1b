//! What the mouse does: shoot, bomb, hammer, blade and push. Tools only say what is to be done, as
//! actions of a scenario, so that all of it can be recorded.

use super::gun::Gun;
use crate::scenario::{Action, Point};
use fracture::Destruction;
use fyrox::{
    core::{
        algebra::{Vector2, Vector3},
        pool::Handle,
    },
    scene::{node::Node, Scene},
};

/// How far hand, hammer and blade reach, metres.
const REACH: f32 = 60.0;
/// Radii of a bomb, metres, and what it is at first.
const BOMB: [f32; 2] = [0.4, 6.0];
const FIRST_BOMB: f32 = 1.5;
/// Energy of a bomb of 1 m, J; it grows with the square of the radius.
const BOMB_ENERGY: f32 = 9000.0;
/// Frames until the hammer is fully charged, and its energy (J) and impulse (N s) then.
const CHARGE: u32 = 75;
const HAMMER: [f32; 2] = [14_000.0, 900.0];
/// What the hand gives in a frame: N s, and at most m/s.
const PUSH: [f32; 2] = [260.0, 0.4];
/// Shorter strokes of the blade are slips, pixels.
const SLIP: f32 = 12.0;

/// A tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tool {
    /// A ball.
    #[default]
    Shoot,
    /// An explosion.
    Bomb,
    /// A blow, the harder the longer one holds.
    Hammer,
    /// A straight cut along a line that is drawn.
    Blade,
    /// A push that breaks nothing.
    Push,
}

impl Tool {
    /// All of them, in the order of their keys, from 2 on.
    pub const ALL: [Self; 5] = [
        Self::Shoot,
        Self::Bomb,
        Self::Hammer,
        Self::Blade,
        Self::Push,
    ];

    /// What it is called.
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

/// From where the player looks at what.
pub struct View<'a> {
    /// The scene.
    pub scene: &'a Scene,
    /// Its destruction: it knows debris too.
    pub destruction: &'a Destruction,
    /// The camera.
    pub camera: Handle<Node>,
    /// Size of the picture, pixels.
    pub size: Vector2<f32>,
}

/// The tools, and what the player is about to do with them.
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
    /// The tool in hand.
    pub fn tool(&self) -> Tool {
        self.tool
    }

    /// The radius of a bomb, metres.
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// How far the hammer is charged, 0 to 1; nothing while it is not held.
    pub fn charge(&self) -> Option<f32> {
        let held = self.held.filter(|_| self.tool == Tool::Hammer)?;
        Some(held.min(CHARGE) as f32 / CHARGE as f32)
    }

    /// The line that the blade is drawn along, pixels.
    pub fn stroke(&self) -> Option<[Vector2<f32>; 2]> {
        let drawn = self.held.filter(|_| self.tool == Tool::Blade);
        drawn.map(|_| [self.start, self.cursor])
    }

    /// Takes another tool.
    pub fn take(&mut self, tool: Tool) {
        self.tool = tool;
        self.held = None;
    }

    /// Makes bombs larger or smaller.
    pub fn widen(&mut self, by: f32) {
        let [least, most] = BOMB;
        self.radius = (self.radius * (1.0 + 0.15 * by)).clamp(least, most);
    }

    /// The cursor is here now, pixels.
    pub fn aim(&mut self, cursor: Vector2<f32>) {
        self.cursor = cursor;
    }

    /// The cursor, pixels.
    pub fn cursor(&self) -> Vector2<f32> {
        self.cursor
    }

    /// The button goes down.
    pub fn press(&mut self, view: &View) -> Option<Action> {
        (self.held, self.start) = (Some(0), self.cursor);
        match self.tool {
            Tool::Shoot => self.gun().shoot(view.scene, view.camera, view.size),
            Tool::Bomb => self.bomb(view),
            Tool::Hammer | Tool::Blade | Tool::Push => None,
        }
    }

    /// A frame passes.
    pub fn hold(&mut self, view: &View) -> Option<Action> {
        let held = self.held?;
        self.held = Some(held.saturating_add(1));
        (self.tool == Tool::Push).then(|| self.push(view))?
    }

    /// The button goes up.
    pub fn release(&mut self, view: &View) -> Option<Action> {
        let (charge, stroke) = (self.charge(), self.stroke());
        self.held = None;
        match self.tool {
            Tool::Hammer => self.strike(view, charge?),
            Tool::Blade => cut(view, stroke?),
            Tool::Shoot | Tool::Bomb | Tool::Push => None,
        }
    }

    /// A bomb at what the cursor points to, whatever the tool.
    pub fn bomb(&self, view: &View) -> Option<Action> {
        Some(Action::Explosion {
            center: Point(self.target(view)?).short(),
            radius: self.radius,
            energy: BOMB_ENERGY * self.radius * self.radius,
        })
    }

    /// What the cursor points to.
    pub fn target(&self, view: &View) -> Option<Vector3<f32>> {
        let [eye, direction] = self.sight(view)?;
        let hit = view.destruction.ray(eye, direction, REACH)?;
        Some(hit.point)
    }

    /// The eye, and the direction in which it looks at the cursor.
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

/// The eye, and the direction in which it looks at a place in the picture.
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
    })
}
