import Bootstrap
import Commands

/// The large program: the same command line, linked with everything.
@main enum CarrelGateway {
  static func main() { Session.main(LinkedEngine()) }
}
