import Commands
import Console
import ReadingRoom

/// What the small program becomes for book files: linked with what opens them, and with nothing for
/// network or database.
@main enum CarrelBook {
  static func main() {
    Process.settleTimeZone()
    Session.main(nil, ReadingRoom())
  }
}
