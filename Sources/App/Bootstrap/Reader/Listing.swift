import Catalog
import Circulation
import FoundationEssentials
package import Items
import ReadingLists
import Registry
package import Setup

extension LinkedEngine {
  package func lists(at seat: Seat) async throws(ErrorItem) -> [ReadingListItem] {
    try await visit(seat) { visit throws(ErrorItem) in
      try await listed { () throws(ListError) in
        try await visit.house.lists.lists(of: visit.patron.id)
      }.map { ReadingListItem($0) }
    }
  }

  package func books(on list: String, at seat: Seat) async throws(ErrorItem) -> [ListedBookItem] {
    try await visit(seat) { visit throws(ErrorItem) in
      let list = try await visit.list(list)
      try await visit.recognize(atMost: 1_000)
      return try await visit.members(of: list).map { ListedBookItem($0, on: list) }
    }
  }

  package func keep(_ order: ListOrder, at seat: Seat) async throws(ErrorItem) -> ReadingListItem {
    try await visit(seat) { visit throws(ErrorItem) in
      let (lists, patron) = (visit.house.lists, visit.patron.id)
      switch order {
      case .create(let name, let sharing, let curator):
        let sharing = CustomList.Sharing(rawValue: sharing) ?? .private
        return ReadingListItem(
          try await listed(name) { () throws(ListError) in
            try await lists.create(named: name, for: patron, sharing: sharing, by: curator)
          })
      case .rename(let name, let new):
        let list = try await visit.list(name)
        try await visit.refuseMirrored(list)
        return ReadingListItem(
          try await listed(new) { () throws(ListError) in
            try await lists.rename(list.id, of: patron, to: new)
          })
      case .share(let name, let sharing, let curator):
        let list = try await visit.list(name)
        let sharing = CustomList.Sharing(rawValue: sharing) ?? list.sharing
        return ReadingListItem(
          try await listed(curator ?? name) { () throws(ListError) in
            try await lists.share(list.id, of: patron, with: sharing, by: curator)
          })
      case .delete(let name):
        let list = try await visit.list(name)
        try await visit.refuseMirrored(list)
        try await listed(name) { () throws(ListError) in
          try await lists.delete(list.id, of: patron)
        }
        return ReadingListItem(list)
      }
    }
  }

  package func keep(
    _ order: ListBookOrder, at seat: Seat
  ) async throws(ErrorItem) -> ListedBookItem {
    try await visit(seat) { visit throws(ErrorItem) in
      let list = try await visit.list(order.list)
      try await visit.refuseReadOnly(list)
      let (lists, patron) = (visit.house.lists, visit.patron.id)
      switch order {
      case .add(let title, _, let note):
        let entry = try await Finding(visit, try await Offers(visit)).whole(title)
        let face = entry.lead.edition
        let book = ListedBook(
          work: entry.work, title: face.title, authors: face.authors, isbns: face.isbns, note: note)
        let addition = try await listed(title) { () throws(ListError) in
          try await lists.add(book, to: list.id, of: patron, hint: face.title)
        }
        guard case .there(let member) = addition, let note, note != member.book.note else {
          return ListedBookItem(addition.member, on: list)
        }
        // Whoever says something else of a book that is there wants that to stand.
        return ListedBookItem(
          try await listed(title) { () throws(ListError) in
            try await lists.change(member.id, of: list.id, of: patron, note: note)
          }, on: list)
      case .remove(let title, _):
        let member = try await visit.member(title, of: list)
        try await listed(title) { () throws(ListError) in
          try await lists.remove(member.id, of: list.id, of: patron)
        }
        return ListedBookItem(member, on: list)
      }
    }
  }
}

extension Visit {
  func list(_ name: String) async throws(ErrorItem) -> CustomList {
    try await listed(name) { () throws(ListError) in
      try await house.lists.list(called: name, of: patron.id)
    }
  }

  func members(of list: CustomList) async throws(ErrorItem) -> [ListMember] {
    try await listed(list.name) { () throws(ListError) in
      try await house.lists.members(of: list.id, of: patron.id)
    }
  }

  /// By its word, its work, or words of its title.
  fileprivate func member(
    _ word: String, of list: CustomList
  ) async throws(ErrorItem) -> ListMember {
    let members = try await members(of: list)
    if let named = members.first(where: { $0.id == word || $0.work?.rawValue == word }) {
      return named
    }
    let folded = word.lowercased()
    let exact = members.filter { $0.book.title.lowercased() == folded }
    let found =
      exact.isEmpty ? members.filter { $0.book.title.lowercased().contains(folded) } : exact
    if found.count == 1 { return found[0] }
    var error = ErrorItem(found.isEmpty ? "not_on_list" : "several_matches")
    error.detail = word
    error.choices = found.prefix(10).map { "\($0.id)  \($0.book.title)" }
    throw error
  }
}

func listed<T: Sendable>(
  _ name: String = "", _ body: () async throws(ListError) -> T
) async throws(ErrorItem) -> T {
  do throws(ListError) { return try await body() } catch {
    switch error {
    case .database(let error): throw ErrorItem(error)
    case .noSuchList: throw ErrorItem("unknown_list", detail: name)
    case .noSuchMember: throw ErrorItem("not_on_list", detail: name)
    case .nameTaken(let name): throw ErrorItem("list_exists", detail: name)
    case .badName: throw ErrorItem("bad_value", detail: "\(error)")
    case .tooLong: throw ErrorItem("bad_value", detail: "\(error)")
    case .tooManyLists(let most): throw ErrorItem("limit_reached", detail: "\(most) lists")
    case .tooManyEntries(let most):
      throw ErrorItem("limit_reached", detail: "\(most) entries on all lists")
    // Nothing here names a version.
    case .changedSince: throw ErrorItem("unexpected", detail: "\(error)")
    }
  }
}

extension ErrorItem {
  init(_ code: String, detail: String) {
    self.init(code)
    self.detail = detail
  }
}

extension ReadingListItem {
  fileprivate init(_ list: CustomList) {
    self.init(
      id: list.id.rawValue, name: list.name, books: list.count, sharing: list.sharing.rawValue,
      curator: list.curator, editedAt: moment(list.editedAt))
  }
}

extension ListedBookItem {
  fileprivate init(_ member: ListMember, on list: CustomList) {
    self.init(
      id: member.id, list: list.name, place: member.place, title: member.book.title,
      authors: member.book.authors, isbns: member.book.isbns.map(\.digits),
      work: member.work?.rawValue, note: member.book.note,
      addedAt: moment(member.book.entry?.entry.addedAt?.milliseconds ?? member.addedAt),
      told: member.book.entry.map(Told.init) ?? Told())
    isUnsure = member.work == nil && member.recognized == .unsure
  }
}

extension ListedBookItem.Told {
  init(_ kept: KeptEntry) {
    self.init()
    (rating, review) = (kept.entry.rating, kept.entry.review)
    readAt = kept.entry.readings.compactMap { $0.finished?.description }
    shelves = (kept.entry.state.map { [$0.shelf] } ?? []) + kept.shelves
  }
}

extension ReadingState {
  /// As most services call the shelf.
  var shelf: String {
    switch self {
    case .wanted: "to-read"
    case .reading: "currently-reading"
    case .read: "read"
    case .stopped: "did-not-finish"
    case .other(let name): name
    }
  }
}

private func moment(_ milliseconds: Int64) -> String {
  Date(milliseconds: milliseconds).rfc3339
}
