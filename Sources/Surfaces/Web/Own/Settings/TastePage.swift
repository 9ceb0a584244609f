import Database
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Phrasebook
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

  private static var choices: [Choice] {
    [
      Choice(
        word: "colors", title: said("Colors"),
        values: [
          ("the terminal's own", said("As the device is")),
          ("black on white", said("Black on white")),
          ("sepia", said("Sepia")), ("white on black", said("White on black")),
        ]),
      Choice(
        word: "face", title: said("Letters"),
        values: [
          ("book", said("The book’s own")), ("serif", said("Serif")), ("sans", said("Sans-serif")),
        ]),
      Choice(
        word: "size", title: said("Size of letters"),
        values: [
          ("80", "80 %"), ("100", "100 %"), ("120", "120 %"), ("150", "150 %"), ("200", "200 %"),
        ], standard: "100"),
      Choice(
        word: "spacing", title: said("Lines"),
        values: [("0", said("Close", "lines")), ("1", said("Apart")), ("2", said("Far apart"))]),
      Choice(
        word: "edge", title: said("Right edge"),
        values: [("ragged", said("Ragged")), ("straight", said("Straight"))]),
      Choice(
        word: "manner", title: said("Turning"),
        values: [("pages", said("Pages")), ("scroll", said("Scrolling"))]),
      Choice(
        word: "columns", title: said("Columns on wide windows"),
        values: [("auto", said("As it fits")), ("1", said("One")), ("2", said("Two"))]),
    ]
  }

  func page() async throws(Problem) -> Page {
    let taste: Taste
    do throws(DatabaseError) {
      taste = try await own.stock.tastes.taste(of: own.reader.patron)
    } catch {
      throw Refusals.unread(said("Your settings cannot be read."))
    }
    return own.setting(said("Reading")) {
      tag("p", .init("class", "lead")) { said("Holds wherever you open a book with Carrel.") }
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
        tag("button", .init("class", "button"), .init("type", "submit")) { said("Keep") }
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
      throw Refusals.unread(said("Nothing can be written now."))
    }
    return .onward(Self.path, ["did": OwnDeed.kept.rawValue])
  }
}
