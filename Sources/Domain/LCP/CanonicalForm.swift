package import JSON

/// The one spelling of a JSON object over which a licence is signed: members of every object sorted by
/// the code points of their names, no white space, and nothing escaped that need not be.
package enum CanonicalForm {
  package static func bytes(of object: JSONObject) -> [UInt8] {
    var out: [UInt8] = []
    append(object, to: &out)
    return out
  }

  private static func append(_ object: JSONObject, to out: inout [UInt8]) {
    out.append(UInt8(ascii: "{"))
    // The order of UTF-8 is that of code points; Swift's own order of strings is another.
    let sorted = object.members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    for (place, member) in sorted.enumerated() {
      if place > 0 { out.append(UInt8(ascii: ",")) }
      append(member.name, to: &out)
      out.append(UInt8(ascii: ":"))
      append(member.value, to: &out)
    }
    out.append(UInt8(ascii: "}"))
  }

  private static func append(_ value: JSONValue, to out: inout [UInt8]) {
    switch value {
    case .null: out += "null".utf8
    case .bool(let flag): out += (flag ? "true" : "false").utf8
    case .integer(let number): out += String(number).utf8
    case .decimal(let number): out += normalised(number.literal).utf8
    case .string(let text): append(text, to: &out)
    case .array(let elements):
      out.append(UInt8(ascii: "["))
      for (place, element) in elements.enumerated() {
        if place > 0 { out.append(UInt8(ascii: ",")) }
        append(element, to: &out)
      }
      out.append(UInt8(ascii: "]"))
    case .object(let object): append(object, to: &out)
    }
  }

  private static func append(_ text: String, to out: inout [UInt8]) {
    out.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): out += [UInt8(ascii: "\\"), byte]
      case 0x08: out += "\\b".utf8
      case 0x09: out += "\\t".utf8
      case 0x0A: out += "\\n".utf8
      case 0x0C: out += "\\f".utf8
      case 0x0D: out += "\\r".utf8
      case ..<0x20: out += ("\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16)).utf8
      default: out.append(byte)
      }
    }
    out.append(UInt8(ascii: "\""))
  }

  /// A number that is no plain integer: one digit before the point, at least one behind it, a large E
  /// and no plus. What turns out to be whole is written as an integer.
  private static func normalised(_ literal: String) -> String {
    let isNegative = literal.hasPrefix("-")
    let unsigned = isNegative ? literal.dropFirst() : Substring(literal)
    let parts = unsigned.split(
      maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { $0 == "e" || $0 == "E" })
    let written = parts.count > 1 ? parts[1].drop { $0 == "+" } : "0"
    // An exponent that no number has stays as it came: nobody signs such a thing.
    guard let exponent = Int(written), exponent.magnitude < 1000 else { return literal }
    let halves = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = halves.count > 1 ? halves[1] : ""
    let digits = (halves[0] + fraction).drop { $0 == "0" }
    guard !digits.isEmpty else { return "0" }
    var kept = String(digits)
    var shift = exponent - fraction.utf8.count
    while kept.hasSuffix("0") {
      kept.removeLast()
      shift += 1
    }
    let sign = isNegative ? "-" : ""
    if shift >= 0, shift < 400 { return sign + kept + String(repeating: "0", count: shift) }
    let power = shift + kept.utf8.count - 1
    let rest = kept.dropFirst()
    return "\(sign)\(kept.prefix(1)).\(rest.isEmpty ? "0" : String(rest))E\(power)"
  }
}
