package import Circulation
import Crypto
import Database
package import Secrets

/// Seals what opens loans before it is kept, and opens it for the reader's own apps.
package struct Keyring: Sendable {
  package static let label = "carrel/loan-keys"

  private let key: @Sendable () async -> Secret?

  /// Nil while the vault is locked: such keys are not kept then, and the next sync brings them again.
  package init(key: @escaping @Sendable () async -> Secret?) { self.key = key }

  package static let none = Keyring(key: { nil })

  func sealed(_ loan: Loan, of account: AccountID) async -> Loan {
    guard let keys = loan.keys, let key = await key() else { return loan }
    var loan = loan
    loan.sealedKeys = Sealing.seal(keys, loan.item, account, key)
    return loan
  }

  func opened(_ kept: [KeptLoan]) async -> [KeptLoan] {
    guard kept.contains(where: { $0.loan.sealedKeys != nil }), let key = await key() else {
      return kept
    }
    return kept.map { one in
      guard let sealed = one.loan.sealedKeys else { return one }
      var loan = one.loan
      loan.keys = Sealing.open(sealed, loan.item, one.account, key)
      return KeptLoan(account: one.account, loan: loan, asOf: one.asOf)
    }
  }
}

extension Desk {
  /// The same loans, with what opens them: for the answer to their own reader, and nobody else.
  package func withKeys(_ loans: [KeptLoan]) async -> [KeptLoan] { await keyring.opened(loans) }

  func sealed(_ shelf: Shelf, of account: AccountID) async -> Shelf {
    var shelf = shelf
    for index in shelf.loans.indices {
      shelf.loans[index] = await keyring.sealed(shelf.loans[index], of: account)
    }
    return shelf
  }

  func sealed(_ outcome: BorrowOutcome, of account: AccountID) async -> BorrowOutcome {
    guard case .borrowed(let loan) = outcome else { return outcome }
    return .borrowed(await keyring.sealed(loan, of: account))
  }
}

private enum Sealing {
  /// The nonce is drawn from key and content: the same keys of the same loan are the same bytes, so
  /// that nothing seems to have changed, and no two texts share one.
  static func seal(
    _ keys: LoanKeys, _ item: ItemID, _ account: AccountID, _ key: Secret
  ) -> [UInt8]? {
    let words = [
      keys.passphrase, keys.licensor?.vendor, keys.licensor?.scheme, keys.licensor?.clientToken,
    ]
    let text = Array(Line.lines(words.map { Line.clean($0 ?? "") }).utf8)
    let bound = bound(item, account)
    let nonce = Array(
      Digest.sha256.authenticate(bound + [0] + text, key: key).prefix(AESGCM.nonceLength))
    do throws(CryptoError) {
      return nonce + (try AESGCM.seal(text, key: key, nonce: nonce, authenticating: bound))
    } catch {
      return nil
    }
  }

  /// Nil for what another vault sealed.
  static func open(
    _ sealed: [UInt8], _ item: ItemID, _ account: AccountID, _ key: Secret
  ) -> LoanKeys? {
    let nonce = Array(sealed.prefix(AESGCM.nonceLength))
    let text: [UInt8]
    do throws(CryptoError) {
      text = try AESGCM.open(
        Array(sealed.dropFirst(nonce.count)), key: key, nonce: nonce,
        authenticating: bound(item, account))
    } catch {
      return nil
    }
    let words = Line.parts(String(decoding: text, as: UTF8.self)).map { $0.isEmpty ? nil : $0 }
    guard words.count == 4 else { return nil }
    let licensor = words[1].flatMap { vendor in
      words[3].map { LoanKeys.Licensor(vendor: vendor, scheme: words[2], clientToken: $0) }
    }
    return LoanKeys(passphrase: words[0], licensor: licensor)
  }

  private static func bound(_ item: ItemID, _ account: AccountID) -> [UInt8] {
    Array("\(account.rawValue)\0\(item.rawValue)".utf8)
  }
}
