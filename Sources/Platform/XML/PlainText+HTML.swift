package import Markup

extension PlainText {
  /// A text of unknown make, a publisher's blurb say, without markup; nil where it cannot be read.
  package static func of(blurb text: String) -> String? {
    guard text.contains("<") || text.contains("&") else { return text }
    guard let document = try? HTMLDocument(text: text) else { return nil }
    return PlainText.of(document.content)
  }
}
