/// The primary tag of a language, from a tag, a three-letter code or its English name.
enum Language {
  static func tag(_ text: String) -> String? {
    let first = text.prefix(40).lowercased().prefix { $0.isLetter }
    guard first.count > 1, !["und", "mul", "unknown", "zxx", "mis"].contains(String(first)) else {
      return nil
    }
    return codes[String(first)] ?? String(first)
  }

  private static let codes = [
    "eng": "en", "english": "en", "fre": "fr", "fra": "fr", "french": "fr", "ger": "de",
    "deu": "de", "german": "de", "deutsch": "de", "spa": "es", "spanish": "es", "ita": "it",
    "italian": "it", "por": "pt", "portuguese": "pt", "dut": "nl", "nld": "nl", "dutch": "nl",
    "rus": "ru", "russian": "ru", "jpn": "ja", "japanese": "ja", "chi": "zh", "zho": "zh",
    "chinese": "zh", "swe": "sv", "swedish": "sv", "nor": "no", "nb": "no", "nn": "no",
    "norwegian": "no", "nob": "no", "dan": "da", "danish": "da", "fin": "fi", "finnish": "fi",
    "pol": "pl", "polish": "pl", "cze": "cs", "ces": "cs", "czech": "cs", "hun": "hu",
    "hungarian": "hu", "epo": "eo", "esperanto": "eo", "gre": "el",
    "ell": "el", "greek": "el", "grc": "grc", "lat": "la", "latin": "la", "ara": "ar",
    "arabic": "ar", "heb": "he", "hebrew": "he", "tur": "tr", "turkish": "tr", "kor": "ko",
    "korean": "ko", "cat": "ca", "catalan": "ca", "ukr": "uk", "ukrainian": "uk",
  ]
}
