import Glibc

/// Both ends of a terminal that no one sits at.
final class PseudoTerminal: Sendable {
  let person: Int32
  let program: Int32

  init?(columns: UInt16 = 80) {
    person = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (unlocked, number): (Int32, Int32) = (0, -1)
    // TIOCSPTLCK and TIOCGPTN: what unlockpt and ptsname do, which Glibc does not show to Swift.
    guard person >= 0, unsafe ioctl(person, 0x4004_5431, &unlocked) == 0,
      unsafe ioctl(person, 0x8004_5430, &number) == 0
    else { return nil }
    program = unsafe open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard program >= 0 else { return nil }
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    unsafe _ = ioctl(program, UInt(TIOCSWINSZ), &size)
  }

  deinit {
    close(person)
    close(program)
  }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    unsafe _ = write(person, bytes, bytes.count)
  }

  /// Reads what the person sees until it ends so; a watchdog of ten seconds stands guard.
  func see(until end: String) -> String {
    var seen: [UInt8] = []
    while !String(decoding: seen, as: UTF8.self).hasSuffix(end) {
      var wait = pollfd(fd: person, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&wait, 1, 10_000) == 1 else { break }
      var room = [UInt8](repeating: 0, count: 512)
      let count = unsafe read(person, &room, room.count)
      guard count > 0 else { break }
      seen += room[..<count]
    }
    return String(decoding: seen, as: UTF8.self)
  }

  var echoes: Bool {
    var settings = termios()
    unsafe tcgetattr(program, &settings)
    return settings.c_lflag & tcflag_t(ECHO) != 0
  }
}
