package import Chapters
package import Downloads
import FrontDesk
import HTTP
import HTTPServer
package import Licenses
import Phrasebook
package import Reading
package import Secrets
package import Vault

/// What the web reader reads from and writes to. The house gives it.
package struct ReadingStock: Sendable {
  package let files: BookStore
  package let queue: DownloadQueue
  package let annotations: Annotations
  package let positions: Positions
  package let tastes: Tastes
  package let licenses: Licenses
  /// Out of the vault, with `PartTicket.keyLabel`.
  let ticketKey: @Sendable () async throws(VaultError) -> Secret
  /// The books that are open.
  package let shelf = Bookshelf()
  let media: UnpackedMedia

  package init(
    files: BookStore, queue: DownloadQueue, annotations: Annotations, positions: Positions,
    tastes: Tastes, licenses: Licenses, media: UnpackedMedia,
    ticketKey: @escaping @Sendable () async throws(VaultError) -> Secret
  ) {
    (self.files, self.queue, self.annotations) = (files, queue, annotations)
    (self.positions, self.tastes, self.licenses) = (positions, tastes, licenses)
    (self.media, self.ticketKey) = (media, ticketKey)
  }

  /// Signs what an open book is read by.
  func signer() async throws(Problem) -> Signer {
    do throws(VaultError) { return Signer(key: try await ticketKey()) } catch {
      throw Problem(
        .serviceUnavailable, code: "vault_locked",
        detail: said("Books cannot be opened while the gateway is locked."),
        remedy: said("Tell whoever runs this gateway."))
    }
  }
}

enum ReaderPaths {
  static let book = Path.root / "read" / .text("library") / .text("item")
  static let section = book / .number("section")
  static let marks = section / "marks"
  static let contents = book / "contents"
  static let search = book / "search"
  static let notes = book / "notes"
  static let display = book / "display"
  static let share = book / "share"
  static let end = book / "end"
  static let leave = book / "leave"
  static let offline = book / "offline.json"
  /// The parts of an open book, for whoever has a ticket.
  static let parts = Path.root / "book" / .text("ticket") / .rest("part")
}
