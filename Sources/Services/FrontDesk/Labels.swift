package import Catalog
package import Circulation
import Phrasebook
package import Shelving

/// What choices are called.
package enum Labels {
  package static var orders: String { said("Sort by") }

  package static func group(_ name: FacetGroup.Name) -> String {
    switch name {
    case .availability: said("Availability")
    case .format: said("Format")
    case .language: said("Language")
    case .collection: said("Library")
    }
  }

  package static func order(_ order: LaneOrder) -> String {
    switch order {
    case .liking: said("Popular", "order")
    case .title: said("Title")
    case .author: said("Author")
    case .added: said("Newest")
    }
  }

  package static func choice(
    _ value: String, in name: FacetGroup.Name, _ nameOfLibrary: (LibraryID) -> String
  ) -> String {
    switch name {
    case .availability: value == "now" ? said("Available now") : said("To wait for")
    case .format: formats[value].map { said(known: $0) } ?? value.uppercased()
    case .language: languages[value].map { said(known: $0) } ?? value
    case .collection: nameOfLibrary(LibraryID(value))
    }
  }

  package static func format(_ content: Format.Content) -> String {
    formats[content.rawValue].map { said(known: $0) } ?? content.rawValue.uppercased()
  }

  private static let formats = [
    "epub": phrase("EPUB"), "pdf": phrase("PDF"), "audiobook": phrase("Audiobook"),
    "comic": phrase("Comic"),
    "kindle": phrase("Kindle"), "html": phrase("Web page"), "text": phrase("Plain text"),
    "mobi": phrase("Mobipocket"),
    "video": phrase("Video"), "music": phrase("Music"), "other": phrase("Other"),
  ]

  private static let languages = [
    "ar": phrase("Arabic"), "cs": phrase("Czech"), "da": phrase("Danish"), "de": phrase("German"),
    "el": phrase("Greek"),
    "en": phrase("English"), "eo": phrase("Esperanto"), "es": phrase("Spanish"),
    "fi": phrase("Finnish"), "fr": phrase("French"),
    "ga": phrase("Irish"), "he": phrase("Hebrew"), "hi": phrase("Hindi"), "hu": phrase("Hungarian"),
    "it": phrase("Italian"),
    "ja": phrase("Japanese"), "ko": phrase("Korean"), "la": phrase("Latin"), "nl": phrase("Dutch"),
    "no": phrase("Norwegian"),
    "pl": phrase("Polish"), "pt": phrase("Portuguese"), "ro": phrase("Romanian"),
    "ru": phrase("Russian"), "sv": phrase("Swedish"),
    "tl": phrase("Tagalog"), "tr": phrase("Turkish"), "uk": phrase("Ukrainian"),
    "vi": phrase("Vietnamese"), "zh": phrase("Chinese"),
  ]
}
