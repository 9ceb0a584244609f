import Circulation
import Database
import Secrets
import TestSupport
import Testing

@testable import Desk

@Suite struct `What opens a loan without asking` {
  private let keys = LoanKeys(
    passphrase: "2f5b", licensor: .init(vendor: "V", scheme: "S", clientToken: "A|b\nc"))

  private func key(_ byte: UInt8) -> Keyring {
    Keyring { Secret([UInt8](repeating: byte, count: 32)) }
  }

  private func loan(_ item: ItemID) -> Loan {
    var loan = Loan(item: item, until: nil)
    loan.keys = keys
    return loan
  }

  private func kept(_ loan: Loan, _ account: AccountID = "ada") -> KeptLoan {
    var stored = loan
    stored.keys = nil
    return KeptLoan(account: account, loan: stored, asOf: .init(milliseconds: 0))
  }

  @Test func `What opens a loan without asking: is sealed for one loan of one card under one key`()
    async throws
  {
    let sealed = await key(1).sealed(loan("emma"), of: "ada")
    let bytes = try #require(sealed.sealedKeys)
    #expect(!String(decoding: bytes, as: UTF8.self).contains("2f5b"))
    #expect(await key(1).opened([kept(sealed)]).first?.loan.keys == keys)
    // Nothing seems to have changed when it is sealed anew.
    #expect(await key(1).sealed(loan("emma"), of: "ada").sealedKeys == bytes)
    #expect(await key(2).opened([kept(sealed)]).first?.loan.keys == nil)
    #expect(await key(1).opened([kept(sealed, "bob")]).first?.loan.keys == nil)
    var moved = loan("other")
    (moved.keys, moved.sealedKeys) = (nil, bytes)
    #expect(await key(1).opened([kept(moved)]).first?.loan.keys == nil)
    for torn in [[], Array(bytes.dropLast()), Array(bytes.prefix(12))] {
      moved.sealedKeys = torn
      #expect(await key(1).opened([kept(moved)]).first?.loan.keys == nil)
    }
  }

  @Test func `What opens a loan without asking: is left out while the vault is locked`() async {
    #expect(await Keyring.none.sealed(loan("emma"), of: "ada").sealedKeys == nil)
    let sealed = await key(1).sealed(loan("emma"), of: "ada")
    #expect(await Keyring.none.opened([kept(sealed)]).first?.loan.keys == nil)
  }

  @Test(arguments: Engine.allCases)
  func `What opens a loan without asking: comes back from the tables for whoever may see it`(
    engine: Engine
  ) async throws {
    try await withReader(engine) { house, gateway, ada async throws in
      let keyring = key(3)
      let desk = Desk(
        store: gateway.store, keyring: keyring, now: { house.clock.now },
        open: { [town = house.town] account, _ in Card(town: town, account: account) })
      let lent = loan("emma")
      house.town.change("ada") { $0.loans = [lent] }
      _ = await desk.sync(["ada"], in: Reader.call("sync"))
      let plain = try await desk.loans(of: ["ada"])
      #expect(plain.count == 1 && plain[0].loan.keys == nil)
      #expect(await desk.withKeys(plain).first?.loan.keys == keys)
      // A later word without them leaves them: the loan is still the same.
      house.town.change("ada") { $0.loans = [Loan(item: "emma", until: nil)] }
      house.clock.step(seconds: 1)
      _ = await desk.sync(["ada"], in: Reader.call("sync"))
      #expect(await desk.withKeys(try await desk.loans(of: ["ada"])).first?.loan.keys == keys)
    }
  }
}
