import Circulation
import Downloads
import Facade
import FrontDesk
import HTTP
import HTTPClient
import HTTPServer
import Items
import Machine
import Phrasebook

/// Where a lent file passes through: fetched whole, and without a name on the disk by the time it is
/// sent, so that nothing of a loan is left behind here.
struct Passage: Sendable {
  let folder: String
  /// By the library that named the file.
  let transport: @Sendable (LibraryID) -> Transport
  let sentry: Sentry?

  /// No book is larger; an audiobook may be.
  private static let largest = 4 << 30

  func fetch(
    _ link: Fulfilment.Link, of library: LibraryID
  ) async throws(Problem) -> FetchedFile {
    do throws(FileError) { try Folder.makePrivate(folder) } catch { throw Self.noRoom }
    guard let room = TemporaryFolder(in: folder, named: "lent") else { throw Self.noRoom }
    let path = "\(room.path)/book"
    guard let address = try? Address(link.address) else { throw Self.unfetched }
    var request = HTTPClient.Request(.get, address)
    for header in link.headers { request.headers.add(header.name, header.value) }
    request.secretHeaders = link.headers.map(\.name)
    request.limits.body = Self.largest
    let outcome: Download.Outcome
    do throws(TransportError) {
      outcome = try await Download(request, to: path).run(over: transport(library))
    } catch {
      throw Self.unfetched
    }
    guard case .stored = outcome else { throw Self.unfetched }
    do throws(Trouble) { _ = try await sentry?.look(at: path) } catch { throw Self.refused(error) }
    do throws(FileBody.Failure) { return FetchedFile(file: try FileBody(path: path)) } catch {
      throw Self.noRoom
    }
  }

  private static let unfetched = Problem(
    .badGateway, code: "network_failure", detail: "The library's file cannot be fetched.",
    remedy: "Try again later.",
    type: "http://librarysimplified.org/terms/problem/cannot-fulfill-loan")

  private static func refused(_ trouble: Trouble) -> Problem {
    let isLater = trouble.remedy != .none
    return Problem(
      isLater ? .serviceUnavailable : .badGateway, code: trouble.reason,
      detail: said(
        "This book could not be downloaded: \(said(known: DownloadWords.cause(trouble.reason)))."),
      remedy: isLater ? said("Try again later.") : said("Tell whoever runs this gateway."),
      type: "http://librarysimplified.org/terms/problem/cannot-fulfill-loan")
  }

  private static let noRoom = Problem(
    .serviceUnavailable, code: "unwritable", detail: "The gateway has no room for the file.",
    remedy: "Tell whoever runs it.")
}
