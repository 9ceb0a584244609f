import Circulation
import HTTP
import HTTPClient
import ProviderKit

/// A reader who has signed in, and the cookie that says so (§2).
struct Visitor: Sendable {
  let cookie: String
  let user: String

  /// The cookie begins with the reader's key, in one spelling or another.
  init?(_ headers: Headers) {
    for line in headers.all("Set-Cookie") {
      let pair = line.prefix { $0 != ";" }
      guard pair.hasPrefix("session=") else { continue }
      let value = pair.dropFirst(8).filter { $0 != "\"" }
      guard let plain = PercentCoding.decode(String(value)), plain.hasPrefix("/people/") else {
        continue
      }
      let user = plain.dropFirst(8).prefix { $0 != "," }
      guard !user.isEmpty, user.utf8.count <= 100, !user.contains("/") else { continue }
      (cookie, self.user) = ("session=\(value)", String(user))
      return
    }
    return nil
  }
}

extension OpenLibraryProvider {
  func asReader(_ operation: Circulation.Operation) throws(CirculationError)
    -> ProviderKit.Authorization
  {
    guard let reader = settings.reader else {
      throw failure(.credentialsRejected, operation, says: "nobody has signed in")
    }
    return ProviderKit.Authorization(
      key: .init(scope: "reader \(settings.api.text)", credentials: reader.digest),
      fetch: { [self] call throws(CirculationError) in
        let asked = session.clock.now()
        let reply = try await session.send(settings.signIn(reader.way), .checkAccount, in: call)
        guard let visitor = Visitor(reply.head.headers) else {
          throw failure(
            Documents.whyNobodySignedIn(Answer(reply)), .checkAccount,
            says: "HTTP \(reply.status.code)")
        }
        // It holds for longer; whoever is refused with it signs in anew.
        return TokenDesk.Token(
          visitor.cookie, expires: asked + .seconds(86_400), notes: ["user": visitor.user])
      },
      apply: { token, request in request.headers.set("Cookie", token.value) },
      isRefused: { Answer($0).needsSignIn })
  }

  /// Asks as the reader, whose name stands in some addresses.
  func ask(
    _ operation: Circulation.Operation, in call: Call,
    _ request: @Sendable (_ user: String) -> WireRequest
  ) async throws(CirculationError) -> Answer {
    let authorization = try asReader(operation)
    let token = try await session.token(for: authorization, during: operation, in: call)
    guard let user = token.notes["user"] else {
      throw Documents.malformed("a reader with a name", operation)
    }
    return Answer(try await session.send(request(user), as: authorization, operation, in: call))
  }

  /// Asks what anybody may ask: the service learns nothing of the reader by it.
  func ask(_ request: WireRequest, _ operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> Answer
  {
    Answer(try await session.send(request, operation, in: call))
  }

  func failure(
    _ reason: CirculationError.Reason, _ operation: Circulation.Operation, says: String? = nil
  ) -> CirculationError {
    CirculationError(reason, from: Self.listing.id, during: operation, providerSays: says)
  }
}
