import Books
import Catalog
import Circulation
import Database
import FrontDesk
import HTTP
import Phrasebook
import ReadingLists
import Registry

/// What readers decide without asking any library.
extension Lobby {
  func choose(_ order: Order) async throws(Problem) -> String {
    let deed = order.deed
    let entry: CatalogEntry
    do throws(Problem) {
      entry = try await stock.whole(WorkID(order.work), order.caller.reach)
    } catch {
      guard deed.isTakingBack, let name = order.name else { throw error }
      entry = .unlisted(
        BookKey(LibraryID(name.library), ItemID(name.item)), BookFace(title: "", authors: []))
    }
    switch deed {
    case .fetch: try await fetch(order)
    case .enlist: try await enlist(entry, order)
    default: try await mark(entry, order)
    }
    watch.forget()
    return deed.rawValue
  }

  private func mark(_ entry: CatalogEntry, _ order: Order) async throws(Problem) {
    let decided: Choice?
    let patron = order.reader.patron
    do throws(DatabaseError) {
      let key = try await key(of: entry, order)
      let face = BookFace(title: entry.face.title, authors: entry.face.authors)
      decided =
        switch order.deed {
        case .save: try await books.save(key, face, of: patron)
        case .unsave: try await books.unsave(key, of: patron)
        case .dismiss: try await books.dismiss(key, of: patron)
        case .ignore: try await books.ignore(key, face, of: patron)
        default: try await unignore(entry, patron)
        }
    } catch {
      throw Refusals.unread(said("Nothing can be written now."))
    }
    if case .full(let most) = decided {
      throw Problem(
        .conflict, code: "limit_reached",
        detail: said("You have saved and ignored \(most) books: this gateway stores no more."),
        remedy: said("Remove some of them first."))
    }
    guard case .refused(let state) = decided else { return }
    throw Problem(
      .conflict, code: "wrong_state",
      detail: said("The book is \(said(known: state.word)): that has no meaning for it."),
      remedy: said("Look at your books."))
  }

  /// What was said of a work may stand at any of its editions.
  private func unignore(
    _ entry: CatalogEntry, _ patron: PatronID
  ) async throws(DatabaseError) -> Choice? {
    var decided: Choice?
    for book in try await books.ignored(by: patron)
    where entry.lists(book.key.item, at: book.key.library) {
      decided = try await books.unignore(book.key, of: patron)
    }
    return decided
  }

  /// The edition that a form names; else the one that it was said of before, or the best there is.
  private func key(
    of entry: CatalogEntry, _ order: Order
  ) async throws(DatabaseError) -> BookKey {
    if let name = order.name { return BookKey(LibraryID(name.library), ItemID(name.item)) }
    if order.deed == .unsave || order.deed == .dismiss {
      let marked = try await books.marked(by: order.reader.patron)
      if let known = marked.first(where: { entry.lists($0.key.item, at: $0.key.library) }) {
        return known.key
      }
    }
    let best = Way.ranked(entry, for: order.caller.shelf).first?.listed ?? entry.lead
    return BookKey(best.library, best.edition.item)
  }

  // MARK: - Lists

  private func enlist(_ entry: CatalogEntry, _ order: Order) async throws(Problem) {
    let (face, patron) = (entry.face, order.reader.patron)
    let lists = lending.lists
    do throws(ListError) {
      let list: ListID
      if let id = order.form["list"], !id.isEmpty {
        list = ListID(id)
      } else {
        list = try await lists.create(named: order.form["name"] ?? "", for: patron).id
      }
      let book = ListedBook(
        work: entry.work, title: face.title, authors: face.authors, isbns: face.isbns)
      _ = try await lists.add(book, to: list, of: patron, hint: face.title)
    } catch {
      throw Self.problem(error)
    }
  }

  private static func problem(_ error: ListError) -> Problem {
    switch error {
    case .database: Refusals.unread(said("Your lists cannot be written."))
    case .noSuchList, .noSuchMember:
      Problem(.notFound, code: "no_such_list", detail: said("You have no such list."))
    case .nameTaken(let name):
      Problem(
        .conflict, code: "name_taken", detail: said("Another list is called \(name)."),
        remedy: said("Choose that list, or another name."))
    case .badName:
      Problem(
        .unprocessableContent, code: "bad_name",
        detail: said("A list needs a name of at most 200 letters."))
    case .tooLong:
      Problem(.unprocessableContent, code: "too_long", detail: said("The list is full."))
    case .tooManyLists(let most):
      Problem(
        .conflict, code: "limit_reached",
        detail: said("You have \(most) lists: this gateway stores no more for one patron."),
        remedy: said("Remove some of them first."))
    case .tooManyEntries(let most):
      Problem(
        .conflict, code: "limit_reached",
        detail: said(
          "Your lists have \(most) entries: this gateway stores no more for one patron."),
        remedy: said("Remove some of them first."))
    case .changedSince:
      Problem(
        .conflict, code: "changed_since", detail: said("Somebody else changed the list meanwhile."))
    }
  }
}

extension BookDeed {
  /// Whether it is for books, too, that no library lists any more.
  fileprivate var isTakingBack: Bool { [.unsave, .unignore, .dismiss].contains(self) }
}

extension CatalogEntry {
  /// What no library lists any more, by what was kept of it.
  static func unlisted(_ key: BookKey, _ face: BookFace) -> CatalogEntry {
    var edition = Edition(item: key.item, title: face.title)
    edition.contributors = face.authors.map { Contributor(name: $0, role: .author) }
    return CatalogEntry(
      work: WorkID("\(key.library.rawValue):\(key.item.rawValue)"),
      editions: [
        ListedEdition(
          library: key.library, provider: ProviderID(""), edition: edition, availability: nil)
      ])
  }
}
