import Commands

/// The small program: starts in a few milliseconds and answers what needs no network and no
/// database; for book files it becomes `carrel-book`, for all else the large one.
@main enum Carrel {
  static func main() { Session.main(nil, nil) }
}
