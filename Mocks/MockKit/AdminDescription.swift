import HTTP
import JSON

/// The admin interface described for tools (OpenAPI 3.1).
enum AdminDescription {
  static var json: JSONValue {
    var paths: JSONObject = [:]
    for order in AdminOrder.all {
      let path = "/__admin/\(order.path)"
      var methods = paths[path]?.object ?? [:]
      methods[order.method.rawValue.lowercased()] = operation(order)
      paths[path] = .object(methods)
    }
    return [
      "openapi": "3.1.0", "info": ["title": "Carrel mock administration", "version": "1"],
      "paths": .object(paths),
    ]
  }

  private static func operation(_ order: AdminOrder) -> JSONValue {
    var responses: JSONObject = [:]
    for status in order.statuses {
      responses[String(status)] = ["description": .string(status == 204 ? "Done" : "JSON")]
    }
    responses["default"] = ["description": "A problem document (RFC 9457)"]
    var operation: JSONObject = [
      "summary": .string(order.summary), "responses": .object(responses),
      "parameters": .array(
        order.query.map { parameter($0, in: "query") }
          + [parameter(MockHouse.tenantHeader, in: "header")]),
    ]
    if let body = order.body {
      operation["requestBody"] = [
        "required": true, "content": ["application/json": ["example": body]],
      ]
    }
    return .object(operation)
  }

  private static func parameter(_ name: String, in place: String) -> JSONValue {
    ["name": .string(name), "in": .string(place), "schema": ["type": "string"]]
  }
}
