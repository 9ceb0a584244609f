import CXML2

/// The named characters of HTML 4 and XHTML 1, from libxml2's own table, and those of HTML 5 that
/// are seen in books and catalogs.
package enum CharacterEntities {
  package static func scalar(named name: String) -> Unicode.Scalar? { table[name] }

  /// The names that HTML reads without a semicolon, as browsers did when they had a hundred names.
  static func isLegacy(_ name: String) -> Bool {
    guard let scalar = table[name] else { return false }
    return scalar.value < 0x100 && name != "apos" && !later.keys.contains(name)
      || ["AMP", "LT", "GT", "QUOT", "COPY", "REG"].contains(name)
  }

  private static let later: [String: Unicode.Scalar] = [
    "AMP": "&", "LT": "<", "GT": ">", "QUOT": "\"", "COPY": "©", "REG": "®", "TRADE": "™",
    "apos": "'", "Tab": "\t", "NewLine": "\n", "excl": "!", "num": "#", "dollar": "$",
    "percnt": "%", "lpar": "(", "rpar": ")", "ast": "*", "plus": "+", "comma": ",", "period": ".",
    "sol": "/", "colon": ":", "semi": ";", "equals": "=", "quest": "?", "commat": "@",
    "lsqb": "[", "lbrack": "[", "bsol": "\\", "rsqb": "]", "rbrack": "]", "Hat": "^",
    "lowbar": "_", "grave": "`", "lcub": "{", "lbrace": "{", "verbar": "|", "vert": "|",
    "rcub": "}", "rbrace": "}", "NonBreakingSpace": "\u{A0}", "hyphen": "‐", "dash": "‐",
    "horbar": "―", "check": "✓", "cross": "✗", "star": "☆", "starf": "★", "phone": "☎",
    "female": "♀", "male": "♂", "sung": "♪", "flat": "♭", "natural": "♮", "sharp": "♯",
    "half": "½", "frac13": "⅓", "frac23": "⅔", "frac15": "⅕", "frac18": "⅛", "frac38": "⅜",
    "frac58": "⅝", "frac78": "⅞", "Abreve": "Ă", "abreve": "ă", "Aogon": "Ą", "aogon": "ą",
    "Cacute": "Ć", "cacute": "ć", "Ccaron": "Č", "ccaron": "č", "Dcaron": "Ď", "dcaron": "ď",
    "Dstrok": "Đ", "dstrok": "đ", "Ecaron": "Ě", "ecaron": "ě", "Eogon": "Ę", "eogon": "ę",
    "Gbreve": "Ğ", "gbreve": "ğ", "Idot": "İ", "imath": "ı", "inodot": "ı", "Lstrok": "Ł",
    "lstrok": "ł", "Nacute": "Ń", "nacute": "ń", "Ncaron": "Ň", "ncaron": "ň", "Odblac": "Ő",
    "odblac": "ő", "Rcaron": "Ř", "rcaron": "ř", "Sacute": "Ś", "sacute": "ś", "Scedil": "Ş",
    "scedil": "ş", "Tcaron": "Ť", "tcaron": "ť", "Udblac": "Ű", "udblac": "ű", "Uring": "Ů",
    "uring": "ů", "Zacute": "Ź", "zacute": "ź", "Zcaron": "Ž", "zcaron": "ž", "Zdot": "Ż",
    "zdot": "ż", "Amacr": "Ā", "amacr": "ā", "Emacr": "Ē", "emacr": "ē", "Imacr": "Ī",
    "imacr": "ī", "Omacr": "Ō", "omacr": "ō", "Umacr": "Ū", "umacr": "ū",
  ]

  private static let table: [String: Unicode.Scalar] = {
    var table = later
    // The table of libxml2 is searched by value: HTML 4 ends at the diamond suit and has nothing
    // between Greek and the dashes. Every value asked for is a search.
    for value in [0x22...0x3FF, 0x2000...0x2666].joined() as FlattenSequence<[ClosedRange<UInt32>]>
    {
      guard let entry = unsafe htmlEntityValueLookup(value), let scalar = Unicode.Scalar(value)
      else { continue }
      unsafe table[String(cString: entry.pointee.name)] = scalar
    }
    return table
  }()
}
