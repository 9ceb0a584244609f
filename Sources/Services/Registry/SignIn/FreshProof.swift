package import Circulation
import Database
package import Secrets

/// A proof of who a patron is, given in an open session before something that a person who has got
/// hold of the session must not do. It is what the patron signs in with; signing in is one, too. It is
/// good for ten minutes, and for the session that it was given in.
package struct FreshProof: Sendable {
  static let span: Int64 = 10 * 60_000

  /// What a patron is asked for.
  package struct Wanted: Sendable, Hashable {
    /// The PIN of the card that the session began with.
    package let pin: Bool
    /// An app password with all rights. It is accepted instead of a PIN as well.
    package let appPassword: Bool
    /// A code of the app besides, or a recovery code: alone where there is no PIN and no app password.
    package let code: Bool

    /// Patrons who signed in by the operator's link and have made nothing else have nothing to prove
    /// it with: for them, it is another link.
    package var isPossible: Bool { pin || appPassword || code }
  }

  /// A PIN or an app password.
  package let word: Secret
  package let code: Secret

  package init(word: Secret, code: Secret) { (self.word, self.code) = (word, code) }

  package enum Answer: Sendable, Hashable {
    case right
    case wrongWord
    case wrongCode
    case slowed(seconds: Int)
  }
}

extension BrowserPass {
  /// Whether the patron proved within the last ten minutes who they are.
  package func isFresh(at now: Int64) -> Bool {
    freshAt.map { (0..<FreshProof.span).contains(now - $0) } ?? false
  }

  /// Under what its wrong proofs are counted.
  fileprivate var proofName: Secret { Secret("proof in \(reference.text)") }
}

extension Doorkeeper {
  package func wanted(in pass: BrowserPass) async throws(RegistryError) -> FreshProof.Wanted {
    let hasPassword = try await registry.devices(of: pass.patron).contains { $0.scopes == .all }
    let hasCodes = try await registry.secondFactor(of: pass.patron) != nil
    return FreshProof.Wanted(
      pin: pass.account != nil, appPassword: hasPassword, code: hasCodes)
  }

  /// Wrong proofs are counted as wrong PINs are, and by themselves for each session: one in wrong hands
  /// keeps its patron neither from signing in nor from a proof in another, and a lock of the codes at
  /// sign-in touches none. Each session has cost a whole sign-in, so more of them are no way to more tries.
  package func judge(
    _ proof: FreshProof, in pass: BrowserPass, from place: ClientAddress, request: String
  ) async throws(RegistryError) -> FreshProof.Answer {
    let wanted = try await wanted(in: pass)
    guard wanted.isPossible else { return .wrongWord }
    var answer = FreshProof.Answer.wrongWord
    var failure: RegistryError?
    let seconds = await trying(own: pass.proofName, from: place) {
      do throws(RegistryError) {
        answer = try await registry.judge(proof, wanted, in: pass, request)
        return answer == .right ? .right : .wrong
      } catch {
        failure = error
        return .undecided
      }
    }
    if let seconds { return .slowed(seconds: seconds) }
    if let failure { throw failure }
    return answer
  }
}

extension Registry {
  fileprivate func judge(
    _ proof: FreshProof, _ wanted: FreshProof.Wanted, in pass: BrowserPass, _ request: String
  ) async throws(RegistryError) -> FreshProof.Answer {
    if wanted.pin || wanted.appPassword {
      guard try await isOwn(proof.word, in: pass, request) else { return .wrongWord }
    }
    guard wanted.code else { return .right }
    // Last, because it is used up.
    return try await useCode(proof.code, of: pass.patron, request: request) == nil
      ? .wrongCode : .right
  }

  private func isOwn(
    _ word: Secret, in pass: BrowserPass, _ request: String
  ) async throws(RegistryError) -> Bool {
    guard !word.isEmpty, word.count <= 256 else { return false }
    if let account = pass.account,
      try await knows(pin: word, of: account, request: request)
    {
      return true
    }
    guard let (device, _) = try await device(with: word) else { return false }
    return device.patron == pass.patron && device.scopes == .all
  }

  /// The session goes on under another secret, and counts as proved from now on: what others may have
  /// got hold of before is worth nothing any more. Nil where it cannot go on.
  package func renew(
    _ pass: BrowserPass, _ secret: Secret, as name: BrowserPass.Name, agent: String?,
    request: String
  ) async throws(RegistryError) -> Secret? {
    let new = try await newPass(
      by: pass.origin, for: pass.span, as: name, agent: agent, proved: pass.proof == .given,
      request: request)
    guard let new else { return nil }
    try await endPass(with: secret, successor: new, request: request)
    return new
  }
}
