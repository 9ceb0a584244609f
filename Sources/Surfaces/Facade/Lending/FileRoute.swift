import Catalog
import Circulation
import Desk
import FrontDesk
import HTTP
import HTTPServer
import OPDS
import Reading
import Registry

/// Files: through the gateway, so that no provider's address or token goes to a reading app, and with
/// the names that apps go by (§7).
extension LendingRoutes {
  func file(
    _ name: (String, String, String, String), _ errand: Errand
  ) async throws(Problem) -> Response {
    let (entry, listed) = try await facade.listed((name.0, name.1, name.2), errand)
    let single = CatalogEntry(work: entry.work, editions: [listed])
    let way = Way.ranked(single, for: errand.shelf).first
    let loan = way?.loan
    let formats = (loan?.lockedFormat.map { [$0] } ?? loan?.formats ?? []) + listed.edition.formats
    guard let format = formats.first(where: { Containers.fileName(of: $0) == name.3 }) else {
      throw Refusals.problem(code: "format_unavailable", at: library(listed))
    }
    let isFree = listed.availability?.status == .openAccess
    guard loan != nil || isFree else {
      throw Refusals.problem(code: "not_borrowed", at: library(listed))
    }
    let type = Containers.path(to: format)?.first ?? .bytes
    let fileName = "\(fileTitle(listed)).\(Containers.suffix(of: format))"
    let disposition = ContentDisposition(.attachment, fileName: fileName)
    // The name of a file is learned by HEAD (§7); nothing is asked of the lender for that.
    guard errand.request.method != .head else { return head(type, disposition) }
    if let account = way?.account {
      errand.request.rests(on: .account(account.id, account.patron))
    }
    let fulfilment = try await fulfil(listed, format, way, errand)
    switch fulfilment {
    case .handOff(let link),
      .manifest(let link) where link.headers.isEmpty:
      var response = Response.redirect(to: link.address)
      facade.seal(&response)
      return response
    case .file(let link), .licence(let link, _), .manifest(let link):
      let fetched = try await stock.fetch(link, listed.library)
      if let reader = errand.visitor.reader {
        // Without the note only the app's place is not found from elsewhere; the book is there.
        try? await stock.positions.note(
          FileDigests.all(of: fetched.file, named: fileName), of: entry.work, for: reader.patron)
      }
      var response = Response.file(fetched.file, type, named: disposition)
      facade.seal(&response)
      return response
    }
  }

  private func head(_ type: MediaType, _ disposition: ContentDisposition) -> Response {
    // A length that is not known is not told: a stream that nobody reads.
    var response = Response.stream(StreamBody { _ in }, type)
    response.headers.set("Content-Disposition", disposition.description)
    facade.seal(&response)
    return response
  }

  private func fulfil(
    _ listed: ListedEdition, _ format: Format, _ way: Way?, _ errand: Errand
  ) async throws(Problem) -> Fulfilment {
    let item = listed.edition.item
    let call = stock.call(errand.visitor.reader?.patron, errand.request)
    do throws(DeskError) {
      guard let account = way?.account else {
        return try await stock.fulfilFree(listed.library, item, format, call)
      }
      return try await stock.desk.fulfil(item, as: format, on: account.id, in: call)
    } catch {
      throw Refusals.problem(error, at: library(listed))
    }
  }

  private func library(_ listed: ListedEdition) -> String {
    facade.stock.nameOfLibrary(listed.library)
  }

  /// As people would name the file.
  private func fileTitle(_ listed: ListedEdition) -> String {
    let authors = listed.edition.authors.prefix(2).joined(separator: ", ")
    let title = listed.edition.title.prefix(120)
    return authors.isEmpty ? String(title) : "\(title) - \(authors.prefix(80))"
  }
}
