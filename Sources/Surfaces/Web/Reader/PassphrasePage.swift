import Catalog
import Circulation
import Downloads
import FrontDesk
import HTTP
import HTTPServer
import Licenses
import Markup
import Phrasebook
import Registry
import Secrets

/// A book with a licence, before its first page: asks for the reader's passphrase, with what the lender
/// says that helps to remember.
enum PassphrasePage {
  static func answer(
    _ lobby: Lobby, _ loan: ReaderLoan, _ caller: Caller, _ reader: Caller.Reader,
    hint: String?, wasWrong: Bool = false
  ) -> Response {
    let face = loan.entry.face
    let page = Page(face.title) {
      tag("h1", BookCards.language(of: face)) { face.title }
      tag("p", .init("class", "lead")) {
        said(
          "This book is locked by its lender. It opens with the passphrase that you have from there."
        )
      }
      if let hint, !hint.isEmpty { tag("p") { said("Hint: \(hint)") } }
      if wasWrong {
        tag("p", .init("class", "error"), .init("role", "alert")) {
          said("That passphrase does not open it. Each letter and blank counts.")
        }
      }
      tag(
        "form", .init("method", "post"),
        .init(
          "action",
          caller.link(ReaderPaths.book.print((loan.library.rawValue, loan.item.rawValue))))
      ) {
        lobby.sealed(reader)
        hidden("do", "unlock")
        tag("p", .init("class", "field")) {
          tag("label", .init("for", "passphrase")) { said("Passphrase") }
          tag(
            "input", .init("id", "passphrase"), .init("name", "passphrase"),
            .init("type", "password"), .init("autocomplete", "off"), .init("required", ""),
            .init("maxlength", 1000))
        }
        tag("button", .init("class", "button"), .init("type", "submit")) { said("Open the book") }
      }
      tag("p", .init("class", "quiet")) {
        said("It is asked for once: what opens the books of this lender is kept sealed for you.")
      }
    }
    var response = lobby.passing(page, caller)
    response.headers.set("Cache-Control", "no-store")
    return response
  }

  static func unlock(
    _ form: FormFields, _ lobby: Lobby, _ stock: ReadingStock, _ loan: ReaderLoan,
    _ file: BookStore.Book, _ caller: Caller, _ reader: Caller.Reader
  ) async throws(Problem) -> Response {
    var attempt = ReaderVisit.attempt(loan)
    attempt.typed = form["passphrase"].map { Secret($0) }
    do throws(Problem) { _ = try await lobby.open(file, stock, attempt) } catch {
      guard error.code == Lobby.passphraseNeeded else { throw error }
      return answer(lobby, loan, caller, reader, hint: error.remedy, wasWrong: true)
    }
    return lobby.redirect(
      caller.link(ReaderPaths.book.print((loan.library.rawValue, loan.item.rawValue))))
  }
}
