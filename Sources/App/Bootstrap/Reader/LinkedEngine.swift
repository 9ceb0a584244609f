import Arguments
import Circulation
import Items
import Registry
package import Setup

/// The engine that there is: linked with everything. Each errand opens the house, does one thing in
/// it, and closes it.
package struct LinkedEngine: Engine {
  package init() {}

  package var libraries: [LinkedLibrary] { linkedLibraries }

  package func serve(
    _ configuration: Configuration, in place: GatewayPlace,
    ready: @escaping @Sendable (Listening) -> Void
  ) async throws(ServeError) {
    try await Bootstrap.serve(configuration, in: place, ready: ready)
  }

  /// Opens the house for one errand.
  func visit<Answer: Sendable>(
    _ seat: Seat, _ errand: (Visit) async throws(ErrorItem) -> Answer
  ) async throws(ErrorItem) -> Answer {
    try await inHouse(seat) { house throws(ErrorItem) in
      let patron = try await Self.patron(seat.patron ?? onlyPatron, in: house)
      return try await errand(Visit(house: house, patron: patron, seat: seat))
    }
  }

  /// The same for what is nobody's own.
  func inHouse<Answer: Sendable>(
    _ seat: Seat, _ errand: (House) async throws(ErrorItem) -> Answer
  ) async throws(ErrorItem) -> Answer {
    let house: House
    do throws(HouseError) { house = try await House(seat) } catch { throw ErrorItem(error) }
    let answer: Result<Answer, ErrorItem>
    do throws(ErrorItem) { answer = .success(try await errand(house)) } catch {
      answer = .failure(error)
    }
    await house.close()
    return try answer.get()
  }

  /// Known ones are looked up without waiting for whoever writes.
  private static func patron(_ name: String, in house: House) async throws(ErrorItem) -> Patron {
    try await told { () throws(RegistryError) in
      if let known = try await house.registry.patrons().first(where: { $0.name == name }) {
        return known
      }
      return try await house.registry.patron(named: name)
    }
  }
}

/// Who reads here while nobody is named.
private let onlyPatron = "reader"

/// One reader in the house.
struct Visit: Sendable {
  let house: House
  let patron: Patron
  let seat: Seat

  func accounts() async throws(ErrorItem) -> [Account] {
    try await told { () throws(RegistryError) in try await house.registry.accounts(of: patron.id) }
  }

  func account(_ name: String) async throws(ErrorItem) -> Account {
    do throws(ErrorItem) {
      return try await told { () throws(RegistryError) in
        try await house.registry.account(named: name, of: patron.id)
      }
    } catch {
      guard error.code == "unknown_account" else { throw error }
      var error = error
      error.choices = nearest(to: name, among: try await accounts().map(\.name))
      throw error
    }
  }

  func call(_ limit: Duration? = nil) -> Call { house.call(patron.id, limit: limit) }
}
