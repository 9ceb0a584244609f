import Console
import JSON
import Machine
import TextSafety

/// The mock libraries of the demo: the harness as a child, and what its first line says.
struct DemoMock {
  struct Library: Sendable {
    let provider: String
    let name: String
    let endpoints: JSONObject
    let cards: [(card: String, pin: String, reader: String)]
  }

  let process: ChildProcess
  let program: String
  let admin: String
  let libraries: [Library]

  static func start(_ environment: Environment) async throws(CommandError) -> DemoMock {
    guard let program = Beside.program("carrel-mock") else {
      throw CommandError(.incompleteInstall, "carrel-mock is not installed beside carrel")
    }
    // The present, so that what is lent now ends in days to come.
    var child = ChildProgram(
      program, ["serve", "--port", "0", "--until-eof", "--clock", Time.system.now().rfc3339()],
      environment: environment)
    // Closed by the kernel when this process ends, however that happens; then the mock stops, too.
    child.input = .pipe
    child.output = .pipe
    do throws(MachineError) {
      let process = try child.start()
      guard let line = await process.line(within: .seconds(20)),
        let ready = try? JSONValue(parsing: line), let admin = ready["admin"]?.string
      else {
        process.killAtOnce()
        throw MachineError(code: 0, attempt: "start", subject: program)
      }
      let libraries = (ready["libraries"]?.array ?? []).compactMap(library)
      return DemoMock(process: process, program: program, admin: admin, libraries: libraries)
    } catch {
      throw CommandError(.incompleteInstall, "the mock libraries do not start: \(error)")
    }
  }

  private static func library(_ value: JSONValue) -> Library? {
    guard let provider = value["provider"]?.string, let name = value["name"]?.string,
      let endpoints = value["endpoints"]?.object
    else {
      return nil
    }
    let cards = (value["cards"]?.array ?? []).compactMap { card -> (String, String, String)? in
      guard let number = card["card"]?.string, let pin = card["pin"]?.string else { return nil }
      return (number, pin, card["name"]?.string ?? "")
    }
    return Library(provider: provider, name: name, endpoints: endpoints, cards: cards)
  }
}

/// Programs that were built or installed together with this one.
enum Beside {
  /// Where `carrel` is, for a PATH.
  static var folder: String? { program("carrel").map { parent($0) } }

  /// Beside this one in a checkout; under `bin` where this one is installed under `libexec/carrel`.
  static func program(_ name: String) -> String? {
    guard let own = Process.executable else { return nil }
    let folder = parent(own)
    return ["\(folder)/\(name)", "\(parent(parent(folder)))/bin/\(name)"].first {
      Files.exists($0)
    }
  }

  private static func parent(_ path: String) -> String {
    String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
  }
}
