//! The objects that a game shares with others: which bodies, who decides, and how far each side is.

use std::collections::{BTreeMap, VecDeque};

use hecs::World;

use super::blow::{Blow, BlowPush};
use super::debris_lead::DebrisFollowing;
use super::debris_priority::DebrisTelling;
use super::message::Message;
use crate::history::{BreakRecord, PieceOrigin, PieceState};
use crate::types::{BodyId, JobId};

/// Most messages that wait to be taken from a side. A host that takes none loses the oldest, which are asked for again.
const MAX_OUTBOX: usize = 4096;

/// The side that decides what breaks of the objects that are shared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// This game alone, and it tells nobody.
    #[default]
    Alone,
    /// This game, and it tells the others.
    Authority,
    /// Another game: nothing breaks here but what that tells.
    Client,
}

/// Counters of what came from other games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NetworkStatistics {
    /// Messages that were read.
    pub received: u64,
    /// Messages that were dropped, with an error for each.
    pub refused: u64,
    /// Messages that told what was known already.
    pub repeated: u64,
    /// Breaks that the authority has told and that have happened here.
    pub applied: u64,
    /// Breaks of pieces that had been removed here.
    pub skipped: u64,
    /// Breaks of a client's own that the authority confirmed.
    pub confirmed: u64,
    /// Breaks of a client's own that were taken back.
    pub taken_back: u64,
}

/// The objects that this game shares with others.
pub(crate) struct Sharing {
    pub role: Role,
    /// By the object's id.
    pub objects: BTreeMap<u32, SharedObject>,
    ids: BTreeMap<BodyId, u32>,
    pub outbox: VecDeque<Message>,
    /// Blows that have broken something in this step.
    pub noted: Vec<NotedBlow>,
    /// Messages that were read since the last step.
    pub received: usize,
    /// Messages that were answered since the last step.
    pub answered: usize,
    /// Most energy of a blow that a client may ask an authority for, J.
    pub foretold_limit: f32,
    pub telling: DebrisTelling,
    pub following: DebrisFollowing,
    pub statistics: NetworkStatistics,
}

impl Default for Sharing {
    fn default() -> Self {
        Self {
            role: Role::Alone,
            objects: BTreeMap::new(),
            ids: BTreeMap::new(),
            outbox: VecDeque::new(),
            noted: Vec::new(),
            received: 0,
            answered: 0,
            foretold_limit: f32::INFINITY,
            telling: DebrisTelling::default(),
            following: DebrisFollowing::default(),
            statistics: NetworkStatistics::default(),
        }
    }
}

/// How the blow of a break has pushed.
pub(crate) struct NotedBlow {
    pub source: BodyId,
    pub number: usize,
    pub push: BlowPush,
}

/// A body that was added, with its pieces, as others know it.
pub(crate) struct SharedObject {
    pub source: BodyId,
    /// Of an authority: the messages of each break.
    pub told: Vec<ToldBreak>,
    /// Of a client: breaks that cannot happen yet, by number.
    pub waiting: BTreeMap<u16, Awaited>,
    /// Of a client: parts of breaks, by number.
    pub parts: BTreeMap<u16, Vec<Option<Vec<u8>>>>,
    /// Of a client: the break under way. One at a time: jobs end in any order, and breaks are named by theirs.
    pub in_flight: Option<InFlight>,
    /// Of a client: a break of its own that the authority has not confirmed.
    pub foretold: Option<Foretold>,
    /// Of a client: a break of its own that has not been, according to the authority.
    pub taken_back: Option<Foretold>,
    /// Whether a client has other pieces than the authority.
    pub is_lost: bool,
}

/// A break as an authority has told it.
pub(crate) struct ToldBreak {
    /// The step in which it was told.
    pub frame: u64,
    pub messages: Vec<Message>,
}

/// A break that a client was told.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Awaited {
    Blow(Blow),
    Record(BreakRecord),
}

/// A break of a client under way.
pub(crate) struct InFlight {
    pub number: usize,
    pub job: JobId,
    /// Number of pieces that it has made of the authority's; `None` where the authority has not said.
    pub pieces: Option<u32>,
}

/// A break that a client has foretold.
pub(crate) struct Foretold {
    pub blow: Blow,
    /// The step in which it was.
    pub frame: u64,
    /// The piece that it has broken, as it was.
    pub before: PieceState,
}

impl Sharing {
    /// Shares a body that was added, under an id that it has in all games. It takes the place of an older one.
    pub fn share(&mut self, object: u32, source: BodyId) {
        if let Some(old) = self.objects.get(&object) {
            self.ids.remove(&old.source);
        }
        if let Some(other) = self.ids.insert(source, object) {
            self.objects.remove(&other);
        }
        self.objects.insert(object, SharedObject::new(source));
    }

    pub fn is_shared(&self, source: BodyId) -> bool {
        self.ids.contains_key(&source)
    }

    /// Shares a body no more.
    pub fn forget(&mut self, source: BodyId) {
        if let Some(object) = self.ids.remove(&source) {
            self.objects.remove(&object);
        }
    }

    /// The object that a body or piece is of.
    pub fn object_of(&self, world: &World, body: BodyId) -> Option<u32> {
        if self.role == Role::Alone {
            return None;
        }
        let origin = world.get::<&PieceOrigin>(body.0);
        let source = origin.map_or(body, |origin| origin.source);
        self.ids.get(&source).copied()
    }

    /// Whether an authority elsewhere decides what becomes of a body.
    pub fn is_decided_elsewhere(&self, world: &World, body: BodyId) -> bool {
        self.role == Role::Client && self.object_of(world, body).is_some()
    }

    /// Whether others are told of a body's breaks.
    pub fn is_told(&self, world: &World, body: BodyId) -> bool {
        self.role == Role::Authority && self.object_of(world, body).is_some()
    }

    pub fn send(&mut self, message: Message) {
        if self.outbox.len() >= MAX_OUTBOX {
            self.outbox.pop_front();
        }
        self.outbox.push_back(message);
    }
}

impl SharedObject {
    fn new(source: BodyId) -> Self {
        Self {
            source,
            told: Vec::new(),
            waiting: BTreeMap::new(),
            parts: BTreeMap::new(),
            in_flight: None,
            foretold: None,
            taken_back: None,
            is_lost: false,
        }
    }

    /// Compares what the authority says of a break with what was foretold. Nothing is said by a refusal.
    pub fn compare(&mut self, number: u16, told: Option<&Blow>) -> Compared {
        let own = self
            .foretold
            .take_if(|own| own.blow.number.number == number);
        let Some(foretold) = own else {
            return Compared::Other;
        };
        match told {
            Some(told) if told.breaks_as(&foretold.blow) => Compared::Confirmed,
            _ => {
                self.taken_back = Some(foretold);
                self.is_lost = true;
                Compared::TakenBack
            }
        }
    }

    /// Whether nothing is known of the object that has not happened here, nor anything has happened that is not known.
    pub fn is_up_to_date(&self) -> bool {
        self.is_sure() && self.waiting.is_empty() && !self.is_lost
    }

    /// Whether all that has happened here has been told by the authority.
    pub fn is_sure(&self) -> bool {
        self.in_flight.is_none() && self.foretold.is_none()
    }
}

/// The authority's word on a blow that was foretold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compared {
    /// It tells of another break.
    Other,
    Confirmed,
    TakenBack,
}
