package import Circulation
package import Secrets

extension Doorkeeper {
  /// What became of a code.
  package enum CodeAnswer: Sendable, Hashable {
    case right(Registry.FactorProof)
    case wrong
    case slowed(seconds: Int)
  }

  /// A code from an app, or a recovery code. Wrong ones are counted as wrong PINs are.
  package func judge(
    code: Secret, of patron: PatronID, from place: ClientAddress, request: String
  ) async throws(RegistryError) -> CodeAnswer {
    var found: Result<Registry.FactorProof?, RegistryError>?
    let seconds = await trying(Secret("code of \(patron.rawValue)"), from: place) {
      do throws(RegistryError) {
        let proof = try await registry.useCode(code, of: patron, request: request)
        found = .success(proof)
        return proof == nil ? .wrong : .right
      } catch {
        found = .failure(error)
        return .undecided
      }
    }
    if let seconds { return .slowed(seconds: seconds) }
    guard let proof = try found?.get() else { return .wrong }
    return .right(proof)
  }
}
