import Books
import Circulation
import Database
import Desk
import FrontDesk
import HTTP
import HTTPServer
import JSON
import Machine
import Markup
import Phrasebook
import Reading
import ReadingLists
import ShelfFiles

/// What is a reader's own, to take along: notes, lists, books.
struct ExportPage {
  private let own: Own

  init(_ own: Own) { self.own = own }

  func page() async throws(Problem) -> Page {
    let lists = try await kept { () throws(ListError) in
      try await own.lobby.lending.lists.lists(of: own.reader.patron)
    }
    return own.setting(said("Export")) {
      tag("p", .init("class", "lead")) {
        said("Everything that is yours, in forms that others read.")
      }
      part(
        said("Bookmarks, highlights and notes"), "notes",
        AnnotationFormat.allCases.map { one in
          (one.rawValue, one.title)
        })
      part(said("Books and how far each has come"), "books", [("json", "JSON")])
      for list in lists {
        part(
          said("List: \(list.name)"), list.id.rawValue,
          ShelfFormat.written.map { one in
            (one.rawValue, one.title)
          })
      }
      if lists.isEmpty {
        tag("p", .init("class", "small")) { said("You keep no reading lists yet.") }
      }
    }
  }

  private func part(_ title: String, _ what: String, _ formats: [(String, String)]) -> Node {
    tag("section") {
      tag("h2") { title }
      own.form(OwnPaths.exported.print(what), "inline") {
        tag("label", .init("for", "form-\(what)"), .init("class", "unseen")) {
          said("Form of \(title)")
        }
        tag("select", .init("id", "form-\(what)"), .init("name", "format")) {
          for (value, words) in formats { tag("option", .init("value", value)) { words } }
        }
        tag("button", .init("class", "button second"), .init("type", "submit")) {
          said("Download")
          tag("span", .init("class", "unseen")) { ": \(title)" }
        }
      }
    }
  }

  // MARK: - Files

  func file(_ what: String, _ form: FormFields) async throws(Problem) -> FormEnd {
    let format = form["format"] ?? ""
    switch what {
    case "notes": return try await notes(format)
    case "books": return try await books()
    default: return try await list(ListID(what), format)
    }
  }

  private func notes(_ word: String) async throws(Problem) -> FormEnd {
    guard let format = AnnotationFormat(rawValue: word) else { throw incompleteForm }
    let all: [Annotation]
    do throws(AnnotationError) {
      all = try await own.stock.annotations.all(of: own.reader.patron, in: nil)
    } catch {
      throw Refusals.unread(said("Your notes cannot be read."))
    }
    let now = Timestamp(millisecondsSinceEpoch: own.caller.now)
    let text = AnnotationExport(all, at: now).text(format)
    return .file(
      Array(text.utf8), format.type,
      ContentDisposition(.attachment, fileName: "notes.\(format.ending)"))
  }

  private func list(_ id: ListID, _ word: String) async throws(Problem) -> FormEnd {
    guard let format = ShelfFormat(rawValue: word) else { throw incompleteForm }
    let lists = own.lobby.lending.lists
    let (list, members) = try await kept { () throws(ListError) in
      let list = try await lists.list(id, of: own.reader.patron)
      let members = try await lists.members(of: id, of: own.reader.patron)
      return (list, members)
    }
    guard let file = ShelfWriter(members.map { KeptEntry($0) }, as: format, named: list.name)
    else { throw incompleteForm }
    return .file(
      file.bytes, format == .json ? .json : MediaType("text", "plain", [.init("charset", "utf-8")]),
      ContentDisposition(.attachment, fileName: "\(list.name)-\(format.rawValue).\(format.ending)"))
  }

  private func books() async throws(Problem) -> FormEnd {
    let kept: [KeptBook]
    do throws(DatabaseError) { kept = try await own.lobby.books.all(of: own.reader.patron) } catch {
      throw Refusals.unread(said("Your books cannot be read."))
    }
    let items = kept.map { book -> JSONValue in
      let moment = { (at: Int64) in
        JSONValue.string(Timestamp(millisecondsSinceEpoch: at).rfc3339())
      }
      let members: [JSONObject.Member?] = [
        .init("title", .string(book.face.title)),
        .init("authors", .array(book.face.authors.map { .string($0) })),
        .init("library", .string(own.lobby.stock.nameOfLibrary(book.key.library))),
        .init("item", .string(book.key.item.rawValue)),
        .init("state", .string(book.state.rawValue)), .init("ignored", .bool(book.isIgnored)),
        .init("since", moment(book.since)), book.until.map { .init("until", moment($0)) },
      ]
      return .object(JSONObject(members.compactMap(\.self)))
    }
    let document = JSONValue.object([
      "schema": .string("carrel.my-books/1"), "items": .array(items),
    ])
    return .file(
      document.bytes(.indented), .json, ContentDisposition(.attachment, fileName: "books.json"))
  }

  private func kept<T: Sendable>(
    _ body: () async throws(ListError) -> T
  ) async throws(Problem) -> T {
    do throws(ListError) { return try await body() } catch {
      if case .noSuchList = error {
        throw Problem(.notFound, code: "unknown_list", detail: said("You have no such list."))
      }
      throw Refusals.unread(said("Your lists cannot be read."))
    }
  }
}

extension AnnotationFormat {
  fileprivate var title: String {
    switch self {
    case .markdown: "Markdown"
    case .html: said("Web page")
    case .json: "JSON"
    case .w3c: "Web Annotations"
    case .enex: "Evernote"
    case .csv: said("Table (Readwise)")
    case .bibtex: "BibTeX"
    }
  }

  fileprivate var ending: String { self == .w3c ? "jsonld" : self == .bibtex ? "bib" : rawValue }

  /// Nothing that a browser would open as a page of this site.
  fileprivate var type: MediaType { self == .json || self == .w3c ? .json : .bytes }
}
