//! Two programs and one scene: what a game does who wants to play destruction over a network, in the smallest form. UDP by
//! the standard library: no message needs an order, and none has to arrive but the save, which is asked for in parts.

mod act;
mod client;
mod host;
mod link;
mod packet;
mod traffic;

pub use act::{perform_of_others, perform_shared};
pub use client::Client;
pub use host::Host;
pub use link::Link;
pub use packet::HostedScene;
pub use traffic::Traffic;

use crate::scenario::{read::options, Action};
use fracture::Destruction;
use std::{
    io,
    net::{SocketAddr, ToSocketAddrs},
};
use thiserror::Error;

/// Port of a host that names none.
pub const PORT: u16 = 7878;
/// Frames without a word after which the other side is taken to be gone: ten seconds.
const SILENCE: u64 = 600;

/// Why players do not come together.
#[derive(Debug, Error)]
pub enum PlayersError {
    /// No socket can be opened there.
    #[error(
        "{address} cannot be used: {reason}; choose another port, or end the program that has it"
    )]
    Address {
        /// The address.
        address: SocketAddr,
        /// The system's error.
        reason: io::Error,
    },
    /// It is the name of no machine.
    #[error("{name} is the address of no machine; write it as 192.168.1.5:{PORT}")]
    Name {
        /// As it was typed.
        name: String,
    },
    /// The host says nothing.
    #[error("no host answers at {host}; begin it with executor --host {host}")]
    Silence {
        /// Its address.
        host: SocketAddr,
    },
    /// The host has ended.
    #[error("the host at {host} has ended")]
    Ended {
        /// Its address.
        host: SocketAddr,
    },
    /// The host has no room, or is of another version.
    #[error("the host at {host} takes nobody: it has no room, or is of another version")]
    Full {
        /// Its address.
        host: SocketAddr,
    },
    /// The host is of another version.
    #[error(
        "the host's program is of another version ({found}) than this one; let both have the same"
    )]
    Version {
        /// Its version.
        found: u8,
    },
    /// The host plays a scene that is not there.
    #[error(
        "the host plays the scene {file}, which is not here; let both have the same data folder"
    )]
    NoScene {
        /// The scene's file.
        file: String,
    },
}

/// Reads an address; without a port it is that of [`PORT`].
///
/// # Errors
/// [`PlayersError::Name`] when no machine has that name.
pub fn resolve(name: &str) -> Result<SocketAddr, PlayersError> {
    let found = name
        .to_socket_addrs()
        .or_else(|_| (name, PORT).to_socket_addrs());
    let found = found.ok().and_then(|mut addresses| addresses.next());
    found.ok_or_else(|| PlayersError::Name {
        name: name.to_owned(),
    })
}

/// The side of this program.
#[derive(Debug, Default)]
pub enum Players {
    /// Alone.
    #[default]
    None,
    /// It decides.
    Host(Host),
    /// It follows.
    Client(Client),
}

impl Players {
    /// Takes what has come from others, and tells them what there is to tell: once a frame, after the update of
    /// destruction.
    pub fn exchange(&mut self, destruction: Option<&mut Destruction>) {
        match self {
            Self::None => {}
            Self::Host(host) => host.exchange(destruction),
            Self::Client(client) => client.exchange(destruction),
        }
    }

    /// The side of this program, the number of others, and bytes a second; `None` without others.
    pub fn status(&self) -> Option<String> {
        let (who, link) = match self {
            Self::None => return None,
            Self::Host(host) => {
                let address = host.link().address();
                let address = address.map_or_else(|_| String::new(), |own| own.to_string());
                let who = format!("host at {address}   {} joined", host.count());
                (who, host.link())
            }
            Self::Client(client) => {
                let state = match (client.scene(), client.has_joined()) {
                    (None, _) => "asking",
                    (_, false) => "joining",
                    _ => "joined",
                };
                (format!("{state} {}", client.host()), client.link())
            }
        };
        let [down, up] = [&link.down, &link.up].map(|way| way.per_second() as f64 / 1e3);
        Some(format!("{who}   {down:.1} kB/s in   {up:.1} kB/s out"))
    }

    /// Says goodbye to the others.
    pub fn close(&mut self) {
        match self {
            Self::None => {}
            Self::Host(host) => host.close(),
            Self::Client(client) => client.close(),
        }
    }
}

/// The text of an action that goes over the wire.
fn written(action: &Action) -> Option<String> {
    options().to_string(action).ok()
}

/// An action from the wire, if it makes sense. Others may throw balls, set off bombs and cut: nothing else.
fn read_action(text: &str) -> Option<Action> {
    let action: Action = options().from_str(text).ok()?;
    let is_allowed = matches!(
        action,
        Action::Throw { .. } | Action::Explosion { .. } | Action::Cut { .. }
    );
    action.check().ok().filter(|()| is_allowed)?;
    Some(action)
}
