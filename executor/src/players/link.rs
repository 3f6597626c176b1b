//! A UDP socket that never waits, and counts what goes through it.

use super::packet::{Packet, PacketError};
use super::traffic::Traffic;
use std::{
    io::{self, ErrorKind},
    net::{SocketAddr, UdpSocket},
};

/// Most datagrams that are read in a frame; the rest stays with the system.
const MAX_READ: usize = 2048;

/// A socket.
#[derive(Debug)]
pub struct Link {
    socket: UdpSocket,
    /// Bytes that come in.
    pub down: Traffic,
    /// Bytes that go out.
    pub up: Traffic,
}

impl Link {
    /// Opens a socket at an address of this machine.
    ///
    /// # Errors
    /// The system's, when the address is in use, or none of this machine.
    pub fn open(address: SocketAddr) -> io::Result<Self> {
        let socket = UdpSocket::bind(address)?;
        socket.set_nonblocking(true)?;
        Ok(Self {
            socket,
            down: Traffic::default(),
            up: Traffic::default(),
        })
    }

    /// The address of the socket.
    ///
    /// # Errors
    /// The system's.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    /// Sends a packet, or loses it: those that matter are repeated.
    pub fn send(&mut self, to: SocketAddr, packet: &Packet) {
        let bytes = packet.to_bytes();
        self.up.count(bytes.len());
        let _ = self.socket.send_to(&bytes, to);
    }

    /// The packets that have come, with their senders.
    pub fn receive(&mut self) -> Vec<(SocketAddr, Result<Packet, PacketError>)> {
        let mut packets = Vec::new();
        let mut buffer = [0; 2048];
        for _ in 0..MAX_READ {
            match self.socket.recv_from(&mut buffer) {
                Ok((size, from)) => {
                    self.down.count(size);
                    let bytes = buffer.get(..size).unwrap_or_default();
                    packets.push((from, Packet::read(bytes)));
                }
                // Nobody is there at an address to which something was sent.
                Err(error) if error.kind() == ErrorKind::ConnectionReset => {}
                Err(_) => break,
            }
        }
        packets
    }

    /// Ends a frame.
    pub fn end_frame(&mut self) {
        self.down.end_frame();
        self.up.end_frame();
    }
}
