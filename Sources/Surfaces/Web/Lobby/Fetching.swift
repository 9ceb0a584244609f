package import Books
import Catalog
package import Circulation
package import Database
import Desk
package import Downloads
import FrontDesk
import HTTP
import HTTPServer
import Machine
import Phrasebook
package import Registry

/// Loans as files: the line of those who want them, and where they lie when they are here.
package struct FetchDesk: Sendable {
  package let queue: DownloadQueue
  package let files: BookStore
  /// A reader's books with the shelves of these cards followed up to now.
  package let followed: @Sendable ([Account], PatronID) async throws(DatabaseError) -> [KeptBook]

  package init(
    queue: DownloadQueue, files: BookStore,
    followed: @escaping @Sendable ([Account], PatronID) async throws(DatabaseError) -> [KeptBook]
  ) {
    (self.queue, self.files, self.followed) = (queue, files, followed)
  }
}

extension Lobby {
  /// A form of a book that is on loan asks for its file.
  func fetch(_ order: Order) async throws(Problem) {
    guard let name = order.name else { throw Self.incomplete }
    let wanted = try await stock.wanted(name, order.caller.reach)
    guard let loan = wanted.way.loan else {
      throw Refusals.problem(code: "not_borrowed", at: stock.nameOfLibrary(wanted.library))
    }
    try await ask(loan, wanted, order.reader)
  }

  /// What was just borrowed comes by itself. Only a file for another program that binds the loan to it
  /// is the reader's to decide about.
  func fetchLent(_ wanted: Wanted, _ reader: Caller.Reader) async throws(Problem) {
    let shelf: ReaderShelf
    do throws(StockError) { shelf = try await watch.shelf(of: reader.patron).shelf } catch {
      return
    }
    let lent = shelf.loans.first { $0.account == wanted.account.id && $0.loan.item == wanted.item }
    guard let loan = lent?.loan, let best = loan.bestFormat(wanted.way.listed.edition),
      best.isFile, best.isReadableHere || !best.locksLoan || loan.lockedFormat != nil
    else { return }
    try await ask(loan, wanted, reader)
  }

  private func ask(
    _ loan: Loan, _ wanted: Wanted, _ reader: Caller.Reader
  ) async throws(Problem) {
    let wish = Wish(
      loan, on: wanted.account.id, of: wanted.library, for: reader.patron,
      edition: wanted.way.listed.edition,
      isOpenAccess: wanted.way.listed.availability?.status == .openAccess)
    do throws(DatabaseError) {
      // The state of the book moves with its ticket, so it has to be on loan here first.
      _ = try await fetching.followed(try await accounts(reader), reader.patron)
      let known = try await fetching.queue.tickets(of: reader.patron).first {
        $0.wish.account == wish.account && $0.wish.item == wish.item
      }
      let isOver = known.flatMap { fetching.files.adobeToken(of: $0) }?.isOver(at: stock.now())
      _ = try await fetching.queue.ask(wish, anew: isOver == true)
    } catch {
      throw Refusals.unread(said("Nothing can be written now."))
    }
    watch.forget()
  }

  private func accounts(_ reader: Caller.Reader) async throws(DatabaseError) -> [Account] {
    (try? await watch.shelf(of: reader.patron).shelf.accounts) ?? []
  }

  // MARK: - The line

  /// What the buttons of a download do.
  enum QueueDeed: String, Sendable, CaseIterable { case pause, resume, retry, cancel }

  func changeQueue(_ request: Request) async -> Response {
    do throws(Problem) {
      guard let reader = try await reader(of: request) else {
        return redirect(request.link(LobbyPaths.signIn.print()))
      }
      guard let form = request.form, reader.seal.allows(request, form) else {
        throw Self.unsealed
      }
      guard let deed = form["do"].flatMap(QueueDeed.init),
        let id = form["ticket"].flatMap(Int64.init)
      else { throw Self.incomplete }
      let (queue, patron) = (fetching.queue, reader.patron)
      do throws(DatabaseError) {
        switch deed {
        case .pause: _ = try await queue.pause(id, of: patron)
        case .resume: _ = try await queue.resume(id, of: patron)
        case .retry: _ = try await queue.retry(id, of: patron)
        case .cancel: _ = try await queue.cancel(id, of: patron)
        }
      } catch {
        throw Refusals.unread(said("The line of downloads cannot be changed."))
      }
      watch.forget()
      return redirect(
        request.link(form["from"].map { Onward($0) }?.path ?? LobbyPaths.queue.print()))
    } catch {
      return refusal(error, request)
    }
  }

  func tickets(of reader: Caller.Reader) async throws(Problem) -> [Ticket] {
    do throws(DatabaseError) { return try await fetching.queue.tickets(of: reader.patron) } catch {
      throw Refusals.unread(said("The line of downloads cannot be read."))
    }
  }

  // MARK: - Files

  /// The file of a loan, as it came: nothing is taken off it.
  func file(_ request: Request, _ library: String, _ item: String) async -> Response {
    do throws(Problem) {
      let caller = try await caller(request)
      guard let reader = caller.reader, let shelf = caller.shelf else {
        return redirect(request.link(LobbyPaths.signIn.print()))
      }
      let accounts = shelf.accounts.filter { $0.library.rawValue == library }.map(\.id)
      let book: BookStore.Book?
      do throws(DatabaseError) {
        book = try await fetching.files.books(of: reader.patron).first {
          $0.isLent && $0.item.rawValue == item && accounts.contains($0.account)
        }
      } catch {
        throw Refusals.unread(said("Your books cannot be read."))
      }
      guard let book, let body = try? FileBody(path: fetching.files.path(of: book)) else {
        throw Problem(
          .notFound, code: "not_downloaded", detail: said("The file of this book is not here."),
          remedy: said("Download it again."))
      }
      request.rests(on: .account(book.account, reader.patron))
      var response = Response.file(
        body, MediaType(parsing: book.kind.mediaType) ?? .bytes,
        named: ContentDisposition(.attachment, fileName: book.fileName.text))
      response.headers.set("Cache-Control", "private, no-store")
      response.headers.set("Content-Security-Policy", "default-src 'none'; sandbox")
      return response
    } catch {
      return refusal(error, request)
    }
  }
}
