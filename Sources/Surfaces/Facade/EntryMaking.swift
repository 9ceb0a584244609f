import Catalog
import Circulation
import Desk
import FoundationEssentials
import FrontDesk
import HTTP
import HTTPServer
import Machine
import Markup
import OPDS
import Registry
import XML

/// A work as a publication of a feed: what is known of it, and every way to it, the best first.
struct EntryMaking: Sendable {
  enum Depth: Sendable { case short, complete }

  let head: Letterhead
  let profile: Visitor.Profile
  let nameOfLibrary: @Sendable (LibraryID) -> String

  init(
    _ head: Letterhead, _ profile: Visitor.Profile,
    nameOfLibrary: @escaping @Sendable (LibraryID) -> String
  ) {
    (self.head, self.profile, self.nameOfLibrary) = (head, profile, nameOfLibrary)
  }

  /// `changed` is in milliseconds since 1970. Without a shelf it is what any stranger sees.
  func publication(
    _ entry: CatalogEntry, changed: Int64, for shelf: ReaderShelf? = nil, why: String? = nil,
    _ depth: Depth
  ) -> Publication {
    let ways = Way.ranked(entry, for: shelf)
    let face = entry.face
    var publication = Publication(id: head.name(of: entry.work), title: face.title)
    describe(&publication, by: face, depth)
    publication.updated = Date(milliseconds: changed)
    publication.summary = .init(
      summary(of: face, ways, [why, shelf?.download(of: entry)], depth), .plain)
    publication.distributor = ways.first.map { nameOfLibrary($0.listed.library) }
    if depth == .complete, let best = ways.first {
      publication.source = .init(
        id: head.name("library", best.listed.library.rawValue),
        title: nameOfLibrary(best.listed.library), updated: publication.updated ?? Date())
    }
    publication.links = links(of: entry.work, depth)
    if shelf != nil, depth == .complete, head.version == .json {
      publication.links.append(
        Link(
          head.address(FeedPaths.progression.print(entry.work.rawValue)), [.progression],
          type: LendingRoutes.progressionType, title: "The place in it"))
    }
    if shelf != nil, ways.contains(where: { $0.isPaper && $0.canBePutAside }) {
      publication.links.append(
        head.feed(
          head.paths.actions.print(entry.work.rawValue), .acquisition, [.pickUp],
          "Where it can be picked up on paper"))
    }
    publication.images = CoverAddress.all(of: entry, head)
    publication.acquisitions = ways.flatMap { acquisitions($0, entry.work) }
    if depth == .complete {
      publication.acquisitions += ways.flatMap { Samples.links(of: $0.listed.edition) }
    }
    switch (profile, head.version) {
    case (.borrows, _), (.downloads, .json):
      if let held = ways.first(where: \.canBeGivenUp) {
        publication.links.append(revocation(held, entry.work))
      }
    case (.downloads, .atom):
      // A dead button is worse than none: one page of actions stands in the place of all (§9).
      publication.acquisitions.removeAll { $0.has(.borrow) }
      publication.links.insert(actions(of: entry.work), at: 0)
    }
    return publication
  }

  private func links(of work: WorkID, _ depth: Depth) -> [Link] {
    switch (depth, head.version) {
    case (.complete, _), (_, .json): [head.entry(work, .own)]
    case (.short, .atom): [head.entry(work, .alternate)]
    }
  }

  private func describe(_ publication: inout Publication, by face: Edition, _ depth: Depth) {
    publication.subtitle = face.subtitle
    publication.sortTitle = face.sortTitle
    publication.contributors = face.contributors.map { person in
      Publication.Person(person.name, sortName: person.sortName, role: person.role.rawValue)
    }
    publication.series = [face.series].compactMap { series in
      series.map { Publication.SeriesPlace($0.name, position: $0.position) }
    }
    publication.languages = face.languages
    publication.publisher = face.publisher
    publication.issued = face.published
    publication.added = face.added.flatMap { Self.day($0) }
    publication.kind =
      face.medium == .audiobook ? "http://schema.org/Audiobook" : "http://schema.org/Book"
    publication.identifiers = face.isbns.map { "urn:isbn:\($0.digits)" }
    let subjects = depth == .complete ? face.subjects : Array(face.subjects.prefix(5))
    publication.subjects = subjects.map { subject in
      Publication.Subject(scheme: nil, code: nil, label: subject)
    }
    if let audience = face.audience {
      publication.subjects.append(
        Publication.Subject(
          scheme: "http://schema.org/audience", code: audience.rawValue,
          label: Words.audience(audience)))
    }
  }

  private static func day(_ text: String) -> Date? {
    let parts = text.prefix(10).split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3 else { return nil }
    guard (0...9999).contains(parts[0]) else { return nil }
    return CivilDate(year: parts[0], month: parts[1], day: parts[2])?.start
  }

  // MARK: - In words

  /// All that small readers show of a book besides its title (§13.10, §13.11).
  private func summary(of face: Edition, _ ways: [Way], _ first: [String?], _ depth: Depth)
    -> String
  {
    var lines = first.compactMap(\.self)
    let authors = face.authors
    if authors.count > 1 { lines.append("By " + authors.joined(separator: ", ") + ".") }
    if let series = face.series {
      lines.append(
        series.position.map { "\(series.name), \(Numbers.plain($0))." } ?? series.name + ".")
    }
    let blurb = face.summary.flatMap(PlainText.of(blurb:)) ?? ""
    if !blurb.isEmpty { lines.append(depth == .complete ? blurb : Words.shortened(blurb, to: 500)) }
    lines.append(
      ways.map { $0.words(nameOfLibrary($0.listed.library)) }.joined(separator: " "))
    return lines.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  // MARK: - Ways to it

  private func actions(of work: WorkID) -> Link {
    head.feed(
      head.paths.actions.print(work.rawValue), .acquisition, [.subsection],
      "Borrow, hold or give back")
  }

  private func revocation(_ way: Way, _ work: WorkID) -> Link {
    Link(
      head.address(
        head.paths.revoke.print(
          (work.rawValue, way.listed.library.rawValue, way.listed.edition.item.rawValue))),
      [.revoke], type: head.version.entry,
      title: way.loan == nil ? "Cancel the hold" : "Return")
  }

  func acquisitions(_ way: Way, _ work: WorkID) -> [Acquisition] {
    let library = nameOfLibrary(way.listed.library)
    var files: [Acquisition] = []
    if way.loan != nil {
      files = self.files(way, work, .acquisition, "Download from \(library)")
    } else if case .openAccess = way.listed.availability?.status {
      files = self.files(way, work, .openAccess, "Free from \(library)")
    }
    guard files.isEmpty else { return files }
    let address = head.address(
      head.paths.borrow.print(
        (work.rawValue, way.listed.library.rawValue, way.listed.edition.item.rawValue)))
    // Of a loan that no app opens, the entry is all that can be had.
    var borrow = Acquisition(
      Link(
        address, [way.loan == nil ? .borrow : .acquisition], type: head.version.entry,
        title: way.invitation(library)))
    borrow.indirections =
      way.isPaper
      ? [Acquisition.Indirection(Containers.paper)]
      : Containers.steps(to: way.listed.edition.formats)
    borrow.availability = way.availability
    (borrow.copies, borrow.holds) = (way.copies, way.holds)
    borrow.isCancellable = way.hold != nil
    return [borrow]
  }

  /// One link for each format, since apps open what the type says.
  private func files(
    _ way: Way, _ work: WorkID, _ relation: Relation, _ title: String
  ) -> [Acquisition] {
    let known = way.listed.edition.formats
    let formats =
      way.loan.map { $0.lockedFormat.map { [$0] } ?? ($0.formats.isEmpty ? known : $0.formats) }
      ?? known
    return formats.compactMap { format -> Acquisition? in
      guard let steps = Containers.path(to: format), let first = steps.first else { return nil }
      let address = head.address(
        head.paths.file.print(
          (
            work.rawValue, way.listed.library.rawValue, way.listed.edition.item.rawValue,
            Containers.fileName(of: format)
          )))
      var file = Acquisition(Link(address, [relation], type: first, title: title))
      file.indirections = steps.dropFirst().reversed().reduce([]) { inner, type in
        [Acquisition.Indirection(type, inner)]
      }
      file.availability = way.availability
      if way.loan == nil { return file }
      (file.copies, file.holds) = (way.copies, way.holds)
      file.keys = way.loan?.keys?.those(for: format.protection)
      return file
    }
  }
}
