import HTTP
import HTTPServer
import Markup
import MockKit

/// What titles are and how they stand.
extension Visit {
  /// At most 25; those unknown are left out.
  func items(_ ids: [String], _ library: MockLibrary) throws(Failure) -> Response {
    guard ids.count <= 25 else { throw .malformed }
    // In no order that was asked for.
    let known = ids.sorted().compactMap { library.lending.titles[$0] }
    return .cirrus(
      tag("ArrayOfItem", attributes: [], children: known.map { item($0, library) }))
  }

  private func item(_ title: Title, _ library: MockLibrary) -> Node {
    let isAudio = title.formats == ["MP3"]
    var nodes = [
      leaf("ItemId", title.id), leaf("Title", title.name), leaf("SubTitle", title.subtitle ?? ""),
      leaf("Authors", title.authors.map(Self.inverted).joined(separator: "; ")),
      leaf("Description", title.summary), leaf("Publisher", title.publisher),
      leaf("PubDate", title.published), leaf("PubYear", String(title.published.prefix(4))),
      leaf("Size", "1.2 MB"), leaf("Language", title.language), leaf("PhysicalISBN", ""),
      leaf("ISBN13", title.isbn), leaf("BookFormat", title.formats.first ?? "EPUB"),
      leaf("NumberOfPages", 304),
    ]
    nodes += standing(title, library)
    nodes += [
      leaf("BookLinkURL", "\(request.base)/library/\(libraryID)-document_id-\(title.id)"),
      // Escaped once more than XML asks for.
      leaf("CoverLinkURL", Self.escaped(cover(title))), leaf("LibraryUrlName", libraryID),
      leaf("Genre", Self.escaped(title.subjects.map { "\($0)," }.joined(separator: " "))),
    ]
    if isAudio {
      nodes += [
        leaf("Narrator", title.narrator.map(Self.inverted) ?? ""), leaf("Duration", "0016022000"),
      ]
    }
    return tag("Item", attributes: [], children: nodes)
  }

  /// The flags are about anybody. Where there is no limit nothing is counted, and a zero is sometimes
  /// left out.
  private func standing(_ title: Title, _ library: MockLibrary) -> [Node] {
    let lending = library.lending
    let waiting = lending.queue(for: title.id).count
    let free = lending.copiesAvailable(of: title.id)
    let isSoon = isPrepublished(title.id, library)
    var nodes = [
      leaf("CanCheckout", free > 0 && !isSoon),
      leaf("CanHold", isSoon || free == 0 && title.copies != .counted(0)),
      leaf("OnHold", waiting > 0),
    ]
    if case .counted(let owned) = title.copies {
      nodes.append(leaf("TotalCopies", isSoon ? 2 : owned))
      if free > 0 || !title.id.utf8.reduce(0, { $0 + Int($1) }).isMultiple(of: 3) {
        nodes.append(leaf("AvailableCopies", free))
      }
    }
    return nodes + [leaf("OnHoldCount", waiting)]
  }

  func itemData(_ ids: [String], _ library: MockLibrary) -> Response {
    .cirrus(
      tag(
        "ArrayOfDocumentData", attributes: [],
        children: ids.compactMap { library.lending.titles[$0] }.map { title in
          tag("DocumentData") {
            [
              leaf("id", title.id), leaf("title", title.name),
              leaf("author", title.authors.map(Self.inverted).joined(separator: "; ")),
              leaf("isbn", title.isbn), leaf("coverimage", cover(title)),
            ]
          }
        }))
  }

  // MARK: - Counts

  /// Says 500 of some titles that are well.
  func summary(of ids: [String], _ library: MockLibrary) throws(Failure) -> Response {
    let titles = ids.compactMap { library.lending.titles[$0] }
    if titles.contains(where: { $0.id.utf8.reduce(0) { $0 + Int($1) } % 11 == 3 }) {
      throw Failure(.internalServerError, "Unknown error")
    }
    return .cirrus(
      tag(
        "ArrayOfLibraryDocumentSummary", attributes: [],
        children: titles.map { title in
          let owned = if case .counted(let count) = title.copies { count } else { 0 }
          let out = library.lending.loans.count { $0.title == title.id }
          let waiting = library.lending.queue(for: title.id).count
          return tag("LibraryDocumentSummary") {
            [
              leaf("id", title.id), leaf("title", title.name), leaf("isbn", title.isbn),
              leaf("totalCopies", owned), leaf("sharedCopies", 0), leaf("totalLoanCopies", out),
              leaf("totalHoldCopies", waiting), leaf("sharedLoanCopies", 0),
              tag("LibraryDocumentDetail") {
                [
                  leaf("libraryid", libraryID), leaf("ownedCopies", owned),
                  leaf("loanCopies", out), leaf("holdCopies", waiting),
                ]
              },
            ]
          }
        }))
  }

  /// Silent about every title that nobody has or wants.
  func circulation(of ids: [String], _ library: MockLibrary) throws(Failure) -> Response {
    guard ids.count <= 25 else { throw .malformed }
    let lending = library.lending
    let lively = ids.filter { id in
      lending.loans.contains { $0.title == id } || lending.holds.contains { $0.title == id }
    }
    return .cirrus(
      tag(
        "ArrayOfItemCirculation", attributes: [],
        children: lively.compactMap { id in
          lending.titles[id].map {
            tag("ItemCirculation", attributes: [], children: counts($0, library))
          }
        }))
  }

  func circulation(of id: String, _ library: MockLibrary) throws(Failure) -> Response {
    guard let title = library.lending.titles[id] else { throw .notFound }
    let kind = isPrepublished(id, library) ? "PREPUB" : "AVAILABLE"
    return .cirrus(
      tag(
        "ItemCirculation", attributes: [],
        children: counts(title, library) + [leaf("AvailabilityType", kind)]))
  }

  private func counts(_ title: Title, _ library: MockLibrary) -> [Node] {
    let lending = library.lending
    var nodes = [
      leaf("ItemId", title.id), leaf("ItemLibraryId", libraryID), leaf("ISBN13", title.isbn),
    ]
    if case .counted(let owned) = title.copies {
      nodes += [
        leaf("TotalCopies", owned), leaf("AvailableCopies", lending.copiesAvailable(of: title.id)),
      ]
    }
    func patrons(_ name: Name, _ cards: [String]) -> Node {
      tag(
        name, attributes: [],
        children: cards.map { card in tag("Patron") { [leaf("PatronId", card)] } })
    }
    let holds = lending.holds.filter { $0.title == title.id }
    return nodes + [
      patrons("Checkouts", lending.loans.filter { $0.title == title.id }.map(\.card)),
      patrons("Holds", holds.filter { !$0.isReady }.map(\.card)),
      patrons("Reserves", holds.filter(\.isReady).map(\.card)),
    ]
  }

  // MARK: - Texts

  func cover(_ title: Title) -> String {
    "\(request.base)/delivery/img?type=DOCUMENTIMAGE&documentID=\(title.id)&token=nobody"
  }

  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("'", with: "&#39;")
  }

  /// Given names last.
  static func inverted(_ name: String) -> String {
    guard let space = name.lastIndex(of: " ") else { return name }
    return "\(name[name.index(after: space)...]), \(name[..<space])"
  }
}
