import Catalog
import Chapters
import Circulation
import Database
import Desk
import Downloads
import EPUB
import FrontDesk
import HTTP
import HTTPServer
import LCP
import Licenses
import Phrasebook
import Reading
import Registry

/// A reader with a book of a loan open.
struct ReaderVisit: Sendable {
  let lobby: Lobby
  let stock: ReadingStock
  let caller: Caller
  let reader: Caller.Reader
  let loan: ReaderLoan
  let file: BookStore.Book
  let open: OpenBook
  let signer: Signer

  var book: Book { open.book }
  static func attempt(_ loan: ReaderLoan) -> Licenses.Attempt {
    Licenses.Attempt(handedOver: loan.loan.keys?.passphrase)
  }
  var name: (String, String) { (loan.library.rawValue, loan.item.rawValue) }
  var known: AnnotatedBook { AnnotatedBook(book, digest: file.digest) }

  var title: String { book.document.metadata.title ?? loan.entry.face.title }
  var authors: [String] {
    let own = book.document.metadata.creators.map(\.name)
    return own.isEmpty ? loan.entry.face.authors : own
  }

  // MARK: - Addresses

  func link(_ path: RoutePath<(String, String)>, _ query: FormFields = FormFields()) -> String {
    caller.link(path.print(name), query)
  }

  func link(section: Int, _ query: FormFields = FormFields()) -> String {
    caller.link(ReaderPaths.section.print((name.0, name.1, section)), query)
  }

  /// Where the parts of the book are for this reader, with a slash behind.
  var parts: String {
    let ticket = PartTicket(file, for: reader.pass.reference, now: caller.now).text(signer)
    return caller.request.link("/book/\(ticket)/")
  }

  var addresses: BookAddresses {
    let (parts, request) = (parts, caller.request)
    return BookAddresses(book: name, parts: parts, signer) { request.link($0) }
  }
}

extension BookAddresses {
  /// Of a book under a ticket; `link` puts the base path before what a route prints.
  init(
    book: (String, String), parts: String, _ signer: Signer,
    link: @escaping @Sendable (String) -> String
  ) {
    self.init(
      name: parts,
      resource: { path in
        parts + "r/"
          + path.split(separator: "/").map { PercentCoding.encode(segment: String($0)) }
          .joined(separator: "/")
      },
      section: { section, fragment in
        let path = link(ReaderPaths.section.print((book.0, book.1, section)))
        guard let fragment, !fragment.isEmpty else { return path }
        return "\(path)?\(FormFields([.init("to", fragment)]).encoded)"
      },
      outside: { address in
        let query = FormFields([
          .init("to", address), .init("word", signer.signature(of: "leave", address)),
        ])
        return "\(link(ReaderPaths.leave.print(book)))?\(query.encoded)"
      },
      sheets: (
        before: link(ReaderAssets.before.path.print()), taste: parts + "taste.css",
        behind: link(ReaderAssets.behind.path.print())
      ))
  }
}

/// A loan with what is known of its title.
struct ReaderLoan: Sendable {
  let account: Account
  let loan: Loan
  let entry: CatalogEntry

  var library: LibraryID { account.library }
  var item: ItemID { loan.item }
}

extension Lobby {
  /// Nil where this gateway opens no books.
  func loan(
    _ name: (String, String), _ caller: Caller
  ) async throws(Problem) -> ReaderLoan {
    guard let shelf = caller.shelf else { throw Self.unsealed }
    let (library, item) = (LibraryID(name.0), ItemID(name.1))
    let lines = ShelfLine.all(of: shelf).filter {
      $0.part == .loans && $0.account.library == library && $0.item == item
    }
    guard let line = lines.first,
      let kept = shelf.loans.first(where: {
        $0.account == line.account.id && $0.loan.item == item
      })
    else {
      throw Problem(
        .notFound, code: "not_borrowed", detail: said("This book is not on loan to you."),
        remedy: said("Look at your books: what you wrote in it is kept."))
    }
    let entry = try await stock.entries(for: [line], caller.reach).first ?? nil
    return ReaderLoan(account: line.account, loan: kept.loan, entry: entry ?? line.unlisted)
  }

  /// The file, where it is here.
  func file(
    of loan: ReaderLoan, _ stock: ReadingStock, _ patron: PatronID
  ) async throws(Problem) -> BookStore.Book? {
    do throws(DatabaseError) {
      return try await stock.files.book(of: patron, loan.item, on: loan.account.id)
    } catch {
      throw Refusals.unread(said("Your books cannot be read."))
    }
  }

  /// A book with a licence is opened for each request anew: nothing of it stays in memory.
  func open(
    _ file: BookStore.Book, _ stock: ReadingStock, _ attempt: Licenses.Attempt = .init()
  ) async throws(Problem) -> OpenBook {
    if let elsewhere = file.kind.reader { throw Self.opens(elsewhere) }
    guard file.kind == .epub else {
      throw Problem(
        .conflict, code: "no_reader",
        detail: said("This file is no EPUB: it cannot be read in the browser."),
        remedy: said("Download it and open it with another program."))
    }
    let path = stock.files.path(of: file)
    do throws(OpeningError) {
      do throws(OpeningError) { return try stock.shelf.book(at: path, digest: file.digest) } catch {
        guard case .refused(let refusal) = error, refusal.code == .drmLCP else { throw error }
      }
      return OpenBook(
        try await stock.licenses.open(path, for: file.patron, attempt), digest: file.digest)
    } catch {
      switch error {
      case .noFile: throw Refusals.unread(said("The file of this book cannot be read."))
      case .refused(let refusal): throw Self.problem(refusal)
      }
    }
  }

  private static func opens(_ elsewhere: String) -> Problem {
    Problem(
      .conflict, code: "opens_elsewhere",
      detail: said("This book is locked: it opens with \(said(known: elsewhere))."),
      remedy: said("Download it and open it there. It stays on loan."))
  }

  static let passphraseNeeded = "passphrase_needed"

  private static func locked(_ refusal: EPUB.Refusal) -> Problem {
    guard let license = refusal.license, license.asksForPassphrase else {
      return Problem(
        .conflict, code: refusal.code.rawValue,
        detail: refusal.license?.words ?? "",
        remedy: said("Download it and open it in an LCP-certified app, or ask your library."))
    }
    return Problem(
      .conflict, code: passphraseNeeded, detail: license.words,
      remedy: refusal.note?.hint ?? "")
  }

  private static func problem(_ refusal: EPUB.Refusal) -> Problem {
    switch refusal.code {
    case .drmLCP where refusal.license != nil: locked(refusal)
    case .drmLCP: opens(Format.Protection.lcp.opener ?? phrase("another program"))
    case .drmAdept: opens(Format.Protection.adobe.opener ?? phrase("another program"))
    case .drmFairPlay, .drmUnknown: opens(phrase("the program that its seller names"))
    default:
      Problem(
        .conflict, code: refusal.code.rawValue,
        detail: said("The file of this book cannot be opened: it is damaged."),
        remedy: said("Return it and borrow it again, or tell your library."))
    }
  }
}
