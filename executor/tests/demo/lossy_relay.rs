//! A way between programs that loses datagrams, and brings others late, twice and out of order. It counts frames, not
//! seconds, so that its tests do not depend on the machine.

use std::{
    collections::BTreeMap,
    net::{SocketAddr, UdpSocket},
};

/// Frames that a datagram takes at least, 100 ms, and by how many it may take longer.
const DELAY: [usize; 2] = [6, 5];

/// Numbers that look random.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, count: usize) -> usize {
        self.0 += 1;
        (xxhash_rust::xxh3::xxh3_64(&self.0.to_le_bytes()) % count as u64) as usize
    }

    /// From -1 to 1.
    pub fn figure(&mut self) -> f32 {
        self.below(1 << 16) as f32 / (1 << 15) as f32 - 1.0
    }
}

/// A relay before a host.
pub struct Relay {
    front: UdpSocket,
    host: SocketAddr,
    /// By the client's address: the socket that speaks for it to the host.
    ways: BTreeMap<SocketAddr, UdpSocket>,
    under_way: Vec<Datagram>,
    frame: usize,
    dice: Dice,
}

struct Datagram {
    due: usize,
    client: SocketAddr,
    is_up: bool,
    bytes: Vec<u8>,
}

fn socket() -> UdpSocket {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.set_nonblocking(true).unwrap();
    socket
}

fn received(socket: &UdpSocket) -> Vec<(SocketAddr, Vec<u8>)> {
    let mut all = Vec::new();
    let mut buffer = [0; 2048];
    while let Ok((size, from)) = socket.recv_from(&mut buffer) {
        all.push((from, buffer[..size].to_vec()));
    }
    all
}

impl Relay {
    pub fn new(host: SocketAddr) -> Self {
        Self {
            front: socket(),
            host,
            ways: BTreeMap::new(),
            under_way: Vec::new(),
            frame: 0,
            dice: Dice(77),
        }
    }

    /// The address that clients take for the host's.
    pub fn address(&self) -> SocketAddr {
        self.front.local_addr().unwrap()
    }

    /// Lets a frame pass.
    pub fn pump(&mut self) {
        self.frame += 1;
        for (client, bytes) in received(&self.front) {
            self.ways.entry(client).or_insert_with(socket);
            self.dispatch(client, true, bytes);
        }
        let ways = self.ways.iter();
        let down = ways.flat_map(|(client, way)| {
            let all = received(way).into_iter();
            all.map(|(_, bytes)| (*client, bytes))
        });
        let down: Vec<_> = down.collect();
        for (client, bytes) in down {
            self.dispatch(client, false, bytes);
        }
        let frame = self.frame;
        let all = std::mem::take(&mut self.under_way);
        let (due, later) = all.into_iter().partition(|one: &Datagram| one.due <= frame);
        self.under_way = later;
        for datagram in due {
            let (socket, to) = if datagram.is_up {
                (&self.ways[&datagram.client], self.host)
            } else {
                (&self.front, datagram.client)
            };
            let _ = socket.send_to(&datagram.bytes, to);
        }
    }

    /// Loses one of twenty, doubles one of fifty.
    fn dispatch(&mut self, client: SocketAddr, is_up: bool, bytes: Vec<u8>) {
        let copies = 1 + usize::from(self.dice.below(50) == 0);
        for _ in 0..copies {
            if self.dice.below(20) > 0 {
                let due = self.frame + DELAY[0] + self.dice.below(DELAY[1]);
                let bytes = bytes.clone();
                self.under_way.push(Datagram {
                    due,
                    client,
                    is_up,
                    bytes,
                });
            }
        }
    }
}
