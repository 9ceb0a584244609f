package import HTTP
package import JSON

/// One request and what became of it.
package struct JournalEntry: Sendable {
  package let number: Int
  package let at: Moment
  package let provider: String
  /// The rule that answered: the vendor's name of the operation.
  package let operation: String
  package let request: MockRequest
  package var faults: [String] = []
  /// What chance decided about faults, whether they struck or not.
  package var draws: [JSONValue] = []
  package var status = 0
  package var replyHeaders: Headers = [:]
  package var replyBody: [UInt8] = []

  package init(
    number: Int, at: Moment, provider: String, operation: String, request: MockRequest
  ) {
    (self.number, self.at, self.provider) = (number, at, provider)
    (self.operation, self.request) = (operation, request)
  }

  /// With everything that was secret in it: to be matched against, and never to be shown.
  var raw: JSONValue {
    var json: JSONObject = [
      "number": .integer(number), "at": .string(at.text), "provider": .string(provider),
      "operation": .string(operation), "faults": .array(faults.map(JSONValue.string)),
      "request": [
        "method": .string(request.method.rawValue), "target": .string(request.target),
        "path": .string(request.pathText), "query": JSONValue(request.query),
        "headers": JSONValue(request.headers), "body": Self.shown(request.body),
      ],
      "reply": [
        "status": .integer(status), "headers": JSONValue(replyHeaders),
        "body": Self.shown(replyBody),
      ],
    ]
    if !draws.isEmpty { json["draws"] = .array(draws) }
    return .object(json)
  }

  /// A body as JSON where it is JSON, as text where it is text, else as its length.
  static func shown(_ body: [UInt8]) -> JSONValue {
    if body.isEmpty { return .null }
    if let value = try? JSONValue(parsing: body, by: .tolerant) { return value }
    if let text = String(validating: body, as: UTF8.self) { return .string(text) }
    return .string("\(body.count) bytes")
  }
}

/// What has been asked and answered, the latest of it: a ring, so that a mock may run for weeks.
package struct Journal: Sendable {
  package static let most = 2000
  /// Bodies beyond it are cut in the journal, never on the wire.
  package static let bodyBytes = 64 << 10

  package private(set) var entries: [JournalEntry] = []
  private var next = 1

  package init() {}

  package mutating func open(
    at now: Moment, provider: String, operation: String, request: MockRequest
  ) -> Int {
    let number = next
    next += 1
    entries.append(
      JournalEntry(
        number: number, at: now, provider: provider, operation: operation, request: request))
    // Cut in lumps: removing from the front of an array moves all of it.
    if entries.count >= Self.most + 200 { entries.removeFirst(entries.count - Self.most) }
    return number
  }

  package mutating func edit(_ number: Int, _ change: (inout JournalEntry) -> Void) {
    guard let index = entries.lastIndex(where: { $0.number == number }) else { return }
    change(&entries[index])
  }

  package mutating func clear() { entries = [] }
}

extension JSONValue {
  init(_ fields: FormFields) {
    self = .object(
      JSONObject(fields.fields.map { JSONObject.Member($0.name, .string($0.value)) }))
  }

  init(_ headers: Headers) {
    self = .object(
      JSONObject(
        headers.fields.map { JSONObject.Member($0.name.lowercased(), .string($0.value)) }))
  }
}
