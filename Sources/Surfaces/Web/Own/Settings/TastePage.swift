import Database
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Reading

/// How a reader likes pages: the same record that every way of reading keeps, so what is chosen here
/// holds in the terminal and in the browser.
struct TastePage: Sendable {
  private let own: Own
  private static let path = OwnPaths.reading.print()

  init(_ own: Own) { self.own = own }

  private struct Choice {
    let word: String
    let title: String
    /// Values with their names; an empty one leaves it to the book or to the device.
    let values: [(String, String)]
    /// What holds where nothing was chosen; nil for the first.
    var standard: String?
  }

  private static let choices: [Choice] = [
    Choice(
      word: "colors", title: "Colors",
      values: [
        ("the terminal's own", "As the device is"), ("black on white", "Black on white"),
        ("sepia", "Sepia"), ("white on black", "White on black"),
      ]),
    Choice(
      word: "face", title: "Letters",
      values: [("book", "The book’s own"), ("serif", "Serif"), ("sans", "Sans-serif")]),
    Choice(
      word: "size", title: "Size of letters",
      values: [
        ("80", "80 %"), ("100", "100 %"), ("120", "120 %"), ("150", "150 %"), ("200", "200 %"),
      ], standard: "100"),
    Choice(
      word: "spacing", title: "Lines",
      values: [("0", "Close"), ("1", "Apart"), ("2", "Far apart")]),
    Choice(
      word: "edge", title: "Right edge", values: [("ragged", "Ragged"), ("straight", "Straight")]),
    Choice(
      word: "manner", title: "Turning", values: [("pages", "Pages"), ("scroll", "Scrolling")]),
    Choice(
      word: "columns", title: "Columns on wide windows",
      values: [("auto", "As it fits"), ("1", "One"), ("2", "Two")]),
  ]

  func page() async throws(Problem) -> Page {
    let taste: Taste
    do throws(DatabaseError) {
      taste = try await own.stock.tastes.taste(of: own.reader.patron)
    } catch {
      throw Refusals.unread("Your settings cannot be read.")
    }
    return own.setting("Reading") {
      tag("p", .init("class", "lead")) { "Holds wherever you open a book with Carrel." }
      own.form(Self.path, "fields") {
        for choice in Self.choices {
          let chosen = taste[choice.word] ?? choice.standard ?? choice.values.first?.0
          tag("fieldset") {
            tag("legend") { choice.title }
            // A value that only a book's own page offers stays until another is chosen.
            for (value, words) in values(choice, taste[choice.word]) {
              tag("label", .init("class", "choice")) {
                tag(
                  "input", .init("type", "radio"), .init("name", choice.word),
                  .init("value", value), .init("checked", value == chosen))
                " \(words)"
              }
            }
          }
        }
        tag("button", .init("class", "button"), .init("type", "submit")) { "Keep" }
      }
    }
  }

  private func values(_ choice: Choice, _ kept: String?) -> [(String, String)] {
    guard let kept, !choice.values.contains(where: { $0.0 == kept }), Int(kept) != nil else {
      return choice.values
    }
    return choice.values + [(kept, choice.word == "size" ? "\(kept) %" : kept)]
  }

  func carry(_ form: FormFields) async throws(Problem) -> FormEnd {
    var taste = Taste()
    for choice in Self.choices {
      guard let value = form[choice.word] else { continue }
      let isKnown = choice.values.contains { $0.0 == value }
      // Numbers of a book's own page are as good; whoever reads them has limits of their own.
      guard isKnown || (choice.word == "size" && Int(value).map { (50...300).contains($0) } == true)
      else { throw incompleteForm }
      taste[choice.word] = value
    }
    do throws(DatabaseError) {
      try await own.stock.tastes.keep(taste, of: own.reader.patron)
    } catch {
      throw Refusals.unread("Nothing can be written now.")
    }
    return .onward(Self.path, ["did": OwnDeed.kept.rawValue])
  }
}
