import Markup
import XML

/// A publisher's blurb on one line. What cannot be read is left out.
enum PlainSummary {
  static func text(_ markup: String) -> String {
    (PlainText.of(blurb: markup) ?? "")
      .split { $0 == " " || $0 == "\n" || $0 == "\t" || $0 == "\u{a0}" }
      .joined(separator: " ")
  }
}
