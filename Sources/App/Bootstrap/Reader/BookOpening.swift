import Circulation
import Desk
import Downloads
import EPUB
import Items
import LCP
import Licenses
import Machine
import ReadingRoom
import Registry
import Setup

extension LinkedEngine {
  static func open(_ source: BookSource, _ key: LockKey? = nil) throws(ErrorItem) -> Book {
    try ReadingRoom.open(source, with: try key?.keys(at: Time.system.now()))
  }

  /// Nil for a file with a licence, for which the reader's own keys are wanted.
  static func openPlain(_ source: BookSource, _ key: LockKey?) throws(ErrorItem) -> Book? {
    // A key that fits is kept, and that takes the house.
    if case .file = source, key != nil { return nil }
    do throws(ErrorItem) { return try open(source, key) } catch {
      guard case .file = source,
        ["drm-lcp", "passphrase-needed", "passphrase-wrong"]
          .contains(error.code)
      else { throw error }
      return nil
    }
  }
}

extension Visit {
  /// A book with whatever opens it: what its lender handed over, what is kept, what was typed.
  func open(
    _ source: BookSource, _ lent: LentBook?, _ key: LockKey?
  ) async throws(ErrorItem) -> Book {
    guard case .file(let path) = source else { return try LinkedEngine.open(source, key) }
    var attempt = Licenses.Attempt(typed: key?.passphrase)
    if let lent { attempt.handedOver = await passphrase(of: lent) }
    let book: Book
    do throws(OpeningError) {
      book = try await house.licenses.open(path, for: patron.id, attempt)
    } catch {
      throw ErrorItem(error)
    }
    if let license = book.license { try await settle(license, lent) }
    return book
  }

  /// What the lender says of the licence. A newer one is put into the file of a loan, and read by from
  /// the next time on; a reader's own file is left as it is.
  private func settle(_ license: License, _ lent: LentBook?) async throws(ErrorItem) {
    let refusal: LicenseRefusal
    let library = lent?.account.library
    switch await house.licenses.standing(of: license, for: patron.id, from: library) {
    case .unknown, .good: return
    case .ended(let state): refusal = LicenseRefusal(.endedByStatus, state.rawValue)
    case .renewed(let fresh):
      if let lent {
        try? await house.storeroom.files.put(
          fresh.document, as: License.entry, into: lent.file,
          until: fresh.rights.end?.millisecondsSinceEpoch ?? lent.file.until)
      }
      do throws(LicenseRefusal) {
        try fresh.checkRights(at: house.licenses.moment)
        return
      } catch { refusal = error }
    }
    throw ErrorItem("drm-lcp", refusal.sentence)
  }

  /// Nil where none was given, or none can be read now: the reader is asked then.
  private func passphrase(of lent: LentBook) async -> String? {
    do throws(DeskError) {
      let loans = try await house.desk.loans(of: [lent.account.id])
      return await house.desk.withKeys(loans.filter { $0.loan.item == lent.item })
        .first?.loan.keys?.passphrase
    } catch { return nil }
  }
}
