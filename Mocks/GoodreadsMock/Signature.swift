import Crypto
import HTTP
import JSON
import MockKit
import Secrets

/// A request's signature (OAuth 1.0a, HMAC-SHA1), computed anew from what came: whoever signs
/// something else than what is sent is refused.
struct Signature {
  /// More than so many seconds off and the clock is to blame.
  private static let patience: Int64 = 300

  let parameters: [String: String]

  /// From the header, or from the query or form: all three are taken.
  init?(_ request: MockRequest) {
    var found: [String: String] = [:]
    if let field = request.headers["Authorization"], field.lowercased().hasPrefix("oauth ") {
      for part in field.dropFirst(6).split(separator: ",") {
        let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
        guard pair.count == 2 else { return nil }
        let name = pair[0].filter { $0 != " " }
        found[name] = PercentCoding.decode(pair[1].filter { $0 != "\"" && $0 != " " })
      }
    } else {
      for field in request.query.fields + Self.form(of: request).fields
      where field.name.hasPrefix("oauth_") {
        found[field.name] = field.value
      }
    }
    guard found["oauth_signature"] != nil, found["oauth_consumer_key"] != nil else { return nil }
    parameters = found
  }

  var consumer: String { parameters["oauth_consumer_key"] ?? "" }
  var token: String? { parameters["oauth_token"] }

  /// Whether it is right, fresh and new. A request that is carried out twice came once.
  func holds(
    for request: MockRequest, consumerSecret: String, tokenSecret: String,
    _ state: inout WorldState
  ) -> Bool {
    guard parameters["oauth_signature_method"] == "HMAC-SHA1",
      let time = Int64(parameters["oauth_timestamp"] ?? ""), let nonce = parameters["oauth_nonce"],
      abs(state.now.milliseconds / 1000 - time) <= Self.patience
    else { return false }
    let key = "\(Address.encoded(consumerSecret))&\(Address.encoded(tokenSecret))"
    let base = Array(base(of: request).utf8)
    let due = Base64.standard.encode(Digest.sha1.authenticate(base, key: Array(key.utf8)))
    guard parameters["oauth_signature"] == due else { return false }
    let name = "nonce \(token ?? "") \(time) \(nonce)"
    let place = JSONValue.integer(state.journal.entries.count)
    if let seen = state.tokens[name] { return seen.note["place"] == place }
    state.tokens.keep(name, "nonce", ["place": place], until: state.now + 2 * Self.patience * 1000)
    return true
  }

  private func base(of request: MockRequest) -> String {
    var all = request.query.fields + Self.form(of: request).fields
    all.removeAll { $0.name.hasPrefix("oauth_") }
    for (name, value) in parameters where name != "oauth_signature" && name != "realm" {
      all.append(.init(name, value))
    }
    let pairs = all.map { (Address.encoded($0.name), Address.encoded($0.value)) }.sorted { $0 < $1 }
    let text = pairs.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    let place = request.base + String(request.target.prefix { $0 != "?" })
    return [request.method.rawValue, place, text].map { Address.encoded($0) }
      .joined(separator: "&")
  }

  /// Parameters in a body count only where it says that it is a form.
  private static func form(of request: MockRequest) -> FormFields {
    let type = request.headers["Content-Type"]?.lowercased() ?? ""
    return type.hasPrefix("application/x-www-form-urlencoded") ? request.form : FormFields()
  }
}
