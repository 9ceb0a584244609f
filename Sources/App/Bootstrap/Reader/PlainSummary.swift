import Markup
import XML

/// A publisher's blurb as plain text. It is markup of unknown make, so it is parsed as such: what
/// cannot be read is left out.
enum PlainSummary {
  static func text(_ markup: String) -> String {
    guard let document = try? HTMLDocument(text: markup) else { return "" }
    var text = ""
    write(document.content, to: &text)
    return text.split { $0 == " " || $0 == "\n" || $0 == "\t" || $0 == "\u{a0}" }
      .joined(separator: " ")
  }

  private static let silent: Set<String> = ["script", "style", "head", "title", "template"]
  private static let inline: Set<String> = [
    "a", "abbr", "b", "cite", "em", "i", "q", "small", "span", "strong", "sub", "sup", "u",
  ]

  private static func write(_ content: [Content], to text: inout String) {
    for part in content {
      switch part {
      case .text(let words): text += words
      case .element(let element):
        let name = element.name.local.lowercased()
        guard !silent.contains(name) else { continue }
        if !inline.contains(name) { text += " " }
        write(element.children, to: &text)
        if !inline.contains(name) { text += " " }
      }
    }
  }
}
