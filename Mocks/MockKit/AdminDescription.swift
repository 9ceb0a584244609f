import JSON

/// The admin interface described for tools (OpenAPI 3.1).
enum AdminDescription {
  private static let orders: [(path: String, method: String, summary: String)] = [
    ("health", "get", "Whether the mock is up"),
    ("ready", "get", "What the ready line said"),
    ("state", "get", "Everything there is, as JSON"),
    ("state", "put", "Add or change libraries' titles, cards, loans, holds and settings"),
    ("reset", "post", "Back to the beginning of the scenario"),
    ("scenarios", "get", "The scenarios there are"),
    ("scenario", "post", "Begin a scenario: {name, seed?, clock?}"),
    ("clock", "get", "What time it is"),
    ("clock", "post", "One of {set}, {advance}, {freeze}, {run}"),
    ("faults", "get", "The faults in force"),
    ("faults", "post", "Add a fault or a list of them"),
    ("faults", "delete", "Remove all faults, or the one of ?name="),
    ("requests", "get", "The journal; filter with provider, operation, path, body, limit"),
    ("requests", "delete", "Empty the journal"),
    (
      "verify", "post",
      "{match, count|atLeast|atMost} or {order: [match]}: 200, or 422 with near misses"
    ),
    ("find", "post", "The requests that match"),
    ("near-misses", "get", "The requests that nearly match"),
    ("openapi.json", "get", "This description"),
    ("shutdown", "post", "Stop the mock"),
  ]

  static var json: JSONValue {
    var paths: JSONObject = [:]
    for order in orders {
      let path = "/__admin/\(order.path)"
      var methods = paths[path]?.object ?? [:]
      methods[order.method] = [
        "summary": .string(order.summary),
        "responses": ["default": ["description": "JSON, or a problem document"]],
      ]
      paths[path] = .object(methods)
    }
    return [
      "openapi": "3.1.0", "info": ["title": "Carrel mock administration", "version": "1"],
      "paths": .object(paths),
    ]
  }
}
