package import JSON

extension Fault {
  package init(reading json: JSONValue, at now: Moment = .usualStart) throws(AdminRefusal) {
    guard let object = json.object, let name = object["name"]?.string, !name.isEmpty else {
      throw AdminRefusal("a fault needs a name")
    }
    for member in object.names where !Self.members.contains(member) {
      throw AdminRefusal("unknown member \"\(member)\" in the fault \"\(name)\"")
    }
    self.init(name: name, kind: try Kind(reading: object))
    provider = object["provider"]?.string ?? ""
    operation = object["operation"]?.string ?? ""
    pathPrefix = object["path"]?.string ?? ""
    if let chance = object["probability"] {
      guard let number = chance.double, (0...1).contains(number) else {
        throw AdminRefusal("probability must be from 0 to 1")
      }
      probability = number
    }
    if let count = object["count"] { self.count = try Count(reading: count) }
    if let window = object["window"] { self.window = try Self.window(window, at: now) }
  }

  private static let members: Set<String> = [
    "name", "kind", "provider", "operation", "path", "probability", "count", "window", "status",
    "milliseconds", "jitter", "retryAfter", "bytes", "bytesPerSecond", "percent", "to",
  ]

  /// `{"from": "2026-04-01T00:00:00Z", "to": "+2h"}`: moments, or spans from now on. Without `from`
  /// it begins now.
  private static func window(_ json: JSONValue, at now: Moment) throws(AdminRefusal)
    -> Range<Moment>
  {
    let from = json["from"].map { moment($0, now) } ?? now
    guard let from, let to = json["to"].flatMap({ moment($0, now) }), from < to else {
      throw AdminRefusal("a window has a \"from\" and a later \"to\", as RFC 3339 or as +90s")
    }
    return from..<to
  }

  private static func moment(_ json: JSONValue, _ now: Moment) -> Moment? {
    guard let text = json.string else { return nil }
    guard text.hasPrefix("+") else { return Moment(text) }
    return ClockStep.span(String(text.dropFirst())).map { now + $0 }
  }

  package var json: JSONValue {
    var object: JSONObject = ["name": .string(name), "kind": .string(kind.word)]
    for member in kind.details.members { object[member.name] = member.value }
    if !provider.isEmpty { object["provider"] = .string(provider) }
    if !operation.isEmpty { object["operation"] = .string(operation) }
    if !pathPrefix.isEmpty { object["path"] = .string(pathPrefix) }
    if probability < 1 { object["probability"] = JSONValue(probability) }
    object["count"] = .string(count.text)
    if let window {
      object["window"] = [
        "from": .string(window.lowerBound.text), "to": .string(window.upperBound.text),
      ]
    }
    return .object(object)
  }
}

extension Fault.Count {
  init(reading json: JSONValue) throws(AdminRefusal) {
    if let number = json.integer, number > 0 {
      self = .first(number)
      return
    }
    let words = (json.string ?? "").split(separator: " ")
    let number = words.last.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
    switch (words.first, words.count) {
    case ("always", 1): self = .always
    case ("first", 2) where number > 0: self = .first(number)
    case ("every", 2) where number > 0: self = .every(number)
    default:
      throw AdminRefusal("count must be \"always\", \"first 2\" or \"every 3rd\"")
    }
  }

  var text: String {
    switch self {
    case .always: "always"
    case .first(let limit): "first \(limit)"
    case .every(let step): "every \(step)"
    }
  }
}

extension Fault.Kind {
  init(reading json: JSONObject) throws(AdminRefusal) {
    func number(_ name: String, _ range: ClosedRange<Int>, or fallback: Int? = nil)
      throws(AdminRefusal) -> Int
    {
      guard let value = json[name] ?? fallback.map({ .integer($0) }), let number = value.integer,
        range.contains(number)
      else {
        throw AdminRefusal("\(name) must be from \(range.lowerBound) to \(range.upperBound)")
      }
      return number
    }
    let longest = 3_600_000
    switch json["kind"]?.string ?? "" {
    case "status": self = .status(try number("status", 400...599))
    case "status-after": self = .statusAfter(try number("status", 400...599))
    case "latency":
      self = .latency(
        milliseconds: try number("milliseconds", 0...longest),
        jitter: try number("jitter", 0...longest, or: 0))
    case "rate-limit": self = .rateLimit(retryAfter: try number("retryAfter", 0...86_400, or: 1))
    case "redirect":
      guard let target = json["to"]?.string, !target.isEmpty else {
        throw AdminRefusal("a redirect needs \"to\"")
      }
      self = .redirect(to: target)
    case "malformed": self = .malformed
    case "wrong-type": self = .wrongType
    case "empty": self = .empty
    case "gateway-page": self = .gatewayPage
    case "garbage": self = .garbage
    case "wrong-shape": self = .wrongShape
    case "wrong-scalar": self = .wrongScalar
    case "padded": self = .padded(bytes: try number("bytes", 1...Self.largest))
    case "one-text": self = .oneText(bytes: try number("bytes", 1...Self.largest))
    case "wrong-charset": self = .wrongCharset
    case "truncate": self = .truncate
    case "stale": self = .stale
    case "token-expired": self = .tokenExpired
    case "duplicate": self = .duplicate
    case "reorder": self = .reorder
    case "reset": self = .reset
    case "reset-after": self = .resetAfter
    case "timeout": self = .timeout
    case "timeout-after": self = .timeoutAfter
    case "bandwidth":
      self = .bandwidth(bytesPerSecond: try number("bytesPerSecond", 1...(1 << 30)))
    case "slicer": self = .slicer(bytes: try number("bytes", 1...(1 << 20), or: 1))
    case "slow-close": self = .slowClose(milliseconds: try number("milliseconds", 0...longest))
    case "limit-bytes": self = .limitBytes(try number("bytes", 0...(1 << 30)))
    case "cut": self = .cut(percent: try number("percent", 0...99))
    case "wrong-length": self = .wrongLength
    case "refuse": self = .refuse
    case let word:
      if let fault = LineFault(rawValue: word) {
        self = .line(fault)
        return
      }
      throw AdminRefusal(
        "no kind of fault \"\(word)\"; there are \(Self.words.joined(separator: ", "))")
    }
  }

  /// A mock is made of memory like everything else.
  private static let largest = 1 << 26

  package static let words =
    [
      "status", "status-after", "latency", "rate-limit", "redirect", "malformed", "wrong-type",
      "empty", "gateway-page", "garbage", "wrong-shape", "wrong-scalar", "padded", "one-text",
      "wrong-charset", "truncate", "stale", "token-expired", "duplicate", "reorder", "reset",
      "reset-after", "timeout", "timeout-after", "bandwidth", "slicer", "slow-close", "limit-bytes",
      "cut", "wrong-length", "refuse",
    ] + LineFault.allCases.map(\.rawValue)

  package var word: String {
    switch self {
    case .status: "status"
    case .statusAfter: "status-after"
    case .latency: "latency"
    case .rateLimit: "rate-limit"
    case .redirect: "redirect"
    case .malformed: "malformed"
    case .wrongType: "wrong-type"
    case .empty: "empty"
    case .gatewayPage: "gateway-page"
    case .garbage: "garbage"
    case .wrongShape: "wrong-shape"
    case .wrongScalar: "wrong-scalar"
    case .padded: "padded"
    case .oneText: "one-text"
    case .wrongCharset: "wrong-charset"
    case .truncate: "truncate"
    case .stale: "stale"
    case .tokenExpired: "token-expired"
    case .duplicate: "duplicate"
    case .reorder: "reorder"
    case .reset: "reset"
    case .resetAfter: "reset-after"
    case .timeout: "timeout"
    case .timeoutAfter: "timeout-after"
    case .bandwidth: "bandwidth"
    case .slicer: "slicer"
    case .slowClose: "slow-close"
    case .limitBytes: "limit-bytes"
    case .cut: "cut"
    case .wrongLength: "wrong-length"
    case .refuse: "refuse"
    case .line(let fault): fault.rawValue
    }
  }

  var details: JSONObject {
    switch self {
    case .status(let code), .statusAfter(let code): ["status": .integer(code)]
    case .latency(let time, let jitter):
      ["milliseconds": .integer(time), "jitter": .integer(jitter)]
    case .rateLimit(let time): ["retryAfter": .integer(time)]
    case .bandwidth(let rate): ["bytesPerSecond": .integer(rate)]
    case .slicer(let bytes), .limitBytes(let bytes), .padded(let bytes), .oneText(let bytes):
      ["bytes": .integer(bytes)]
    case .cut(let percent): ["percent": .integer(percent)]
    case .redirect(let target): ["to": .string(target)]
    case .slowClose(let time): ["milliseconds": .integer(time)]
    default: [:]
    }
  }
}
