import HTTP
import HTTPServer
import JSON

/// One order to the admin interface: how it is called, what it says of itself, and what it does.
/// The description for tools is made from the same list as the routes, so it cannot be wrong.
struct AdminOrder: Sendable {
  typealias Action = @Sendable (Admin, MockRequest) async throws(AdminRefusal) -> Response

  let method: HTTP.Method
  let path: String
  let summary: String
  var query: [String] = []
  /// An example of the body, where one is read.
  var body: JSONValue?
  var statuses = [200]
  let run: Action
}

extension AdminOrder {
  static let all: [AdminOrder] = looking + world + faults + journal + recording

  private static let looking = [
    AdminOrder(method: .get, path: "health", summary: "Whether the mock is up") {
      (_, _) in Admin.json(["status": "ok"])
    },
    AdminOrder(method: .get, path: "ready", summary: "What the ready line said") {
      (admin, request) in Admin.json(admin.readyLine(request.base))
    },
    AdminOrder(method: .get, path: "openapi.json", summary: "This description") {
      (_, _) in Admin.json(AdminDescription.json)
    },
    AdminOrder(method: .post, path: "shutdown", summary: "Stop the mock", statuses: [202]) {
      (admin, _) in
      admin.shutDown()
      return Admin.json(["status": "stopping"], .accepted)
    },
  ]

  private static let world = [
    AdminOrder(method: .get, path: "state", summary: "Everything there is, as JSON") {
      (admin, _) in Admin.json(admin.world.withState { $0.json })
    },
    AdminOrder(
      method: .put, path: "state",
      summary: "Add or change libraries' titles, cards, loans, holds and settings",
      body: [
        "libraries": [["id": "4225", "cards": [["card": "23000000000001", "block": "fines"]]]]
      ]
    ) { (admin, request) throws(AdminRefusal) in
      try admin.merge(Admin.body(request))
    },
    AdminOrder(method: .post, path: "reset", summary: "Back to the beginning of the scenario") {
      (admin, _) in
      admin.world.reset()
      // Not the whole state: writing a large catalogue down takes longer than the reset.
      return Admin.json(
        admin.world.withState { ["scenario": .string($0.scenario), "clock": $0.clock.json] })
    },
    AdminOrder(method: .get, path: "scenarios", summary: "The scenarios there are") {
      (_, _) in Admin.json(.array(Scenario.all.map(\.json)))
    },
    AdminOrder(
      method: .post, path: "scenario", summary: "Begin a scenario",
      body: ["name": "fines", "seed": 7, "clock": "2026-04-01T00:00:00Z"]
    ) { (admin, request) throws(AdminRefusal) in
      try admin.begin(Admin.body(request))
    },
    AdminOrder(method: .get, path: "clock", summary: "What time it is") {
      (admin, _) in Admin.json(admin.world.withState { $0.clock.json })
    },
    AdminOrder(
      method: .post, path: "clock",
      summary: "One of set, advance, freeze and run; answers when everything due has been run",
      body: ["advance": "3d"]
    ) { (admin, request) throws(AdminRefusal) in
      try admin.setClock(Admin.body(request))
    },
  ]

  private static let faults = [
    AdminOrder(method: .get, path: "faults", summary: "The faults in force") {
      (admin, _) in Admin.json(admin.world.withState { .array($0.faults.faults.map(\.json)) })
    },
    AdminOrder(
      method: .post, path: "faults", summary: "Add a fault or a list of them",
      body: ["name": "slow", "kind": "latency", "milliseconds": 500], statuses: [201]
    ) { (admin, request) throws(AdminRefusal) in
      try admin.addFaults(Admin.body(request))
    },
    AdminOrder(
      method: .delete, path: "faults", summary: "Remove all faults, or the one of that name",
      query: ["name"], statuses: [204]
    ) { (admin, request) in
      admin.world.withState { state in
        if let name = request.query["name"] {
          state.faults.remove(named: name)
        } else {
          state.faults.removeAll()
        }
      }
      return Response(.noContent)
    },
  ]

  private static let journal = [
    AdminOrder(
      method: .get, path: "requests", summary: "The journal, without secrets",
      query: ["provider", "operation", "path", "body", "limit"]
    ) { (admin, request) in admin.requests(request) },
    AdminOrder(method: .delete, path: "requests", summary: "Empty the journal", statuses: [204]) {
      (admin, _) in
      admin.world.withState { $0.journal.clear() }
      return Response(.noContent)
    },
    AdminOrder(
      method: .post, path: "verify",
      summary: "{match, count|atLeast|atMost} or {order: [match]}; 422 with the nearest misses",
      body: ["match": ["operation": "checkOut"], "count": 1], statuses: [200, 422]
    ) { (admin, request) throws(AdminRefusal) in
      let journal = admin.world.withState { $0.journal }
      let verdict = try Verdict(of: Admin.body(request), in: journal)
      return Admin.json(
        admin.world.shown(verdict.json), verdict.isKept ? .ok : .unprocessableContent)
    },
    AdminOrder(
      method: .post, path: "find", summary: "The requests that match",
      body: ["operation": "checkOut"]
    ) { (admin, request) throws(AdminRefusal) in
      let pattern = try Pattern(reading: Admin.body(request))
      let found = admin.world.withState { $0.journal }.matching(pattern)
      return Admin.json(admin.world.shown(["requests": .array(found.map(\.raw))]))
    },
    AdminOrder(
      method: .get, path: "near-misses", summary: "The requests that nearly match",
      query: Pattern.texts.sorted()
    ) { (admin, request) throws(AdminRefusal) in
      try admin.nearMisses(Admin.pattern(of: request.query))
    },
    AdminOrder(
      method: .post, path: "near-misses", summary: "The same, for a match with headers or a body",
      body: ["operation": "checkOut", "status": 400]
    ) { (admin, request) throws(AdminRefusal) in
      try admin.nearMisses(Admin.body(request))
    },
  ]

  private static let recording = [
    AdminOrder(
      method: .post, path: "record",
      summary: "Pass requests on to a real service and record them; {stop: true} writes the file",
      body: ["file": "tour.jsonl", "to": "https://api.example", "known": [], "headers": []]
    ) { (admin, request) async throws(AdminRefusal) in
      try await admin.record(Admin.body(request))
    },
    AdminOrder(
      method: .post, path: "replay", summary: "Answer from a recording; {stop: true} ends it",
      body: ["file": "tour.jsonl", "match": "strict", "timing": "dropped"]
    ) { (admin, request) async throws(AdminRefusal) in
      try await admin.replay(Admin.body(request))
    },
  ]
}
