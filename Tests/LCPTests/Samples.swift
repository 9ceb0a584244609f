import Crypto
import JSON
import Machine
import MockKit
import Secrets
import Testing

@testable import LCP

/// A press and the licence it makes, to be spoiled one thing at a time.
struct Lender {
  let press: LicensePress
  var order: LicensePress.Order
  static let passphrase = "Zoë reads à la carte"

  init(
    _ kind: LicensePress.Kind = .ellipticCurve, from: Int64 = 0, until: Int64 = 4_102_444_800
  ) throws {
    press = try LicensePress(kind, from: from, until: until)
    order = LicensePress.Order(
      id: "0b2a8a8e-1d0c-4a9f-9b7f-2f6f1f1f0a01", issued: "2024-05-01T08:00:00.123456789+02:00",
      passphrase: Digest.sha256.hash(Self.passphrase),
      contentKey: Digest.sha256.hash("the key of the book"),
      links: [
        ["rel": "hint", "href": "https://lender.example/hint", "type": "text/html"],
        [
          "rel": "publication", "href": "https://lender.example/book.epub",
          "type": "application/epub+zip",
          "hash": .string(Hex.encode(Digest.sha256.hash("the book"))),
        ],
      ])
    order.rights = ["start": "2024-05-01T06:00:00Z", "end": "2024-06-01T06:00:00Z", "copy": 20]
    order.user = ["id": "reader-1", "email": "zoë@reader.example", "x/y": "<&>"]
  }

  var roots: LicenseRoots { LicenseRoots([press.root]) }

  func object() throws -> JSONObject { try press.license(order) }
  func license() throws -> License { try License(JSONValue.object(try object()).bytes()) }

  /// The licence with something changed after it was signed; `signed` anew if so wished.
  func license(anew: Bool = false, _ change: (inout JSONObject) -> Void) throws -> License {
    var object = try object()
    change(&object)
    if anew { object = try press.signed(object) }
    return try License(JSONValue.object(object).bytes())
  }

  static let key = UserKey(passphrase: Secret(passphrase))
  static func time(_ text: String) -> Timestamp {
    Timestamp(rfc3339: text) ?? .epoch
  }
  static let now = time("2024-05-10T12:00:00Z")
}

func reason(_ body: () throws -> Void) -> LicenseRefusal.Reason? {
  do {
    try body()
    return nil
  } catch { return (error as? LicenseRefusal)?.reason }
}

extension JSONObject {
  /// A member below, by its path.
  mutating func set(_ path: String, _ value: JSONValue?) {
    let names = path.split(separator: ".").map(String.init)
    guard names.count > 1 else {
      self[names[0]] = value
      return
    }
    var inner = self[names[0]]?.object ?? [:]
    inner.set(names.dropFirst().joined(separator: "."), value)
    self[names[0]] = .object(inner)
  }
}
