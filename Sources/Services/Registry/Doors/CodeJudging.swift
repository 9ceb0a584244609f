package import Circulation
import Database
package import Secrets

extension Doorkeeper {
  /// What became of a code.
  package enum CodeAnswer: Sendable, Hashable {
    case right(Registry.FactorProof)
    case wrong
    case slowed(seconds: Int)
  }

  /// A code from an app, or a recovery code. Those who type one know the card and its PIN already, and
  /// may be others than the patron: what they type wrong locks neither the browsers out that gave a
  /// code before nor those who have a recovery code.
  package func judge(
    code: Secret, of patron: PatronID, from place: ClientAddress,
    cookie: DeviceCookie = DeviceCookie(nil), request: String
  ) async throws(RegistryError) -> CodeAnswer {
    let bases = try await registry.deviceBases(of: patron)
    // The count is of this enrollment, and begins anew after signing out everywhere.
    let moment = bases.first.map { "\($0.codesSince ?? 0) \($0.epoch)" } ?? ""
    guard Registry.isTimed(code) else {
      // Before any limit: a recovery code cannot be guessed.
      if try await registry.useRecoveryCode(code, of: patron, request: request) {
        return .right(.spare)
      }
      return try await counted("recovery code of \(patron.rawValue) \(moment)", place, nil) {
        () throws(RegistryError) in
        try await registry.noteWrongCode(of: patron, request: request)
        return nil
      }
    }
    var known: FailedSignIns.Mark?
    if !cookie.tokens.isEmpty, let key = await registry.subkey(DeviceCookie.keyLabel),
      let token = cookie.valid(on: bases, at: registry.now(), key)
    {
      known = await mark(of: token)
    }
    return try await counted("code of \(patron.rawValue) \(moment)", place, known) {
      () throws(RegistryError) in
      try await registry.useCode(code, of: patron, request: request)
    }
  }

  private func counted(
    _ name: String, _ place: ClientAddress, _ known: FailedSignIns.Mark?,
    _ use: () async throws(RegistryError) -> Registry.FactorProof?
  ) async throws(RegistryError) -> CodeAnswer {
    var found: Result<Registry.FactorProof?, RegistryError>?
    let seconds = await trying(Secret(name), from: place, known: known) {
      do throws(RegistryError) {
        let proof = try await use()
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
