import Circulation
import FrontDesk
import HTTP
import HTTPServer
import JSON
import Reading
import Registry
import Secrets

/// KOReader's progress sync (§12): its own addresses, its own way to sign in, its own JSON. What it
/// calls a document is the digest of the file or of its name.
extension LendingRoutes {
  func addSync<Note: Sendable>(
    to router: inout Router<Note>, _ notes: Facade.Notes<Note>
  ) {
    let root = FeedPaths.sync
    router.immediate(.post, at: root / "users" / "create", note: notes.open) { _ in
      // Readers are made here by whoever keeps the gateway; the app shows the message.
      Self.told(
        Status(402), 2002, "Sign in with the name and a device password of the gateway.")
    }
    router.on(.get, at: root / "users" / "auth", note: notes.reader) { request in
      await syncing(request) { _ in Self.json(.ok, ["authorized": "OK"]) }
    }
    router.on(.put, at: root / "syncs" / "progress", note: notes.reader) { request in
      await syncing(request) { patron in await keep(request, of: patron) }
    }
    router.on(.get, at: root / "syncs" / "progress" / .text("document"), note: notes.reader) {
      request, document in
      await syncing(request) { patron in await progress(in: document, of: patron) }
    }
    router.immediate(.get, at: root / "healthcheck", note: notes.open) { _ in
      Self.json(.ok, ["state": "OK"])
    }
  }

  private func syncing(
    _ request: Request, _ body: (PatronID) async -> Response
  ) async -> Response {
    guard let name = request["x-auth-user"], let key = request["x-auth-key"] else {
      return Self.told(.unauthorized, 2001, "Unauthorized")
    }
    do throws(RegistryError) {
      let answer = try await stock.doorkeeper.admit(
        Secret(name), syncKey: Secret(key), from: request.origin)
      switch answer {
      case .entered(let entrant):
        request.note(reader: entrant.patron.id.rawValue)
        request.rests(on: entrant.basis)
        if request.method == .put,
          let seconds = try await stock.doorkeeper.countChange(by: entrant)
        {
          var response = Self.told(.tooManyRequests, 2000, "Too many changes. Try again later.")
          response.headers.set("Retry-After", "\(seconds)")
          return response
        }
        return await body(entrant.patron.id)
      case .refused, .needsLibrary: return Self.told(.unauthorized, 2001, "Unauthorized")
      case .unreachable, .busy:
        return Self.told(.serviceUnavailable, 2000, "The library cannot be asked.")
      case .slowed(let seconds):
        var response = Self.told(.tooManyRequests, 2001, "Too many wrong passwords.")
        response.headers.set("Retry-After", "\(seconds)")
        return response
      }
    } catch {
      return Self.told(.serviceUnavailable, 2000, "The gateway cannot look it up just now.")
    }
  }

  private func keep(_ request: Request, of patron: PatronID) async -> Response {
    guard let position = Position(koreader: request.body), let document = position.koreaderDocument
    else { return Self.told(.badRequest, 2003, "Invalid request") }
    do throws(PositionError) {
      let kept = try await stock.positions.keep(position, of: patron)
      try await tell(kept, of: document, for: patron)
      return Self.json(
        .ok, ["document": .string(document), "timestamp": .integer(Int(kept.at / 1000))])
    } catch {
      return Self.told(error)
    }
  }

  /// The reader's other apps know the work and not the file, and read no XPointer: how far it is goes
  /// on to them.
  private func tell(
    _ place: Position, of document: String, for patron: PatronID
  ) async throws(PositionError) {
    guard let work = try await stock.positions.work(of: document, for: patron) else { return }
    _ = try await stock.positions.keep(
      Position(
        document: work.rawValue, progress: place.progress, place: "", device: place.device,
        deviceID: "urn:koreader:\(place.deviceID)", at: 0), of: patron)
  }

  private func progress(in document: String, of patron: PatronID) async -> Response {
    do throws(PositionError) {
      let found = try await stock.positions.position(
        in: Position.koreader(document), of: patron)
      guard let position = found else { return Self.json(.ok, [:]) }
      return Self.json(
        .ok,
        [
          "document": .string(document), "progress": .string(position.place),
          "percentage": JSONValue(position.progress), "device": .string(position.device),
          "device_id": .string(position.deviceID), "timestamp": .integer(Int(position.at / 1000)),
        ])
    } catch {
      return Self.told(error)
    }
  }

  private static func told(_ error: PositionError) -> Response {
    switch error {
    case .database: told(.serviceUnavailable, 2000, "It cannot be kept just now.")
    case .unsound, .older: told(.badRequest, 2003, "Invalid request")
    }
  }

  private static func told(_ status: Status, _ code: Int, _ message: String) -> Response {
    json(status, ["code": .integer(code), "message": .string(message)])
  }

  private static func json(_ status: Status, _ object: JSONObject) -> Response {
    var response = Response.bytes(
      JSONValue.object(object).bytes(), .json, status: status)
    response.headers.set("Cache-Control", "private, no-store")
    return response
  }
}
