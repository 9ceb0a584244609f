import Circulation
import HTTP
import JSON
import ProviderKit

// The token that stands for a collection in every address of the catalogue. It changes from time to
// time, so it is asked for and never configured (§3.3).

extension OverDriveProvider {
  /// Through whose eyes the catalogue is seen. In a consortium a reader may find titles that the
  /// public collection does not have.
  enum Eyes {
    case library
    case reader
  }

  /// A library that names its own child collection has said which one it means.
  var eyes: Eyes { settings.reader == nil || settings.advantage != nil ? .library : .reader }

  /// Asks in the collection. Where its token leads nowhere, a new one is asked for and the question
  /// put once more before that is believed.
  func ask(
    as eyes: Eyes, _ operation: Circulation.Operation, in call: Call,
    _ request: (String) -> WireRequest
  ) async throws(CirculationError) -> JSONValue {
    let authorization = try collectionToken(eyes, operation)
    let token = try await session.token(for: authorization, during: operation, in: call)
    do throws(CirculationError) {
      return try await send(request(token.value), as: eyes, operation, in: call)
    } catch {
      guard error.reason == .titleGone else { throw error }
      await session.tokens.discard(token, for: authorization.key)
      let next = try await session.token(for: authorization, during: operation, in: call)
      return try await send(request(next.value), as: eyes, operation, in: call)
    }
  }

  /// For a question that is put to a collection just found to be there.
  func askOnce(
    as eyes: Eyes, _ operation: Circulation.Operation, in call: Call,
    _ request: (String) -> WireRequest
  ) async throws(CirculationError) -> JSONValue {
    let token = try await session.token(
      for: try collectionToken(eyes, operation), during: operation, in: call)
    return try await send(request(token.value), as: eyes, operation, in: call)
  }

  private func send(
    _ request: WireRequest, as eyes: Eyes, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> JSONValue {
    switch eyes {
    case .library: try await asClient(request, operation, in: call)
    case .reader: try await asReader(request, operation, in: call)
    }
  }

  private func collectionToken(_ eyes: Eyes, _ operation: Circulation.Operation)
    throws(CirculationError) -> ProviderKit.Authorization
  {
    let scope = "collection \(settings.discovery.text) \(settings.libraryID)"
    switch eyes {
    case .library:
      return ProviderKit.Authorization(
        key: .init(scope: "\(scope) \(settings.advantage ?? 0)", credentials: []),
        fetch: { [self] call throws(CirculationError) in
          lasting(try await libraryCollection(operation, in: call))
        })
    case .reader:
      let reader = try asReader(during: operation).key
      return ProviderKit.Authorization(
        key: .init(scope: "\(scope) \(reader.scope)", credentials: reader.credentials),
        fetch: { [self] call throws(CirculationError) in
          if let own = try await patron(.checkAccount, in: call).collectionToken {
            return lasting(own)
          }
          return lasting(try await libraryCollection(operation, in: call))
        })
    }
  }

  private func lasting(_ token: String) -> TokenDesk.Token {
    TokenDesk.Token(token, expires: session.clock.now() + .seconds(86_400))
  }

  private func libraryCollection(_ operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> String
  {
    do throws(CirculationError) {
      let json = try await asClient(settings.libraryDocument, operation, in: call)
      return try Documents.library(json, operation).collectionToken
    } catch {
      // A library that does not exist is a slip in our settings, not a title that went.
      guard error.reason == .titleGone else { throw error }
      throw CirculationError(
        .notConfigured(what: "the library's id"), from: describe().provider, during: operation,
        providerSays: error.providerSays)
    }
  }
}
