//! How a hit's impulse is shared among the pieces it sets free.

use glam::DVec3;

use super::rigid::{PushedPiece, Rigid, RigidMotion};

/// How much pieces are driven away from the hit's point rather than along the impulse.
const SPREAD: f64 = 0.5;

/// No piece leaves the others at more than so many times the speed of what struck them: what is light leaves something
/// heavy twice as fast when nothing is lost.
const LEAVING: f64 = 2.0;

/// A hit as far as the motion of pieces goes. All vectors in one frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ImpulseDistribution {
    /// Metres.
    pub point: DVec3,
    /// N s
    pub impulse: DVec3,
    /// J; 0 when unknown.
    pub energy: f64,
    /// How far the hit reaches, metres; half of it is where the push has fallen by a third.
    pub radius: f64,
    /// Whether the body moves with the impulse already.
    pub already_applied: bool,
    /// Whether some piece stays fixed to the world and can take momentum away.
    pub held: bool,
    /// m/s
    pub max_speed: f64,
}

/// Which part of a blow's impulse (N s) something free takes that is struck by what has such a momentum and
/// energy (J): as much as does not make it faster than that, however light it is. All of it when the energy is
/// not known.
pub(crate) fn fraction_absorbed(mass: f64, impulse: f64, energy: f64) -> f64 {
    let striker = impulse * impulse / (2.0 * energy);
    match energy > 0.0 && striker > mass {
        true => mass / striker,
        false => 1.0,
    }
}

impl ImpulseDistribution {
    /// The change of velocity of each piece: of its centre, m/s, and of its turning, rad/s.
    ///
    /// Near pieces get more speed, and part of it away from the point. Of these shares q the sum is
    /// the impulse J exactly. A free body as a whole moves on as a rigid body does, by b, and of the
    /// difference q - b what momentum and angular momentum it has is taken off as a rigid motion, too.
    /// The rest r has neither and is scaled down by one factor to keep within the hit's energy and the
    /// largest speed. So both momenta are those of the hit whatever the factor is. Kinetic energy
    /// needs no cross term, because the sum of m b . r over all pieces, turning included, is zero for a
    /// rigid b. A held body has b = 0, and the world takes what is scaled away.
    pub fn velocities(&self, pieces: &[PushedPiece]) -> Vec<[DVec3; 2]> {
        let shares = self.shares(pieces);
        let body = Rigid::new(pieces);
        let spin = (self.point - body.center).cross(self.impulse);
        let (whole, excess) = match self.held {
            true => Default::default(),
            false => (
                body.moved(self.impulse, spin),
                body.motion_of(pieces, &shares),
            ),
        };
        let relative = |(piece, share): (&PushedPiece, &DVec3)| {
            let [linear, angular] = excess.at(piece.center - body.center);
            [*share - linear, -angular]
        };
        let relative: Vec<[DVec3; 2]> = pieces.iter().zip(&shares).map(relative).collect();
        let common = 0.5 * (whole.linear.dot(self.impulse) + whole.angular.dot(spin));
        let factor = self.factor(pieces, &relative, common);
        let base = match self.already_applied {
            true => RigidMotion::default(),
            false => self.slow_enough(whole, pieces, body.center),
        };
        let sum = |(piece, relative): (&PushedPiece, &[DVec3; 2])| {
            let [linear, angular] = base.at(piece.center - body.center);
            [
                linear + factor * relative[0],
                angular + factor * relative[1],
            ]
        };
        pieces.iter().zip(&relative).map(sum).collect()
    }

    /// A motion of all pieces that makes none too fast.
    fn slow_enough(
        &self,
        whole: RigidMotion,
        pieces: &[PushedPiece],
        center: DVec3,
    ) -> RigidMotion {
        let speed = |piece: &PushedPiece| whole.at(piece.center - center)[0].length();
        let fastest = pieces.iter().map(speed).fold(0.0, f64::max);
        match fastest > self.max_speed {
            true => whole.scaled(self.max_speed / fastest),
            false => whole,
        }
    }

    /// Velocities whose momenta sum to the impulse.
    fn shares(&self, pieces: &[PushedPiece]) -> Vec<DVec3> {
        let strength = self.impulse.length();
        let weights: Vec<f64> = pieces.iter().map(|piece| self.weight(piece)).collect();
        let sum: f64 = weights.iter().zip(pieces).map(|(w, p)| w * p.mass).sum();
        if !(sum > 0.0 && strength > 0.0) {
            return vec![DVec3::ZERO; pieces.len()];
        }
        let forward = self.impulse / strength;
        let directed = |(piece, weight): (&PushedPiece, &f64)| {
            let away = (piece.center - self.point).normalize_or_zero();
            (forward + SPREAD * away) * (weight * strength / sum)
        };
        let shares: Vec<DVec3> = pieces.iter().zip(&weights).map(directed).collect();
        let momentum: DVec3 = shares.iter().zip(pieces).map(|(v, p)| *v * p.mass).sum();
        let missing = (self.impulse - momentum) / sum;
        let complete = |(share, weight): (DVec3, &f64)| share + missing * *weight;
        shares.into_iter().zip(&weights).map(complete).collect()
    }

    /// Falls with the distance from the hit, 1 at its point.
    fn weight(&self, piece: &PushedPiece) -> f64 {
        let reach = self.radius.max(1e-6);
        let far = (piece.center - self.point).length() / reach;
        1.0 / ((1.0 + far * far) * (1.0 + far * far))
    }

    /// How fast pieces may leave each other, m/s: something of this momentum and energy is so fast. The energy of a
    /// house that comes down slowly would send some splinters off like shots.
    fn leaving(&self) -> f64 {
        match self.energy > 0.0 {
            true => LEAVING * 2.0 * self.energy / self.impulse.length(),
            false => f64::INFINITY,
        }
    }

    /// The largest factor, at most 1, that keeps within energy and speed.
    fn factor(&self, pieces: &[PushedPiece], relative: &[[DVec3; 2]], common: f64) -> f64 {
        let fastest = relative.iter().map(|[r, _]| r.length()).fold(0.0, f64::max);
        let most = self.max_speed.min(self.leaving());
        let by_speed = if fastest > most { most / fastest } else { 1.0 };
        let kinetic = relative.iter().zip(pieces);
        let kinetic: f64 = kinetic.map(|(r, p)| p.energy(*r)).sum();
        let left = (self.energy - common).max(0.0);
        let by_energy = if self.energy > 0.0 && kinetic > left {
            (left / kinetic).sqrt()
        } else {
            1.0
        };
        by_speed.min(by_energy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DMat3;

    /// The speed of a splinter of 0.2 kg at the point of a blow of 100 N s on something held.
    fn splinter(energy: f64) -> f64 {
        let piece = |mass: f64, x: f64| PushedPiece {
            mass,
            center: DVec3::new(x, 0.0, 0.0),
            inertia: DMat3::IDENTITY * (0.01 * mass),
        };
        let push = ImpulseDistribution {
            point: DVec3::ZERO,
            impulse: -100.0 * DVec3::Y,
            energy,
            radius: 0.1,
            already_applied: false,
            held: true,
            max_speed: 30.0,
        };
        let [[light, _], _] = push.velocities(&[piece(0.2, 0.01), piece(1000.0, 1.0)])[..] else {
            return f64::NAN;
        };
        light.length()
    }

    #[test]
    fn a_splinter_leaves_no_faster_than_twice_what_struck_it() {
        // 50 J are enough for 22 m/s, but 100 kg came at 1 m/s.
        assert!((splinter(50.0) - 2.0).abs() < 1e-9, "{}", splinter(50.0));
        // A ball of 2 kg at 50 m/s.
        assert!(
            (splinter(2500.0) - 30.0).abs() < 1e-9,
            "{}",
            splinter(2500.0)
        );
        // Nobody knows.
        assert!((splinter(0.0) - 30.0).abs() < 1e-9, "{}", splinter(0.0));
    }
}
