import Circulation
import FoundationEssentials
import HTTP
import HTTPClient
import JSON
import LCP
import Machine
import OPDS
import ProviderKit

// A loan whose entry has no link for it may still be given back or prolonged: its licence tells where
// to ask how it stands, and the answer tells what can be done (§8).

extension OPDSLibraryProvider {
  /// Nil for a loan without a licence, or whose licence nobody keeps the status of.
  func licensed(
    _ title: Publication, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> LicenseStatus? {
    guard let way = title.licenseWay, let address = way.link.address else { return nil }
    if way.link.has(.checkout) {
      return try await status(
        WireRequest(.get, address, headers: Self.statusHeaders), operation, call)
    }
    let start = try await start(operation, in: call)
    let reply = try await get(address, .reader(start), operation, in: call)
    guard reply.status.isSuccess else { throw Documents.failure(reply, operation) }
    guard let license = try? License(reply.body), let link = license.link("status"),
      let address = try? Address(link.href)
    else { return nil }
    return try await status(
      WireRequest(.get, address, headers: Self.statusHeaders), operation, call)
  }

  func giveBack(
    _ status: LicenseStatus, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) {
    _ = try await change(status, "return", .unsupported(.earlyReturn), operation, in: call)
  }

  /// The end that the lender's new licence names.
  func prolong(
    _ status: LicenseStatus, _ loan: Loan, in call: Call
  ) async throws(CirculationError) -> Loan {
    let told = try await change(status, "renew", .notRenewable, .renew, in: call)
    guard let link = told.link("license"), let address = try? Address(link.href) else {
      throw Documents.malformed("the new licence", .renew)
    }
    let reply = try await session.send(
      WireRequest(.get, address, headers: ["Accept": License.mediaType]), .renew, in: call)
    guard let fresh = try? License(reply.body), fresh.id == told.id, let end = fresh.rights.end
    else { throw Documents.malformed("the new licence", .renew) }
    var longer = Loan(
      item: loan.item,
      until: Date(timeIntervalSince1970: Double(end.millisecondsSinceEpoch) / 1000))
    (longer.since, longer.lockedFormat, longer.formats) = (
      loan.since, loan.lockedFormat, loan.formats
    )
    (longer.isRenewable, longer.isReturnable) = (loan.isRenewable, loan.isReturnable)
    (longer.title, longer.authors, longer.keys) = (loan.title, loan.authors, loan.keys)
    return longer
  }

  static let statusHeaders: Headers = [
    "Accept": "\(LicenseStatus.mediaType), application/problem+json;q=0.6"
  ]

  /// Sent once: it changes something.
  private func change(
    _ status: LicenseStatus, _ relation: String, _ otherwise: CirculationError.Reason,
    _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> LicenseStatus {
    guard let link = status.link(relation) else {
      throw failure(otherwise, operation, says: status.message)
    }
    if link.isPage {
      throw failure(otherwise, operation, says: "only on its own page: \(link.href)")
    }
    guard let href = URITemplate(link.href).filled(["name": "Carrel"]),
      let address = try? Address(href)
    else { throw Documents.malformed("a link to \(relation) it", operation) }
    return try await self.status(
      WireRequest(.put, address, headers: Self.statusHeaders, isRepeatable: false), operation, call)
  }

  func status(
    _ request: WireRequest, _ operation: Circulation.Operation, _ call: Call
  ) async throws(CirculationError) -> LicenseStatus {
    // Whoever keeps licences is told of no card: the address is what lets in.
    let reply = try await session.send(request, operation, in: call)
    if reply.status.isSuccess, let status = try? LicenseStatus(reply.body) { return status }
    guard let json = try? JSONValue(parsing: reply.body, by: .tolerant),
      let type = json["type"]?.string, let problem = LicenseProblem(type: type)
    else {
      if reply.status.isSuccess { throw Documents.malformed("a status document", operation) }
      throw Documents.failure(reply, operation)
    }
    throw failure(problem.reason, operation, says: json["detail"]?.string ?? problem.sentence)
  }
}

extension LicenseProblem {
  fileprivate var reason: CirculationError.Reason {
    switch self {
    case .alreadyReturned, .returnExpired: .notBorrowed
    case .returning: .unsupported(.earlyReturn)
    case .renew, .renewDate: .notRenewable
    case .registration, .server: .providerUnavailable
    }
  }
}

extension Publication {
  fileprivate var licenseWay: Acquisition? {
    loanWays.first { way in
      way.link.has(.checkout) || way.paths.contains { $0.first?.essence == License.mediaType }
    }
  }
}
