import JSON
import ProviderKit

// §8: what leads to books that only the vendors' own programs open. Carrel reads these documents to
// tell what they are; it opens none of them.

struct WireFulfilment: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    /// Findaway's parts of an audiobook.
    case audio
    /// AxisNow's licence.
    case book
  }

  let kind: Kind
  let adobeFullfillmentUrl: String?
  let expirationDate: String?
  /// The back end has lost its session; a new try may help.
  let isSessionExpired: Bool

  /// The two kinds are told apart by one member alone.
  init?(_ json: JSONValue) {
    let audio = json.any("FNDTransactionID")
    guard audio != nil || json.any("BookVaultUUID") != nil || json.any("ISBN") != nil else {
      return nil
    }
    kind = audio == nil ? .book : .audio
    adobeFullfillmentUrl = json.any("AdobeFullfillmentUrl")?.words
    expirationDate = json.any("ExpirationDate")?.words
    isSessionExpired = json.any("FNDSessionKey")?.words?.lowercased() == "expired"
  }
}

/// The table of contents of an audiobook.
struct WireAudiobook: Sendable, Hashable {
  struct Part: Sendable, Hashable {
    let title: String
    let duration: Double
  }

  let fndcontentid: String
  let readingOrder: [Part]

  init?(_ json: JSONValue) {
    guard let id = json.any("fndcontentid")?.words, let parts = json.any("readingOrder")?.array
    else { return nil }
    fndcontentid = id
    readingOrder = parts.map {
      Part(title: $0.any("title")?.words ?? "", duration: $0.any("duration")?.double ?? 0)
    }
  }
}

/// AxisNow's own kind of licence. The server that makes it checks almost nothing of what it is asked
/// for (§12.29); Carrel asks for none.
struct WireLicence: Sendable, Hashable {
  let id: String
  let end: String?

  init?(_ json: JSONValue) {
    guard let id = json.any("id")?.words, json.any("encryption") != nil else { return nil }
    self.id = id
    end = json.any("rights")?.any("end")?.words
  }
}
