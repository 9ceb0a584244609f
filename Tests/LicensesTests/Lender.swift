import Crypto
import Database
import HTTPClient
import JSON
import LCP
import MockKit
import Secrets
import StoreSupport
import TestSupport

@testable import Licenses

/// A lender with a press, and a book of its.
struct Lender {
  let press: LicensePress
  var order: LicensePress.Order
  static let contentKey = Digest.sha256.hash("content")

  init(id: String = "licence-1", passphrase: String = "babar") throws {
    press = try LicensePress()
    order = LicensePress.Order(
      id: id, issued: "2026-01-01T00:00:00Z", passphrase: Digest.sha256.hash(passphrase),
      contentKey: Self.contentKey,
      links: [
        ["rel": "hint", "href": "https://lender.example/hint"],
        [
          "rel": "publication", "href": "https://lender.example/book.epub",
          "type": "application/epub+zip",
        ],
      ])
  }

  static let title = Title(
    id: "1", name: "Lent", authors: ["A Whale"], copies: .unlimited,
    added: Moment(milliseconds: 0))

  func book() throws -> [UInt8] {
    try MockBook(Self.title).locked(with: Self.contentKey, license: press.license(order))
  }
}

func licenses(
  _ store: Store, _ clock: Clock, _ roots: LicenseRoots, key: Secret? = Secret(Array(0..<32)),
  over transport: Transport = .silent
) -> Licenses {
  Licenses(
    store: store, over: { _ in transport }, now: { clock.now }, trusted: { roots }, key: { key })
}

extension Transport {
  static let silent = Transport(send: { _ throws(TransportError) in throw .stopped })
}

func withLicenses<R>(
  _ engine: Engine, _ body: (Store, Clock, TemporaryFolder) async throws -> R
) async throws -> R {
  try await withStore(engine, tables: [Licenses.migrations]) { store in
    let clock = Clock(at: Lender.now)
    return try await body(store, clock, try TemporaryFolder())
  }
}

extension Lender {
  /// 2026-02-01.
  static let now: Int64 = 1_769_904_000_000
}
