import HTTP
import HTTPServer
package import JSON

/// The interface for tests and people, the same whatever vendors are played: `/__admin/…`, JSON in
/// and out.
struct Admin: Sendable {
  let world: MockWorld
  let readyLine: @Sendable (String) -> JSONValue
  let shutDown: @Sendable () -> Void

  func answer(_ request: MockRequest) -> Response {
    do throws(AdminRefusal) {
      return try route(request)
    } catch {
      return .problem(Problem(.badRequest, code: "bad_order", detail: error.description))
    }
  }

  private func route(_ request: MockRequest) throws(AdminRefusal) -> Response {
    let path = request.path.dropFirst().joined(separator: "/")
    switch (request.method, path) {
    case (.get, "health"): return Self.json(["status": "ok"])
    case (.get, "ready"): return Self.json(readyLine(request.base))
    case (.get, "openapi.json"): return Self.json(AdminDescription.json)
    case (.get, "state"): return Self.json(world.withState { $0.json })
    case (.put, "state"):
      let change = try Self.body(request)
      return try changing { state throws(AdminRefusal) in try state.merge(change) }
    case (.post, "reset"):
      world.reset()
      // Not the whole state: writing a large catalogue down takes longer than the reset.
      return Self.json(
        world.withState { ["scenario": .string($0.scenario), "clock": $0.clock.json] })
    case (.get, "scenarios"): return Self.json(.array(Scenario.all.map(\.json)))
    case (.post, "scenario"): return try begin(Self.body(request))
    case (.get, "clock"): return Self.json(world.withState { $0.clock.json })
    case (.post, "clock"): return try setClock(Self.body(request))
    case (.get, "faults"):
      return Self.json(world.withState { .array($0.faults.faults.map(\.json)) })
    case (.post, "faults"): return try addFaults(Self.body(request))
    case (.delete, "faults"):
      world.withState { state in
        if let name = request.query["name"] {
          state.faults.remove(named: name)
        } else {
          state.faults.removeAll()
        }
      }
      return Response(.noContent)
    case (.get, "requests"): return requests(request)
    case (.delete, "requests"):
      world.withState { $0.journal.clear() }
      return Response(.noContent)
    case (.post, "verify"):
      let journal = world.withState { $0.journal }
      let verdict = try Verdict(of: Self.body(request), in: journal)
      return Self.json(verdict.json, verdict.isKept ? .ok : .unprocessableContent)
    case (.post, "find"):
      let pattern = try Pattern(reading: Self.body(request))
      let journal = world.withState { $0.journal }
      return Self.json(["requests": .array(journal.matching(pattern).map(\.json))])
    case (.get, "near-misses"), (.post, "near-misses"):
      let pattern = try Pattern(reading: Self.pattern(of: request))
      let journal = world.withState { $0.journal }
      return Self.json(["nearMisses": .array(journal.nearMisses(of: pattern))])
    case (.post, "shutdown"):
      shutDown()
      return Self.json(["status": "stopping"], .accepted)
    default:
      return .problem(Problem(.notFound, code: "no_such_order", detail: "See openapi.json."))
    }
  }

  static func json(_ value: JSONValue, _ status: Status = .ok) -> Response {
    .bytes(value.bytes(.indented) + [0x0A], .json, status: status)
  }

  private static func body(_ request: MockRequest) throws(AdminRefusal) -> JSONValue {
    do throws(JSONError) {
      return try JSONValue(parsing: request.body)
    } catch { throw AdminRefusal("the body is not JSON: \(error)") }
  }

  /// A match in the body, or spelt out in the query: `?operation=checkout&method=POST`.
  private static func pattern(of request: MockRequest) throws(AdminRefusal) -> JSONValue {
    guard request.body.isEmpty else { return try body(request) }
    return .object(
      JSONObject(
        request.query.fields.map { field in
          JSONObject.Member(
            field.name,
            field.name == "status"
              ? Int(field.value).map(JSONValue.integer) ?? .null
              : .string(field.value))
        }))
  }

  private func changing(
    _ change: (inout WorldState) throws(AdminRefusal) -> Void
  ) throws(AdminRefusal) -> Response {
    let outcome = world.withState { state -> Result<JSONValue, AdminRefusal> in
      do throws(AdminRefusal) {
        try change(&state)
        return .success(state.json)
      } catch { return .failure(error) }
    }
    return Self.json(try outcome.get())
  }

  private func begin(_ order: JSONValue) throws(AdminRefusal) -> Response {
    guard let scenario = Scenario.named(order["name"]?.string ?? "") else {
      throw AdminRefusal(
        "no such scenario; there are \(Scenario.all.map(\.name).joined(separator: ", "))")
    }
    let seed: UInt64
    switch order["seed"] {
    case nil: seed = world.withState { $0.seed }
    case let value?:
      guard let number = value.integer.map(String.init) ?? value.string, let read = UInt64(number)
      else { throw AdminRefusal("seed must be a whole number") }
      seed = read
    }
    var start = Moment.usualStart
    if let text = order["clock"]?.string {
      guard let read = Moment(text) else { throw AdminRefusal("clock must be RFC 3339") }
      start = read
    }
    world.begin(scenario, seed: seed, at: start)
    return Self.json(world.withState { $0.json })
  }

  private func setClock(_ order: JSONValue) throws(AdminRefusal) -> Response {
    let step = try ClockStep(reading: order)
    return Self.json(
      world.withState { state in
        step.apply(to: &state)
        return state.clock.json
      })
  }

  private func addFaults(_ order: JSONValue) throws(AdminRefusal) -> Response {
    var faults: [Fault] = []
    for element in order.array ?? [order] { faults.append(try Fault(reading: element)) }
    let added = faults
    return Self.json(
      world.withState { state in
        for fault in added { state.faults.add(fault) }
        return .array(state.faults.faults.map(\.json))
      }, .created)
  }

  private func requests(_ request: MockRequest) -> Response {
    let (query, limit) = (request.query, request.query["limit"].flatMap { Int($0) } ?? 100)
    let entries = world.withState { $0.journal }.entries.filter { entry in
      (query["provider"] ?? entry.provider) == entry.provider
        && (query["operation"] ?? entry.operation) == entry.operation
        && entry.request.pathText.hasPrefix(query["path"] ?? "")
        && (query["body"].map { String(decoding: entry.request.body, as: UTF8.self).contains($0) }
          ?? true)
    }
    return Self.json([
      "total": .integer(entries.count),
      "requests": .array(entries.suffix(max(limit, 0)).map(\.json)),
    ])
  }
}

extension Scenario {
  package var json: JSONValue { ["name": .string(name), "summary": .string(summary)] }
}
