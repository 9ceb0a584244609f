package import Circulation
package import Secrets

extension Doorkeeper {
  /// What became of a code.
  package enum CodeAnswer: Sendable, Hashable {
    case right(Registry.FactorProof)
    case wrong
    case slowed(seconds: Int)
  }

  /// A code from an app, or a recovery code. Wrong ones are counted as wrong PINs are, before they are
  /// judged.
  package func judge(
    code: Secret, of patron: PatronID, from place: String, request: String
  ) async throws(RegistryError) -> CodeAnswer {
    let name = Secret("code of \(patron.rawValue)")
    if let seconds = await tries(name, from: place) { return .slowed(seconds: seconds) }
    let proof: Registry.FactorProof?
    do throws(RegistryError) {
      proof = try await registry.useCode(code, of: patron, request: request)
    } catch {
      await undecided(name, from: place)
      throw error
    }
    guard let proof else { return .wrong }
    await succeeded(name, from: place)
    return .right(proof)
  }
}
