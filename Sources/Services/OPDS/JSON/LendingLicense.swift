package import FoundationEssentials
package import HTTP
import JSON
import ProviderKit

/// A right to lend that a library has of a distributor (ODL): so many copies at once, so many loans in
/// all, for so long.
package struct LendingLicense: Sendable, Hashable {
  package var id: String
  /// What the files are, and what guards them.
  package var formats: [MediaType]
  package var protections: [MediaType]
  /// The document that tells how it stands.
  package var info: Link?
  /// Where a copy is lent: an address to be filled in.
  package var checkout: Link?

  package init(id: String) {
    self.id = id
    (formats, protections) = ([], [])
  }

  /// Each way from a checkout to what is read.
  var indirections: [Acquisition.Indirection] {
    let ends = formats.map { Acquisition.Indirection($0) }
    return protections.isEmpty ? ends : protections.map { Acquisition.Indirection($0, ends) }
  }
}

/// How such a right stands, as its document tells it.
package struct LendingLicenseInfo: Sendable, Hashable {
  package enum State: String, Sendable, Hashable {
    case preorder, available, unavailable
  }

  /// A loan that is out.
  package struct Checkout: Sendable, Hashable {
    package var id: String
    /// The name that the library gave its reader.
    package var patron: String?
    package var expires: Date?
    /// Its status document.
    package var status: String?
  }

  package let id: String
  package let state: State
  /// Loans that are left in all; nil where nobody counts.
  package let left: Int?
  /// Copies that can be lent now.
  package let available: Int
  package let active: [Checkout]
  package let expires: Date?
  /// Copies that may be out at one time, and loans in all.
  package let concurrency: Int?
  package let checkouts: Int?
  /// Seconds that a loan may last at most.
  package let length: Int?
  package let formats: [MediaType]
  package let protections: [MediaType]

  package static let mediaType = "application/vnd.odl.info+json"
  private static let mostActive = 10_000

  /// Nil for what is no such document.
  package init?(_ bytes: [UInt8], from address: Address) {
    guard let json = try? JSONValue(parsing: bytes, by: .tolerant),
      let id = json["identifier"]?.words ?? json["metadata"]?["identifier"]?.words,
      let state = json["status"]?.words.flatMap({ State(rawValue: $0.lowercased()) }),
      let checkouts = json["checkouts"], checkouts.object != nil
    else { return nil }
    let terms = json["terms"]
    (self.id, self.state) = (id, state)
    left = checkouts["left"]?.whole
    available = checkouts["available"]?.whole ?? 0
    active = (checkouts["active"]?.several ?? []).prefix(Self.mostActive).compactMap {
      guard let id = $0["id"]?.words else { return nil }
      return Checkout(
        id: id, patron: $0["patron"]?.words ?? $0["patron_id"]?.words,
        expires: $0["expires"]?.words.flatMap(WireDate.instant),
        status: $0["href"]?.words.flatMap { absolute($0, in: address) })
    }
    let ends = [terms?["expires"], json["expires"]].compactMap {
      $0?.words.flatMap(WireDate.instant)
    }
    expires = ends.min()
    concurrency = terms?["concurrency"]?.whole
    self.checkouts = terms?["checkouts"]?.whole
    length = terms?["length"]?.whole
    formats = MediaType.several(json["format"])
    protections = MediaType.several(json["protection"]?["format"])
  }

  /// Whether a copy can be lent now.
  package func isFree(at now: Date) -> Bool {
    state == .available && left.map { $0 > 0 } ?? true && available > 0
      && expires.map { now < $0 } ?? true
  }
}

extension MediaType {
  /// One, or a list.
  fileprivate static func several(_ json: JSONValue?) -> [MediaType] {
    (json?.several ?? []).prefix(20).compactMap { $0.words.flatMap { MediaType(parsing: $0) } }
  }
}

extension JSONReading {
  func license(_ json: JSONValue) -> LendingLicense? {
    let metadata = json["metadata"]
    guard let id = metadata?["identifier"]?.words else { return nil }
    var license = LendingLicense(id: id)
    license.formats = MediaType.several(metadata?["format"])
    license.protections = MediaType.several(metadata?["protection"]?["format"])
    let links = links(json["links"])
    license.info = links.first(.own)
    license.checkout = links.first(.borrow)
    return license
  }

  /// Ways to borrow, for whoever knows nothing of such rights: they have to be filled in first.
  func acquisitions(_ licenses: [LendingLicense]) -> [Acquisition] {
    licenses.compactMap { license in
      guard let checkout = license.checkout else { return nil }
      var link = Link(checkout.href, [.borrow], type: nil)
      link.isTemplated = true
      var acquisition = Acquisition(link)
      acquisition.indirections = license.indirections
      return acquisition
    }
  }
}
