//! The thread that writes lines, and the way to it.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd as _, BorrowedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::config::Stream;

/// Lines that may wait to be written; further ones are lost.
const MOST_WAITING: usize = 1024;

/// How long the end of the process waits for lines to be written where nobody reads them.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// How long it waits where the stream takes more: the thread that writes is late then, as on a
/// machine with too much to do, and the lines may say why the process ends.
const LATE: Duration = Duration::from_secs(5);

/// Between two looks at whether lines have been written.
const PAUSE: Duration = Duration::from_millis(1);

/// Where lines go; a line that finds no room is lost.
#[derive(Debug)]
pub(crate) struct Lines {
    /// None where the system gives no thread: then there is no log.
    sender: Option<SyncSender<Message>>,
    lost: &'static AtomicU64,
    /// What the thread writes to, if it can be asked whether it takes more.
    stream: Option<Arc<File>>,
}

/// Whether a write returns at once.
fn takes_more(stream: &File) -> bool {
    let mut asked = [PollFd::new(stream, PollFlags::OUT)];
    matches!(poll(&mut asked, Some(&Timespec::default())), Ok(1..))
}

#[derive(Debug)]
enum Message {
    Line(String),
    /// Everything before this has been written.
    Written(SyncSender<()>),
}

impl Lines {
    /// Lines of standard error. The descriptor is a copy, because the standard library holds a lock
    /// while it writes, which a writer without a reader would never give back.
    pub(super) fn to_standard_error() -> Self {
        Self::to_copy(io::stderr().as_fd(), |lost| {
            format!("reference-router: {lost} lines of the log were lost\n")
        })
    }

    /// Lines of JSON, on one of the process's streams.
    pub(crate) fn of_json(stream: Stream) -> Self {
        let lost = |lost| format!("{{\"lost\":{lost}}}\n");
        match stream {
            Stream::Output => Self::to_copy(io::stdout().as_fd(), lost),
            Stream::Error => Self::to_copy(io::stderr().as_fd(), lost),
        }
    }

    fn to_copy(stream: BorrowedFd<'_>, tell_lost: fn(u64) -> String) -> Self {
        match stream.try_clone_to_owned() {
            Ok(descriptor) => {
                let stream = Arc::new(File::from(descriptor));
                Self::to(Arc::clone(&stream), Some(stream), tell_lost)
            }
            // The stream is closed; then the log is lost.
            Err(_) => Self { sender: None, lost: counter(), stream: None },
        }
    }

    fn to(
        writer: impl Write + Send + 'static,
        stream: Option<Arc<File>>,
        tell_lost: fn(u64) -> String,
    ) -> Self {
        let (sender, receiver) = sync_channel(MOST_WAITING);
        let lost = counter();
        let thread = thread::Builder::new()
            .name("log".to_owned())
            .spawn(move || write(receiver, writer, lost, tell_lost));
        Self { sender: thread.is_ok().then_some(sender), lost, stream }
    }

    /// Writes a line, or loses it.
    pub(crate) fn say(&self, text: &str) {
        let sent = self
            .sender
            .as_ref()
            .is_some_and(|sender| sender.try_send(Message::Line(one_line(text))).is_ok());
        if !sent {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Waits until everything is written, but not for long.
    pub(crate) fn finish(&self) {
        let Some(sender) = &self.sender else { return };
        let began = Instant::now();
        let goes_on = || {
            let waited = began.elapsed();
            waited < LAST_WORDS || waited < LATE && self.stream.as_deref().is_some_and(takes_more)
        };
        let (written, told) = sync_channel(1);
        let mut message = Message::Written(written);
        while let Err(TrySendError::Full(again)) = sender.try_send(message) {
            if !goes_on() {
                return;
            }
            message = again;
            thread::sleep(PAUSE);
        }
        // Where the thread has ended, nothing more can be done.
        while told.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) && goes_on() {}
    }
}

/// The writer of formatted events, each of which comes in one call.
impl Write for &Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.say(&String::from_utf8_lossy(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn counter() -> &'static AtomicU64 {
    // Once for the process.
    Box::leak(Box::default())
}

/// One line, whatever cells and users made it of: a control character could begin another line, or
/// command the operator's terminal.
fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len() + 1);
    for character in text.trim_end_matches('\n').chars() {
        match character.is_control() {
            true => line.extend(character.escape_default()),
            false => line.push(character),
        }
    }
    line.push('\n');
    line
}

fn write(
    receiver: Receiver<Message>,
    mut to: impl Write,
    lost: &AtomicU64,
    tell_lost: fn(u64) -> String,
) {
    for message in receiver {
        // An error means that standard error is closed, and then nobody can be told.
        match message {
            Message::Line(line) => {
                let before = lost.swap(0, Ordering::Relaxed);
                if before > 0 {
                    let _ = to.write_all(tell_lost(before).as_bytes());
                }
                let _ = to.write_all(line.as_bytes());
            }
            Message::Written(tell) => {
                let _ = tell.try_send(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::OwnedFd;
    use std::sync::Mutex;

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn told(lost: u64) -> String {
        format!("{lost} lost\n")
    }

    #[test]
    fn each_event_is_one_line_without_control_characters() {
        let written = Written::default();
        let lines = Lines::to(written.clone(), None, told);
        (&lines).write_all("WARN cell=a\nERROR b\u{1b}[2J \u{9b}1m ü\t\r\n".as_bytes()).unwrap();
        lines.say("second");
        lines.finish();
        assert_eq!(
            String::from_utf8(written.0.lock().unwrap().clone()).unwrap(),
            "WARN cell=a\\nERROR b\\u{1b}[2J \\u{9b}1m ü\\t\\r\nsecond\n"
        );
    }

    #[test]
    fn lines_that_nobody_takes_are_lost_and_counted() {
        struct Stalled(SyncSender<()>, Receiver<()>, Written);
        impl Write for Stalled {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                // Errors mean that the test lets all writes pass.
                let _ = self.0.try_send(());
                let _ = self.1.recv();
                self.2.write(bytes)
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let ((tell, begun), (go_on, wait)) = (sync_channel(1), sync_channel::<()>(1));
        let written = Written::default();
        let lines = Lines::to(Stalled(tell, wait, written.clone()), None, told);
        lines.say("first");
        begun.recv().unwrap();
        for number in 0..MOST_WAITING + 100 {
            lines.say(&number.to_string());
        }
        // Nothing is written any more, and the end of the process does not wait for it.
        lines.finish();
        assert_eq!(lines.lost.load(Ordering::Relaxed), 100);
        drop(go_on);
        lines.finish();
        lines.say("last");
        lines.finish();
        let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
        assert!(text.contains("100 lost\n"), "{text}");
        assert!(text.ends_with("last\n"));
    }

    #[test]
    fn a_late_thread_is_waited_for_where_the_stream_takes_more() {
        struct Late(Written);
        impl Write for Late {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                thread::sleep(LAST_WORDS * 2);
                self.0.write(bytes)
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let (_reader, writer) = io::pipe().unwrap();
        let stream = File::from(OwnedFd::from(writer));
        assert!(takes_more(&stream));
        let written = Written::default();
        let lines = Lines::to(Late(written.clone()), Some(Arc::new(stream)), told);
        lines.say("why it ends");
        lines.finish();
        assert_eq!(*written.0.lock().unwrap(), b"why it ends\n");
    }

    #[test]
    fn a_full_pipe_takes_no_more() {
        let (_reader, writer) = io::pipe().unwrap();
        rustix::io::ioctl_fionbio(&writer, true).unwrap();
        while rustix::io::write(&writer, &[b'x'; 4096]).is_ok() {}
        assert!(!takes_more(&File::from(OwnedFd::from(writer))));
    }
}
