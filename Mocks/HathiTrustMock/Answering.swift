import HTTP
import HTTPServer
import JSON
import MockKit

/// One request answered from the shelves.
struct Answering {
  private let library: MockLibrary
  private let request: MockRequest

  init(_ library: MockLibrary, _ request: MockRequest) {
    (self.library, self.request) = (library, request)
  }

  /// However many match: the search behind it stops there.
  private static let most = 200

  func single(_ detail: String, _ type: String, _ id: String) -> Response {
    guard !id.isEmpty else { return refused("missing or empty query") }
    guard let query = Query(type, id) else {
      return refused("query '\(Record.escaped("\(type):\(id)"))' is invalid")
    }
    let found = Array(records.filter { query.matches($0) }.prefix(Self.most))
    // Nothing is an object here, and a list in the answer to many.
    return answered(book(found, detail, nothing: [:]))
  }

  func many(_ detail: String, _ specs: String) -> Response {
    let wanted = specs.split(separator: "|").map(Spec.init)
    guard !wanted.isEmpty else { return refused("missing or empty query") }
    guard wanted.contains(where: { !$0.queries.isEmpty }) else {
      return refused("query '\(Record.escaped(specs))' is invalid")
    }
    var left = Self.most
    var answer = JSONObject()
    for spec in wanted {
      let found = Array(
        records.filter { record in spec.queries.contains { $0.matches(record) } }.prefix(left))
      left -= found.count
      answer[spec.label] = book(found, detail, nothing: [])
    }
    return answered(.object(answer))
  }

  func page(_ id: String) -> Response {
    for record in records {
      guard let volume = record.volumes.first(where: { $0.id == id }) else { continue }
      let part = volume.part.map { ", \($0)" } ?? ""
      return HathiTrustDialect.page("\(Record.escaped(record.title.name))\(part)")
    }
    return HathiTrustDialect.notFound
  }

  private var records: [Record] {
    library.lending.order.compactMap { library.lending.titles[$0].map(Record.init) }
  }

  private func book(_ found: [Record], _ detail: String, nothing: JSONValue) -> JSONValue {
    guard !found.isEmpty else { return ["records": nothing, "items": []] }
    var records = JSONObject()
    for record in found { records[record.number] = record.json(detail, request.base) }
    return [
      "records": .object(records), "items": .array(found.flatMap { $0.items(request.base) }),
    ]
  }

  private func answered(_ json: JSONValue, _ status: Status = .ok) -> Response {
    if let callback = request.query["callback"] {
      return .text(
        "\(callback)( \(json.text()))", MediaType(parsing: "application/javascript") ?? .plainText,
        status: status)
    }
    return .text(json.text(), .json, status: status)
  }

  private func refused(_ message: String) -> Response {
    answered(["message": .string(message)], .badRequest)
  }
}

/// What is wanted, under a label.
struct Spec {
  let label: String
  let queries: [Query]

  init(_ text: Substring) {
    var (label, queries): (String?, [Query]) = (nil, [])
    for part in text.split(separator: ";") {
      let pair = part.split(separator: ":", maxSplits: 1).map(String.init)
      guard pair.count == 2 else { continue }
      if pair[0] == "id" {
        label = pair[1]
      } else {
        queries += [Query(pair[0], pair[1])].compactMap(\.self)
      }
    }
    (self.label, self.queries) = (label ?? String(text), queries)
  }
}

/// One number, brought to the form in which the index has it.
struct Query {
  private let type: String
  private let value: String

  /// Nil for a type that nobody knows, or a value with nothing in it.
  init?(_ type: String, _ text: String) {
    self.type = type
    switch type {
    case "oclc": value = String(text.drop { !$0.isNumber }.drop { $0 == "0" })
    case "isbn": value = Self.thirteen(text.filter { $0.isNumber || "xX".contains($0) })
    case "issn": value = text.filter { $0.isNumber || "xX".contains($0) }
    case "lccn":
      value = text.prefix { $0 != "/" }.filter { $0 != "-" && !$0.isWhitespace }
    case "htid": value = text.lowercased()
    case "recordnumber":
      value = String(repeating: "0", count: max(0, 9 - text.count)) + text
    // These are not filled up, so that most are never found.
    case "recordid", "sysid", "umid": value = String(text.drop { $0 == "0" })
    default: return nil
    }
    if value.isEmpty { return nil }
  }

  func matches(_ record: Record) -> Bool {
    switch type {
    case "oclc": record.oclc == value
    case "isbn": !record.title.isbn.isEmpty && Self.thirteen(record.title.isbn) == value
    case "lccn": record.lccn == value
    case "htid": record.volumes.contains { $0.id.lowercased() == value }
    case "issn": false
    default: record.number == value
    }
  }

  /// Ten digits become thirteen; whether their check digit is right is not looked at.
  private static func thirteen(_ digits: String) -> String {
    guard digits.count == 10 else { return digits }
    let body = "978" + digits.dropLast()
    let sum = body.enumerated().reduce(0) {
      $0 + ($1.element.wholeNumberValue ?? 0) * ($1.offset.isMultiple(of: 2) ? 1 : 3)
    }
    return body + String((10 - sum % 10) % 10)
  }
}
