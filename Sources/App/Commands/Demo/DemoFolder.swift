import Console
import Machine

/// Where a demo lies: in a folder that goes with it, or in the one that `--home` names. The variable
/// CARREL_HOME does not count: what it names may be somebody's real shelf.
struct DemoFolder {
  let path: String
  /// Removes itself with the last who holds it.
  private let passing: TemporaryFolder?

  init(_ app: App) throws(CommandError) {
    guard let home = app.home else {
      let parent = app.surroundings["TMPDIR"] ?? "/tmp"
      guard let folder = TemporaryFolder(in: parent, named: "carrel-demo") else {
        throw CommandError(.unwritable, "no folder can be made in \(parent)")
      }
      (path, passing) = (folder.path, folder)
      return
    }
    do throws(Files.Trouble) { try Files.makeFolder(home) } catch {
      throw CommandError(.unwritable, "the demo's folder cannot be made: \(error)")
    }
    guard Files.names(in: home).isEmpty else {
      throw CommandError(
        .badValue, "\(home) is not empty, and a demo begins with nothing",
        try: "carrel demo --home \(home)-demo")
    }
    (path, passing) = (home, nil)
  }
}
