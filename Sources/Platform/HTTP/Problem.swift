/// An error a program can read (RFC 9457), with the two members every error of ours has besides:
/// `code`, the stable word, and `try`, what a person could do about it.
package struct Problem: Error, Sendable, Hashable {
  /// An address that names the kind; `about:blank` says that the status tells all.
  package var type: String
  package var title: String
  package var status: Status
  package var detail: String?
  package var instance: String?
  package var code: String?
  package var remedy: String?
  /// Each thing that is wrong, where there are several: the member `reasons`.
  package var reasons: [String] = []
  /// Seconds after which it makes sense to ask again: a field of the head, and no member.
  package var retryAfter: Int?

  package init(
    _ status: Status, code: String? = nil, title: String? = nil, detail: String? = nil,
    remedy: String? = nil, instance: String? = nil, type: String = "about:blank",
    retryAfter: Int? = nil
  ) {
    (self.type, self.status, self.code) = (type, status, code)
    self.title = title ?? (status.phrase.isEmpty ? "Status \(status.code)" : status.phrase)
    (self.detail, self.instance, self.remedy) = (detail, instance, remedy)
    self.retryAfter = retryAfter
  }

  package var json: String {
    var members = [
      "\"type\":\(literal(type))", "\"title\":\(literal(title))", "\"status\":\(status.code)",
    ]
    let texts = [("detail", detail), ("instance", instance), ("code", code), ("try", remedy)]
    for case (let name, let text?) in texts { members.append("\"\(name)\":\(literal(text))") }
    if !reasons.isEmpty {
      members.append("\"reasons\":[\(reasons.map(literal).joined(separator: ","))]")
    }
    return "{\(members.joined(separator: ","))}"
  }

  /// A string of RFC 8259 §7. `<` is escaped too, so that no browser finds markup in it.
  private func literal(_ text: String) -> String {
    var out = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case "\n": out += "\\n"
      case "\r": out += "\\r"
      case "\t": out += "\\t"
      case "<", "\u{2028}", "\u{2029}", "\u{0}"..."\u{1F}":
        let digits = String(scalar.value, radix: 16)
        out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out + "\""
  }
}
