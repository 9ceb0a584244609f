import Arguments
import JSON
import MockKit
import Yaml

/// What a person has written down for a mock: scenario, seed, clock and port as the flags name them,
/// and faults and libraries as the admin interface takes them. YAML, so that it can be commented.
struct ServeFile {
  private let settings: JSONObject

  init(_ path: String?) throws(UsageError) {
    guard let path else {
      settings = [:]
      return
    }
    let bytes = try Disk.read(path)
    do throws(YamlError) {
      settings = Self.json(try YamlNode(parsing: bytes), under: "").object ?? [:]
    } catch { throw UsageError(.badValue, "\(path): \(error)") }
    let known = ["scenario", "seed", "clock", "port", "directory", "faults", "libraries"]
    for name in settings.names where !known.contains(name) {
      throw UsageError(
        .badValue, "\(path): unknown \"\(name)\"; there are \(known.joined(separator: ", "))")
    }
  }

  /// The value of a flag, else what the file says; nil when neither does.
  func value<Value>(_ given: Value?, _ name: String, _ read: (String) -> Value?)
    throws(UsageError) -> Value?
  {
    if let given { return given }
    guard let told = settings[name] else { return nil }
    guard let value = read(told.string ?? told.text()) else {
      throw UsageError(.badValue, "the file's \"\(name)\" is not what --\(name) takes")
    }
    return value
  }

  /// Faults and libraries, into the beginning of a world.
  func apply(to state: inout WorldState) throws(AdminRefusal) {
    for fault in settings["faults"]?.array ?? [] {
      state.faults.add(try Fault(reading: fault, at: state.now))
    }
    if let libraries = settings["libraries"] { try state.merge(["libraries": libraries]) }
  }

  /// Numbers of cards and libraries are texts, whether or not they stand in quotes.
  private static let texts: Set<String> = ["id", "card", "pin", "title", "name", "seed"]

  private static func json(_ node: YamlNode, under name: String) -> JSONValue {
    if let items = node.items { return .array(items.map { json($0, under: name) }) }
    if let mapping = node.mapping {
      return .object(
        JSONObject(
          mapping.entries.map { JSONObject.Member($0.key, json($0.value, under: $0.key)) }))
    }
    guard let scalar = node.scalar else { return .null }
    if texts.contains(name), scalar.value != .null { return .string(scalar.text) }
    switch scalar.value {
    case .null: return .null
    case .bool(let flag): return .bool(flag)
    case .int(let number): return .integer(number)
    case .float(let number): return JSONValue(number)
    case .string(let text): return .string(text)
    }
  }
}
