import Chapters
import Circulation
import EPUB
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Phrasebook
import Reading

/// Bookmarks, highlights and notes of a book, in the order of the text.
enum NotesPage {
  private struct Row {
    let mark: Annotation
    let place: BookPlaces.Place?
  }

  static func make(_ visit: ReaderVisit) async throws(Problem) -> Page {
    let marks: [Annotation]
    do throws(AnnotationError) {
      marks = try await visit.stock.annotations.all(of: visit.reader.patron, in: visit.known)
    } catch {
      throw Refusals.unread(said("What you wrote in this book cannot be read."))
    }
    let pages = pages(marks.sorted { $0.order < $1.order })
    let asked = visit.caller.query["page"].flatMap(Int.init) ?? 1
    let page = min(max(1, asked), max(1, pages.count))
    let rows =
      pages.isEmpty
      ? [] : pages[page - 1].map { Row(mark: $0, place: Anchoring($0, in: visit.open)?.place) }
    return visit.page(said("Bookmarks and notes")) {
      if rows.isEmpty {
        tag("p", .init("class", "empty")) {
          said(
            """
            Nothing yet. The star marks a page; select words in the text to highlight them or \
            to write a note.
            """)
        }
      } else {
        tag("ul", .init("class", "marks")) {
          for row in rows { tag("li") { line(row, visit) } }
        }
        if pages.count > 1 { turns(page, of: pages.count, visit) }
      }
    }
  }

  private static let mostOnPage = 50
  /// Of notes on a page, which has each twice: to be read and to be edited.
  private static let mostCharacters = 100_000

  private static func pages(_ marks: [Annotation]) -> [[Annotation]] {
    var pages: [[Annotation]] = []
    var characters = 0
    for mark in marks {
      let length = mark.note?.unicodeScalars.count ?? 0
      if let last = pages.last, last.count < mostOnPage, characters + length <= mostCharacters {
        pages[pages.count - 1].append(mark)
        characters += length
      } else {
        pages.append([mark])
        characters = length
      }
    }
    return pages
  }

  private static func turns(_ page: Int, of count: Int, _ visit: ReaderVisit) -> Node {
    func turn(_ page: Int, _ title: String) -> Node {
      tag("a", .init("href", visit.link(ReaderPaths.notes, ["page": "\(page)"]))) { title }
    }
    return tag("nav", .init("class", "turns"), .init("aria-label", said("Pages"))) {
      if page > 1 { turn(page - 1, said("Previous")) }
      said("\(page) of \(count)")
      if page < count { turn(page + 1, said("Next")) }
    }
  }

  @Children private static func line(_ row: Row, _ visit: ReaderVisit) -> [Node] {
    let mark = row.mark
    let words = FrontDesk.Words.shortened(mark.quote ?? "", to: 240)
    let told = [
      mark.locator.title,
      mark.locator.position.map { said("\($0) of \(visit.open.places.positions.count)") },
    ].compactMap(\.self).joined(separator: " · ")
    tag("p", .init("class", "small")) {
      kind(mark)
      if !told.isEmpty { " · \(told)" }
    }
    if let place = row.place {
      let cfi = visit.cfi(.init(spine: place.spine, range: place.range))
      tag(
        "a", .init("class", "quote \(mark.color ?? "")"),
        .init(
          "href",
          visit.link(section: place.spine, cfi.map { ["at": "\($0)"] } ?? FormFields()))
      ) { words.isEmpty ? said("To the place") : words }
    } else {
      tag("p", .init("class", "quote")) { words }
      tag("p", .init("class", "small")) { said("These words are not in this edition.") }
    }
    if let note = mark.note { tag("p", .init("class", "note")) { note } }
    if !mark.tags.isEmpty {
      tag("p", .init("class", "small")) { mark.tags.map { "#\($0)" }.joined(separator: " ") }
    }
    tag("div", .init("class", "actions")) {
      edit(mark, visit)
      tag("form", .init("method", "post"), .init("action", visit.link(ReaderPaths.book))) {
        visit.hiddenFields("remove", nil)
        hidden("id", mark.id)
        hidden("back", visit.caller.hereAgain)
        tag("button", .init("class", "button second"), .init("type", "submit")) {
          said("Remove")
          tag("span", .init("class", "unseen")) { ": \(kind(mark)) \(words.prefix(60))" }
        }
      }
    }
  }

  private static func kind(_ mark: Annotation) -> String {
    switch mark.kind {
    case .bookmark: said("Bookmark")
    case .highlight: said("Highlight")
    case .note: said("Note")
    }
  }

  private static func edit(_ mark: Annotation, _ visit: ReaderVisit) -> Node {
    tag("details") {
      tag("summary", .init("class", "button second")) { said("Edit") }
      tag(
        "form", .init("class", "edit"), .init("method", "post"),
        .init("action", visit.link(ReaderPaths.book))
      ) {
        visit.hiddenFields("edit", nil)
        hidden("id", mark.id)
        hidden("back", visit.caller.hereAgain)
        field(said("Note"), "note-\(mark.id)") { id in
          tag(
            "textarea", .init("id", id), .init("name", "note"), .init("rows", 3),
            .init("maxlength", PatronLimits.standard.noteCharacters)
          ) { mark.note }
        }
        field(said("Tags, apart by commas"), "tags-\(mark.id)") { id in
          tag(
            "input", .init("id", id), .init("name", "tags"),
            .init("value", mark.tags.joined(separator: ", ")), .init("maxlength", 1000))
        }
        if mark.kind != .bookmark {
          field(said("Color"), "color-\(mark.id)") { id in
            tag("select", .init("id", id), .init("name", "color")) {
              for color in ReaderDeeds.colors {
                tag("option", .init("value", color), .init("selected", color == mark.color)) {
                  said(known: color)
                }
              }
            }
          }
        }
        tag("button", .init("class", "button"), .init("type", "submit")) { said("Keep") }
      }
    }
  }

  private static func field(_ label: String, _ id: String, _ input: (String) -> Node) -> Node {
    tag("p", .init("class", "field")) {
      tag("label", .init("for", id)) { label }
      input(id)
    }
  }
}

extension Annotation {
  fileprivate struct Order: Comparable {
    let spine: Int
    let progression: Double
    let made: Int64

    static func < (one: Self, two: Self) -> Bool {
      (one.spine, one.progression, one.made) < (two.spine, two.progression, two.made)
    }
  }

  /// As its place says: to find the words of each in the book takes long for thousands of them.
  fileprivate var order: Order {
    Order(
      spine: locator.spine ?? .max, progression: locator.progression ?? 0, made: made)
  }
}
