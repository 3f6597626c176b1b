//! A client: it opens the scene of a host, takes its save, and follows it.

use super::link::Link;
use super::packet::{
    packed, HostedScene, Packet, PacketContent, PacketError, MAX_SAVE_PART, MAX_WANTED,
};
use super::{read_action, written, PlayersError, SILENCE};
use crate::scenario::Action;
use fracture::{Destruction, Role};
use std::{collections::VecDeque, net::SocketAddr};

/// Frames between two greetings.
const GREETING: u64 = 30;
/// Frames after which what was asked for is asked for again: more than the way there and back.
const PATIENCE: u64 = 20;
/// Most parts of a save: 8 MB.
const MAX_PARTS: usize = 8192;
/// Most actions that the host has not taken.
const MAX_ACTIONS: usize = 64;

/// A client of a host.
#[derive(Debug)]
pub struct Client {
    link: Link,
    host: SocketAddr,
    frame: u64,
    /// The frame in which the host was last heard.
    heard: u64,
    run: Option<Run>,
    /// Number of the last save that was asked for.
    saves: u16,
    problem: Option<PlayersError>,
    /// Actions of others that have not been shown.
    shown: Vec<Action>,
}

/// A run of a scene, as a client knows it.
#[derive(Debug)]
struct Run {
    number: u64,
    scene: HostedScene,
    /// Whether destruction knows its role.
    is_prepared: bool,
    /// The save that is on its way.
    save: Option<Arriving>,
    /// Whether a first save has come.
    has_joined: bool,
    /// Own actions that the host has not taken, and the number of the first of them.
    actions: VecDeque<String>,
    first: u32,
    sent: u64,
}

/// A save that is on its way.
#[derive(Debug, Default)]
struct Arriving {
    number: u16,
    /// The frame in which it was last asked for.
    asked: Option<u64>,
    parts: Vec<Option<Vec<u8>>>,
}

impl Arriving {
    /// The parts that have not come; none before the first has.
    fn missing(&self) -> impl Iterator<Item = u16> + '_ {
        let parts = self.parts.iter().enumerate();
        parts
            .filter(|(_, part)| part.is_none())
            .map(|(index, _)| index as u16)
    }

    fn is_complete(&self) -> bool {
        !self.parts.is_empty() && self.missing().next().is_none()
    }
}

impl Client {
    /// Opens a client of a host. It greets the host until that answers.
    ///
    /// # Errors
    /// [`PlayersError::Address`] when the system has no socket.
    pub fn open(host: SocketAddr) -> Result<Self, PlayersError> {
        let own: SocketAddr = if host.is_ipv4() {
            ([0; 4], 0).into()
        } else {
            ([0_u16; 8], 0).into()
        };
        let link = Link::open(own);
        Ok(Self {
            link: link.map_err(|reason| PlayersError::Address {
                address: own,
                reason,
            })?,
            host,
            frame: 0,
            heard: 0,
            run: None,
            saves: 0,
            problem: None,
            shown: Vec::new(),
        })
    }

    /// The socket.
    pub fn link(&self) -> &Link {
        &self.link
    }

    /// The host's address.
    pub fn host(&self) -> SocketAddr {
        self.host
    }

    /// The scene that the host plays and the number of its run, once it has answered. With another number the scene is to
    /// be opened anew.
    pub fn scene(&self) -> Option<(u64, &HostedScene)> {
        let run = self.run.as_ref();
        run.map(|run| (run.number, &run.scene))
    }

    /// Whether the host's save has come.
    pub fn has_joined(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.has_joined)
    }

    /// The last problem, once.
    pub fn take_problem(&mut self) -> Option<PlayersError> {
        self.problem.take()
    }

    /// Takes what has come, and sends what there is to tell: once a frame, after the update of the destruction of the
    /// host's scene, which is not there while that is being loaded.
    pub fn exchange(&mut self, mut destruction: Option<&mut Destruction>) {
        self.frame += 1;
        for (from, packet) in self.link.receive() {
            if from != self.host {
                continue;
            }
            match packet {
                Ok(packet) => self.take(packet, destruction.as_deref_mut()),
                Err(PacketError::Version(found)) => {
                    self.problem = Some(PlayersError::Version { found });
                }
                Err(PacketError::Malformed) => {}
            }
        }
        if self.frame == self.heard + SILENCE {
            self.problem = Some(PlayersError::Silence { host: self.host });
        }
        let run = self.run.as_ref().map_or(0, |run| run.number);
        if self.frame % GREETING == 1 {
            self.send(run, PacketContent::Hello);
        }
        if let Some(destruction) = destruction {
            self.follow(destruction);
        }
        self.link.end_frame();
    }

    /// Actions of others that have come, to be shown.
    pub fn take_actions(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.shown)
    }

    /// Asks the host for an action. It is repeated until the host has taken it.
    pub fn ask(&mut self, action: &Action) {
        let (Some(run), Some(action)) = (&mut self.run, written(action)) else {
            return;
        };
        if run.actions.len() < MAX_ACTIONS {
            run.actions.push_back(action);
            run.sent = 0; // at once
        }
    }

    /// Says goodbye.
    pub fn close(&mut self) {
        let run = self.run.as_ref().map_or(0, |run| run.number);
        self.send(run, PacketContent::Goodbye);
    }

    fn take(&mut self, packet: Packet, destruction: Option<&mut Destruction>) {
        self.heard = self.frame;
        if let PacketContent::Welcome(scene) = packet.content {
            if self.run.as_ref().is_none_or(|run| run.number != packet.run) {
                self.run = Some(Run::new(packet.run, scene));
                self.shown.clear();
            }
            return;
        }
        if packet.content == PacketContent::Full {
            self.problem = Some(PlayersError::Full { host: self.host });
            return;
        }
        let Some(run) = self.run.as_mut().filter(|run| run.number == packet.run) else {
            return;
        };
        match (packet.content, destruction) {
            (PacketContent::Messages(messages), Some(destruction)) if run.is_prepared => {
                for message in messages {
                    destruction.receive(&message.0);
                }
            }
            (
                PacketContent::SavePart {
                    save,
                    part,
                    parts,
                    bytes,
                },
                _,
            ) => run.take_part(save, [part, parts].map(usize::from), bytes),
            (PacketContent::Acted { action, .. }, _) => self.shown.extend(read_action(&action)),
            (PacketContent::Taken(number), _) => run.take_receipt(number),
            (PacketContent::Goodbye, _) => {
                self.problem = Some(PlayersError::Ended { host: self.host });
            }
            _ => {}
        }
    }

    /// Goes on with the run: joins it, sends messages and actions.
    fn follow(&mut self, destruction: &mut Destruction) {
        let Some(run) = &mut self.run else {
            return;
        };
        if !run.is_prepared {
            destruction.set_role(Role::Client);
            run.is_prepared = true;
        }
        let mut packets = Vec::new();
        if run.save.is_none() && (!run.has_joined || destruction.needs_join_save()) {
            self.saves = self.saves.wrapping_add(1);
            run.save = Some(Arriving {
                number: self.saves,
                ..Arriving::default()
            });
        }
        if let Some(save) = run.save.take_if(|save| save.is_complete()) {
            destruction.join(save.parts.into_iter().flatten().flatten().collect());
            run.has_joined = true;
        }
        packets.extend(run.wanted(self.frame));
        let messages = destruction.drain_messages();
        if run.has_joined {
            packets.extend(packed(messages)); // before, all would be missing
        }
        packets.extend(run.unsent(self.frame));
        let number = run.number;
        for content in packets {
            self.send(number, content);
        }
    }

    fn send(&mut self, run: u64, content: PacketContent) {
        self.link.send(self.host, &Packet { run, content });
    }
}

impl Run {
    fn new(number: u64, scene: HostedScene) -> Self {
        Self {
            number,
            scene,
            is_prepared: false,
            save: None,
            has_joined: false,
            actions: VecDeque::new(),
            first: 1,
            sent: 0,
        }
    }

    fn take_part(&mut self, number: u16, [part, parts]: [usize; 2], bytes: Vec<u8>) {
        let is_valid = part < parts && parts <= MAX_PARTS && bytes.len() <= MAX_SAVE_PART;
        let save = self.save.as_mut();
        let Some(save) = save.filter(|save| save.number == number && is_valid) else {
            return;
        };
        if save.parts.is_empty() {
            save.parts = vec![None; parts];
        }
        if let Some(place) = save.parts.get_mut(part) {
            *place = Some(bytes);
        }
    }

    /// The request for those parts of a save that are missing, when none is on its way.
    fn wanted(&mut self, frame: u64) -> Option<PacketContent> {
        let save = self.save.as_mut()?;
        let is_due = save.asked.is_none_or(|asked| asked + PATIENCE <= frame);
        let parts: Vec<u16> = save.missing().take(MAX_WANTED).collect();
        is_due.then(|| {
            save.asked = Some(frame);
            PacketContent::Wanted {
                save: save.number,
                parts,
            }
        })
    }

    /// Drops the actions that the host has taken.
    fn take_receipt(&mut self, number: u32) {
        while self.first <= number && self.actions.pop_front().is_some() {
            self.first += 1;
        }
    }

    /// The actions that the host has not taken, now and then.
    fn unsent(&mut self, frame: u64) -> Vec<PacketContent> {
        if self.actions.is_empty() || (self.sent > 0 && self.sent + PATIENCE > frame) {
            return Vec::new();
        }
        self.sent = frame;
        let numbered = (self.first..).zip(&self.actions);
        let content = |(number, action): (u32, &String)| PacketContent::Acted {
            number,
            action: action.clone(),
        };
        numbered.map(content).collect()
    }
}
