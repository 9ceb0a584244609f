import Crypto
import HTTP
import HTTPServer
import JSON
import MockKit

/// Books as entries: for anybody, and for the one who reads.
extension Visit {
  /// What stands in every list: nobody's in particular, so that it may be kept.
  func listed(_ id: String) -> Entry { entry(id, for: nil) }

  func entryDocument(_ id: String, _ reader: Patron?) throws(Failure) -> Response {
    let isMine =
      reader.map { reader in
        library.lending.loan(of: id, by: reader.card) != nil
          || library.lending.hold(on: id, by: reader.card) != nil
      } ?? false
    guard library.lending.titles[id] != nil || isMine else { throw .noLicenses }
    let response = entryResponse(entry(id, for: reader?.card))
    return reader == nil ? kept(response) : secret(response)
  }

  func entry(_ id: String, for card: String?) -> Entry {
    let (lending, title) = (library.lending, title(id))
    var entry = Entry(id: Self.urn(id), title: title.name, updated: title.changed, book: title)
    let loan = card.flatMap { lending.loan(of: id, by: $0) }
    let hold = card.flatMap { lending.hold(on: id, by: $0) }
    // Whoever has to do with a title sees it at an address of its own.
    let isMine = loan != nil || hold != nil
    entry.links = [
      Link(isMine ? "self" : "alternate", at(work(id)), language.entry),
      Link(Relation.image, media("covers/\(id).png"), "image/png"),
      Link(Relation.thumbnail, media("covers/\(id)-small.png"), "image/png"),
      Link("issues", at("works/\(id)/report"), nil),
    ]
    if language == .json, !isMine { entry.links[0].rel = "self" }
    if let loan {
      entry.links += fulfilments(loan, title)
      if loan.canComeBackEarly { entry.links.append(revocation(id)) }
      return entry
    }
    entry.links.append(borrowing(id, title, hold))
    if hold != nil { entry.links.append(revocation(id)) }
    if isOpen(id) {
      for mechanism in Mechanism.of(title) where mechanism.steps.count == 1 {
        var link = Link(Relation.openAccess, openFile(id, mechanism), mechanism.steps[0])
        link.terms = .init(status: .available)
        entry.links.append(link)
      }
    }
    return entry
  }

  /// What has left the catalogue is still had by those who have it, and little is known of it.
  func title(_ id: String) -> Title {
    library.lending.titles[id]
      ?? Title(
        id: id, name: "A withdrawn title", authors: ["Anonymous"], copies: .counted(0),
        added: library.lending.withdrawn[id] ?? now)
  }

  func isOpen(_ id: String) -> Bool {
    library.settings["open_access"]?.array?.contains(.string(id)) ?? false
  }

  private func revocation(_ id: String) -> Link {
    Link(Relation.revoke, at("loans/\(id)/revoke"), language.entry)
  }

  // MARK: Terms

  private func borrowing(_ id: String, _ title: Title, _ hold: Hold?) -> Link {
    var link = Link(Relation.borrow, at("\(work(id))/borrow"), language.entry)
    link.steps = Mechanism.of(title).map(\.steps)
    let free = library.lending.copiesAvailable(of: id)
    var terms = Link.Terms(status: free > 0 ? .available : .unavailable)
    if let hold {
      terms.status = hold.isReady ? .ready : .reserved
      terms.since = hold.isReady ? nil : hold.placed
      terms.until = hold.readyUntil
      terms.isCancellable = true
    }
    counts(id, title, hold, &terms)
    link.terms = terms
    return link
  }

  private func counts(
    _ id: String, _ title: Title, _ hold: Hold?, _ terms: inout Link.Terms
  ) {
    guard case .counted(let owned) = title.copies, !quirks.contains(.noCounts) else { return }
    let free = library.lending.copiesAvailable(of: id)
    let position = hold.flatMap { library.lending.position(of: $0) }
    // Never less than the place of the one who asks, whatever moment either was counted at.
    var total = max(library.lending.queue(for: id).count, position ?? 0)
    if hold?.isReady == true { total = max(total, 1) }
    terms.copies = (owned, free)
    terms.holds = (total, position)
    if quirks.contains(.oddHolds) { terms.holds = (0, 7) }
  }

  private func fulfilments(_ loan: Loan, _ title: Title) -> [Link] {
    let all = Mechanism.of(title)
    let offered = loan.format.flatMap { word in all.first { $0.word == word } }.map { [$0] } ?? all
    return offered.map { mechanism in
      var link = Link(
        Relation.acquisition, at("works/\(loan.title)/fulfill/\(mechanism.word)"),
        mechanism.steps[0])
      link.steps = mechanism.steps.count > 1 ? [Array(mechanism.steps.dropFirst())] : []
      var terms = Link.Terms(status: .available, since: loan.since, until: loan.until)
      counts(loan.title, title, nil, &terms)
      link.terms = terms
      if quirks.contains(.templated) {
        link.href += "{?hint,hint_url}"
        link.isTemplated = true
      }
      if mechanism.steps[0] == Mechanism.licence { link.passphrase = Self.passphrase(loan.card) }
      if mechanism.steps[0] == Mechanism.adobe { link.clientToken = Self.clientToken(loan.card) }
      return link
    }
  }

  /// As a library keeps it that lets programs open its licences by themselves.
  static func passphrase(_ card: String) -> String {
    Hex.encode(Digest.sha256.hash(phrase(card)))
  }

  static let vendor = "MOCKVENDOR"

  /// Four parts, as the libraries' own have: name of the library, end, reader, signature.
  static func clientToken(_ card: String) -> String {
    let digest = Digest.sha256.hash("adobe \(card)")
    let parts = [digest.prefix(8), digest.suffix(8)].map { Hex.encode(Array($0)) }
    return (["MOCK", "2000000000"] + parts).joined(separator: "|")
  }
}
