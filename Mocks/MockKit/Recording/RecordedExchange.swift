package import HTTP
package import JSON

/// One question to a real service and its answer, with the secrets taken out: a line of a recording.
package struct RecordedExchange: Sendable {
  /// Stands in recordings for the address of the service, as links in its answers tell it.
  static let base = "http://mock.invalid"

  package var method: String
  /// Path and query as they were asked for.
  package var target: String
  package var requestHeaders: Headers = [:]
  package var requestBody: [UInt8] = []
  package var status: Int
  package var headers: Headers = [:]
  package var body: [UInt8] = []
  /// How long the service took.
  package var milliseconds: Int

  var path: String {
    PercentCoding.decode(String(target.prefix { $0 != "?" })) ?? String(target.prefix { $0 != "?" })
  }
  var query: FormFields {
    target.firstIndex(of: "?").map { FormFields(parsing: target[$0...].dropFirst().utf8) } ?? [:]
  }

  package var json: JSONValue {
    [
      "request": [
        "method": .string(method), "target": .string(target),
        "headers": JSONValue(requestHeaders), "body": Self.written(requestBody),
      ],
      "reply": [
        "status": .integer(status), "milliseconds": .integer(milliseconds),
        "headers": JSONValue(headers), "body": Self.written(body),
      ],
    ]
  }

  package init(
    method: String, target: String, status: Int, milliseconds: Int
  ) {
    (self.method, self.target) = (method, target)
    (self.status, self.milliseconds) = (status, milliseconds)
  }

  package init(reading line: JSONValue) throws(AdminRefusal) {
    let (request, reply) = (line["request"], line["reply"])
    guard let method = request?["method"]?.string, let target = request?["target"]?.string,
      target.hasPrefix("/"), let status = reply?["status"]?.integer, (100...599).contains(status)
    else {
      throw AdminRefusal("a line of a recording has request.method, request.target, reply.status")
    }
    self.init(
      method: method, target: target, status: status,
      milliseconds: reply?["milliseconds"]?.integer ?? 0)
    requestHeaders = Self.headers(request?["headers"])
    headers = Self.headers(reply?["headers"])
    requestBody = try Self.bytes(request?["body"])
    body = try Self.bytes(reply?["body"])
  }

  /// JSON stays JSON, so that a recording can be read and mended by hand.
  private static func written(_ body: [UInt8]) -> JSONValue {
    if body.isEmpty { return .null }
    if let value = try? JSONValue(parsing: body), value.object != nil || value.array != nil {
      return ["json": value]
    }
    if let text = String(validating: body, as: UTF8.self) { return ["text": .string(text)] }
    return ["bytes": .array(body.map { .integer(Int($0)) })]
  }

  private static func bytes(_ json: JSONValue?) throws(AdminRefusal) -> [UInt8] {
    guard let json, !json.isNull else { return [] }
    if let value = json["json"] { return value.bytes() }
    if let text = json["text"]?.string { return Array(text.utf8) }
    if let list = json["bytes"]?.array { return list.map { UInt8(clamping: $0.integer ?? 0) } }
    throw AdminRefusal("a body of a recording is null, or has json, text or bytes")
  }

  private static func headers(_ json: JSONValue?) -> Headers {
    Headers(
      (json?.object?.members ?? []).compactMap { member in
        member.value.string.map { Headers.Field(member.name, $0) }
      })
  }
}
