import Adobe
import Circulation
import Desk
import Facade
import FrontDesk
import HTTP
import HTTPServer
import Machine
import ProviderKit
import Registry
import Setup

extension House {
  /// What readers do by feeds.
  var lending: LendingStock {
    let (registry, counter) = (registry, counter)
    let (limit, clock) = (configuration.http.deadline, time.monotonic)
    let passage = Passage(
      folder: passage, transport: { [outward] in outward.transport(for: $0) }, sentry: sentry)
    var stock = LendingStock(
      desk: desk, slips: slips, lists: lists, positions: positions, doorkeeper: doorkeeper,
      readers: { () throws(StockError) in
        do throws(RegistryError) {
          let patrons = try await registry.patrons()
          return Dictionary(patrons.map { ($0.id, $0.name) }, uniquingKeysWith: { $1 })
        } catch {
          throw StockError("the readers' names cannot be read")
        }
      },
      call: { patron, request in
        Call(
          patron: patron, deadline: clock() + limit, requestID: request.id.description,
          readerAddress: request.clientAddress?.description)
      },
      fulfilFree: { library, item, format, call throws(DeskError) in
        let provider: any CirculationProvider
        do throws(HouseError) {
          provider = try counter.provider(at: library, with: nil)
        } catch {
          throw .unopened(error)
        }
        do throws(CirculationError) {
          return try await provider.fulfil(item, as: format, in: call)
        } catch {
          throw .provider(error)
        }
      },
      fetch: { link, library throws(Problem) in try await passage.fetch(link, of: library) },
      note: { reason, account in
        guard let status = Account.Status(reason) else { return }
        // The reader hears of the refusal itself; only the note of it is lost.
        _ = try? await registry.record(status: status, of: account)
      })
    stock.licensors = { [adobe] patron, libraries in
      guard let adobe else { return [] }
      var keys: [LoanKeys.Licensor] = []
      for library in libraries where adobe.vendor.members[library] != nil {
        // Whoever asks again gets what could not be read now.
        if let one = try? await adobe.licensor(of: patron, at: library) { keys.append(one) }
      }
      return keys
    }
    return stock
  }
}
