//! The addresses of the server, the origins of posts, and the addresses of clients. `web/guard` asks here whether a request is
//! for this server, and whether a post comes from one of its pages.

use super::address::Origin;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use std::net::{IpAddr, Ipv6Addr};

/// The header in which browsers say whether a request comes from a page of the same server.
const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The addresses of the server, and the way to find the address of a client.
pub struct Door {
    /// The first is the one in links.
    pub origins: Vec<Origin>,
    /// The header in which a proxy names the client.
    pub forwarded: Option<HeaderName>,
}

/// The address towards which a connection counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountingMode {
    /// The peer of the connection.
    Peer,
    /// The client named in the proxy's header, for each request.
    Header,
    /// None: a proxy connects for everybody and does not name the client.
    Nothing,
}

/// The origin of a post.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PostOrigin {
    /// The browser confirms that the post comes from a page of this server.
    OwnPage,
    /// The browser does not say; the form must prove that it comes from such a page.
    Untold,
}

impl Door {
    pub fn main_origin(&self) -> &Origin {
        &self.origins[0]
    }

    /// The address that a request asks for, if it is one of this server.
    pub fn requested_origin(&self, headers: &HeaderMap) -> Option<&Origin> {
        let host = headers.get(header::HOST)?.to_str().ok()?.to_ascii_lowercase();
        self.origins.iter().find(|origin| origin.host == host)
    }

    /// The origin of a post; `None` if it comes from elsewhere. Because of `no-referrer`, browsers send `null` for forms that are
    /// posted without a script.
    pub fn post_origin(&self, headers: &HeaderMap) -> Option<PostOrigin> {
        let own = self.requested_origin(headers)?.to_string();
        let site = headers.get(SITE).map(HeaderValue::as_bytes);
        let origin = headers.get(header::ORIGIN).map(HeaderValue::as_bytes).filter(|origin| *origin != b"null");
        match (origin, site) {
            (_, Some(site)) if site != b"same-origin" => None,
            (Some(origin), _) => (origin == own.as_bytes()).then_some(PostOrigin::OwnPage),
            (None, Some(_)) => Some(PostOrigin::OwnPage),
            (None, None) => Some(PostOrigin::Untold),
        }
    }

    /// The way to count connections. A server with a secure address is reached only through proxies.
    pub fn counting_mode(&self) -> CountingMode {
        match (&self.forwarded, self.main_origin().is_secure) {
            (Some(_), _) => CountingMode::Header,
            (None, true) => CountingMode::Nothing,
            (None, false) => CountingMode::Peer,
        }
    }

    /// The address of the client: behind a proxy, the last one in its header.
    pub fn client_address(&self, headers: &HeaderMap, peer: IpAddr) -> IpAddr {
        let last = self.forwarded.as_ref().and_then(|name| headers.get_all(name).iter().next_back()?.to_str().ok());
        network_of(last.and_then(|value| value.rsplit(',').next()?.trim().parse().ok()).unwrap_or(peer))
    }
}

/// The network of an address. The owner of one IPv6 address has the 2^64 beside it, so they count as one.
fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn door() -> Door {
        let origins = vec!["https://play.example.org".parse().unwrap(), Origin::http("localhost", 8047)];
        Door { origins, forwarded: Some(HeaderName::from_static("x-forwarded-for")) }
    }

    fn headers(all: &[(&'static str, &str)]) -> HeaderMap {
        all.iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap())).collect()
    }

    fn from(all: &[(&'static str, &str)]) -> Option<PostOrigin> {
        let mut all = all.to_vec();
        all.push(("host", "play.example.org"));
        door().post_origin(&headers(&all))
    }

    #[test]
    fn posts_come_from_own_pages() {
        assert_eq!(from(&[("origin", "https://play.example.org")]), Some(PostOrigin::OwnPage));
        assert_eq!(from(&[("origin", "null"), ("sec-fetch-site", "same-origin")]), Some(PostOrigin::OwnPage));
        assert_eq!(from(&[("origin", "null")]), Some(PostOrigin::Untold));
        assert_eq!(from(&[]), Some(PostOrigin::Untold));
        for foreign in ["https://evil.example", "http://play.example.org", "https://play.example.org.evil.example", ""] {
            assert_eq!(from(&[("origin", foreign)]), None, "{foreign}");
        }
        for site in ["cross-site", "same-site", "none"] {
            assert_eq!(from(&[("origin", "https://play.example.org"), ("sec-fetch-site", site)]), None, "{site}");
        }
    }

    #[test]
    fn only_own_hosts_are_answered() {
        let asked = |host: &str| door().requested_origin(&headers(&[("host", host)])).map(ToString::to_string);
        assert_eq!(asked("Play.Example.Org").as_deref(), Some("https://play.example.org"));
        assert_eq!(asked("localhost:8047").as_deref(), Some("http://localhost:8047"));
        assert_eq!(
            (asked("localhost"), asked("evil.example"), door().requested_origin(&HeaderMap::new()).is_none()),
            (None, None, true)
        );
    }

    #[test]
    fn connections_are_counted_by_what_is_known_of_them() {
        assert_eq!(door().counting_mode(), CountingMode::Header);
        assert_eq!(Door { forwarded: None, ..door() }.counting_mode(), CountingMode::Nothing);
        assert_eq!(Door { origins: vec![Origin::http("localhost", 80)], forwarded: None }.counting_mode(), CountingMode::Peer);
    }

    #[test]
    fn a_proxy_says_last_who_asks() {
        let peer: IpAddr = "10.0.0.1".parse().unwrap();
        let asker = |value: &str| door().client_address(&headers(&[("x-forwarded-for", value)]), peer).to_string();
        assert_eq!(asker("1.2.3.4, 203.0.113.9"), "203.0.113.9");
        assert_eq!((asker("nobody"), asker("")), ("10.0.0.1".to_string(), "10.0.0.1".to_string()));
        assert_eq!((asker("2001:db8:1:2:3:4:5:6"), asker("::ffff:203.0.113.9")), ("2001:db8:1:2::".into(), "203.0.113.9".into()));
        let open = Door { forwarded: None, ..door() };
        assert_eq!(open.client_address(&headers(&[("x-forwarded-for", "1.2.3.4")]), peer), peer);
    }
}
