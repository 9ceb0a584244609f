/// Languages by their English names, which is how the wire writes them: `SPANISH`.
enum Languages {
  static func code(_ name: String) -> String { table[name.lowercased()] ?? "und" }

  private static let table: [String: String] = [
    "afrikaans": "af", "albanian": "sq", "amharic": "am", "arabic": "ar", "armenian": "hy",
    "basque": "eu", "bengali": "bn", "bosnian": "bs", "bulgarian": "bg", "burmese": "my",
    "cantonese": "yue", "catalan": "ca", "chinese": "zh", "chinese (simplified)": "zh",
    "chinese (traditional)": "zh", "croatian": "hr", "czech": "cs", "danish": "da", "dutch": "nl",
    "english": "en", "esperanto": "eo", "estonian": "et", "farsi": "fa", "filipino": "fil",
    "finnish": "fi", "flemish": "nl", "french": "fr", "gaelic": "gd", "galician": "gl",
    "georgian": "ka", "german": "de", "greek": "el", "gujarati": "gu", "haitian": "ht",
    "haitian creole": "ht", "hawaiian": "haw", "hebrew": "he", "hindi": "hi", "hmong": "hmn",
    "hungarian": "hu", "icelandic": "is", "indonesian": "id", "inuktitut": "iu", "irish": "ga",
    "italian": "it", "japanese": "ja", "kannada": "kn", "khmer": "km", "korean": "ko",
    "kurdish": "ku", "lao": "lo", "latin": "la", "latvian": "lv", "lithuanian": "lt",
    "macedonian": "mk", "malay": "ms", "malayalam": "ml", "mandarin": "zh", "maori": "mi",
    "marathi": "mr", "mongolian": "mn", "multiple languages": "mul", "multilingual": "mul",
    "navajo": "nv", "nepali": "ne", "norwegian": "no", "persian": "fa", "polish": "pl",
    "portuguese": "pt", "punjabi": "pa", "panjabi": "pa", "romanian": "ro", "russian": "ru",
    "samoan": "sm", "sanskrit": "sa", "scots": "sco", "serbian": "sr", "slovak": "sk",
    "slovenian": "sl", "somali": "so", "spanish": "es", "swahili": "sw", "swedish": "sv",
    "tagalog": "tl", "tamil": "ta", "telugu": "te", "thai": "th", "tibetan": "bo", "turkish": "tr",
    "ukrainian": "uk", "urdu": "ur", "vietnamese": "vi", "welsh": "cy", "yiddish": "yi",
    "zulu": "zu",
  ]
}
