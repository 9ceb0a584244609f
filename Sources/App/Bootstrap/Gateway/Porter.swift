import Circulation
import Facade
import FrontDesk
import HTTP
import HTTPServer
import Registry

/// Looks at the password that an app sends, and at what kind of app it is.
struct Porter: Sendable {
  private let doorkeeper: Doorkeeper

  init(_ doorkeeper: Doorkeeper) { self.doorkeeper = doorkeeper }

  func admit(_ request: Request) async -> Admission {
    guard let field = request["Authorization"] else { return .visitor(.anonymous) }
    guard let pair = BasicPair(authorization: field) else { return .unknown }
    let answer: DoorAnswer
    do throws(RegistryError) {
      answer = try await doorkeeper.admit(
        pair.name, pair.word, from: request.origin, request: request.id.description)
    } catch {
      return .refused(
        Problem(
          .serviceUnavailable, code: "sign_in_unavailable",
          detail: "Nobody can sign in just now.", remedy: "Tell whoever runs this gateway."))
    }
    switch answer {
    case .entered(let entrant):
      request.note(reader: entrant.patron.id.rawValue)
      request.rests(on: entrant.basis)
      if let refusal = await overRate(entrant, request) { return .refused(refusal) }
      return .visitor(
        .reader(
          .init(
            patron: entrant.patron.id,
            profile: ReadingApps.profile(of: request["User-Agent"], entrant.manner),
            scopes: entrant.scopes)))
    case .refused: return .unknown
    case .needsLibrary: return .needsLibrary
    case .slowed(let seconds): return .slowed(seconds: seconds)
    case .unreachable(let silence): return .refused(Refusals.silent(silence))
    case .busy: return .refused(Refusals.busy)
    }
  }

  /// An app changes only so much with its password. What it borrows is counted by the libraries.
  private func overRate(_ entrant: Entrant, _ request: Request) async -> Problem? {
    guard ![.get, .head].contains(request.method) else { return nil }
    do throws(RegistryError) {
      guard let seconds = try await doorkeeper.countChange(by: entrant) else { return nil }
      return Problem(
        .tooManyRequests, code: "too_many_changes",
        detail: "This app's password has made too many changes.",
        remedy: "Wait \(seconds) seconds.", retryAfter: seconds)
    } catch {
      return Problem(
        .serviceUnavailable, code: "unavailable", detail: "The change cannot be counted right now.",
        remedy: "Try again later.")
    }
  }
}
