//! Expectations of a scenario.

use super::point::Point;
use serde::Deserialize;
use std::fmt;

/// A claim about the scene after a frame. Bodies are named as in the scene; pieces of a broken
/// object are `<object>/fragment_<cell>_<part>` and `<object>/island_<k>`, pieces of a piece begin
/// with its name. In the name of a body `*` stands for anything but a slash, `**` for anything.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Expectation {
    /// The object looks and collides as it did at first.
    Intact {
        /// Name of the node.
        node: String,
    },
    /// The object has broken at least once.
    Broken {
        /// Name of the node.
        node: String,
    },
    /// Number of objects with a name, which may hold `*` and `**`, that have not broken.
    Whole(Count),
    /// Number of its fragments, pieces of pieces included.
    Fragments(Count),
    /// Number of its islands: connected parts that no impact has broken off.
    Islands(Count),
    /// Number of its islands that are still held.
    Anchored(Count),
    /// Number of pieces, of any objects, that are one body with its free ones.
    Joined(Count),
    /// Number of collapses of the object, or of what is left of it, under its own weight.
    Collapses(Count),
    /// The volumes of its pieces add up to its own, relative error at most this.
    VolumeError {
        /// Name of the node.
        node: String,
        /// Largest relative error, for instance 1e-5.
        max: f64,
    },
    /// Every piece of it is a closed mesh; there is at least one.
    AllClosed {
        /// Name of the node.
        node: String,
    },
    /// The bodies are above a height: a piece's centre of mass, a node's origin.
    Above {
        /// Name of a body; `*` and `**` name several.
        body: String,
        /// The height, metres.
        height: f32,
        /// Whether one such body is enough; else all must be.
        #[serde(default)]
        any: bool,
    },
    /// The bodies are below a height: a piece's centre of mass, a node's origin.
    Below {
        /// Name of a body; `*` and `**` name several.
        body: String,
        /// The height, metres.
        height: f32,
        /// Whether one such body is enough; else all must be.
        #[serde(default)]
        any: bool,
    },
    /// The bodies are in a box: a piece's centre of mass, a node's origin.
    Inside {
        /// Name of a body; `*` and `**` name several.
        body: String,
        /// The box's lowest corner, metres.
        low: Point,
        /// Its highest.
        high: Point,
        /// Whether one such body is enough; else all must be.
        #[serde(default)]
        any: bool,
    },
    /// Every break of the object was visible within this many frames after the impact.
    Swapped {
        /// Name of the node.
        node: String,
        /// Frames; 1 is the next frame.
        within: u64,
    },
    /// An impact on the object was too weak to break it.
    BelowThreshold {
        /// Name of the node.
        node: String,
    },
    /// Blows that were too weak to break the object have left damage.
    Damaged {
        /// Name of the node.
        node: String,
        /// Damage of its worst place at least, 0 to 0.9.
        #[serde(default)]
        min: Option<f32>,
        /// Damage of its worst place at most, 0 to 0.9.
        #[serde(default)]
        max: Option<f32>,
    },
    /// The share of the object's volume that still stands.
    Standing {
        /// Name of the node.
        node: String,
        /// At least this share, 0 to 1.
        #[serde(default)]
        min: Option<f64>,
        /// At most this share, 0 to 1.
        #[serde(default)]
        max: Option<f64>,
    },
    /// The share of the object's volume that the largest of its pieces has.
    Largest {
        /// Name of the node.
        node: String,
        /// At most this share, 0 to 1.
        max: f64,
    },
    /// An impact did not reach the object.
    Missed {
        /// Name of the node.
        node: String,
    },
    /// A fault was reported, or an action refused, with these words in the message.
    Fault {
        /// The words; case does not matter.
        contains: String,
    },
    /// No fault was reported, and no action refused.
    NoFaults,
    /// Jobs were under way when the scene was closed, and none of them was applied.
    Cancelled {
        /// At least this many.
        min: usize,
    },
    /// No break is being computed.
    Idle,
    /// Nothing that is at rest hangs in the air.
    NothingHangs,
    /// Limits the number of moving pieces.
    Awake {
        /// At most this many.
        max: usize,
    },
    /// Settled pieces are drawn in batches, at least this many.
    Merged {
        /// At least this many.
        min: usize,
    },
    /// The state of all bodies has this hash, sixteen hexadecimal digits.
    StateHash(String),
    /// Main thread time of the module; reported, never a failure.
    MainThread {
        /// Intended limit per frame, ms.
        ms: f32,
    },
}

/// Number of pieces of one kind.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Count {
    /// Name of the node.
    pub node: String,
    /// Exactly this many.
    pub exactly: Option<u32>,
    /// At least this many.
    pub min: Option<u32>,
    /// At most this many.
    pub max: Option<u32>,
}

impl Count {
    /// Whether a number satisfies it.
    pub fn holds(&self, found: usize) -> bool {
        let exactly = self.exactly.is_none_or(|n| found == n as usize);
        let min = self.min.is_none_or(|n| found >= n as usize);
        exactly && min && self.max.is_none_or(|n| found <= n as usize)
    }

    fn check(&self) -> Result<(), String> {
        match (self.exactly, self.min, self.max) {
            (None, None, None) => Err("give `exactly`, `min` or `max`".into()),
            (Some(_), Some(_), _) | (Some(_), _, Some(_)) => {
                Err("`exactly` leaves nothing for `min` and `max`".into())
            }
            (_, Some(min), Some(max)) if min > max => {
                Err(format!("`min` is {min}, which is more than `max`, {max}"))
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match (self.exactly, self.min, self.max) {
            (Some(n), ..) => write!(f, "exactly {n}"),
            (_, Some(min), Some(max)) => write!(f, "{min} to {max}"),
            (_, Some(min), None) => write!(f, "at least {min}"),
            (_, None, Some(max)) => write!(f, "at most {max}"),
            _ => f.write_str("any number"),
        }
    }
}

impl Expectation {
    /// Returns the node or body that it names.
    pub fn body(&self) -> Option<&str> {
        match self {
            Self::Intact { node }
            | Self::Broken { node }
            | Self::VolumeError { node, .. }
            | Self::AllClosed { node }
            | Self::Swapped { node, .. }
            | Self::BelowThreshold { node }
            | Self::Damaged { node, .. }
            | Self::Standing { node, .. }
            | Self::Largest { node, .. }
            | Self::Missed { node } => Some(node),
            Self::Whole(count)
            | Self::Fragments(count)
            | Self::Islands(count)
            | Self::Anchored(count)
            | Self::Joined(count)
            | Self::Collapses(count) => Some(&count.node),
            Self::Above { body, .. } | Self::Below { body, .. } | Self::Inside { body, .. } => {
                Some(body)
            }
            _ => None,
        }
    }

    /// Whether the bounds make sense.
    pub(super) fn check(&self) -> Result<(), String> {
        match self {
            Self::Whole(count)
            | Self::Fragments(count)
            | Self::Islands(count)
            | Self::Anchored(count)
            | Self::Joined(count)
            | Self::Collapses(count) => count.check(),
            Self::Damaged { min, max, .. } => {
                check_range("Damaged", [min, max].map(|bound| bound.map(f64::from)))
            }
            Self::Standing { min, max, .. } => check_range("Standing", [*min, *max]),
            Self::Largest { max, .. } => check_range("Largest", [None, Some(*max)]),
            Self::VolumeError { max, .. } if max.is_nan() || *max < 0.0 => {
                Err(format!("VolumeError: `max` is {max}, it must be 0 or more"))
            }
            Self::StateHash(text) if parse_hash(text).is_none() => Err(format!(
                "StateHash: \"{text}\" is not sixteen hexadecimal digits"
            )),
            _ => Ok(()),
        }
    }
}

/// Checks the bounds, lowest first, of a number from 0 to 1.
fn check_range(name: &str, [min, max]: [Option<f64>; 2]) -> Result<(), String> {
    let bounds = [min, max].into_iter().flatten();
    match bounds.clone().find(|bound| !(0.0..=1.0).contains(bound)) {
        _ if bounds.count() == 0 => Err(format!("{name}: give `min` or `max`")),
        Some(bound) => Err(format!("{name}: {bound} must be 0 to 1")),
        None if min > max && max.is_some() => Err(format!("{name}: `min` is more than `max`")),
        None => Ok(()),
    }
}

/// Bounds in words.
fn range<T: fmt::Display>(min: Option<T>, max: Option<T>) -> String {
    match (min, max) {
        (Some(min), Some(max)) => format!("{min} to {max}"),
        (Some(min), None) => format!("at least {min}"),
        (None, Some(max)) => format!("at most {max}"),
        (None, None) => "anything".to_owned(),
    }
}

/// A hash as the report writes it.
pub(super) fn parse_hash(text: &str) -> Option<u64> {
    (text.len() == 16).then(|| u64::from_str_radix(text, 16).ok())?
}

impl Expectation {
    /// Writes where bodies are expected.
    fn fmt_place(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let all = |any: &bool| if *any { "one of" } else { "all of" };
        match self {
            Self::Above { body, height, any } => {
                write!(f, "{} \"{body}\" is above {height} m", all(any))
            }
            Self::Below { body, height, any } => {
                write!(f, "{} \"{body}\" is below {height} m", all(any))
            }
            Self::Inside {
                body,
                low,
                high,
                any,
            } => {
                let [low, high] = [low, high].map(|corner| (corner.0.x, corner.0.y, corner.0.z));
                write!(f, "{} \"{body}\" is inside {low:?} to {high:?} m", all(any))
            }
            _ => Ok(()),
        }
    }
}

impl Expectation {
    /// Writes what the volumes of pieces are expected to be.
    fn fmt_volume(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::VolumeError { node, max } => {
                write!(
                    f,
                    "the pieces of \"{node}\" add up to its volume within {max:e}"
                )
            }
            Self::Standing { node, min, max } => {
                write!(f, "{} of \"{node}\" stands", range(*min, *max))
            }
            Self::Largest { node, max } => {
                write!(
                    f,
                    "no piece of \"{node}\" has more than {max} of its volume"
                )
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Intact { node } => write!(f, "\"{node}\" is intact"),
            Self::Broken { node } => write!(f, "\"{node}\" is broken"),
            Self::Whole(count) => write!(f, "of \"{}\", {count} are whole", count.node),
            Self::Fragments(count) => write!(f, "\"{}\" has {count} fragments", count.node),
            Self::Islands(count) => write!(f, "\"{}\" has {count} islands", count.node),
            Self::Anchored(count) => {
                write!(f, "\"{}\" has {count} islands still held", count.node)
            }
            Self::Joined(count) => {
                write!(f, "{count} pieces are one with \"{}\"", count.node)
            }
            Self::Collapses(count) => {
                write!(
                    f,
                    "\"{}\" comes down by its weight {count} times",
                    count.node
                )
            }
            Self::VolumeError { .. } | Self::Standing { .. } | Self::Largest { .. } => {
                self.fmt_volume(f)
            }
            Self::AllClosed { node } => write!(f, "every piece of \"{node}\" is closed"),
            Self::Above { .. } | Self::Below { .. } | Self::Inside { .. } => self.fmt_place(f),
            Self::Swapped { node, within } => {
                write!(f, "breaks of \"{node}\" are visible within {within} frames")
            }
            Self::BelowThreshold { node } => write!(f, "a blow on \"{node}\" was too weak"),
            Self::Damaged { node, min, max } => {
                write!(f, "the damage of \"{node}\" is {}", range(*min, *max))
            }
            Self::Missed { node } => write!(f, "a blow on \"{node}\" missed it"),
            Self::Fault { contains } => write!(f, "a fault says \"{contains}\""),
            Self::NoFaults => f.write_str("there are no faults"),
            Self::Cancelled { min } => write!(f, "at least {min} jobs were cancelled"),
            Self::Idle => f.write_str("no break is being worked out"),
            Self::NothingHangs => f.write_str("nothing hangs in the air"),
            Self::Awake { max } => write!(f, "at most {max} pieces are moving"),
            Self::Merged { min } => write!(f, "at least {min} settled pieces are drawn together"),
            Self::StateHash(text) => write!(f, "the state hash is {text}"),
            Self::MainThread { ms } => write!(f, "the main thread takes {ms} ms (report only)"),
        }
    }
}
