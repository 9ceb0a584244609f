import Console

/// Starts the command line and leaves with its exit code.
@main enum Carrel {
  static func main() async {
    Process.ignoreClosedPipes()
    let words = Array(CommandLine.arguments.dropFirst())
    let session = Session(words, Surroundings.current)
    Process.leave(with: await session.run().rawValue)
  }
}
