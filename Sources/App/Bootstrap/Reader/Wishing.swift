import Catalog
import Circulation
import Database
package import Items
import ReadingLists
import Registry
package import Setup
import Wishes

extension LinkedEngine {
  package func wishes(
    _ query: WishQuery, at seat: Seat
  ) async throws(ErrorItem) -> [WishItem] {
    try await visit(seat) { visit throws(ErrorItem) in
      let book = try await WishBook(visit)
      switch query {
      case .all: return try await book.items(book.wishes)
      case .on(let name):
        let list = try book.list(name)
        return try await book.items(book.wishes.filter { $0.list == list.id })
      case .unsure:
        return try await book.items(
          book.wishes.filter { if case .unsure = $0.match { true } else { false } })
      case .one(let word): return try await book.items([try book.wish(word)])
      }
    }
  }

  package func wish(_ order: WishOrder, at seat: Seat) async throws(ErrorItem) -> [WishItem] {
    try await visit(seat) { visit throws(ErrorItem) in
      switch order {
      case .add(let wished, let list, let rule):
        return try await visit.add(wished, to: list, rule.flatMap { WishRule(rawValue: $0) })
      case .mark(let name, let rule):
        let list = try await visit.list(named: name)
        try await toldOfDatabase { () throws(DatabaseError) in
          try await visit.house.wishes.mark(
            list.id, of: visit.patron.id, rule: rule.flatMap { WishRule(rawValue: $0) })
        }
        let book = try await WishBook(visit)
        return try await book.items(book.wishes.filter { $0.list == list.id })
      case .decide(let word, let title): return try await visit.decide(word, is: title)
      case .remove(let word):
        let book = try await WishBook(visit)
        let wish = try book.wish(word)
        let items = try await book.items([wish])
        let list = try await listed(word) { () throws(ListError) in
          try await visit.house.lists.list(wish.list, of: visit.patron.id)
        }
        try await visit.refuseReadOnly(list)
        try await listed(word) { () throws(ListError) in
          try await visit.house.lists.remove(wish.member, of: wish.list, of: visit.patron.id)
        }
        _ = try await toldOfDatabase { () throws(DatabaseError) in
          try await visit.house.wishes.follow()
        }
        return items
      case .unmark(let name):
        let book = try await WishBook(visit)
        let list = try book.list(name)
        let items = try await book.items(book.wishes.filter { $0.list == list.id })
        _ = try await toldOfDatabase { () throws(DatabaseError) in
          try await visit.house.wishes.unmark(list.id, of: visit.patron.id)
        }
        return items
      }
    }
  }
}

/// Where wishes stand that were put on no list by name.
private let commonList = "Wishes"

extension Visit {
  fileprivate func list(named name: String) async throws(ErrorItem) -> CustomList {
    try await listed(name) { () throws(ListError) in
      try await house.lists.list(called: name, of: patron.id)
    }
  }

  /// A wish list of this name, made where there is none.
  private func wishList(_ name: String) async throws(ErrorItem) -> CustomList {
    try await listed(name) { () throws(ListError) in
      do throws(ListError) { return try await house.lists.list(called: name, of: patron.id) } catch
      {
        guard case .noSuchList = error else { throw error }
        return try await house.lists.create(named: name, for: patron.id)
      }
    }
  }

  fileprivate func add(
    _ wished: WishedBook, to name: String?, _ rule: WishRule?
  ) async throws(ErrorItem) -> [WishItem] {
    let book = try await named(wished)
    let list = try await wishList(name ?? commonList)
    try await refuseReadOnly(list)
    try await toldOfDatabase { () throws(DatabaseError) in
      try await house.wishes.mark(list.id, of: patron.id)
    }
    var before = try await WishBook(self)
    // Wished for again it is the same wish, however it came to the list.
    var found = before.wishes.first { $0.list == list.id && $0.isFor(book) }
    if found == nil {
      let member = try await listed(book.title) { () throws(ListError) in
        try await house.lists.add(book, to: list.id, of: patron.id, hint: book.title).member
      }
      before = try await WishBook(self)
      found = before.wishes.first { $0.list == list.id && $0.member == member.id }
    }
    guard let wish = found else { return [] }
    guard let rule else { return try await before.items([wish]) }
    try await toldOfDatabase { () throws(DatabaseError) in
      try await house.wishes.setRule(rule, for: wish.id, of: patron.id)
    }
    let after = try await WishBook(self)
    return try await after.items(after.wishes.filter { $0.id == wish.id })
  }

  /// A title that a library has, or what the reader says of one that none has.
  private func named(_ wished: WishedBook) async throws(ErrorItem) -> ListedBook {
    let number = wished.isbn.flatMap { ISBN($0) }
    if let text = wished.isbn, number == nil {
      var error = ErrorItem("bad_value")
      error.detail = "'\(text)' is no ISBN"
      throw error
    }
    let bare = ListedBook(
      work: nil, title: wished.title, authors: wished.authors,
      isbns: [number].compactMap(\.self))
    guard wished.authors.isEmpty, number == nil else { return bare }
    let offers = try await Offers(self)
    do throws(ErrorItem) {
      let entry = try await Finding(self, offers).whole(wished.title)
      let face = entry.lead.edition
      return ListedBook(
        work: entry.work, title: face.title, authors: face.authors, isbns: face.isbns)
    } catch {
      guard error.code == "unknown_title" else { throw error }
      return bare
    }
  }

  fileprivate func decide(
    _ word: String, is title: String?
  ) async throws(ErrorItem) -> [WishItem] {
    let wish = try await WishBook(self).wish(word)
    var work: WorkID?
    if let title { work = try await Finding(self, try await Offers(self)).whole(title).work }
    let decided = work
    try await toldOfDatabase { () throws(DatabaseError) in
      try await house.wishes.decide(decided, for: wish.id, of: patron.id)
    }
    let after = try await WishBook(self)
    return try await after.items(after.wishes.filter { $0.id == wish.id })
  }
}

extension Wish {
  fileprivate func isFor(_ book: ListedBook) -> Bool {
    if let work = book.work { return match.work == work }
    return title.lowercased() == book.title.lowercased() && authors == book.authors
      && isbns == book.isbns
  }
}
