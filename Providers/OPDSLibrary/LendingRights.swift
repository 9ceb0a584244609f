import Circulation
import Crypto
import FoundationEssentials
import HTTP
import HTTPClient
import JSON
import LCP
import Machine
import OPDS
import ProviderKit
import Secrets

// A distributor's catalogue tells of rights to lend, and knows no readers (§9): we lend in their stead,
// by names that nobody else can make anything of. What is out, the documents of the rights tell.

extension OPDSLibraryProvider {
  /// The distributor's name for who asks: the same each time, and different at every distributor.
  func pseudonym(in call: Call) -> String {
    let words = [settings.catalog.text, call.patron?.rawValue ?? ""]
    // Not of the password: loans outlive it.
    let key = settings.reader?.name.revealText { Digest.sha256.hash($0) } ?? []
    let digest = Digest.sha256.authenticate(Array(words.joined(separator: "\0").utf8), key: key)
    return Self.uuid(digest)
  }

  private static func uuid(_ digest: [UInt8]) -> String {
    let hex = Array(Hex.encode(Array(digest.prefix(16))))
    return [hex[0..<8], hex[8..<12], hex[12..<16], hex[16..<20], hex[20..<32]]
      .map { String($0) }.joined(separator: "-")
  }

  /// How the rights to a title stand, those that answer.
  func standings(
    of title: Publication, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> [(license: LendingLicense, info: LendingLicenseInfo)] {
    let start = try await start(operation, in: call)
    var told: [(license: LendingLicense, info: LendingLicenseInfo)] = []
    for license in title.licenses {
      guard let address = license.info?.address else { continue }
      let reply = try await get(address, .reader(start), operation, in: call)
      // A right that has gone lends nothing, and says nothing of the others.
      if [404, 410].contains(reply.status.code) { continue }
      guard reply.status.isSuccess else { throw Documents.failure(reply, operation) }
      guard let info = LendingLicenseInfo(reply.body, from: reply.address) else {
        throw Documents.malformed("a licence information document", operation)
      }
      told.append((license, info))
    }
    return told
  }

  /// The title with how many copies are free, and the reader's loan of it if there is one.
  func standing(
    of title: Publication, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> Publication {
    guard !title.licenses.isEmpty else { return title }
    let now = session.clock.date()
    let told = try await standings(of: title, operation, in: call)
    var title = title
    let free = told.filter { $0.info.isFree(at: now) }.reduce(0) { $0 + $1.info.available }
    let all = told.filter { $0.info.state == .available }.reduce(0) {
      $0 + ($1.info.concurrency ?? ($1.info.available + $1.info.active.count))
    }
    for index in title.acquisitions.indices where title.acquisitions[index].has(.borrow) {
      title.acquisitions[index].copies = .init(total: all, available: free)
    }
    let patron = pseudonym(in: call)
    for (license, info) in told {
      guard let loan = info.active.first(where: { $0.patron == patron }), let href = loan.status,
        loan.expires.map({ $0 > now }) ?? true
      else { continue }
      title.lend(license, at: href, until: loan.expires, passphrase(in: call))
      break
    }
    return title
  }

  /// All that the reader has: every right is asked, since nobody else keeps count.
  func lent(_ operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> [Publication]
  {
    var mine: [Publication] = []
    var seen: Set<ItemID> = []
    var place = Place(began: session.clock.date())
    for _ in 0..<Self.mostPages {
      let step = try await page(at: place, operation, in: call)
      let rights = step.publications.filter {
        !$0.licenses.isEmpty && seen.insert(settings.item(of: $0)).inserted
      }
      for batch in rights.batches(of: 6) { mine += try await lent(batch, operation, in: call) }
      guard let next = step.next else { return mine }
      place = next
    }
    throw Documents.malformed("an end to the catalogue", operation)
  }

  private static let mostPages = 200

  private func lent(
    _ batch: some Sequence<Publication>, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> [Publication] {
    let asked = try await concurrently(batch) { title throws(CirculationError) in
      try await self.standing(of: title, operation, in: call)
    }
    return asked.filter { $0.loan(in: settings) != nil }.sorted { $0.id < $1.id }
  }

  /// One right that answers shows that we are let in; there is no line to stand in.
  func distributorStanding(in call: Call) async throws(CirculationError) -> AccountStanding {
    let step = try await page(
      at: Place(began: session.clock.date()), .checkAccount, in: call)
    if let title = step.publications.first(where: { !$0.licenses.isEmpty }) {
      _ = try await standings(of: title, .checkAccount, in: call)
    }
    var standing = AccountStanding()
    standing.withheld = [.holds]
    return standing
  }

  /// Lends a copy of the first right that has one.
  func checkOut(
    _ title: Publication, as format: Format?, in call: Call
  ) async throws(CirculationError) -> BorrowOutcome {
    let now = session.clock.date()
    let told = try await standings(of: title, .checkOut, in: call)
    let free = told.filter { one in
      one.info.isFree(at: now)
        && (format == nil
          || Formats.all(of: title.ways(of: one.license)).contains { $0.id == format?.id })
    }
    guard !free.isEmpty else {
      throw failure(
        told.contains { $0.info.state == .available } ? .noCopiesAvailable : .noLicenses, .checkOut)
    }
    var last = failure(.noCopiesAvailable, .checkOut)
    for (license, info) in free {
      do throws(CirculationError) {
        return try await checkOut(title, license, info, in: call)
      } catch {
        // Somebody was faster; the next right may still have a copy.
        guard error.reason == .noCopiesAvailable else { throw error }
        last = error
      }
    }
    throw last
  }

  private func checkOut(
    _ title: Publication, _ license: LendingLicense, _ info: LendingLicenseInfo, in call: Call
  ) async throws(CirculationError) -> BorrowOutcome {
    let until = Self.end(info, from: session.clock.date())
    let start = try await start(.checkOut, in: call)
    guard let reader = settings.reader, let template = license.checkout?.href else {
      throw failure(.noLicenses, .checkOut)
    }
    // The same for the same wish, so that an answer that was lost is given again and no second copy.
    let wish = "\(call.requestID)\0\(license.id)\0\(pseudonym(in: call))"
    let checkout = Self.uuid(Digest.sha256.authenticate(Array(wish.utf8), key: reader.digest))
    var values = [
      "id": license.id, "checkout_id": checkout, "patron_id": pseudonym(in: call),
      "expires": WireDate.written(until), "hint": Self.hint, "hint_url": settings.catalog.text,
      "passphrase": Hex.encode(passphrase(in: call)),
    ]
    if let length = info.length { values["length"] = String(length) }
    guard let address = URITemplate(template).filled(values).flatMap({ try? Address($0) }) else {
      throw Documents.malformed("an address to lend at", .checkOut)
    }
    var request = WireRequest(.post, address, headers: Self.headers, isRepeatable: true)
    request.headers.set("Accept", "\(LicenseStatus.mediaType), application/problem+json;q=0.6")
    var reply = try await send(request, .reader(start), .checkOut, in: call)
    // The same checkout again leads to the first.
    if reply.status.isRedirect, let location = reply.headers["Location"],
      let first = try? address.resolving(Address.escaped(location))
    {
      reply = try await get(first, .reader(start), .checkOut, in: call)
    }
    if !reply.status.isSuccess, let json = try? JSONValue(parsing: reply.body, by: .tolerant),
      json["type"]?.string?.hasSuffix("/odl/error/checkout/unavailable") == true
    {
      throw failure(.noCopiesAvailable, .checkOut, says: "checkout/unavailable")
    }
    guard reply.status.isSuccess else { throw Documents.failure(reply, .checkOut) }
    guard let status = try? LicenseStatus(reply.body), status.state.mayRead else {
      throw Documents.malformed("a status document", .checkOut)
    }
    let own = status.link("self").flatMap { $0.isTemplated ? nil : $0.href }
    let shown = reply.status == .ok ? reply.address.text : nil
    guard let href = own ?? reply.headers["Location"] ?? shown
    else { throw Documents.malformed("the loan's own address", .checkOut) }
    var lent = title
    lent.lend(license, at: href, until: until, passphrase(in: call))
    guard let loan = lent.loan(in: settings) else {
      throw Documents.malformed("a loan", .checkOut)
    }
    return .borrowed(loan)
  }

  /// What opens the licences of this reader here: made of what the account holds, and told in no feed.
  func passphrase(in call: Call) -> [UInt8] {
    let words = "passphrase\0\(pseudonym(in: call))"
    return Digest.sha256.authenticate(Array(words.utf8), key: settings.reader?.digest ?? [])
  }

  private static let hint = "Your library opens this book for you."

  /// Three weeks, or what the right allows.
  private static func end(_ info: LendingLicenseInfo, from now: Date) -> Date {
    let most = Double(min(info.length ?? .max, 21 * 86_400))
    let end = now.addingTimeInterval(most)
    return info.expires.map { min($0, end) } ?? end
  }
}

// MARK: - A loan of a right

extension Relation {
  /// Ours, for the status document of a loan: what is read is a step behind it.
  static let checkout = Relation(rawValue: "http://opds-spec.org/odl/checkout")
}

extension OPDSLibraryProvider {
  /// Where the licence of such a loan is.
  func lentLink(
    _ link: Link, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> Link {
    guard let address = link.address else {
      throw Documents.malformed("a status document", operation)
    }
    let told = try await status(
      WireRequest(.get, address, headers: Self.statusHeaders), operation, call)
    guard told.state.mayRead else {
      throw failure(.notBorrowed, operation, says: told.state.rawValue)
    }
    guard let license = told.link("license"), !license.isTemplated else {
      throw failure(.formatUnavailable, operation, says: "no licence")
    }
    return Link(license.href, [.acquisition], type: link.type)
  }
}

extension Publication {
  /// The ways that a right would give.
  func ways(of license: LendingLicense) -> [Acquisition] {
    acquisitions.filter { $0.has(.borrow) && $0.link.href == license.checkout?.href }
  }

  /// Turns it into a loan of this right.
  mutating func lend(
    _ license: LendingLicense, at href: String, until: Date?, _ passphrase: [UInt8]
  ) {
    let ways = ways(of: license).flatMap(\.indirections)
    acquisitions = ways.map { way in
      var lent = Acquisition(Link(href, [.acquisition, .checkout], type: way.type))
      lent.indirections = way.children
      lent.availability = .init(.available, until: until)
      lent.keys = LoanKeys(passphrase: Hex.encode(passphrase))
      return lent
    }
  }
}
