import JSON

/// What of an LCP license helps a reader along: who gave it, how long it lasts, what the
/// passphrase was about.
package struct LicenseNote: Sendable, Hashable {
  package let provider: String?
  package let end: String?
  package let hint: String?
  package let profile: String?
  /// Where more is told of the passphrase.
  package let hintPage: String?

  init?(_ bytes: [UInt8]) {
    guard let json = try? JSONValue(parsing: bytes), json.object != nil else { return nil }
    func text(_ value: JSONValue?) -> String? { value?.string?.cleaned(upTo: 1000) }
    provider = text(json["provider"])
    end = text(json["rights"]?["end"])
    hint = text(json["encryption"]?["user_key"]?["text_hint"])
    profile = text(json["encryption"]?["profile"])
    hintPage = text(
      json["links"]?.array?.first { $0["rel"]?.string == "hint" }?["href"]
        ?? json["links"]?["hint"]?["href"])
  }

  var words: [String] {
    [provider.map { "from \($0)" }, end.map { "until \($0)" }, hint.map { "hint: \($0)" }]
      .compactMap(\.self)
  }
}
