use super::*;

fn energy(samples: &[f32]) -> f32 {
    samples.iter().map(|s| s * s).sum::<f32>()
}

/// Returns the sign changes per second, a measure of brightness.
fn brightness(samples: &[f32]) -> f32 {
    let changes = samples.windows(2).filter(|w| w[0] * w[1] < 0.0).count();
    changes as f32 * RATE as f32 / samples.len() as f32
}

fn of(cause: SoundCause) -> impl Iterator<Item = (SurfaceKind, SoundCause, u32)> {
    let every = move |kind| [(kind, cause, 0), (kind, cause, 1)];
    SurfaceKind::ALL.into_iter().flat_map(every)
}

fn all() -> impl Iterator<Item = (SurfaceKind, SoundCause, u32)> {
    SoundCause::ALL.into_iter().flat_map(of)
}

/// The sounds of a blow.
fn blows() -> impl Iterator<Item = (SurfaceKind, SoundCause, u32)> {
    of(SoundCause::Break).chain(of(SoundCause::Contact))
}

#[test]
fn every_sound_is_heard_and_dies_away() {
    for (kind, cause, variant) in all() {
        let sound = samples(kind, cause, variant);
        assert!(sound.iter().all(|sample| sample.is_finite()));
        let most = sound.iter().fold(0.0f32, |most, s| most.max(s.abs()));
        assert!((0.5..=0.96).contains(&most), "{kind:?}: {most}");
        let (head, tail) = sound.split_at(sound.len() * 3 / 4);
        assert!(energy(tail) * 8.0 < energy(head), "{kind:?} goes on");
        assert!(sound.last().is_some_and(|last| last.abs() < 1e-3));
        assert_eq!(sound, samples(kind, cause, variant));
        assert_ne!(sound, samples(kind, cause, variant + 1));
    }
}

#[test]
fn a_blow_is_heard_at_once() {
    for (kind, cause, variant) in blows() {
        let sound = samples(kind, cause, variant);
        let (head, rest) = sound.split_at(RATE as usize / 20);
        let most = |part: &[f32]| part.iter().fold(0.0f32, |most, s| most.max(s.abs()));
        assert!(most(head) >= most(rest), "{kind:?} comes late");
        // 20 ms in, it has as much energy as in any later 20 ms.
        let window = RATE as usize / 50;
        let first = energy(&sound[..window]);
        let later = sound[window..].chunks(window).map(energy);
        assert!(later.fold(0.0, f32::max) < 1.5 * first, "{kind:?} grows");
    }
}

#[test]
fn glass_is_the_brightest() {
    for cause in SoundCause::ALL {
        let bright = |kind| brightness(&samples(kind, cause, 0));
        let [glass, wood, stone] =
            [SurfaceKind::Glass, SurfaceKind::Wood, SurfaceKind::Stone].map(bright);
        assert!(
            glass > 2.0 * wood && glass > 2.0 * stone,
            "{glass} {wood} {stone}"
        );
    }
}

#[test]
fn a_creak_goes_on_after_its_first_slip() {
    for (kind, cause, variant) in of(SoundCause::Creak) {
        let sound = samples(kind, cause, variant);
        let first = energy(&sound[..RATE as usize / 20]);
        let middle = energy(&sound[RATE as usize / 10..RATE as usize / 2]);
        assert!(middle > first, "{kind:?}: {first} and {middle}");
    }
}

/// No constant offset and no inaudible frequencies.
#[test]
fn no_sound_pushes_the_loudspeaker() {
    for (kind, cause, variant) in all() {
        let sound = samples(kind, cause, variant);
        let mean = sound.iter().sum::<f32>() / sound.len() as f32;
        assert!(mean.abs() < 2e-3, "{kind:?}: {mean}");
    }
}
