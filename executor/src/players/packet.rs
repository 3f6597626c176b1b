//! Packets of the demo's own network layer: what two programs say to each other besides the module's messages.

use fracture::Message;

/// Version of the packets: programs of another one do not play together.
pub const PACKET_VERSION: u8 = 1;
/// The first bytes of each packet.
const MARK: [u8; 3] = *b"FRP";
/// Most bytes of a packet: it fits into a datagram on any way.
const MAX_PACKET: usize = 1200;
/// Most bytes of a part of a save.
pub const MAX_SAVE_PART: usize = 1000;
/// Most parts of a save that are asked for at once.
pub const MAX_WANTED: usize = 32;
/// Most bytes of the name of a scene, and of an action.
const MAX_TEXT: usize = 1000;

/// The scene that a host plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostedScene {
    /// Its file, relative to the data folder.
    pub file: String,
    /// Mixed into the seed of every object.
    pub seed: u64,
}

/// A datagram between host and client. Each names the run, which is another one whenever the host opens a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Number of the run; 0 of a client that knows none.
    pub run: u64,
    pub content: PacketContent,
}

/// The content of a packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PacketContent {
    /// A client is there. It says so all the time.
    Hello,
    /// A host answers a client that is in another run.
    Welcome(HostedScene),
    /// A host takes nobody: it has no room, or is of another version.
    Full,
    /// Messages of the module.
    Messages(Vec<Message>),
    /// A client wants a save, or what it misses of it. Nothing listed is all of it.
    Wanted { save: u16, parts: Vec<u16> },
    /// A part of a save.
    SavePart {
        save: u16,
        part: u16,
        parts: u16,
        bytes: Vec<u8>,
    },
    /// An action of a player, as text. A client numbers its own from 1 on and repeats each until it is taken.
    Acted { number: u32, action: String },
    /// A host has taken the actions of a client up to a number.
    Taken(u32),
    /// The sender ends.
    Goodbye,
}

/// Why a datagram is no packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PacketError {
    /// Of another version.
    Version(u8),
    /// None of this program.
    Malformed,
}

impl Packet {
    /// The bytes of a datagram.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MARK.to_vec();
        out.push(PACKET_VERSION);
        out.extend(self.run.to_le_bytes());
        match &self.content {
            PacketContent::Hello => out.push(0),
            PacketContent::Welcome(scene) => {
                out.push(1);
                out.extend(scene.seed.to_le_bytes());
                out.extend(scene.file.as_bytes());
            }
            PacketContent::Full => out.push(2),
            PacketContent::Messages(messages) => {
                out.push(3);
                for message in messages {
                    out.extend((message.0.len() as u16).to_le_bytes());
                    out.extend(&message.0);
                }
            }
            PacketContent::Wanted { save, parts } => {
                out.push(4);
                out.extend(save.to_le_bytes());
                parts.iter().for_each(|part| out.extend(part.to_le_bytes()));
            }
            PacketContent::SavePart {
                save,
                part,
                parts,
                bytes,
            } => {
                out.push(5);
                for number in [save, part, parts] {
                    out.extend(number.to_le_bytes());
                }
                out.extend(bytes);
            }
            PacketContent::Acted { number, action } => {
                out.push(6);
                out.extend(number.to_le_bytes());
                out.extend(action.as_bytes());
            }
            PacketContent::Taken(number) => {
                out.push(7);
                out.extend(number.to_le_bytes());
            }
            PacketContent::Goodbye => out.push(8),
        }
        out
    }

    /// Reads a datagram.
    ///
    /// # Errors
    /// [`PacketError`] for one that no program of this version has written.
    pub fn read(bytes: &[u8]) -> Result<Self, PacketError> {
        let malformed = PacketError::Malformed;
        if bytes.len() > MAX_PACKET {
            return Err(malformed);
        }
        let rest = bytes.strip_prefix(&MARK).ok_or(malformed)?;
        let (version, mut rest) = rest.split_first().ok_or(malformed)?;
        if *version != PACKET_VERSION {
            return Err(PacketError::Version(*version));
        }
        let run = u64::from_le_bytes(take(&mut rest).ok_or(malformed)?);
        let (kind, rest) = rest.split_first().ok_or(malformed)?;
        let content = PacketContent::read(*kind, rest).ok_or(malformed)?;
        Ok(Self { run, content })
    }
}

impl PacketContent {
    fn read(kind: u8, mut rest: &[u8]) -> Option<Self> {
        let content = match kind {
            0 => Self::Hello,
            1 => {
                let seed = u64::from_le_bytes(take(&mut rest)?);
                let file = take_text(&mut rest)?;
                Self::Welcome(HostedScene { file, seed })
            }
            2 => Self::Full,
            3 => {
                let mut messages = Vec::new();
                while !rest.is_empty() {
                    let size = usize::from(take_short(&mut rest)?);
                    let (message, others) = rest.split_at_checked(size)?;
                    messages.push(Message(message.to_vec()));
                    rest = others;
                }
                Self::Messages(messages)
            }
            4 => {
                let save = take_short(&mut rest)?;
                let mut parts = Vec::new();
                while !rest.is_empty() && parts.len() < MAX_WANTED {
                    parts.push(take_short(&mut rest)?);
                }
                Self::Wanted { save, parts }
            }
            5 => Self::SavePart {
                save: take_short(&mut rest)?,
                part: take_short(&mut rest)?,
                parts: take_short(&mut rest)?,
                bytes: std::mem::take(&mut rest).to_vec(),
            },
            6 => Self::Acted {
                number: u32::from_le_bytes(take(&mut rest)?),
                action: take_text(&mut rest)?,
            },
            7 => Self::Taken(u32::from_le_bytes(take(&mut rest)?)),
            8 => Self::Goodbye,
            _ => return None,
        };
        rest.is_empty().then_some(content)
    }
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (head, tail) = rest.split_first_chunk()?;
    *rest = tail;
    Some(*head)
}

fn take_short(rest: &mut &[u8]) -> Option<u16> {
    take(rest).map(u16::from_le_bytes)
}

fn take_text(rest: &mut &[u8]) -> Option<String> {
    let text = std::mem::take(rest);
    let text = Some(text).filter(|text| text.len() <= MAX_TEXT)?;
    std::str::from_utf8(text).ok().map(str::to_owned)
}

/// Packs messages into as few packets as they need.
pub fn packed(messages: impl IntoIterator<Item = Message>) -> Vec<PacketContent> {
    let mut packets: Vec<Vec<Message>> = Vec::new();
    let mut room = 0;
    for message in messages {
        let size = 2 + message.0.len();
        match packets.last_mut().filter(|_| size <= room) {
            Some(packet) => packet.push(message),
            None => {
                room = MAX_PACKET - 64;
                packets.push(vec![message]);
            }
        }
        room = room.saturating_sub(size);
    }
    packets.into_iter().map(PacketContent::Messages).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packets() -> Vec<Packet> {
        let file = "scenes/wall.rgs".to_owned();
        let contents = [
            PacketContent::Hello,
            PacketContent::Welcome(HostedScene { file, seed: 7 }),
            PacketContent::Full,
            PacketContent::Messages(vec![Message(vec![1; 40]), Message(vec![2; 1000])]),
            PacketContent::Wanted {
                save: 3,
                parts: vec![0, 9, 500],
            },
            PacketContent::SavePart {
                save: 3,
                part: 9,
                parts: 501,
                bytes: vec![8; MAX_SAVE_PART],
            },
            PacketContent::Acted {
                number: 5,
                action: "Cut()".to_owned(),
            },
            PacketContent::Taken(5),
            PacketContent::Goodbye,
        ];
        let contents = contents.into_iter();
        contents
            .map(|content| Packet { run: 99, content })
            .collect()
    }

    #[test]
    fn packets_are_read_as_they_were_written_and_what_is_cut_short_is_no_other_packet() {
        for packet in packets() {
            let bytes = packet.to_bytes();
            assert!(bytes.len() <= MAX_PACKET);
            assert_eq!(Packet::read(&bytes), Ok(packet));
            for cut in 0..bytes.len() {
                let _ = Packet::read(&bytes[..cut]);
            }
            let mut other = bytes.clone();
            other[3] = 2;
            assert_eq!(Packet::read(&other), Err(PacketError::Version(2)));
        }
        assert_eq!(Packet::read(b"hello"), Err(PacketError::Malformed));
    }

    #[test]
    fn messages_are_packed_into_as_few_packets_as_they_need() {
        let messages: Vec<Message> = (0..100).map(|index| Message(vec![index; 40])).collect();
        let packets = packed(messages.clone());
        assert_eq!(packets.len(), 4);
        let unpacked = packets.into_iter().flat_map(|content| match content {
            PacketContent::Messages(messages) => messages,
            other => panic!("{other:?}"),
        });
        assert_eq!(unpacked.collect::<Vec<_>>(), messages);
    }
}
