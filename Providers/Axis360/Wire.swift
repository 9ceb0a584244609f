import Circulation
import ProviderKit

// The shapes of the wire in XML, under the wire's own names. Section numbers are those of the
// adapter's README. Reading is tolerant: what a sample lacks, real answers lack too. What the service
// tells of other readers (`Checkouts`, `Holds`) has no place in these shapes, so it ends here.

struct WireTitle: Sendable, Hashable {
  let titleId: String
  let productTitle: String?
  let titleUrl: String?
  let contributor: String?
  let authors: [String]
  let narrators: [String]
  let isbn: String?
  let subject: String?
  let series: String?
  let publisher: String?
  let language: String?
  let audience: String?
  let annotation: String?
  let runtime: String?
  let addedDate: String?
  let publicationDate: String?
  let imageUrl: String?
  let formatType: String?
  let availability: WireAvailability

  /// Nil for what has no id: it could not be asked for.
  init?(_ xml: WireXML) {
    guard let id = xml.words("titleId") else { return nil }
    titleId = id
    productTitle = xml.words("productTitle")
    titleUrl = xml.words("titleUrl")
    contributor = xml.words("contributor")
    authors = xml.list("author", in: "authors").compactMap(\.words)
    let listed = xml.list("narrator", in: "narrators").compactMap(\.words)
    narrators =
      listed.isEmpty
      ? (xml.words("narrator") ?? "").split(separator: ";").map(String.init) : listed
    isbn = xml.words("isbn")
    subject = xml.words("subject")
    series = xml.words("series")
    publisher = xml.words("publisher") ?? xml.words("imprint")
    language = xml.words("language")
    audience = xml.words("audience")
    annotation = xml.words("annotation")
    runtime = xml.words("runtime")
    addedDate = xml.words("addedDate")
    publicationDate = xml.words("publicationDate")
    imageUrl = xml.words("imageUrl")
    formatType = xml.words("formatType")
    availability = WireAvailability(xml["availability"] ?? xml)
  }

  /// Two may come for one id; the one that is borrowed counts, then the one that waits (§12.27).
  static func each(_ titles: [WireTitle]) -> [WireTitle] {
    // Told apart by their places: a title is much to copy.
    var best: [String: Int] = [:]
    for (place, title) in titles.enumerated() {
      guard let known = best[title.titleId] else {
        best[title.titleId] = place
        continue
      }
      if title.availability.rank > titles[known].availability.rank { best[title.titleId] = place }
    }
    if best.count == titles.count { return titles }
    return titles.map(\.titleId).distinct.compactMap { best[$0].map { titles[$0] } }
  }
}

struct WireAvailability: Sendable, Hashable {
  let availableFormats: [String]
  let availableCopies: Int?
  let totalCopies: Int?
  let holdsQueueSize: Int?
  let holdsQueuePosition: Int?
  let isAvailable: Bool?
  let isInHoldQueue: Bool
  let isReserved: Bool
  let reservedEndDate: String?
  let isCheckedout: Bool
  let checkoutFormat: String?
  let checkoutStartDate: String?
  let checkoutEndDate: String?
  let downloadUrl: String?
  let isHoldSuspended: Bool
  /// Nil in the older documents, which do not know the button.
  let isButtonRenew: Bool?

  init(_ xml: WireXML) {
    availableFormats = xml.list("formatName", in: "availableFormats").compactMap(\.words)
    availableCopies = xml.whole("availableCopies")
    totalCopies = xml.whole("totalCopies")
    holdsQueueSize = xml.whole("holdsQueueSize")
    holdsQueuePosition = xml.whole("holdsQueuePosition")
    isAvailable = xml.flag("isAvailable")
    isInHoldQueue = xml.flag("isInHoldQueue") ?? false
    isReserved = xml.flag("isReserved") ?? false
    reservedEndDate = xml.words("reservedEndDate")
    isCheckedout = xml.flag("isCheckedout") ?? false
    checkoutFormat = xml.words("checkoutFormat")
    checkoutStartDate = xml.words("checkoutStartDate")
    checkoutEndDate = xml.words("checkoutEndDate")
    downloadUrl = xml.words("downloadUrl")
    isHoldSuspended =
      xml.flag("isHoldSuspended") ?? false || xml.words("isSuspendHold")?.uppercased() == "R"
    isButtonRenew = xml.flag("IsButtonRenew")
  }

  fileprivate var rank: Int { isCheckedout ? 3 : isReserved ? 2 : isInHoldQueue ? 1 : 0 }
}

/// What a checkout is answered with. It does not name the title (§12.15).
struct WireCheckout: Sendable, Hashable {
  let url: String?
  let expirationDate: String?

  init?(_ root: WireXML) {
    guard let result = root.result("checkoutResult") else { return nil }
    (url, expirationDate) = (result.words("url"), result.words("expirationDate"))
  }
}

struct WirePlacedHold: Sendable, Hashable {
  let holdsQueuePosition: Int?

  init?(_ root: WireXML) {
    guard let result = root.result("addtoholdResult") else { return nil }
    holdsQueuePosition = result.whole("holdsQueuePosition")
  }
}

/// One of `GetHolds` (§6). `R` for suspended is no slip of ours.
struct WireHold: Sendable, Hashable {
  let titleID: String
  let bookTitle: String?
  let totalHoldSize: Int?
  let holdPosition: Int?
  let isAvailable: Bool
  let isSuspended: Bool
  let reservedEndDate: String?

  init?(_ xml: WireXML) {
    guard let id = xml.words("titleID") else { return nil }
    titleID = id
    bookTitle = xml.words("bookTitle")
    totalHoldSize = xml.whole("totalHoldSize")
    holdPosition = xml.whole("holdPosition")
    isAvailable = xml.flag("isAvailable") ?? false
    isSuspended = xml.words("isSuspendHold")?.uppercased() == "R"
    reservedEndDate = xml.words("reservedEndDate")
  }
}

extension WireXML {
  /// The result within an answer, or the answer itself where nothing is wrapped around it.
  fileprivate func result(_ name: String) -> WireXML? {
    isNamed(name) ? self : everywhere(name).first
  }
}
