package import Catalog
package import Circulation
package import Shelving

/// What choices are called.
package enum Labels {
  package static let orders = "Sort by"

  package static func group(_ name: FacetGroup.Name) -> String {
    switch name {
    case .availability: "Availability"
    case .format: "Format"
    case .language: "Language"
    case .collection: "Library"
    }
  }

  package static func order(_ order: LaneOrder) -> String {
    switch order {
    case .liking: "Popular"
    case .title: "Title"
    case .author: "Author"
    case .added: "Newest"
    }
  }

  package static func choice(
    _ value: String, in name: FacetGroup.Name, _ nameOfLibrary: (LibraryID) -> String
  ) -> String {
    switch name {
    case .availability: value == "now" ? "Available now" : "To wait for"
    case .format: formats[value] ?? value.uppercased()
    case .language: languages[value] ?? value
    case .collection: nameOfLibrary(LibraryID(value))
    }
  }

  /// `1 234`, with a blank that does not break.
  package static func grouped(_ number: Int) -> String {
    let digits = String(number)
    var text = ""
    for (place, digit) in digits.enumerated() {
      if place > 0, (digits.count - place) % 3 == 0 { text += "\u{a0}" }
      text.append(digit)
    }
    return text
  }

  package static func format(_ content: Format.Content) -> String {
    formats[content.rawValue] ?? content.rawValue.uppercased()
  }

  private static let formats = [
    "epub": "EPUB", "pdf": "PDF", "audiobook": "Audiobook", "comic": "Comic",
    "kindle": "Kindle", "html": "Web page", "text": "Plain text", "mobi": "Mobipocket",
    "video": "Video", "music": "Music", "other": "Other",
  ]

  private static let languages = [
    "ar": "Arabic", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek",
    "en": "English", "eo": "Esperanto", "es": "Spanish", "fi": "Finnish", "fr": "French",
    "ga": "Irish", "he": "Hebrew", "hi": "Hindi", "hu": "Hungarian", "it": "Italian",
    "ja": "Japanese", "ko": "Korean", "la": "Latin", "nl": "Dutch", "no": "Norwegian",
    "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sv": "Swedish",
    "tl": "Tagalog", "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese", "zh": "Chinese",
  ]
}
