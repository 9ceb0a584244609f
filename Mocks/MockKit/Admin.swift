import HTTP
import HTTPServer
package import JSON

/// The interface for tests and people, the same whatever vendors are played: `/__admin/…`, JSON in
/// and out.
struct Admin: Sendable {
  let world: MockWorld
  let readyLine: @Sendable (String) -> JSONValue
  let shutDown: @Sendable () -> Void
  /// Where recordings lie; without it there are none.
  var directory: RecordingFolder?

  func answer(_ request: MockRequest) async -> Response {
    // A page from elsewhere, open in a browser on this machine, has no business here.
    if let origin = request.headers["Origin"], !request.base.hasPrefix(origin) {
      return .problem(Problem(.forbidden, code: "other_origin"))
    }
    let path = request.path.dropFirst().joined(separator: "/")
    let orders = AdminOrder.all.filter { $0.path == path }
    guard let order = orders.first(where: { $0.method == request.method }) else {
      var response = Response.problem(
        Problem(
          orders.isEmpty ? .notFound : .methodNotAllowed, code: "no_such_order",
          detail: "See openapi.json."))
      if !orders.isEmpty {
        response.headers.set("Allow", orders.map(\.method.rawValue).joined(separator: ", "))
      }
      return response
    }
    do throws(AdminRefusal) {
      return try await order.run(self, request)
    } catch {
      return .problem(Problem(.badRequest, code: "bad_order", detail: error.description))
    }
  }

  static func json(_ value: JSONValue, _ status: Status = .ok) -> Response {
    .bytes(value.bytes(.indented) + [0x0A], .json, status: status)
  }

  static func body(_ request: MockRequest) throws(AdminRefusal) -> JSONValue {
    do throws(JSONError) {
      return try JSONValue(parsing: request.body)
    } catch { throw AdminRefusal("the body is not JSON: \(error)") }
  }

  /// A match spelt out in the query: `?operation=checkout&method=POST`.
  static func pattern(of query: FormFields) throws(AdminRefusal) -> JSONValue {
    var members: [JSONObject.Member] = []
    for field in query.fields {
      guard field.name == "status" else {
        members.append(JSONObject.Member(field.name, .string(field.value)))
        continue
      }
      guard let status = Int(field.value) else { throw AdminRefusal("status must be a number") }
      members.append(JSONObject.Member("status", .integer(status)))
    }
    return .object(JSONObject(members))
  }

  func merge(_ change: JSONValue) throws(AdminRefusal) -> Response {
    let outcome = world.withState { state -> Result<JSONValue, AdminRefusal> in
      do throws(AdminRefusal) {
        try state.merge(change)
        return .success(state.json)
      } catch { return .failure(error) }
    }
    return Self.json(try outcome.get())
  }

  func begin(_ order: JSONValue) throws(AdminRefusal) -> Response {
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

  func setClock(_ order: JSONValue) throws(AdminRefusal) -> Response {
    let step = try ClockStep(reading: order)
    return Self.json(
      world.withState { state in
        step.apply(to: &state)
        return state.clock.json
      })
  }

  func addFaults(_ order: JSONValue) throws(AdminRefusal) -> Response {
    let now = world.withState { $0.now }
    var faults: [Fault] = []
    for element in order.array ?? [order] { faults.append(try Fault(reading: element, at: now)) }
    let added = faults
    return Self.json(
      world.withState { state in
        for fault in added { state.faults.add(fault) }
        return .array(state.faults.faults.map(\.json))
      }, .created)
  }

  func requests(_ request: MockRequest) -> Response {
    let (query, limit) = (request.query, request.query["limit"].flatMap { Int($0) } ?? 100)
    let entries = world.withState { $0.journal }.entries.filter { entry in
      (query["provider"] ?? entry.provider) == entry.provider
        && (query["operation"] ?? entry.operation) == entry.operation
        && entry.request.pathText.hasPrefix(query["path"] ?? "")
        && (query["body"].map { String(decoding: entry.request.body, as: UTF8.self).contains($0) }
          ?? true)
    }
    return Self.json(
      world.shown([
        "total": .integer(entries.count),
        "requests": .array(entries.suffix(max(limit, 0)).map(\.raw)),
      ]))
  }

  func nearMisses(_ match: JSONValue) throws(AdminRefusal) -> Response {
    let pattern = try Pattern(reading: match)
    let journal = world.withState { $0.journal }
    return Self.json(
      world.shown(["nearMisses": .array(journal.nearMisses(of: pattern))]))
  }
}

extension Scenario {
  package var json: JSONValue { ["name": .string(name), "summary": .string(summary)] }
}
