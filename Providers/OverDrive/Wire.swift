import JSON
import ProviderKit

// The shapes of the wire, under the wire's own names. Section numbers are those of the adapter's
// README. Reading is tolerant: what a sample lacks, real answers lack too.

struct WireLink: Sendable, Hashable {
  let href: String
  let type: String

  init?(_ json: JSONValue?) {
    guard let href = json?["href"]?.words else { return nil }
    self.href = href
    type = json?["type"]?.string?.lowercased() ?? ""
  }
}

struct WirePage: Sendable {
  let products: [WireProduct]
  let totalItems: Int?
  let next: WireLink?

  /// Nil for anything but a page: `products` may be missing only where nothing was found (§5.1).
  init?(_ json: JSONValue) {
    totalItems = json["totalItems"]?.whole
    next = WireLink(json["links"]?["next"])
    guard let list = json["products"]?.array else {
      guard json["products"] == nil || json["products"] == .null, totalItems == 0 else {
        return nil
      }
      products = []
      return
    }
    // Pages overlap, and a title changed in between stands on two of them or twice on one.
    var seen: Set<String> = []
    products = list.compactMap(WireProduct.init).filter { seen.insert($0.id).inserted }
    // Some elements cannot be used; where none can, it is no page of ours.
    if products.isEmpty, !list.isEmpty { return nil }
  }
}

/// An element of the product list, which has less than the metadata document.
struct WireProduct: Sendable {
  let id: String
  let json: JSONValue

  init?(_ json: JSONValue) {
    guard let id = json["id"]?.words else { return nil }
    (self.id, self.json) = (id.lowercased(), json)
  }
}

struct WireAvailability: Sendable, Hashable {
  struct Account: Sendable, Hashable {
    let id: Int
    let copiesOwned: Int
    let copiesAvailable: Int
    let shared: Bool
  }

  let reserveId: String?
  let availabilityType: String
  let available: Bool
  let copiesOwned: Int
  let copiesAvailable: Int
  let numberOfHolds: Int
  let accounts: [Account]

  init?(_ json: JSONValue) {
    guard json.object != nil,
      json["available"] != nil || json["copiesOwned"] != nil || json["availabilityType"] != nil
    else { return nil }
    reserveId = (json["reserveId"] ?? json["id"])?.words?.lowercased()
    availabilityType = json["availabilityType"]?.words ?? "Normal"
    copiesOwned = json["copiesOwned"]?.whole ?? 0
    copiesAvailable = json["copiesAvailable"]?.whole ?? 0
    // Where the word itself is missing, the counts are all there is.
    available = json["available"]?.flag ?? ((json["copiesAvailable"]?.whole ?? 0) > 0)
    numberOfHolds = json["numberOfHolds"]?.whole ?? 0
    accounts = (json["accounts"]?.elements ?? []).compactMap { account in
      guard let id = account["id"]?.whole else { return nil }
      return Account(
        id: id, copiesOwned: account["copiesOwned"]?.whole ?? 0,
        copiesAvailable: account["copiesAvailable"]?.whole ?? 0,
        shared: account["shared"]?.flag ?? false)
    }
  }
}

/// A thing that can be done next, with the address and the fields to do it with.
struct WireAction: Sendable, Hashable {
  struct Field: Sendable, Hashable {
    let name: String
    let value: String?
    let options: [String]
  }

  let href: String
  let method: String
  let fields: [Field]

  init?(_ json: JSONValue?) {
    guard let json, let href = json["href"]?.words else { return nil }
    self.href = href
    method = json["method"]?.words?.uppercased() ?? "POST"
    fields = (json["fields"]?.elements ?? []).compactMap { field in
      guard let name = field["name"]?.words else { return nil }
      return Field(
        name: name, value: field["value"]?.words,
        options: (field["options"]?.elements ?? []).compactMap(\.words))
    }
  }

  func options(of name: String) -> [String] { fields.first { $0.name == name }?.options ?? [] }

  /// Actions are a map of names in loans and holds, and a list of one-name maps in patron
  /// information (§8.1).
  static func named(_ name: String, in json: JSONValue?) -> WireAction? {
    if let list = json?.array { return list.lazy.compactMap { WireAction($0[name]) }.first }
    return WireAction(json?[name])
  }
}

struct WireLoanFormat: Sendable, Hashable {
  let formatType: String
  let downloadLink: String?
  let downloadLinkV2: String?

  var template: String? { downloadLink ?? downloadLinkV2 }

  init?(_ json: JSONValue) {
    guard let formatType = json["formatType"]?.words else { return nil }
    self.formatType = formatType.lowercased()
    downloadLink = json["linkTemplates"]?["downloadLink"]?["href"]?.words
    downloadLinkV2 = json["linkTemplates"]?["downloadLinkV2"]?["href"]?.words
  }
}

struct WireCheckout: Sendable, Hashable {
  let reserveId: String
  let checkoutDate: String?
  let expires: String?
  let isFormatLockedIn: Bool
  let formats: [WireLoanFormat]
  let lockFormat: WireAction?
  let earlyReturn: WireAction?
  let downloadRedirect: WireLink?

  init?(_ json: JSONValue) {
    guard let reserveId = json["reserveId"]?.words,
      json["formats"].map({ $0.array != nil || $0.isNull }) ?? true
    else { return nil }
    self.reserveId = reserveId.lowercased()
    checkoutDate = json["checkoutDate"]?.words
    expires = json["expires"]?.words
    // The answer to a choice of format holds that format alone, and the loan is bound to it (§9.1).
    let chosen = json["formats"] == nil ? WireLoanFormat(json) : nil
    isFormatLockedIn = json["isFormatLockedIn"]?.flag ?? (chosen != nil)
    formats = chosen.map { [$0] } ?? json["formats"]?.elements.compactMap(WireLoanFormat.init) ?? []
    lockFormat = WireAction.named("format", in: json["actions"])
    earlyReturn = WireAction.named("earlyReturn", in: json["actions"])
    // `bundledChildren` is a list among links that are objects; only the link wanted is read.
    downloadRedirect = WireLink(json["links"]?["downloadRedirect"])
  }
}

struct WireHold: Sendable, Hashable {
  let reserveId: String
  let holdListPosition: Int?
  let numberOfHolds: Int?
  let holdPlacedDate: String?
  let holdExpires: String?
  let isSuspended: Bool
  let checkout: WireAction?

  init?(_ json: JSONValue) {
    guard let reserveId = json["reserveId"]?.words else { return nil }
    self.reserveId = reserveId.lowercased()
    holdListPosition = json["holdListPosition"]?.whole
    numberOfHolds = json["numberOfHolds"]?.whole
    holdPlacedDate = json["holdPlacedDate"]?.words
    holdExpires = json["holdExpires"]?.words
    isSuspended = json["holdSuspension"]?.object != nil
    checkout = WireAction.named("checkout", in: json["actions"])
  }
}

struct WirePatron: Sendable, Hashable {
  struct LendingPeriod: Sendable, Hashable {
    let formatType: String
    let lendingPeriod: Int
    let units: String
  }

  let patronId: String?
  let collectionToken: String?
  let checkoutLimit: Int?
  let holdLimit: Int?
  let lastHoldEmail: String?
  let lendingPeriods: [LendingPeriod]

  init?(_ json: JSONValue) {
    guard json["patronId"] != nil || json["checkoutLimit"] != nil else { return nil }
    patronId = json["patronId"]?.whole.map(String.init) ?? json["patronId"]?.words
    collectionToken = json["collectionToken"]?.words
    checkoutLimit = json["checkoutLimit"]?.whole
    holdLimit = json["holdLimit"]?.whole
    lastHoldEmail = json["lastHoldEmail"]?.words
    lendingPeriods = (json["lendingPeriods"]?.elements ?? []).compactMap { period in
      guard let length = period["lendingPeriod"]?.whole else { return nil }
      return LendingPeriod(
        formatType: period["formatType"]?.string ?? "", lendingPeriod: length,
        units: period["units"]?.string?.lowercased() ?? "days")
    }
  }
}

struct WireLibrary: Sendable, Hashable {
  let name: String
  let collectionToken: String

  init?(_ json: JSONValue) {
    guard let token = json["collectionToken"]?.words else { return nil }
    (name, collectionToken) = (json["name"]?.string ?? "", token)
  }
}

struct WireContentLink: Sendable, Hashable {
  let formatType: String?
  let contentlink: WireLink

  init?(_ json: JSONValue) {
    guard let links = json["links"],
      let link = WireLink(links["contentlink"] ?? links["contentLink"])
    else { return nil }
    contentlink = link
    formatType = json["formatType"]?.words?.lowercased()
  }
}

/// Both error shapes, read by one decoder: the API's and OAuth's.
struct WireFailure: Sendable, Hashable {
  let code: String
  let message: String

  init?(_ json: JSONValue) {
    guard let code = (json["errorCode"] ?? json["error"])?.words else { return nil }
    self.code = code
    message = (json["message"] ?? json["error_description"])?.string ?? ""
  }
}
