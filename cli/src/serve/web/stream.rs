//! A connection whose peer must read in time, because unsent data is held in memory.

use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::rt::TokioIo;
use std::future::Future;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::Sleep;

/// A connection that fails if its peer reads too slowly.
pub struct Stream {
    inner: TokioIo<TcpStream>,
    /// The time that pending data may wait.
    longest: Duration,
    /// The timer that runs while data is pending.
    late: Option<Pin<Box<Sleep>>>,
}

impl Stream {
    pub fn new(stream: TcpStream, longest: Duration) -> Stream {
        Stream { inner: TokioIo::new(stream), longest, late: None }
    }

    /// Fails if data has been pending for too long. A peer that reads a little now and then gains no time.
    fn within_time<T>(&mut self, context: &mut Context<'_>, sent: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if sent.is_ready() {
            return sent;
        }
        let longest = self.longest;
        ready!(self.late.get_or_insert_with(|| Box::pin(tokio::time::sleep(longest))).as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl Read for Stream {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: ReadBufCursor<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(context, buffer)
    }
}

impl Write for Stream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.inner).poll_write(context, bytes);
        self.within_time(context, sent)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.inner).poll_write_vectored(context, parts);
        self.within_time(context, sent)
    }

    /// hyper flushes after it has sent everything, so nothing is pending.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.late = None;
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::poll_fn;
    use tokio::net::TcpListener;

    #[test]
    fn whoever_does_not_read_is_left() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let silent = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
            let (accepted, _) = listener.accept().await.unwrap();
            let mut stream = Stream::new(accepted, Duration::from_millis(50));
            let bytes = vec![0; 1 << 16];
            let error = loop {
                if let Err(error) = poll_fn(|context| Pin::new(&mut stream).poll_write(context, &bytes)).await {
                    break error;
                }
            };
            assert_eq!(error.kind(), io::ErrorKind::TimedOut);
            drop(silent);
        });
    }
}
