use super::*;
use crate::scenario::{read, ImpactAction, Moment, Point, Scenario};
use fyrox::core::algebra::Vector3;
use std::io::{Cursor, Seek, SeekFrom, Write};

fn heading() -> Heading {
    Heading {
        about: "A \"test\".".into(),
        scene: "data/scenes/wall.rgs".into(),
        step: 1.0 / 60.0,
        seed: 7,
        wait_for_results: true,
        most_balls: Some(40),
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("recordings-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Returns one action of a player, with numbers of all lengths.
fn deed(index: u32) -> Action {
    let wave = |factor: f32| (index as f32 * factor).sin() * 17.0;
    let point = Point(Vector3::new(wave(0.31), wave(0.73).abs(), wave(0.17))).short();
    match index % 4 {
        0 | 1 => Action::shot(point, Point(Vector3::new(wave(0.2), wave(0.9), -39.4321))),
        2 => Action::Explosion {
            center: point,
            radius: 1.5,
            energy: 20_000.0,
        },
        _ => Action::Impact(ImpactAction {
            node: "Column".into(),
            point,
            normal: Point(Vector3::new(0.577, 0.577, 0.577)),
            energy: 4000.0,
            impulse: None,
            radius: None,
        }),
    }
}

fn deeds(scenario: &Scenario) -> Vec<Action> {
    let actions = scenario.actions.iter();
    actions.map(|timed| timed.action.clone()).collect()
}

#[test]
fn a_thousand_hits_are_read_back_as_they_were_from_less_than_100_kilobytes() {
    let path = folder("thousand").join("play.ron");
    let mut recorder = Recorder::new(&path, &heading()).unwrap();
    let done: Vec<Action> = (0..1000).map(deed).collect();
    for (frame, action) in (20_000..).zip(&done) {
        recorder.note(frame, action).unwrap();
    }
    recorder.finish(30_000, Some(0xabc)).unwrap();

    let size = fs::metadata(&path).unwrap().len();
    assert!(size < 100_000, "{size} bytes");
    let scenario = read(&path).unwrap();
    assert_eq!(deeds(&scenario), done);
    assert_eq!(scenario.actions[10].when, Moment::Frame(20_010));
    assert_eq!((scenario.frames, scenario.seed), (30_000, 7));
    assert_eq!(scenario.step, 1.0 / 60.0);
    assert_eq!(scenario.most_balls, Some(40));
    assert_eq!(scenario.expect.len(), 1);
    assert!(!unfinished(&path).exists());
}

#[test]
fn the_unfinished_file_is_a_scenario_after_every_hit() {
    let path = folder("unfinished").join("play.ron");
    let mut recorder = Recorder::new(&path, &heading()).unwrap();
    for index in 0..10 {
        recorder.note(index * 3, &deed(index)).unwrap();
        let scenario = read(&unfinished(&path)).unwrap();
        assert_eq!(scenario.actions.len() as u32, index + 1);
        assert_eq!(scenario.frames, index * 3 + 1);
    }
    drop(recorder);

    // The next session does not overwrite the unfinished recording.
    let error = Recorder::new(&path, &heading()).err().unwrap();
    assert!(matches!(error, RecordError::Unfinished { .. }), "{error}");
    assert!(error.to_string().contains("play.ron.part"), "{error}");
    assert_eq!(read(&unfinished(&path)).unwrap().actions.len(), 10);
}

#[test]
fn an_older_recording_stays_until_the_new_one_is_whole() {
    let path = folder("older").join("play.ron");
    fs::write(&path, "old").unwrap();
    let mut recorder = Recorder::new(&path, &heading()).unwrap();
    recorder.note(3, &deed(3)).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    recorder.finish(9, None).unwrap();
    assert_eq!(read(&path).unwrap().frames, 9);
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let path = folder("none").join("missing/play.ron");
    let error = Recorder::new(&path, &heading()).err().unwrap().to_string();
    assert!(
        error.contains("missing") && error.contains("play.ron"),
        "{error}"
    );
}

#[test]
fn what_is_no_file_is_left_alone() {
    let folder = folder("no_file");
    let error = Recorder::new(&folder, &heading()).map(drop).unwrap_err();
    assert!(error.to_string().contains("that is no file"), "{error}");
    assert!(folder.is_dir());
    if cfg!(unix) {
        let error = check(Path::new("/dev/null")).unwrap_err();
        assert!(matches!(error, RecordError::NoFile(_)), "{error}");
    }
}

#[test]
fn names_are_numbered() {
    let path = Path::new("a/play.ron");
    assert_eq!(numbered(path, 1), path);
    assert_eq!(numbered(path, 3), Path::new("a/play-3.ron"));
}

/// A disk with limited space, bytes.
struct Small {
    held: Cursor<Vec<u8>>,
    size: u64,
}

impl Write for Small {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = self.size.saturating_sub(self.held.position()) as usize;
        if room == 0 && !bytes.is_empty() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.held.write(&bytes[..bytes.len().min(room)])
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Small {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.held.seek(to)
    }
}

impl Storage for Small {
    fn set_length(&mut self, bytes: u64) -> io::Result<()> {
        self.held.get_mut().truncate(bytes as usize);
        Ok(())
    }

    fn keep(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_keeps_all_that_was_recorded_before() {
    // At every size at which a disk can be full, somewhere in the middle of a word too.
    let path = folder("full").join("play.ron");
    let head = text::head(&heading());
    let smallest = (head.len() + text::tail(1, None).len()) as u64;
    for size in smallest..smallest + 400 {
        let held = Cursor::new(Vec::new());
        let mut tape = SafeFile::new(Small { held, size }, &head, &text::tail(1, None)).unwrap();
        let mut written = 0;
        while tape
            .append(
                &text::line(written, &deed(written)).unwrap(),
                &text::tail(written + 1, None),
            )
            .is_ok()
        {
            written += 1;
        }
        fs::write(&path, tape.into_medium().held.into_inner()).unwrap();
        let scenario = read(&path).unwrap();
        assert_eq!(scenario.actions.len() as u32, written, "{size} bytes");
    }
}

#[test]
fn a_log_that_was_cut_short_is_refused_with_its_line() {
    let path = folder("cut").join("play.ron");
    let mut recorder = Recorder::new(&path, &heading()).unwrap();
    for index in 0..5 {
        recorder.note(index, &deed(index)).unwrap();
    }
    recorder.finish(9, None).unwrap();
    let whole = fs::read(&path).unwrap();
    // The last bracket is followed by a line's end.
    for length in (0..whole.len() - 2).step_by(7) {
        fs::write(&path, &whole[..length]).unwrap();
        let error = read(&path).unwrap_err().to_string();
        assert!(error.contains("play.ron:"), "{error}");
        assert!(error.contains("cut short"), "{length} bytes: {error}");
    }
}
