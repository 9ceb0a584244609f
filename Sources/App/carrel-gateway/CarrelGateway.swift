import Bootstrap
import Commands
import Machine
import ReadingRoom

/// The large program: the same command line, linked with everything.
@main enum CarrelGateway {
  static func main() {
    // Cards and PINs pass through its memory. Where the system does not let us, it runs all the same.
    try? ThisProcess.refuseCoreDumps()
    Session.main(LinkedEngine(), ReadingRoom())
  }
}
