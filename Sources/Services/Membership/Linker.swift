import Circulation
import ProviderKit
import Registry

/// Who links a card.
package enum Linker: Sendable {
  /// On the pages, for themselves. Where the library finds no PIN right, the number alone does not make
  /// it their card.
  case patron
  /// On the command line, which opens with the files of the gateway, for a patron of their choice.
  case `operator`
}

/// A card that is about to be linked.
struct LinkedNumber: Sendable {
  let credentials: Credentials
  let library: LibraryID
  let patron: PatronID
}

extension Enrollment {
  /// Before the library is asked: whether this patron may link it, where no answer proves whose it is.
  func admit(_ number: LinkedNumber, by linker: Linker) async throws(EnrollmentError) {
    guard linker == .patron, let house = houses.house(number.library) else { return }
    if !house.facts.patronsLink, try await !isOwn(number, at: house) { throw .operatorLinks }
    guard house.pinCheck == .never else { return }
    try await admitUnproven(number, at: house)
  }

  /// After it: where the library looks at PINs only sometimes, and did not look at this one.
  func admit(
    _ number: LinkedNumber, by linker: Linker, isVerified: Bool
  ) async throws(EnrollmentError) {
    guard !isVerified, linker == .patron, let house = houses.house(number.library),
      house.pinCheck != .never
    else { return }
    try await admitUnproven(number, at: house)
  }

  /// Where patrons give the address, Carrel adds nothing to what they can do there without it.
  func isLimited(at library: LibraryID, for linker: Linker) -> Bool {
    linker == .patron && houses.house(library) != nil && !houses.isGivenByPatron(library)
  }

  /// Libraries whose cards patrons link by the number alone.
  package var unproven: [House] {
    houses.all.filter { house in
      guard house.pinCheck == .never, !houses.isGivenByPatron(house.id),
        case .fields(let fields)? = try? way(to: house.id)
      else { return false }
      return fields.contains { $0.name == "card" }
    }
  }

  private func admitUnproven(
    _ number: LinkedNumber, at house: House
  ) async throws(EnrollmentError) {
    guard isLimited(at: house.id, for: .patron) else { return }
    try await kept { () throws(RegistryError) in
      try await registry.admitUnproven(
        number.credentials, at: house.id, of: house.provider, for: number.patron)
    }
  }

  private func isOwn(
    _ number: LinkedNumber, at house: House
  ) async throws(EnrollmentError) -> Bool {
    try await kept { () throws(RegistryError) in
      try await registry.hasLinked(
        number.credentials, at: house.id, of: house.provider, for: number.patron)
    }
  }
}
