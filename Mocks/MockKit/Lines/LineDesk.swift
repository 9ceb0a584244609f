import HTTP
import HTTPServer
import JSON
package import Lines
import Synchronization

/// A library of a world that is spoken to in lines, on a port of its own: what comes is a request like
/// any other, with faults, journal and clock.
package final class LineDesk: Sendable {
  package let port: Int
  private let provider: String
  private let library: String
  private let server: LineServer
  private let breaking: Breaking

  /// What a line remembers between two requests, as one text that only its dialect reads.
  package static let memory = "X-Line-Memory"

  package init(
    _ world: MockWorld, provider: String, library: String, port: Int = 0, tls: LineServer.TLS? = nil
  ) throws(LineError) {
    let breaking = Breaking()
    (self.provider, self.library, self.breaking) = (provider, library, breaking)
    server = try LineServer(port: port, tls: tls) { line in
      var memory = ""
      while let bytes = try? await line.next(by: .now + Self.aDay) {
        let request = MockRequest(line: bytes, to: library, of: provider, remembering: memory)
        let (response, mishap) = await world.answer(line: request)
        memory = response.headers[Self.memory] ?? memory
        guard await Self.deliver(response, mishap, on: line, breaking) else { return }
      }
    }
    self.port = server.port
    breaking.server = server
  }

  /// Says where it listens in what its library tells of itself, under the protocol's name.
  package func announce(as scheme: String, in state: inout WorldState) {
    let address = "\(scheme)://127.0.0.1:\(port)"
    _ = state.change(library, of: provider) { library, _ in
      let told = library.endpoints
      library.endpoints = { base in
        var endpoints = told(base)
        endpoints[scheme] = .string(address)
        return endpoints
      }
    }
  }

  package var clients: Int { server.clients }

  package func stop() async {
    breaking.server = nil
    await server.stop()
  }

  private static let aDay = Duration.seconds(86_400)

  /// False when the line is over.
  private static func deliver(
    _ response: Response, _ mishap: Mishap, on line: LineConnection, _ breaking: Breaking
  ) async -> Bool {
    if mishap.delay > 0 { try? await Task.sleep(for: .milliseconds(mishap.delay)) }
    let bytes = response.wholeBody
    switch mishap.delivery {
    case .severed:
      line.sever()
      return false
    case .restarted:
      await breaking.server?.breakOff()
      return false
    case .never:
      // What else comes on it is not heard, either.
      while (try? await line.next(by: .now + aDay)) != nil {}
      return false
    case .cut(let count):
      _ = await send(bytes.prefix(count), on: line)
      line.sever()
      return false
    case .sliced(let size): return await send(bytes, on: line, inPiecesOf: size, every: 1)
    case .paced(let rate):
      let piece = max(1, rate / 100)
      return await send(bytes, on: line, inPiecesOf: piece, every: piece * 1000 / rate)
    case .slowlyClosed(let time):
      _ = await send(bytes[...], on: line)
      try? await Task.sleep(for: .milliseconds(time))
      return false
    case .whole, .promisingMore:
      guard await send(bytes[...], on: line) else { return false }
      return response.headers["Connection"] != "close"
    }
  }

  private static func send(
    _ bytes: [UInt8], on line: LineConnection, inPiecesOf size: Int, every milliseconds: Int
  ) async -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard await send(rest.prefix(size), on: line) else { return false }
      rest = rest.dropFirst(size)
      try? await Task.sleep(for: .milliseconds(milliseconds))
    }
    return true
  }

  private static func send(_ bytes: ArraySlice<UInt8>, on line: LineConnection) async -> Bool {
    (try? await line.send(Array(bytes), by: .now + .seconds(60))) != nil
  }

  /// The server, for lines that begin before it has a name.
  private final class Breaking: Sendable {
    private let held = Mutex<LineServer?>(nil)

    var server: LineServer? {
      get { held.withLock { $0 } }
      set { held.withLock { $0 = newValue } }
    }
  }
}
