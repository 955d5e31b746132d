//! The addresses at which the server listens and others reach it. They may differ: a proxy may be in front of the server.

use ludex_engine::codes;
use ludex_engine::problem::Problem;
use socket2::SockRef;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, UdpSocket};
use std::str::FromStr;

/// Maximum number of unread bytes that the system buffers for a browser.
const MOST_UNREAD: usize = 256 << 10;

/// An address of a server without a path: `https://play.example.org`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    pub is_secure: bool,
    /// In lower case, with the port if it is not the default one.
    pub host: String,
}

impl Origin {
    /// The address of this server without encryption.
    pub fn http(host: &str, port: u16) -> Origin {
        let host = if port == 80 { host.to_string() } else { format!("{host}:{port}") };
        Origin { is_secure: false, host }
    }
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}://{}", if self.is_secure { "https" } else { "http" }, self.host)
    }
}

impl FromStr for Origin {
    type Err = String;

    fn from_str(text: &str) -> Result<Origin, String> {
        let wrong = || "write the address that people open, without a path: `https://play.example.org`".to_string();
        let (scheme, rest) = text.split_once("://").ok_or_else(wrong)?;
        let is_secure = match scheme {
            "https" => true,
            "http" => false,
            _ => return Err(wrong()),
        };
        let host = rest.strip_suffix('/').unwrap_or(rest).to_ascii_lowercase();
        let usual = if is_secure { ":443" } else { ":80" };
        let host = host.strip_suffix(usual).unwrap_or(&host).to_string();
        let is_host = |c: char| c.is_ascii_alphanumeric() || "-.:[]".contains(c);
        if host.is_empty() || !host.chars().all(is_host) {
            return Err(wrong());
        }
        Ok(Origin { is_secure, host })
    }
}

/// Listens on this machine only, or `everywhere`: on all its interfaces.
pub fn listen(everywhere: bool, port: u16) -> Result<TcpListener, Problem> {
    let address = if everywhere { Ipv4Addr::UNSPECIFIED } else { Ipv4Addr::LOCALHOST };
    let listener = TcpListener::bind(SocketAddr::from((address, port))).and_then(|listener| {
        // Connections inherit the buffer size of their listener.
        SockRef::from(&listener).set_send_buffer_size(MOST_UNREAD)?;
        Ok(listener)
    });
    listener.map_err(|error| {
        let problem = Problem::error(codes::NO_LISTENING, format!("the server cannot listen on port {port}: {error}"));
        match error.kind() {
            io::ErrorKind::AddrInUse => problem.help("end the program that listens there, or choose another port: `--port 8080`"),
            _ => problem.help("choose another port: `--port 8080`"),
        }
    })
}

/// The address of this machine in its local network. Sends nothing: the system only picks the route.
pub fn in_local_network() -> Result<IpAddr, Problem> {
    let found = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).and_then(|socket| {
        // An address reserved for documentation.
        socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9))?;
        Ok(socket.local_addr()?.ip())
    });
    found.ok().filter(|address| !address.is_loopback() && !address.is_unspecified()).ok_or_else(|| {
        Problem::error(codes::NO_LISTENING, "this machine has no address in a local network")
            .help("join a network, or leave out `--lan`")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_a_scheme_and_a_host() {
        let read = |text: &str| text.parse::<Origin>().map(|origin| origin.to_string());
        assert_eq!(read("https://Play.Example.org/"), Ok("https://play.example.org".to_string()));
        assert_eq!(read("https://play.example.org:443"), Ok("https://play.example.org".to_string()));
        assert_eq!(read("http://127.0.0.1:8047"), Ok("http://127.0.0.1:8047".to_string()));
        for wrong in ["play.example.org", "ftp://a", "https://", "https://a/b", "https://a b", "https://a\r\nb"] {
            assert!(read(wrong).is_err(), "{wrong:?}");
        }
        assert_eq!(Origin::http("localhost", 80).to_string(), "http://localhost");
    }
}
