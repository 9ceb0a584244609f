import Catalog
import Circulation
import Desk
import Downloads
import FrontDesk
import HTTP
import HTTPServer
import Registry

/// A loan that is read at the library's own page. Where that is, is asked for when somebody goes there:
/// such an address is good for minutes, and for its reader alone.
extension Lobby {
  func readThere(_ request: Request, _ name: (String, String)) async -> Response {
    do throws(Problem) {
      let caller = try await caller(request)
      guard let reader = caller.reader else { return toSignIn(request) }
      do throws(Problem) {
        return try await gone(to: name, caller, reader)
      } catch {
        return refusal(error, request, to: caller)
      }
    } catch {
      return refusal(error, request)
    }
  }

  private func gone(
    to name: (String, String), _ caller: Caller, _ reader: Caller.Reader
  ) async throws(Problem) -> Response {
    let loan = try await loan(name, caller)
    let library = stock.nameOfLibrary(loan.library)
    let edition = loan.entry.editions.first {
      $0.library == loan.library && $0.edition.item == loan.item
    }
    guard let format = loan.loan.streamed(edition?.edition) else {
      throw Refusals.problem(code: "format_unavailable", at: library)
    }
    let fulfilment: Fulfilment
    do throws(DeskError) {
      fulfilment = try await lending.desk.fulfil(
        loan.item, as: format, on: loan.account.id,
        in: lending.call(reader.patron, caller.request))
    } catch {
      throw Refusals.problem(error, at: library)
    }
    guard case .handOff(let link) = fulfilment, link.address.isOfTheWeb else {
      throw Refusals.problem(code: "format_unavailable", at: library)
    }
    var response = Response.redirect(to: link.address)
    response.headers.set("Cache-Control", "no-store")
    return response
  }
}

extension String {
  fileprivate var isOfTheWeb: Bool {
    ["https://", "http://"].contains { lowercased().hasPrefix($0) }
  }
}

extension Loan {
  /// What is read in a browser, at its lender's; nil for what is a file, or was locked to one.
  func streamed(_ edition: Edition?) -> Format? {
    let all = lockedFormat.map { [$0] } ?? formats(edition)
    return all.first { $0.protection == .streaming }
  }
}
