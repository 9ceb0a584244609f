import Commands
import ReadingRoom

/// What the small program becomes for book files: linked with what opens them, and with nothing for
/// network or database.
@main enum CarrelBook {
  static func main() { Session.main(nil, ReadingRoom()) }
}
