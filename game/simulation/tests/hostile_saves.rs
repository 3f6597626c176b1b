//! Saves that somebody has changed, with the right hash behind them: nothing panics, and no number of a piece is one that
//! physics could not bear.

use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::geometry::Mesh;
use fracture_simulation::save::{Archive, BreakLog};
use fracture_simulation::{Body, BodyId, Broken, Event, Impact, Motion, NewPiece, Simulation};

use crate::collapses::table;
use crate::dice::Dice;
use crate::hostile_bytes::{mended, HEADER_SIZE};
use crate::saves::fallen;
use crate::setup::{broken, impact_at, quiet, step, wall};

/// Damaged copies of each save.
const COPIES: u64 = 150;

/// Bytes between the numbers of a small save that are replaced: odd, so that each field's number is met somewhere.
const STRIDE: usize = 29;

/// A wall that was struck twice and cut.
pub fn struck() -> (Simulation, BodyId) {
    let mut simulation = quiet();
    let id = simulation.add(wall()).unwrap();
    for at in [[-1.0, 1.3, 0.1], [0.9, 0.8, 0.1]] {
        simulation.impact(impact_at(id, at)).unwrap();
        broken(&mut simulation);
    }
    let blade = Impact::blade(id, Vec3::new(0.0, 1.5, 0.0), Vec3::new(0.2, 1.0, 0.0));
    simulation.impact(blade).unwrap();
    broken(&mut simulation);
    (simulation, id)
}

pub fn written(save: BreakLog) -> Vec<u8> {
    let objects = vec![("It".to_owned(), save)];
    Archive { objects }.to_bytes()
}

/// Bytes of a save with some of the content changed, and the hash mended.
fn changed(bytes: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let content = HEADER_SIZE..bytes.len() - 8;
    for _ in 0..1 + dice.below(3) {
        let at = content.start + dice.below(content.len() - 8);
        match dice.below(6) {
            0 => bytes[at] ^= 1 << dice.below(8),
            1 => bytes[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes()),
            2 => bytes[at..at + 8].copy_from_slice(&f64::INFINITY.to_le_bytes()),
            3 => bytes[at..at + 8].copy_from_slice(&(-1e30_f64).to_le_bytes()),
            4 => bytes[at..at + 4].fill(0xff),
            _ => bytes[at..at + 8].fill(0),
        }
    }
    mended(bytes)
}

fn assert_bearable(piece: &NewPiece) {
    let mass = &piece.mass;
    assert!(mass.volume > 0.0 && mass.volume.is_finite(), "{mass:?}");
    assert!(
        mass.center.is_finite() && mass.moments.is_finite(),
        "{mass:?}"
    );
    assert!(piece.kilograms > 0.0 && piece.kilograms.is_finite());
    assert!(is_finite(&piece.motion), "{:?}", piece.motion);
}

pub fn is_finite(motion: &Motion) -> bool {
    let pose = &motion.pose;
    pose.translation.is_finite()
        && pose.rotation.is_finite()
        && motion.linear.is_finite()
        && motion.angular.is_finite()
}

/// Loads a save into a world of its own and lets time pass; whether it was read.
pub fn load(bytes: Vec<u8>, body: Body) -> bool {
    let Ok(archive) = Archive::from_bytes(bytes) else {
        return false;
    };
    let mut simulation = quiet();
    let root = simulation.add(body).unwrap();
    for (_, save) in &archive.objects {
        // A replay that does not come out is told.
        let _ = simulation.restore(root, save);
    }
    for _ in 0..3 {
        for event in step(&mut simulation) {
            if let Event::Broken(broken) = event {
                broken.pieces.iter().for_each(assert_bearable);
            }
        }
    }
    assert!(!simulation.statistics().physics_failed);
    for piece in simulation.descendants(root) {
        assert!(simulation
            .motion(piece)
            .is_some_and(|motion| is_finite(&motion)));
    }
    // What was loaded can be saved and read again.
    let again = written(simulation.save(root));
    assert!(Archive::from_bytes(again).is_ok());
    true
}

fn cube() -> Body {
    crate::setup::body(Mesh::cuboid([1.0; 3]))
}

/// A cube that was struck: its break, and the bytes of its save.
fn struck_cube() -> (Broken, Vec<u8>) {
    let mut simulation = quiet();
    let id = simulation.add(cube()).unwrap();
    simulation.impact(impact_at(id, [0.5, 0.0, 0.0])).unwrap();
    let broken = broken(&mut simulation);
    let bytes = written(simulation.save(id));
    (broken, bytes)
}

/// Loads a save of the cube with the eight bytes at a position replaced by a number.
fn load_replaced(bytes: &[u8], at: usize, number: f64) {
    let mut bytes = bytes.to_vec();
    bytes[at..at + 8].copy_from_slice(&number.to_le_bytes());
    load(mended(bytes), cube());
}

#[test]
fn no_number_of_a_small_save_that_is_replaced_does_harm() {
    let (_, bytes) = struck_cube();
    for at in (HEADER_SIZE..bytes.len() - 16).step_by(STRIDE) {
        load_replaced(&bytes, at, -1e30);
    }
}

#[test]
fn volumes_that_have_no_finite_mass_are_no_pieces() {
    let (broken, bytes) = struck_cube();
    assert!(broken.pieces.len() > 1);
    for piece in &broken.pieces {
        let volume = piece.mass.volume.to_le_bytes();
        let at = bytes.windows(8).position(|window| window == volume);
        for number in [0.0, 1e-320, 1e306] {
            load_replaced(&bytes, at.unwrap(), number);
        }
    }
}

#[test]
fn changed_saves_with_the_right_hash_do_no_harm() {
    let (struck, struck_id) = struck();
    let (fallen, fallen_id) = fallen();
    let mut dice = Dice(11);
    let mut read = [0; 2];
    for (save, body) in [
        (struck.save(struck_id), wall()),
        (struck.save_compact(struck_id), wall()),
        (fallen.save(fallen_id), table()),
        (fallen.save_compact(fallen_id), table()),
    ] {
        let bytes = written(save);
        for _ in 0..COPIES {
            let is_read = load(changed(&bytes, &mut dice), body.clone());
            read[usize::from(is_read)] += 1;
        }
    }
    assert!(
        read.iter().all(|count| *count > 50),
        "refused and read: {read:?}"
    );
}
