import Catalog
import Circulation
import Database
import Items
import Matching
import ReadingLists
import Registry

extension House {
  /// Looks which works the books on lists are that came from elsewhere, wherever nobody looked since
  /// the catalogue changed. Of one reader, or of all.
  func recognizeLists(
    of patron: PatronID? = nil, atMost limit: Int = .max
  ) async throws(DatabaseError) {
    let stamp = try await catalog.recognitionStamp()
    var left = limit
    while left > 0 {
      let open = try await lists.unrecognized(since: stamp, of: patron, atMost: min(left, 5_000))
      if open.isEmpty { break }
      left -= open.count
      let found = try await catalog.recognize(open.map { Candidate($0.book) })
      try await lists.note(
        zip(open, found).map { (member: $0, as: ListMember.Recognized($1)) }, at: stamp)
    }
    if patron == nil {
      try await lists.follow(try await catalog.moved(try await lists.recognizedWorks()))
    }
  }
}

extension Visit {
  /// A few at once, of this reader; the rest is done when nobody waits for it.
  func recognize(atMost limit: Int) async throws(ErrorItem) {
    try await toldOfDatabase { () throws(DatabaseError) in
      try await house.recognizeLists(of: patron.id, atMost: limit)
    }
  }
}

extension Candidate {
  fileprivate init(_ book: ListedBook) {
    self.init(title: book.title, authors: book.authors)
    isbns = book.isbns
    identifiers = book.entry?.entry.identifiers ?? []
  }
}

extension ListMember.Recognized {
  fileprivate init(_ recognition: Recognition) {
    switch recognition {
    case .sure(let work): self = .sure(work)
    case .unsure: self = .unsure
    case .none: self = .none
    }
  }
}
