/// Plain text out of a field that a service filled from its web pages: `Tom &amp; Jerry&#8217;s`.
/// One pass only, because `&amp;lt;` is the text `&lt;`.
package enum Entities {
  package static func decoded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    var out = ""
    var rest = Substring(text)
    while let start = rest.firstIndex(of: "&") {
      out += rest[..<start]
      rest = rest[start...]
      // No name is longer than this; without a limit a long text of ampersands is slow.
      if let end = rest.prefix(12).firstIndex(of: ";"),
        let meaning = character(rest[rest.index(after: start)..<end])
      {
        out += meaning
        rest = rest[rest.index(after: end)...]
      } else {
        out += "&"
        rest = rest.dropFirst()
      }
    }
    return out + rest
  }

  private static func character(_ name: Substring) -> String? {
    guard name.first == "#" else { return named[String(name)] }
    let digits = name.dropFirst()
    let code =
      digits.first == "x" || digits.first == "X"
      ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    guard let code, code >= 32 || code == 9 || code == 10, let scalar = Unicode.Scalar(code) else {
      return nil
    }
    return String(Character(scalar))
  }

  private static let named: [String: String] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
    "hellip": "…", "ndash": "–", "mdash": "—", "lsquo": "‘", "rsquo": "’", "ldquo": "“",
    "rdquo": "”", "laquo": "«", "raquo": "»", "copy": "©", "reg": "®", "trade": "™", "deg": "°",
    "agrave": "à", "aacute": "á", "acirc": "â", "auml": "ä", "aring": "å", "aelig": "æ",
    "ccedil": "ç", "egrave": "è", "eacute": "é", "ecirc": "ê", "euml": "ë", "iacute": "í",
    "icirc": "î", "iuml": "ï", "ntilde": "ñ", "oacute": "ó", "ocirc": "ô", "ouml": "ö",
    "oslash": "ø", "uacute": "ú", "ucirc": "û", "uuml": "ü", "szlig": "ß", "Agrave": "À",
    "Aacute": "Á", "Auml": "Ä", "Aring": "Å", "Ccedil": "Ç", "Egrave": "È", "Eacute": "É",
    "Ntilde": "Ñ", "Oacute": "Ó", "Ouml": "Ö", "Oslash": "Ø", "Uuml": "Ü",
  ]
}
