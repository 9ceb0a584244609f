package import Circulation
package import ProviderKit
package import Registry
import Secrets

/// Readers who come in with nothing but the card of a library that opens its door here. Who they are
/// is the library's to say; they are entered the first time they come.
package struct Arrivals: Sendable {
  private let houses: Houses
  private let registry: Registry
  private let call: @Sendable (_ request: String) -> Call

  package init(
    _ houses: Houses, registry: Registry, call: @escaping @Sendable (_ request: String) -> Call
  ) {
    (self.houses, self.registry, self.call) = (houses, registry, call)
  }

  package func answer(
    _ knock: Knock, request: String
  ) async throws(RegistryError) -> Result<CardStanding?, LibrarySilence>? {
    guard let house = door(for: knock), knock.scope.contains(house.id) else { return nil }
    let given = Credentials(["card": knock.card, "pin": knock.pin])
    let standing: AccountStanding
    do throws(EnrollmentError) {
      let provider = try houses.provider(house.id, given)
      do throws(CirculationError) {
        standing = try await provider.checkAccount(in: call(request))
      } catch {
        throw .refused(error)
      }
    } catch {
      return silence(of: house, error).map { .failure($0) } ?? .success(nil)
    }
    guard house.finds(standing) else { return .success(nil) }
    let identity = standing.identity.map { Secret($0.id) } ?? knock.card
    let member = Member(
      of: house.id, at: house.provider, identity: identity, credentials: given,
      keepsPIN: knock.keepsPIN)
    return .success(try await registry.welcome(member, request: request))
  }

  /// A PIN is shown to one library only: the one that was named, or the only one that there is.
  private func door(for knock: Knock) -> House? {
    // A library that finds no wrong PIN out says nothing of who its patrons are.
    let doors = houses.signingIn.filter(\.facts.admitsMembers)
    if let named = knock.library { return doors.first { $0.id == named } }
    return doors.count == 1 ? doors[0] : nil
  }

  /// Nil for a refusal. Only what the library says of the card itself is one.
  private func silence(of house: House, _ error: EnrollmentError) -> LibrarySilence? {
    guard case .refused(let refusal) = error else {
      return LibrarySilence(house.name, isLate: false)
    }
    return switch refusal.reason {
    case .credentialsRejected: nil
    case .deadlineExceeded: LibrarySilence(house.name, isLate: true)
    default: LibrarySilence(house.name, isLate: false)
    }
  }
}
