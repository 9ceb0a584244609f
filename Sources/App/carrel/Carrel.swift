import Commands

/// The small program: starts in a few milliseconds and answers what needs no network and no
/// database; for all else it becomes the large one.
@main enum Carrel {
  static func main() { Session.main(nil) }
}
