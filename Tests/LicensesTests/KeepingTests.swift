import Circulation
import Crypto
import Database
import EPUB
import JSON
import LCP
import Machine
import MockKit
import Secrets
import StoreSupport
import TestSupport
import Testing

@testable import Licenses

private let (ada, bob) = (PatronID("ada"), PatronID("bob"))

private func refusal(_ body: () async throws -> Void) async -> LicenseRefusal.Reason? {
  do {
    try await body()
    return nil
  } catch OpeningError.refused(let refusal) { return refusal.license?.reason } catch {
    return nil
  }
}

@Suite struct `A reader's key` {
  @Test(arguments: Engine.allCases)
  func `A reader's key is asked for once, and opens the next book of the same lender`(
    engine: Engine
  ) async throws {
    try await withLicenses(engine) { store, clock, folder in
      let lender = try Lender()
      let licenses = licenses(store, clock, LicenseRoots([lender.press.root]))
      let first = try folder.write(try lender.book(), to: "one.epub")
      var again = lender
      again.order.id = "licence-2"
      let second = try folder.write(try again.book(), to: "two.epub")
      #expect(await refusal { _ = try await licenses.open(first, for: ada) } == .passphraseNeeded)
      let wrong = Licenses.Attempt(typed: Secret("Babar"))
      #expect(
        await refusal { _ = try await licenses.open(first, for: ada, wrong) } == .passphraseWrong)
      let right = Licenses.Attempt(typed: Secret("babar"))
      #expect(try await licenses.open(first, for: ada, right).isLicensed)
      #expect(try await licenses.open(first, for: ada).isLicensed)
      #expect(try await licenses.open(second, for: ada).isLicensed)
      #expect(await refusal { _ = try await licenses.open(first, for: bob) } == .passphraseNeeded)
    }
  }

  @Test func `A reader's key comes with the loan, where the lender hands it over`() async throws {
    try await withLicenses(.sqlite) { store, clock, folder in
      let lender = try Lender()
      let licenses = licenses(store, clock, LicenseRoots([lender.press.root]))
      let book = try folder.write(try lender.book(), to: "one.epub")
      let hash = Base64.standard.encode(Digest.sha256.hash("babar"))
      let other = Licenses.Attempt(handedOver: Base64.standard.encode(Digest.sha256.hash("x")))
      // What was handed over and does not fit is no fault of the reader's.
      #expect(
        await refusal { _ = try await licenses.open(book, for: ada, other) } == .passphraseNeeded)
      #expect(
        try await licenses.open(book, for: ada, Licenses.Attempt(handedOver: hash)).isLicensed)
      #expect(try await licenses.open(book, for: ada).isLicensed)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a reader's LCP key is stored sealed, for one reader, and never while the vault is locked`(
    engine: Engine
  ) async throws {
    try await withLicenses(engine) { store, clock, folder in
      let lender = try Lender()
      let roots = LicenseRoots([lender.press.root])
      let book = try folder.write(try lender.book(), to: "one.epub")
      let right = Licenses.Attempt(typed: Secret("babar"))
      let locked = licenses(store, clock, roots, key: nil)
      #expect(try await locked.open(book, for: ada, right).isLicensed)
      #expect(await refusal { _ = try await locked.open(book, for: ada) } == .passphraseNeeded)
      let open = licenses(store, clock, roots)
      _ = try await open.open(book, for: ada, right)
      let rows = try await store.read { tx throws(DatabaseError) in
        try tx.rows("SELECT sealed FROM license_key") {
          row throws(DatabaseError) -> [UInt8] in try row[0]
        }
      }
      let key = Digest.sha256.hash("babar")
      #expect(rows.count == 1 && !rows[0].contains(key))
      // Moved to another reader's row it opens nothing.
      try await store.write { tx throws(DatabaseError) in
        try tx.execute("UPDATE license_key SET patron = 'bob'")
      }
      #expect(await refusal { _ = try await open.open(book, for: bob) } == .passphraseNeeded)
    }
  }

  @Test func `A reader's key helps nobody where the licence is over or nobody vouches for it`()
    async throws
  {
    try await withLicenses(.sqlite) { store, clock, folder in
      var lender = try Lender()
      lender.order.rights = ["end": "2026-01-31T00:00:00Z"]
      let book = try folder.write(try lender.book(), to: "one.epub")
      let right = Licenses.Attempt(typed: Secret("babar"))
      for (roots, reason) in [
        (LicenseRoots([lender.press.root]), LicenseRefusal.Reason.ended),
        (LicenseRoots(), .noRoots),
      ] {
        let licenses = licenses(store, clock, roots)
        #expect(await refusal { _ = try await licenses.open(book, for: ada, right) } == reason)
      }
    }
  }
}
