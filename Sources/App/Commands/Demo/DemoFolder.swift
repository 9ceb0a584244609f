import Console
import Machine
import TextSafety

/// Where a demo lies: in a folder that goes with it, or in the one that `--home` names. The variable
/// CARREL_HOME does not count: what it names may be somebody's real shelf.
struct DemoFolder {
  let path: String
  /// Removes itself with the last who holds it.
  private let passing: TemporaryFolder?
  /// Removes it where this process is killed.
  private let remover: ChildProcess?

  init(_ app: App) throws(CommandError) {
    guard let home = app.home else {
      let parent = app.surroundings["TMPDIR"] ?? "/tmp"
      guard let folder = TemporaryFolder(in: parent, named: "carrel-demo") else {
        throw CommandError(.unwritable, "no folder can be made in \(parent)")
      }
      (path, passing) = (folder.path, folder)
      remover = try Self.startRemover(of: folder.path)
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
    (path, passing, remover) = (home, nil, nil)
  }

  /// A shell that waits until its input ends, which the kernel sees to when this process ends. It removes
  /// the folder more than once: a command of the tour may still be writing into it.
  private static func startRemover(of folder: String) throws(CommandError) -> ChildProcess {
    let script = """
      trap '' HUP INT QUIT TERM
      cat >/dev/null
      for turn in 1 2 3 4 5; do
        [ -e "$0" ] || exit 0
        rm -rf -- "$0"
        sleep 1
      done
      """
    var shell = ChildProgram(
      "/bin/sh", ["-c", script, folder], environment: Environment(["PATH": "/usr/bin:/bin"]))
    (shell.input, shell.output, shell.error) = (.pipe, .nothing, .nothing)
    do throws(MachineError) { return try shell.start() } catch {
      throw CommandError(.unexpected, "the demo's folder cannot be watched: \(error)")
    }
  }
}
