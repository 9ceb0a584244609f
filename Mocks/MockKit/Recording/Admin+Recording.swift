import HTTPServer
package import JSON
import Machine

/// The folder that recordings are written to and read from, and the only place on disk that the
/// harness touches.
package struct RecordingFolder: Sendable {
  package let path: String

  package init(_ path: String) { self.path = path }

  /// A plain name; nothing that could lead out of the folder.
  func place(of order: JSONValue) throws(AdminRefusal) -> String {
    guard let name = order["file"]?.string, !name.isEmpty, SafeFileName(name).text == name else {
      throw AdminRefusal("\"file\" is a plain name such as tour.jsonl")
    }
    return "\(path)/\(name)"
  }
}

extension Admin {
  private static let longestFile = 1 << 30

  func record(_ order: JSONValue) async throws(AdminRefusal) -> Response {
    try Self.check(order, ["file", "to", "known", "headers", "stop"])
    if order["stop"] == true {
      guard case .recorded = world.current else { throw AdminRefusal("nothing is being recorded") }
      return Self.json(try await world.end())
    }
    let place = try folder().place(of: order)
    let recorder = try Recorder(
      to: Upstream(reading: order["to"]), file: place,
      known: (order["known"]?.array ?? []).compactMap(\.string),
      headers: (order["headers"]?.array ?? []).compactMap(\.string))
    try await world.change(to: .recorded(recorder))
    return Self.json(["recording": order["file"] ?? .null])
  }

  func replay(_ order: JSONValue) async throws(AdminRefusal) -> Response {
    try Self.check(order, ["file", "match", "timing", "stop"])
    if order["stop"] == true {
      guard case .replayed = world.current else { throw AdminRefusal("nothing is being replayed") }
      return Self.json(try await world.end())
    }
    guard let match = Replay.Match(rawValue: order["match"]?.string ?? "strict"),
      let timing = Replay.Timing(rawValue: order["timing"]?.string ?? "dropped")
    else { throw AdminRefusal("match is strict or loose, timing is kept or dropped") }
    let place = try folder().place(of: order)
    let lines: [UInt8]
    do throws(FileError) {
      lines = try WholeFile.read(place, upTo: Self.longestFile)
    } catch { throw AdminRefusal("\(error)") }
    let replay = try Replay(lines, match: match, timing: timing)
    try await world.change(to: .replayed(replay))
    return Self.json(["replaying": order["file"] ?? .null, "exchanges": .integer(replay.count)])
  }

  private func folder() throws(AdminRefusal) -> RecordingFolder {
    guard let directory else { throw AdminRefusal("start the mock with --directory DIR to record") }
    return directory
  }

  private static func check(_ order: JSONValue, _ members: Set<String>) throws(AdminRefusal) {
    guard let object = order.object else { throw AdminRefusal("expected an object") }
    for name in object.names where !members.contains(name) {
      throw AdminRefusal("unknown member \"\(name)\"")
    }
  }
}

extension MockWorld {
  func change(to source: Source) async throws(AdminRefusal) {
    _ = try await finish(answer(from: source))
  }

  /// Back to our own libraries. A recording is written, and looked through once more.
  package func end() async throws(AdminRefusal) -> JSONValue {
    try await finish(answer(from: .played))
  }

  private func finish(_ source: Source) async throws(AdminRefusal) -> JSONValue {
    guard case .recorded(let recorder) = source else { return ["playing": true] }
    await recorder.close()
    let lines = recorder.lines()
    var bytes: [UInt8] = []
    for line in lines { bytes += line.bytes() + [0x0A] }
    do throws(MachineError) {
      try WholeFile.write(bytes, to: recorder.file)
    } catch { throw AdminRefusal("\(error)") }
    let findings = Scan(knowing: recorder.secrets).findings(in: bytes)
    return [
      "file": .string(recorder.file), "exchanges": .integer(lines.count),
      "findings": .array(findings.map { .string($0.description) }),
    ]
  }
}
