import Catalog
import Circulation
import FoundationEssentials
import FrontDesk
import HTTP
import HTTPServer
import JSON
import ProviderKit
import Reading
import Registry

/// The place in a book, for apps that keep it by OPDS Progression (§12).
extension LendingRoutes {
  static var progressionType: MediaType { MediaType("application", "opds-progression+json") }

  func addProgression<Note: Sendable>(
    to router: inout Router<Note>, _ notes: Facade.Notes<Note>
  ) {
    router.on(.get, .put, at: FeedPaths.progression, note: notes.reader) { request, work in
      await facade.answering(request, by: .json, for: .sync) { errand throws(Problem) in
        errand.request.method == .put
          ? try await keep(work, errand) : try await progression(work, errand)
      }
    }
    router.immediate(.options, at: FeedPaths.progression, note: notes.open) { _, _ in
      Sharing.writing
    }
  }

  private func progression(_ work: String, _ errand: Errand) async throws(Problem) -> Response {
    let entry = try await facade.whole(WorkID(work), errand)
    let position = try await positioned(errand) { patron throws(PositionError) in
      try await stock.positions.position(in: entry.work.rawValue, of: patron)
    }
    guard let position else {
      // Nothing is known yet: an empty answer, and no error (§12).
      var response = Response(.noContent)
      facade.seal(&response)
      return response
    }
    return answer(position, .ok)
  }

  private func keep(_ work: String, _ errand: Errand) async throws(Problem) -> Response {
    let entry = try await facade.whole(WorkID(work), errand)
    let type = errand.request["Content-Type"].flatMap { MediaType(parsing: $0) }
    guard [Self.progressionType.essence, MediaType.json.essence].contains(type?.essence) else {
      throw Problem(
        .unsupportedMediaType, code: "unsupported_type",
        detail: "A place is \(Self.progressionType).")
    }
    guard let position = Position(progression: errand.request.body, in: entry.work.rawValue)
    else {
      throw Problem(
        .badRequest, code: "bad_value",
        detail: "A place has modified, device and a progression from 0 to 1.")
    }
    let kept = try await positioned(errand) { patron throws(PositionError) in
      try await stock.positions.keepNewer(position, of: patron)
    }
    return answer(kept, .ok)
  }

  private func answer(_ position: Position, _ status: Status) -> Response {
    var object: JSONObject = [
      "modified": .string(
        WireDate.written(Date(milliseconds: position.at))),
      "device": ["id": .string(position.deviceID), "name": .string(position.device)],
      "progression": JSONValue(position.progress),
    ]
    object["title"] = position.title.map { .string($0) }
    let references = position.place.split(separator: "\n").map { JSONValue.string(String($0)) }
    if !references.isEmpty { object["references"] = .array(references) }
    var response = Response.bytes(
      JSONValue.object(object).bytes(), Self.progressionType, status: status)
    facade.seal(&response)
    return response
  }

  private func positioned<Value: Sendable>(
    _ errand: Errand, _ body: (PatronID) async throws(PositionError) -> Value
  ) async throws(Problem) -> Value {
    guard let reader = errand.visitor.reader else { throw Facade.unknownTitle }
    do throws(PositionError) { return try await body(reader.patron) } catch {
      switch error {
      case .database: throw Refusals.unread("Places cannot be kept just now.")
      case .unsound:
        throw Problem(
          .badRequest, code: "bad_value", detail: "No app is at such a place.")
      case .older:
        throw Problem(
          .conflict, code: "older_place", detail: "A device was elsewhere in it after that.",
          remedy: "Get the place, and ask the reader.")
      }
    }
  }
}
