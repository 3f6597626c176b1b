//! Distribution of an impact's impulse over the pieces that it sets free.

use glam::{DMat3, DVec3, Vec3};

use crate::types::{is_in_range, point_inertia};

/// Share of the velocity that is directed away from the impact point, relative to the share along the
/// impulse.
const RADIAL_SHARE: f64 = 0.5;

/// The share across a plate that is struck in its plane, at most: all else keeps the pieces in that plane, and they would
/// stay on each other as they stand.
const SHARE_ACROSS: f64 = 0.3;

/// Greatest cosine of the angle between the impulse and the normal of a plate that is struck in its plane.
const IN_PLANE: f64 = 0.5;

/// Twice the second moment of a plate across it, in parts of its greatest moment of inertia, at most: it is some ten times as
/// wide as thick.
const THIN: f64 = 0.003;

/// Least product of the moments of inertia of a plate, in parts of the cube of the greatest: it is some five times as long as
/// wide. What is longer is a rod.
const WIDE: f64 = 0.04;

/// The least share of its energy by which the pieces of a free body move that has struck something. All of it has stopped the
/// body, and what does not become cracks and heat sends them off.
const SCATTERED: f64 = 0.1;

/// Largest speed at which a piece leaves the others, in speeds of the striking body. A light body leaves
/// a heavy one twice as fast when no energy is lost.
const MAX_SEPARATION_FACTOR: f64 = 2.0;

/// Rounds in which the normal of a plate is found: each halves what is wrong with it.
const ROUNDS: usize = 40;

/// The golden ratio, less one.
const GOLDEN_RATIO: f64 = 0.618_033_988_749_894_9;

/// An impact, as far as the motion of pieces depends on it. All vectors are in the same frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ImpulseDistribution {
    /// Metres.
    pub point: DVec3,
    /// N s
    pub impulse: DVec3,
    /// J; `None` when unknown.
    pub energy: Option<f64>,
    /// Speed of what struck, m/s; `None` when unknown.
    pub striker_speed: Option<f64>,
    /// Reach of the impact, metres; at half of it the velocity has fallen by a third.
    pub radius: f64,
    /// Whether the body's velocity contains the impulse already.
    pub already_applied: bool,
    /// Whether pieces scatter though all of the energy has stopped or moved the body as a whole.
    pub scatters: bool,
    /// Whether some piece stays fixed to the world and can take momentum away.
    pub held: bool,
    /// m/s
    pub max_speed: f64,
}

/// A piece that can move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PushedPiece {
    /// kg
    pub mass: f64,
    /// Centre of mass, metres.
    pub center: DVec3,
    /// About the centre, kg m^2.
    pub inertia: DMat3,
}

/// Velocity of the centre of mass, and angular velocity about it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Velocity {
    /// m/s
    pub linear: DVec3,
    /// rad/s
    pub angular: DVec3,
}

/// Fraction of an impulse (N s) of the given energy (J) that a free body of some mass (kg) absorbs: as
/// much as makes it no faster than the striking body. 1 when the energy is not known.
pub(crate) fn fraction_absorbed(mass: f64, impulse: f64, energy: f64) -> f64 {
    let striker_mass = impulse * impulse / (2.0 * energy);
    if energy > 0.0 && striker_mass > mass {
        mass / striker_mass
    } else {
        1.0
    }
}

/// A push at a point of a free body that does not break.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Push {
    /// The whole impulse, N s.
    pub impulse: Vec3,
    /// Its energy, J; 0 when unknown.
    pub energy: f32,
    /// Highest change of the point's speed, m/s.
    pub max_speed: f32,
}

impl Push {
    /// Unit vector of the impulse, or zero.
    pub fn direction(&self) -> Vec3 {
        self.impulse.normalize_or_zero()
    }

    /// The part of the impulse that a body takes whose point is as easily moved as a mass (kg), N s: the point becomes
    /// no faster than what struck it, nor than the highest speed. So the body gets no more than the energy.
    pub fn absorbed_by(&self, mass: f32) -> Vec3 {
        let impulse = self.impulse.length();
        let fraction = fraction_absorbed(mass.into(), impulse.into(), self.energy.into());
        self.direction() * (impulse * fraction as f32).min(mass * self.max_speed)
    }

    /// Whether its figures are numbers that a body can take.
    pub(crate) fn is_valid(&self) -> bool {
        is_in_range(self.impulse) && self.energy.is_finite() && self.max_speed >= 0.0
    }
}

impl ImpulseDistribution {
    /// The change of velocity of each piece.
    ///
    /// Near pieces get more speed, and part of it away from the point. These velocities q (`shares`)
    /// have the momentum J (`impulse`) exactly. A free body as a whole moves on as a rigid body does, by
    /// b (`rigid`). The rigid motion with the momentum and angular momentum of q (`excess`) is taken off
    /// q. The rest r (`relative`) has neither momentum, and is scaled down by one factor to keep within
    /// the impact's energy and the largest speed. So the momenta of b + factor r are those of the impact
    /// whatever the factor is. Kinetic energy needs no cross term, because the sum of m b . r over all
    /// pieces, rotation included, is zero for a rigid b. A held body has b = 0, and the world takes what
    /// is scaled away.
    pub fn velocities(&self, pieces: &[PushedPiece]) -> Vec<Velocity> {
        let body = RigidBody::new(pieces);
        self.within_energy(&body).bounded_velocities(&body, pieces)
    }

    /// The distribution of as much of the impulse as a free body takes: its point becomes no faster than what
    /// struck it, and so it gets no more than the energy of the impact.
    fn within_energy(&self, body: &RigidBody) -> Self {
        let (_, rigid_energy) = self.rigid_motion(body);
        let is_bounded = !self.held && !self.already_applied;
        let energy = self
            .energy
            .filter(|energy| is_bounded && rigid_energy > *energy);
        Self {
            impulse: self.impulse * energy.map_or(1.0, |energy| energy / rigid_energy),
            ..*self
        }
    }

    /// The motion that the impulse gives a free body as a whole, and its energy, J.
    fn rigid_motion(&self, body: &RigidBody) -> (Velocity, f64) {
        let angular_impulse = (self.point - body.center).cross(self.impulse);
        let rigid = body.velocity_after(self.impulse, angular_impulse);
        let twice = rigid.linear.dot(self.impulse) + rigid.angular.dot(angular_impulse);
        (rigid, 0.5 * twice)
    }

    fn bounded_velocities(&self, body: &RigidBody, pieces: &[PushedPiece]) -> Vec<Velocity> {
        let shares = self.shares(body, pieces);
        let (rigid, rigid_energy, excess) = if self.held {
            Default::default()
        } else {
            let (rigid, energy) = self.rigid_motion(body);
            (rigid, energy, body.velocity_of(pieces, &shares))
        };
        let relative = |(piece, share): (&PushedPiece, &DVec3)| {
            let excess = excess.at(piece.center - body.center);
            Velocity {
                linear: *share - excess.linear,
                angular: -excess.angular,
            }
        };
        let relative: Vec<Velocity> = pieces.iter().zip(&shares).map(relative).collect();
        let factor = self.factor(pieces, &relative, rigid_energy);
        let base = if self.already_applied {
            Velocity::default()
        } else {
            self.limited(rigid, pieces, body.center)
        };
        let sum = |(piece, relative): (&PushedPiece, &Velocity)| {
            let base = base.at(piece.center - body.center);
            Velocity {
                linear: base.linear + factor * relative.linear,
                angular: base.angular + factor * relative.angular,
            }
        };
        pieces.iter().zip(&relative).map(sum).collect()
    }

    /// A rigid motion, scaled down so that no piece is faster than the largest speed.
    fn limited(&self, rigid: Velocity, pieces: &[PushedPiece], center: DVec3) -> Velocity {
        let speed = |piece: &PushedPiece| rigid.at(piece.center - center).linear.length();
        let fastest = pieces.iter().map(speed).fold(0.0, f64::max);
        if fastest > self.max_speed {
            rigid.scaled(self.max_speed / fastest)
        } else {
            rigid
        }
    }

    /// Velocities whose momenta sum to the impulse.
    fn shares(&self, body: &RigidBody, pieces: &[PushedPiece]) -> Vec<DVec3> {
        let magnitude = self.impulse.length();
        let weights: Vec<f64> = pieces.iter().map(|piece| self.weight(piece)).collect();
        let weighted_mass: f64 = weights.iter().zip(pieces).map(|(w, p)| w * p.mass).sum();
        if !(weighted_mass > 0.0 && magnitude > 0.0) {
            return vec![DVec3::ZERO; pieces.len()];
        }
        let forward = self.impulse / magnitude;
        let across = self.scatters.then(|| body.plate_normal()).flatten();
        let across = across.filter(|normal| normal.dot(forward).abs() < IN_PLANE);
        let across = across.unwrap_or_default() * (SHARE_ACROSS * magnitude / body.mass);
        let directed = |((piece, weight), side): ((&PushedPiece, &f64), f64)| {
            let away = (piece.center - self.point).normalize_or_zero();
            let direction = forward + RADIAL_SHARE * away;
            direction * (weight * magnitude / weighted_mass) + side * across
        };
        let shares = pieces.iter().zip(&weights).zip(sides()).map(directed);
        let shares: Vec<DVec3> = shares.collect();
        let momentum: DVec3 = shares.iter().zip(pieces).map(|(v, p)| *v * p.mass).sum();
        let missing = (self.impulse - momentum) / weighted_mass;
        let complete = |(share, weight): (DVec3, &f64)| share + missing * *weight;
        shares.into_iter().zip(&weights).map(complete).collect()
    }

    /// Weight of a piece: 1 at the impact point, falling with the distance.
    fn weight(&self, piece: &PushedPiece) -> f64 {
        let radius = self.radius.max(1e-6);
        let distance = (piece.center - self.point).length() / radius;
        1.0 / ((1.0 + distance * distance) * (1.0 + distance * distance))
    }

    /// The largest factor on the relative velocities, at most 1, that keeps within energy and speed.
    fn factor(&self, pieces: &[PushedPiece], relative: &[Velocity], rigid_energy: f64) -> f64 {
        let speeds = relative.iter().map(|velocity| velocity.linear.length());
        let fastest = speeds.fold(0.0, f64::max);
        // The energy of a house that comes down slowly would send some splinters off like shots.
        let by_striker = self
            .striker_speed
            .map(|speed| MAX_SEPARATION_FACTOR * speed);
        let max_speed = self.max_speed.min(by_striker.unwrap_or(f64::INFINITY));
        let by_speed = if fastest > max_speed {
            max_speed / fastest
        } else {
            1.0
        };
        let moving = relative.iter().zip(pieces);
        let kinetic: f64 = moving.map(|(v, piece)| piece.kinetic_energy(v)).sum();
        let scattered = if self.scatters { SCATTERED } else { 0.0 };
        let available = self
            .energy
            .map(|energy| (energy - rigid_energy).max(scattered * energy));
        let available = available.filter(|available| kinetic > *available);
        by_speed.min(available.map_or(1.0, |available| (available / kinetic).sqrt()))
    }
}

/// The velocities that pieces get which move on as one body after an impulse (N s) at a point.
pub(crate) fn pushed_as_one(
    pieces: &[PushedPiece],
    impulse: DVec3,
    point: DVec3,
) -> impl Iterator<Item = Velocity> + '_ {
    let body = RigidBody::new(pieces);
    let whole = body.velocity_after(impulse, (point - body.center).cross(impulse));
    let center = body.center;
    pieces
        .iter()
        .map(move |piece| whole.at(piece.center - center))
}

/// Numbers from -1 to 1 that are spread evenly, however many are taken (Weyl 1916, by the golden ratio).
fn sides() -> impl Iterator<Item = f64> {
    (1..).map(|index: u32| (2.0 * GOLDEN_RATIO * f64::from(index)) % 2.0 - 1.0)
}

impl PushedPiece {
    fn kinetic_energy(&self, velocity: &Velocity) -> f64 {
        let Velocity { linear, angular } = *velocity;
        0.5 * (self.mass * linear.length_squared() + angular.dot(self.inertia * angular))
    }
}

impl Velocity {
    /// The velocity of a piece of a rigid body, at an arm from the body's centre.
    fn at(&self, arm: DVec3) -> Self {
        Self {
            linear: self.linear + self.angular.cross(arm),
            angular: self.angular,
        }
    }

    fn scaled(&self, factor: f64) -> Self {
        Self {
            linear: factor * self.linear,
            angular: factor * self.angular,
        }
    }
}

/// All pieces together, as the one rigid body that they were.
struct RigidBody {
    mass: f64,
    /// Centre of mass, metres.
    center: DVec3,
    inertia: DMat3,
    /// Zero when the pieces have no extent to speak of.
    inverse_inertia: DMat3,
}

impl RigidBody {
    fn new(pieces: &[PushedPiece]) -> Self {
        let mass: f64 = pieces.iter().map(|piece| piece.mass).sum();
        let moment: DVec3 = pieces.iter().map(|p| p.mass * p.center).sum();
        let center = if mass > 0.0 {
            moment / mass
        } else {
            DVec3::ZERO
        };
        let inertia = pieces.iter().fold(DMat3::ZERO, |sum, piece| {
            let arm = piece.center - center;
            sum + piece.inertia + point_inertia(arm) * piece.mass
        });
        let inverse = inertia.inverse();
        Self {
            mass,
            center,
            inertia,
            inverse_inertia: if inverse.is_finite() {
                inverse
            } else {
                DMat3::ZERO
            },
        }
    }

    /// The unit normal of a thin plate; `None` of any other body.
    fn plate_normal(&self) -> Option<DVec3> {
        // The axis of the greatest moment, by power iteration: that of a plate is the sum of the two others.
        let mut axis = DVec3::ONE;
        for _ in 0..ROUNDS {
            axis = (self.inertia * axis).try_normalize()?;
        }
        let greatest = axis.dot(self.inertia * axis);
        let trace = self.inertia.x_axis.x + self.inertia.y_axis.y + self.inertia.z_axis.z;
        let is_thin = trace - 2.0 * greatest < THIN * greatest;
        let is_wide = self.inertia.determinant() > WIDE * greatest * greatest * greatest;
        (is_thin && is_wide).then_some(axis)
    }

    /// The velocity given by an impulse (N s) and an angular impulse about the centre (N m s).
    fn velocity_after(&self, impulse: DVec3, angular_impulse: DVec3) -> Velocity {
        Velocity {
            linear: if self.mass > 0.0 {
                impulse / self.mass
            } else {
                DVec3::ZERO
            },
            angular: self.inverse_inertia * angular_impulse,
        }
    }

    /// The velocity with the momentum and angular momentum of pieces that do not rotate.
    fn velocity_of(&self, pieces: &[PushedPiece], velocities: &[DVec3]) -> Velocity {
        let moving = || pieces.iter().zip(velocities);
        let momentum = moving().map(|(piece, v)| piece.mass * *v).sum();
        let angular =
            moving().map(|(piece, v)| piece.mass * (piece.center - self.center).cross(*v));
        self.velocity_after(momentum, angular.sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Speed of a splinter of 0.2 kg at the point of an impact of 100 N s on a held body.
    fn splinter_speed(energy: f64) -> f64 {
        let piece = |mass: f64, x: f64| PushedPiece {
            mass,
            center: DVec3::new(x, 0.0, 0.0),
            inertia: DMat3::IDENTITY * (0.01 * mass),
        };
        let distribution = ImpulseDistribution {
            point: DVec3::ZERO,
            impulse: -100.0 * DVec3::Y,
            energy: (energy > 0.0).then_some(energy),
            striker_speed: (energy > 0.0).then_some(2.0 * energy / 100.0),
            radius: 0.1,
            already_applied: false,
            scatters: false,
            held: true,
            max_speed: 30.0,
        };
        let pieces = [piece(0.2, 0.01), piece(1000.0, 1.0)];
        let [splinter, _] = distribution.velocities(&pieces)[..] else {
            return f64::NAN;
        };
        splinter.linear.length()
    }

    /// The velocities of nine square pieces of a plate of 3 kg by a blow at its lower edge.
    fn of_plate(thickness: f64, impulse: DVec3) -> Vec<DVec3> {
        let turn = DMat3::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 0.7);
        let moment = DVec3::new(
            1.0 + thickness * thickness,
            2.0,
            1.0 + thickness * thickness,
        );
        let inertia = turn * DMat3::from_diagonal(moment / 12.0 / 3.0) * turn.transpose();
        let piece = |k: i32| PushedPiece {
            mass: 1.0 / 3.0,
            center: turn * DVec3::new(f64::from(k % 3 - 1), 0.0, f64::from(k / 3 - 1)),
            inertia,
        };
        let pieces: Vec<PushedPiece> = (0..9).map(piece).collect();
        let distribution = ImpulseDistribution {
            point: turn * DVec3::new(0.0, 0.0, -1.5),
            impulse: turn * impulse,
            energy: Some(500.0),
            striker_speed: None,
            radius: 3.0,
            already_applied: true,
            scatters: true,
            held: false,
            max_speed: 30.0,
        };
        let velocities = distribution.velocities(&pieces);
        let momentum: DVec3 = velocities.iter().map(|own| own.linear / 3.0).sum();
        assert!(momentum.length() < 1e-9, "{momentum}");
        let found = velocities.iter();
        found.map(|own| turn.transpose() * own.linear).collect()
    }

    #[test]
    fn a_plate_that_is_struck_in_its_plane_falls_apart_to_both_sides() {
        let across = |velocities: Vec<DVec3>| {
            let speeds = velocities.iter().map(|velocity| velocity.y);
            [
                speeds.clone().fold(0.0, f64::min),
                speeds.fold(0.0, f64::max),
            ]
        };
        let [back, front] = across(of_plate(0.02, DVec3::Z * 15.0));
        assert!(back < -0.1 && front > 0.1, "{back} {front}");
        for other in [
            of_plate(1.0, DVec3::Z * 15.0),
            of_plate(0.02, DVec3::Y * 15.0),
        ] {
            // Across a plate, or in a body that is none, nothing is added.
            let in_plane: f64 = other.iter().map(|velocity| velocity.x.abs()).sum();
            let mirrored = other.iter().zip([2, 1, 0, 5, 4, 3, 8, 7, 6]);
            let error = mirrored.map(|(own, k)| (own.y - other[k].y).abs());
            let error: f64 = error.sum();
            assert!(in_plane > 0.0 && error < 1e-9, "{in_plane} {error}");
        }
    }

    #[test]
    fn a_splinter_leaves_no_faster_than_twice_what_struck_it() {
        for (energy, speed) in [
            // 50 J are enough for 22 m/s, but 100 kg came at 1 m/s.
            (50.0, 2.0),
            // A ball of 2 kg at 50 m/s.
            (2500.0, 30.0),
            // Unknown energy.
            (0.0, 30.0),
        ] {
            let found = splinter_speed(energy);
            assert!((found - speed).abs() < 1e-9, "{found}");
        }
    }
}
