/// Undoes what exports do to text: entities, once or twice encoded, and UTF-8 read as Latin.
enum Repair {
  static func text(_ raw: String) -> String {
    // Without a reference and without a letter beyond ASCII there is nothing to mend.
    if raw.utf8.count <= Candidate.longestText, raw.utf8.allSatisfy({ $0 < 0x80 && $0 != 0x26 }) {
      return raw
    }
    var scalars = Array(raw.unicodeScalars.prefix(Candidate.longestText * 2))
    // `&amp;amp;` has been through two exports; a third round is rare, a fourth is an attack.
    for _ in 0..<3 {
      guard scalars.contains("&"), let decoded = entities(scalars) else { break }
      scalars = decoded
    }
    if let mended = mojibake(scalars) { scalars = mended }
    return String(String.UnicodeScalarView(scalars.prefix(Candidate.longestText)))
  }

  private static func entities(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar]? {
    var out: [Unicode.Scalar] = []
    var changed = false
    var index = 0
    while index < scalars.count {
      if scalars[index] == "&",
        let end = scalars[index...].prefix(12).firstIndex(of: ";"),
        let scalar = entity(scalars[(index + 1)..<end])
      {
        out.append(scalar)
        changed = true
        index = end + 1
      } else {
        out.append(scalars[index])
        index += 1
      }
    }
    return changed ? out : nil
  }

  private static func entity(_ name: ArraySlice<Unicode.Scalar>) -> Unicode.Scalar? {
    let text = String(String.UnicodeScalarView(name))
    if text.hasPrefix("#x") || text.hasPrefix("#X") {
      return UInt32(text.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
    }
    if text.hasPrefix("#") { return UInt32(text.dropFirst()).flatMap(Unicode.Scalar.init) }
    return named[text]
  }

  private static let named: [String: Unicode.Scalar] = [
    "amp": "&", "quot": "\"", "apos": "'", "lt": "<", "gt": ">", "nbsp": " ", "ndash": "–",
    "mdash": "—", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "hellip": "…",
    "eacute": "é", "egrave": "è", "ecirc": "ê", "agrave": "à", "aacute": "á", "acirc": "â",
    "auml": "ä", "ouml": "ö", "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß",
    "ccedil": "ç", "ntilde": "ñ", "iacute": "í", "oacute": "ó", "uacute": "ú", "ocirc": "ô",
    "icirc": "î", "iuml": "ï", "euml": "ë", "Eacute": "É", "oslash": "ø", "aring": "å",
    "aelig": "æ", "oelig": "œ", "atilde": "ã", "otilde": "õ", "Oslash": "Ø", "Aring": "Å",
  ]

  /// `CafÃ©` was `Café`, and `donâ€™t` was `don’t`. Taken back only when all of it fits.
  private static func mojibake(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar]? {
    guard scalars.contains(where: { ("\u{C2}"..."\u{C5}").contains($0) || $0 == "\u{E2}" })
    else { return nil }
    var bytes: [UInt8] = []
    for scalar in scalars {
      if let byte = windows[scalar] {
        bytes.append(byte)
      } else if scalar.value <= 0xFF {
        bytes.append(UInt8(scalar.value))
      } else {
        return nil
      }
    }
    // Cut in the middle of a letter at most once, at the end.
    while let last = bytes.last, last >= 0xC0 { bytes.removeLast() }
    // `Mariama Bâ` only looks as if it had been cut.
    guard bytes.contains(where: { $0 >= 0x80 }) else { return nil }
    return String(validating: bytes, as: UTF8.self).map { Array($0.unicodeScalars) }
  }

  /// Where Windows-1252 differs from Latin-1.
  private static let windows: [Unicode.Scalar: UInt8] = [
    "€": 0x80, "‚": 0x82, "ƒ": 0x83, "„": 0x84, "…": 0x85, "†": 0x86, "‡": 0x87, "ˆ": 0x88,
    "‰": 0x89, "Š": 0x8A, "‹": 0x8B, "Œ": 0x8C, "Ž": 0x8E, "‘": 0x91, "’": 0x92, "“": 0x93,
    "”": 0x94, "•": 0x95, "–": 0x96, "—": 0x97, "˜": 0x98, "™": 0x99, "š": 0x9A, "›": 0x9B,
    "œ": 0x9C, "ž": 0x9E, "Ÿ": 0x9F,
  ]
}
