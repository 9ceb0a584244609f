/// Character references of HTML, as some files have them in plain text.
enum Entities {
  /// What is no reference stays as it is.
  static func decoded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    var out = ""
    var rest = Substring(text)
    while let start = rest.firstIndex(of: "&") {
      out += rest[..<start]
      rest = rest[start...]
      let name = rest.dropFirst().prefix(10).prefix { $0 != ";" && $0 != "&" && $0 != " " }
      if name.endIndex < rest.endIndex, rest[name.endIndex] == ";", let scalar = scalar(name) {
        out.unicodeScalars.append(scalar)
        rest = rest[rest.index(after: name.endIndex)...]
      } else {
        out += "&"
        rest = rest.dropFirst()
      }
    }
    return out + rest
  }

  /// So written that `decoded` gives it back.
  static func encoded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")), decoded(text) != text else { return text }
    return text.split(separator: "&", omittingEmptySubsequences: false).joined(separator: "&amp;")
  }

  private static func scalar(_ name: Substring) -> Unicode.Scalar? {
    if name.hasPrefix("#x") || name.hasPrefix("#X") {
      return UInt32(name.dropFirst(2), radix: 16).flatMap(sound)
    }
    if name.hasPrefix("#") { return UInt32(name.dropFirst()).flatMap(sound) }
    if let place = latin.firstIndex(of: name) { return Unicode.Scalar(UInt32(160 + place)) }
    return others[name]
  }

  private static func sound(_ value: UInt32) -> Unicode.Scalar? {
    value < 0x20 && value != 9 && value != 10 && value != 13 ? nil : Unicode.Scalar(value)
  }

  private static let others: [Substring: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "hellip": "\u{2026}",
    "mdash": "\u{2014}", "ndash": "\u{2013}", "lsquo": "\u{2018}", "rsquo": "\u{2019}",
    "ldquo": "\u{201C}", "rdquo": "\u{201D}", "bull": "\u{2022}", "euro": "\u{20AC}",
    "oelig": "\u{153}", "OElig": "\u{152}", "scaron": "\u{161}", "Scaron": "\u{160}",
    "trade": "\u{2122}",
  ]

  // From U+00A0 on, one after the other.
  private static let latin = """
    nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn \
    sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave \
    Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml \
    ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN \
    szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave \
    iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc \
    uuml yacute thorn yuml
    """.split(separator: " ")
}
