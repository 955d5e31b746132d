//! Many who connect at once, large requests, and slow ones: the server answers others meanwhile, and afterwards.

use crate::serve::browser::Browser;
use crate::serve::server::{Server, path};
use crate::support::Folder;
use socket2::{Domain, Socket, Type};
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// What an address may hold without a cookie.
const MOST_OF_ADDRESS: usize = 256;

fn dicewing(name: &str) -> (Folder, Server) {
    let folder = Folder::empty(name);
    let server = Server::start(&folder, &["dicewing"]);
    (folder, server)
}

/// Connects from one of the addresses of this machine: 127.0.0.`last`.
fn connect(server: &Server, last: u8) -> TcpStream {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.bind(&SocketAddr::from(([127, 0, 0, last], 0)).into()).unwrap();
    socket.connect(&server.address.into()).unwrap();
    let stream = TcpStream::from(socket);
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream
}

/// Asks on a connection for a path, with further lines of the head.
fn ask(stream: &mut TcpStream, host: &str, path: &str, lines: &str) {
    // A server that has heard enough may end it early.
    let _ = stream.write_all(format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{lines}\r\n").as_bytes());
}

/// The status of the reply, which need not be whole; 0 if the connection has ended without one. A server that does neither is a
/// failure.
fn status(stream: &mut TcpStream) -> u16 {
    let mut start = [0; 12];
    match stream.read_exact(&mut start) {
        Ok(()) => std::str::from_utf8(&start[9..]).unwrap().parse().unwrap(),
        Err(error) => {
            assert!(!matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut), "{error}");
            0
        }
    }
}

/// Follows a path on so many connections, which stay open. Returns them with their statuses.
fn follow(server: &Server, last: u8, count: usize, host: &str, path: &str, lines: &str) -> Vec<(TcpStream, u16)> {
    let followed = |_| {
        let mut stream = connect(server, last);
        ask(&mut stream, host, path, lines);
        let status = status(&mut stream);
        (stream, status)
    };
    (0..count).map(followed).collect()
}

fn count(followers: &[(TcpStream, u16)], wanted: u16) -> usize {
    followers.iter().filter(|(_, status)| *status == wanted).count()
}

#[test]
fn large_heads_are_not_read() {
    let (_folder, server) = dicewing("serve-large-heads");
    let host = server.address.to_string();
    let cookies = |bytes: usize| format!("Cookie: ludex={}\r\n", "0123456789abcdef0123456789abcdef; ludex=".repeat(bytes / 40));
    for (bytes, wanted) in [(15 << 10, 200), (17 << 10, 431)] {
        let mut stream = connect(&server, 1);
        ask(&mut stream, &host, &server.watch(), &cookies(bytes));
        assert_eq!(status(&mut stream), wanted, "{bytes}");
    }
    let mut streams: Vec<TcpStream> = (0..100).map(|_| connect(&server, 1)).collect();
    let large = cookies(380 << 10);
    streams.iter_mut().for_each(|stream| ask(stream, &host, &format!("{}events", path(&server.link(0))), &large));
    assert!(server.seated(0).page().contains("class=\"area"));
    assert!(streams.iter_mut().all(|stream| [431, 0].contains(&status(stream))));
}

#[test]
fn a_head_that_never_ends_is_not_waited_for() {
    let (_folder, server) = dicewing("serve-endless-head");
    let mut silent = connect(&server, 1);
    let mut endless = connect(&server, 1);
    let mut writing = endless.try_clone().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let _ = writing.write_all(b"GET / HTTP/1.1\r\n");
            for _ in 0..300 {
                if writing.write_all(b"X: y\r\n").is_err() {
                    return;
                }
                std::thread::sleep(Duration::from_millis(200));
            }
        });
        assert_eq!((status(&mut silent), status(&mut endless)), (0, 0));
    });
    // A connection that has been asked on is not kept for nothing, either.
    let mut quiet = connect(&server, 1);
    ask(&mut quiet, &server.address.to_string(), "/assets/icon.svg", "");
    let mut reply = Vec::new();
    quiet.read_to_end(&mut reply).unwrap();
    assert!(reply.starts_with(b"HTTP/1.1 200"));
}

#[test]
fn connections_beyond_what_the_system_allows_are_refused_and_play_goes_on() {
    let folder = Folder::empty("serve-few-files");
    let server = Server::start_with_files(&folder, 160, &["dicewing"]);
    let host = server.address.to_string();
    let mut one = server.seated(0);
    let events = format!("{}events", server.watch());
    let followers = follow(&server, 1, 300, &host, &events, "");
    let (let_in, refused, ended) = (count(&followers, 200), count(&followers, 503), count(&followers, 0));
    assert!(let_in > 20 && refused > 20 && let_in + refused + ended == 300, "{let_in} {refused} {ended}");
    drop(followers);
    // The server notices a moment later that they have gone.
    let mut reply = one.get("");
    while reply.status != 200 {
        assert!([503, 0].contains(&reply.status), "{reply:?}");
        std::thread::sleep(Duration::from_millis(50));
        reply = one.get("");
    }
    let mut both = [one, server.seated(1)];
    assert!(both.iter_mut().any(|browser| browser.answer(&mut |_| 0)));
}

#[test]
fn an_address_without_a_seat_has_so_many_connections() {
    let (_folder, server) = dicewing("serve-address");
    let host = server.address.to_string();
    let seated = server.seated(0);
    let cookie = format!("Cookie: {}\r\n", seated.cookie.clone().unwrap());
    let (watched, followed) = (format!("{}events", server.watch()), format!("{}events", seated.path));
    let strangers = follow(&server, 2, MOST_OF_ADDRESS + 3, &host, &watched, "");
    assert_eq!((count(&strangers, 200), count(&strangers, 429)), (MOST_OF_ADDRESS, 3));
    // Others come from elsewhere, and those who show a seat are let in from there, too.
    assert_eq!(count(&follow(&server, 3, 1, &host, &watched, ""), 200), 1);
    assert_eq!(count(&follow(&server, 2, 1, &host, &followed, &cookie), 200), 1);
    // A cookie that is good for nothing helps nobody.
    let wrong = "Cookie: ludex=0123456789abcdef0123456789abcdef\r\n";
    assert_eq!(count(&follow(&server, 2, 1, &host, &followed, wrong), 429), 1);
    // Connections that send nothing count, too.
    let silent: Vec<TcpStream> = (0..MOST_OF_ADDRESS).map(|_| connect(&server, 4)).collect();
    assert_eq!(count(&follow(&server, 4, 1, &host, &watched, ""), 429), 1);
    drop((strangers, silent));
}

#[test]
fn who_follows_with_a_seat_takes_no_room_from_strangers() {
    let (_folder, server) = dicewing("serve-seated");
    let host = server.address.to_string();
    let seated = server.seated(0);
    let cookie = format!("Cookie: {}\r\n", seated.cookie.clone().unwrap());
    let followers = follow(&server, 1, MOST_OF_ADDRESS + 20, &host, &format!("{}events", seated.path), &cookie);
    assert_eq!(count(&followers, 200), MOST_OF_ADDRESS + 20);
    assert!(Browser::new(server.address, &server.watch()).page().contains("class=\"area"));
}

#[test]
fn behind_a_proxy_connections_count_by_what_it_says() {
    let folder = Folder::empty("serve-proxied");
    let mut server = Server::start_behind_proxy(&folder, &["dicewing", "--forwarded-header", "X-Forwarded-For"]);
    assert!(!server.remarks("Ctrl-C").contains("--forwarded-header"));
    let (host, watched) = ("play.example.org", format!("{}events", server.watch()));
    let from = |address: &str| format!("X-Forwarded-For: {address}\r\n");
    // Whoever has an address of IPv6 has those beside it.
    let own: Vec<_> = (0..=MOST_OF_ADDRESS)
        .flat_map(|last| follow(&server, 1, 1, host, &watched, &from(&format!("2001:db8::{last:x}"))))
        .collect();
    assert_eq!((count(&own, 200), count(&own, 429)), (MOST_OF_ADDRESS, 1));
    assert_eq!(count(&follow(&server, 1, 1, host, &watched, &from("2001:db8:1::1")), 200), 1);
    drop(server);

    let folder = Folder::empty("serve-proxied-silently");
    let mut server = Server::start_behind_proxy(&folder, &["dicewing"]);
    assert!(server.remarks("Ctrl-C").contains("--forwarded-header"));
    let watched = format!("{}events", server.watch());
    let all = follow(&server, 1, MOST_OF_ADDRESS + 20, host, &watched, "");
    assert_eq!(count(&all, 200), MOST_OF_ADDRESS + 20);
}
