//! The host: it decides what breaks, and says so to all who have joined.

use super::link::Link;
use super::packet::{packed, HostedScene, Packet, PacketContent, MAX_SAVE_PART, MAX_WANTED};
use super::{read_action, written, PlayersError, SILENCE};
use crate::scenario::Action;
use fracture::{Destruction, Message, Role};
use std::{
    collections::BTreeMap,
    net::SocketAddr,
    time::{SystemTime, UNIX_EPOCH},
};

/// Most clients.
const MAX_CLIENTS: usize = 16;
/// Most actions of a client that are taken in a frame.
const MAX_TAKEN: usize = 16;

/// The host of a game.
#[derive(Debug)]
pub struct Host {
    link: Link,
    /// Number of the run; other hosts have others, by the clock.
    run: u64,
    scene: Option<HostedScene>,
    /// Whether the destruction of the run knows its role.
    is_prepared: bool,
    frame: u64,
    guests: BTreeMap<SocketAddr, Guest>,
    /// Actions of clients that have not been performed.
    actions: Vec<Action>,
}

/// A client as its host knows it.
#[derive(Debug, Default)]
struct Guest {
    /// The frame in which it was last heard.
    heard: u64,
    /// The run in which it is.
    run: u64,
    /// The last of its actions that was taken, and how many were taken in this frame.
    taken: u32,
    taken_now: usize,
    /// The save that it is being sent.
    save: Option<(u16, Vec<u8>)>,
}

impl Host {
    /// Opens a host at an address of this machine.
    ///
    /// # Errors
    /// [`PlayersError::Address`] when it is in use, or none of this machine.
    pub fn open(address: SocketAddr) -> Result<Self, PlayersError> {
        let link =
            Link::open(address).map_err(|reason| PlayersError::Address { address, reason })?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        Ok(Self {
            link,
            run: now.map_or(1, |now| now.as_micros() as u64),
            scene: None,
            is_prepared: false,
            frame: 0,
            guests: BTreeMap::new(),
            actions: Vec::new(),
        })
    }

    /// The socket.
    pub fn link(&self) -> &Link {
        &self.link
    }

    /// Number of clients.
    pub fn count(&self) -> usize {
        self.guests.len()
    }

    /// Begins a run of a scene: all clients open it too.
    pub fn begin_run(&mut self, scene: HostedScene) {
        self.run += 1;
        self.scene = Some(scene);
        self.is_prepared = false;
        self.actions.clear();
        for guest in self.guests.values_mut() {
            (guest.taken, guest.save) = (0, None);
        }
    }

    /// Takes what has come, and sends what there is to tell: once a frame, after the update of destruction, which is not
    /// there while a scene is being loaded.
    pub fn exchange(&mut self, mut destruction: Option<&mut Destruction>) {
        self.frame += 1;
        if let Some(destruction) = destruction.as_deref_mut().filter(|_| !self.is_prepared) {
            destruction.set_role(Role::Authority);
            self.is_prepared = true;
        }
        for guest in self.guests.values_mut() {
            guest.taken_now = 0;
        }
        for (from, packet) in self.link.receive() {
            // What is none of this version is answered in words that any version reads.
            match packet {
                Ok(packet) => self.take(from, packet, destruction.as_deref_mut()),
                Err(_) => self.send(from, PacketContent::Full),
            }
        }
        let frame = self.frame;
        self.guests.retain(|_, guest| guest.heard + SILENCE > frame);
        let news = destruction.map_or_else(Vec::new, Destruction::drain_messages);
        self.broadcast(news);
        self.link.end_frame();
    }

    /// The actions of clients that have come, which the caller performs.
    pub fn take_actions(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.actions)
    }

    /// Shows an action of the host's own player to all clients, if it arrives.
    pub fn show(&mut self, action: &Action) {
        let Some(action) = written(action) else {
            return;
        };
        let content = PacketContent::Acted { number: 0, action };
        self.send_to_all(&content);
    }

    /// Says goodbye.
    pub fn close(&mut self) {
        self.send_to_all(&PacketContent::Goodbye);
    }

    fn take(&mut self, from: SocketAddr, packet: Packet, destruction: Option<&mut Destruction>) {
        if !self.guests.contains_key(&from) && self.guests.len() >= MAX_CLIENTS {
            return self.send(from, PacketContent::Full);
        }
        let (frame, run) = (self.frame, self.run);
        let guest = self.guests.entry(from).or_default();
        (guest.heard, guest.run) = (frame, packet.run);
        match (packet.content, destruction) {
            (PacketContent::Goodbye, _) => {
                self.guests.remove(&from);
            }
            (PacketContent::Hello, _) if packet.run != run => {
                if let Some(scene) = self.scene.clone() {
                    self.send(from, PacketContent::Welcome(scene));
                }
            }
            (PacketContent::Hello, _) => {
                let taken = PacketContent::Taken(guest.taken);
                self.send(from, taken);
            }
            (PacketContent::Messages(messages), Some(destruction)) if packet.run == run => {
                let answers = messages.iter().flat_map(|m| destruction.receive(&m.0));
                let answers: Vec<Message> = answers.collect();
                self.send_messages(from, answers);
            }
            (PacketContent::Wanted { save, parts }, Some(destruction)) if packet.run == run => {
                self.send_save(from, save, &parts, destruction);
            }
            (PacketContent::Acted { number, action }, Some(_)) if packet.run == run => {
                self.take_action(from, number, &action);
            }
            _ => {}
        }
    }

    /// Takes an action of a client if it is the next one.
    fn take_action(&mut self, from: SocketAddr, number: u32, action: &str) {
        let Some(guest) = self.guests.get_mut(&from) else {
            return;
        };
        if number == guest.taken.wrapping_add(1) && guest.taken_now < MAX_TAKEN {
            guest.taken = number;
            guest.taken_now += 1;
            self.actions.extend(read_action(action));
        }
        let taken = PacketContent::Taken(guest.taken);
        self.send(from, taken);
    }

    /// Sends a save, or those parts of it that a client misses.
    fn send_save(
        &mut self,
        to: SocketAddr,
        number: u16,
        wanted: &[u16],
        destruction: &Destruction,
    ) {
        let Some(guest) = self.guests.get_mut(&to) else {
            return;
        };
        let is_new = guest.save.as_ref().is_none_or(|(own, _)| *own != number);
        if is_new {
            guest.save = Some((number, destruction.join_save()));
        }
        let Some((_, save)) = &guest.save else {
            return;
        };
        let parts: Vec<&[u8]> = save.chunks(MAX_SAVE_PART).collect();
        let Ok(count) = u16::try_from(parts.len()) else {
            return; // 65 MB
        };
        let all: Vec<u16> = (0..count).collect();
        let wanted = if wanted.is_empty() { &all } else { wanted };
        let part = |part: &u16| {
            let bytes = parts.get(usize::from(*part))?.to_vec();
            Some(PacketContent::SavePart {
                save: number,
                part: *part,
                parts: count,
                bytes,
            })
        };
        let packets: Vec<_> = wanted.iter().take(MAX_WANTED).filter_map(part).collect();
        packets.into_iter().for_each(|packet| self.send(to, packet));
    }

    fn send(&mut self, to: SocketAddr, content: PacketContent) {
        let run = self.run;
        self.link.send(to, &Packet { run, content });
    }

    fn send_messages(&mut self, to: SocketAddr, messages: Vec<Message>) {
        for content in packed(messages) {
            self.send(to, content);
        }
    }

    fn broadcast(&mut self, messages: Vec<Message>) {
        for content in packed(messages) {
            self.send_to_all(&content);
        }
    }

    /// Sends to all clients that are in the run.
    fn send_to_all(&mut self, content: &PacketContent) {
        let run = self.run;
        let there = self.guests.iter().filter(|(_, guest)| guest.run == run);
        let there: Vec<SocketAddr> = there.map(|(address, _)| *address).collect();
        for to in there {
            self.send(to, content.clone());
        }
    }
}
