package import HTTP
package import HTTPClient

/// One call on a provider's wire, as its adapter writes it down: what to send and whether it may be
/// sent twice.
package struct WireRequest: Sendable {
  package var method: Method
  package var address: Address
  package var headers: Headers
  package var body: [UInt8]
  /// Whether doing it again changes nothing. A GET that changes state says no.
  package var isRepeatable: Bool
  /// Whether an answer means what it says for longer than anybody waits, though it looks like one that
  /// passes: a quota of the day, say.
  package var isFinal: (@Sendable (Reply) -> Bool)?
  /// Header fields that must not reach another origin, besides the usual ones.
  package var secretHeaders: [String]
  /// The most that an answer may hold.
  package var bodyLimit: Int
  /// The most that one try may take, where the service is known to be slow; nil for the usual.
  package var tryLimit: Duration?
  /// How the journal shows a path that names a reader's card; nil where it may be shown as it is.
  package var shownPath: String?
  /// The last touch, given to every try anew: a signature that is good for one time only.
  package var beforeEachTry: (@Sendable (inout WireRequest) -> Void)?

  package init(
    _ method: Method, _ address: Address, headers: Headers = [:], body: [UInt8] = [],
    isRepeatable: Bool? = nil
  ) {
    (self.method, self.address, self.headers, self.body) = (method, address, headers, body)
    self.isRepeatable = isRepeatable ?? (method == .get || method == .head)
    secretHeaders = []
    bodyLimit = 16 << 20
  }

  /// With a form as its body, every value encoded.
  package static func form(
    _ address: Address, _ fields: [(name: String, value: String)], headers: Headers = [:]
  ) -> WireRequest {
    var headers = headers
    headers.set("Content-Type", "application/x-www-form-urlencoded;charset=UTF-8")
    let text = fields.map { "\(Address.encoded($0.name))=\(Address.encoded($0.value))" }
    return WireRequest(
      .post, address, headers: headers, body: Array(text.joined(separator: "&").utf8))
  }
}
