import Catalog
import Circulation
import Database
import FoundationEssentials
import FrontDesk
import HTTP
import HTTPServer
import OPDS
import ReadingLists

/// Books of a list as entries, and entries as books of a list.
extension LendingRoutes {
  /// An entry of more than this is none.
  private static var longestEntry: Int { 1 << 20 }

  func posted(_ errand: Errand) throws(Problem) -> PostedEntry {
    let request = errand.request
    guard request.body.count <= Self.longestEntry else {
      throw Problem(
        .contentTooLarge, code: "too_large", detail: "An entry has at most 1 MiB.",
        remedy: "Leave out what is not about the book.")
    }
    guard let address = try? Address(errand.head.address(request.path.map { "/" + $0 }.joined()))
    else { throw Problem(.badRequest, code: "bad_value", detail: "The address makes no sense.") }
    do throws(PostedEntry.Fault) {
      return try PostedEntry(
        request.body, type: request["Content-Type"].flatMap { MediaType(parsing: $0) },
        from: address)
    } catch {
      switch error {
      case .foreignType:
        throw Problem(
          .unsupportedMediaType, code: "unsupported_type",
          detail: "A list takes entries of Atom.",
          remedy: "Send Content-Type: application/atom+xml;type=entry.")
      case .torn(let wanted):
        throw Problem(
          .badRequest, code: "malformed_entry", detail: "What was sent is not \(wanted).")
      }
    }
  }

  /// By our own name for it, by a link to it here, or by a number of the book (§11).
  func work(of posted: PostedEntry, _ errand: Errand) async throws(Problem) -> CatalogEntry {
    var names = [posted.id.flatMap { errand.head.work(named: $0) ?? WorkID($0) }]
    names += posted.links.filter { $0.has(.alternate) || $0.has(.own) }.map { link in
      linkedWork(link.href, errand)
    }
    for name in names.compactMap(\.self) {
      if let entry = try await facade.entry(name, errand) { return entry }
    }
    for isbn in posted.isbns.prefix(5) {
      let found = try await facade.read { () throws(DatabaseError) in
        try await facade.stock.catalog.search(
          CatalogQuery(words: isbn.digits, libraries: errand.libraries, limit: 5))
      }
      let exact = found.first { $0.editions.contains { $0.edition.isbns.contains(isbn) } }
      if let exact, let whole = try await facade.entry(exact.work, errand) { return whole }
    }
    throw Problem(
      .badRequest, code: "unknown_work",
      detail: "None of your libraries has a book by this id, this link or these numbers.",
      remedy: "Send the id of an entry of this catalogue, or its dc:identifier.")
  }

  /// The work that an address of this site is about.
  private func linkedWork(_ href: String, _ errand: Errand) -> WorkID? {
    guard let address = try? Address(href), href.hasPrefix(errand.head.site + "/") else {
      return nil
    }
    let parts = address.path.split(separator: "/").map { String($0) }
    guard let place = parts.lastIndex(of: "works"), place + 1 < parts.count else { return nil }
    return WorkID(parts[place + 1])
  }

  func answer(
    _ member: ListMember, _ errand: Errand, _ status: Status
  ) async throws(Problem) -> Response {
    let publication = try await publication(of: member, errand)
    var response = Response.bytes(
      RenderedPublication(publication, errand.version).document, errand.version.entry,
      status: status, validators: Validators(etag: tag(of: member)))
    let address = self.address(of: member, errand)
    response.headers.set("Content-Location", address)
    if status == .created { response.headers.set("Location", address) }
    if errand.request.method != .get, errand.request.method != .head {
      response.headers.set("ETag", tag(of: member).description)
    }
    facade.seal(&response)
    response.headers.set("Cache-Control", "private, no-cache")
    return response
  }

  /// A member by itself, as its owner sees it, who may change it.
  private func publication(
    of member: ListMember, _ errand: Errand
  ) async throws(Problem) -> Publication {
    var publication: Publication
    if let entry = try await entries(of: [member], errand).values.first {
      publication = book(entry, member, errand)
    } else {
      // No library of the reader has it just now; it stays on the list all the same.
      publication = Publication(id: name(of: member, errand), title: member.book.title)
      publication.contributors = member.book.authors.map { .init($0, role: "author") }
      publication.identifiers = member.book.isbns.map { "urn:isbn:\($0.digits)" }
      publication.summary = .init(Self.absent, .plain)
      (publication.updated, publication.note) = (
        Date(milliseconds: member.editedAt), member.book.note
      )
    }
    publication.edited = Date(milliseconds: member.editedAt)
    publication.links.append(edit(member, errand))
    return publication
  }

  /// Members as a page of a list has them. What no library has is no book of a catalogue: its line
  /// leads to the search for it.
  func shown(
    _ members: [ListMember], in feed: inout Feed, _ errand: Errand,
    with links: (ListMember) -> [Link] = { _ in [] }
  ) async throws(Problem) -> [RenderedPublication] {
    var books: [RenderedPublication] = []
    let entries = try await entries(of: members, errand)
    for member in members {
      guard let entry = member.work.flatMap({ entries[$0] }) else {
        var line = errand.navigation(
          member.book.title, errand.paths.search.print(), .acquisition,
          named: ["member", member.list.rawValue, member.id],
          saying: [member.book.note, Self.absent].compactMap(\.self).joined(separator: " "),
          query: ["q": member.book.title], updated: Date(milliseconds: member.editedAt))
        line.id = name(of: member, errand)
        line.links += links(member)
        feed.navigation.append(line)
        continue
      }
      var publication = book(entry, member, errand)
      publication.edited = links(member).isEmpty ? nil : Date(milliseconds: member.editedAt)
      publication.links += links(member)
      books.append(RenderedPublication(publication, errand.version))
    }
    feed.lead = .books
    return books
  }

  func edit(_ member: ListMember, _ errand: Errand) -> Link {
    Link(address(of: member, errand), [.edit], type: errand.version.entry, title: "On the list")
  }

  private func book(_ entry: CatalogEntry, _ member: ListMember, _ errand: Errand) -> Publication {
    var publication = facade.making(errand).publication(
      entry, changed: member.editedAt, for: errand.shelf, why: member.book.note, .short)
    publication.note = member.book.note
    return publication
  }

  /// All at once. What is not found so may be part of another work by now.
  private func entries(
    of members: [ListMember], _ errand: Errand
  ) async throws(Problem) -> [WorkID: CatalogEntry] {
    let works = members.compactMap(\.work).distinct
    let found = try await facade.read { () throws(DatabaseError) in
      try await facade.stock.catalog.entries(of: works, at: errand.libraries)
    }
    var entries = Dictionary(found.map { ($0.work, $0) }, uniquingKeysWith: { first, _ in first })
    for work in works where entries[work] == nil {
      entries[work] = try await facade.entry(work, errand)
    }
    return entries
  }

  private func name(of member: ListMember, _ errand: Errand) -> String {
    member.work.map { errand.head.name(of: $0) }
      ?? errand.head.name("member", member.list.rawValue, member.id)
  }

  private static var absent: String { "None of your libraries has it." }

  func tag(of member: ListMember) -> EntityTag { EntityTag("m\(member.version)") }

  private func address(of member: ListMember, _ errand: Errand) -> String {
    errand.head.address(errand.paths.member.print((member.list.rawValue, member.id)))
  }

  // MARK: - What the lists say

  @discardableResult
  func listed<Value: Sendable>(
    _ errand: Errand, _ body: (PatronID) async throws(ListError) -> Value
  ) async throws(Problem) -> Value {
    guard let reader = errand.visitor.reader else { throw Self.problem(.noSuchList) }
    do throws(ListError) { return try await body(reader.patron) } catch {
      throw Self.problem(error)
    }
  }

  static func problem(_ error: ListError) -> Problem {
    switch error {
    case .database: Refusals.unread("The lists cannot be read.")
    case .noSuchList:
      Problem(
        .notFound, code: "unknown_list", detail: "You have no such list.",
        remedy: "Open the service document again.",
        type: "http://librarysimplified.org/terms/problem/unknown-list")
    case .noSuchMember:
      Problem(.notFound, code: "unknown_member", detail: "The list has no such book.")
    case .nameTaken:
      Problem(.conflict, code: "name_taken", detail: "Another list has that name.")
    case .badName:
      Problem(.badRequest, code: "bad_name", detail: "\(error)")
    case .tooLong:
      Problem(.contentTooLarge, code: "too_large", detail: "\(error)")
    case .tooManyLists, .tooManyEntries:
      Problem(
        .conflict, code: "limit_reached", detail: "\(error)",
        remedy: "Remove some first.")
    case .changedSince:
      Problem(
        .preconditionFailed, code: "changed_since", detail: "It was changed meanwhile.",
        remedy: "Get it again, and change that.")
    }
  }
}

extension Errand {
  /// What the client would like the address to be like (RFC 5023 §9.7).
  var slug: String? {
    request["Slug"].map { field in
      let text = PercentCoding.decode(field) ?? field
      return String(text.prefix(200))
    }
  }
}
