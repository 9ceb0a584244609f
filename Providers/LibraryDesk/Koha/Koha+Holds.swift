import Circulation
import HTTP
import JSON
import Machine
import ProviderKit

// Holds. There is no key that makes a command the same command twice, so the shelf is looked at
// before, and nothing is ever sent a second time.

extension Koha {
  func place(
    _ item: ItemID, for reader: DeskReader, at branch: BranchID?, in call: Call
  ) async throws(CirculationError) -> Hold {
    let (number, patron) = try (title(item, .placeHold), patron(reader, .placeHold))
    if let mine = try await hold(on: number, of: patron, .placeHold, in: call) {
      guard let branch, mine.branch != branch.rawValue else {
        throw Failures.failure(.alreadyOnHold, .placeHold)
      }
      return try await move(mine, to: branch, in: call)
    }
    let place = try await chosen(branch, for: item, reader, in: call)
    let body: JSONValue = [
      "patron_id": .integer(patron), "biblio_id": .integer(number),
      "pickup_library_id": .string(place.rawValue),
    ]
    let answer = try await command(.post, "holds", body, .placeHold, in: call)
    try KohaRefusals.check(answer, .placeHold)
    guard let hold = KohaHold(try answer.document(.placeHold)), hold.title == number,
      hold.patron == patron, answer.status == 201
    else { throw Failures.malformed("this hold", .placeHold) }
    return await told(hold, in: call)
  }

  /// As a shelf would tell it, with those who wait for the same.
  private func told(_ hold: KohaHold, in call: Call) async -> Hold {
    guard hold.state == .queued else { return hold.hold(desk.calendar) }
    return hold.hold(desk.calendar, of: await queues(for: [hold.title], in: call)[hold.title])
  }

  /// The one that was named, else the only one there is, else the reader's own.
  private func chosen(
    _ branch: BranchID?, for item: ItemID, _ reader: DeskReader, in call: Call
  ) async throws(CirculationError) -> BranchID {
    if let branch { return branch }
    let places = try await pickups(for: item, reader, .placeHold, in: call)
    if places.count == 1 { return places[0].id }
    if let own = places.first(where: { $0.id.rawValue == reader.home }) { return own.id }
    var error = Failures.failure(.branchRefused, .placeHold)
    let names = places.prefix(12).map { "\($0.id.rawValue) (\($0.name))" }
    error.explanation =
      names.isEmpty
      ? "No branch puts it aside for this card."
      : "A branch has to be named: \(names.joined(separator: ", "))."
    throw error
  }

  private func move(
    _ hold: KohaHold, to branch: BranchID, in call: Call
  ) async throws(CirculationError) -> Hold {
    let answer = try await command(
      .put, "holds/\(hold.number)/pickup_location",
      ["pickup_library_id": .string(branch.rawValue)], .placeHold, in: call)
    if answer.status == 409 || answer.status == 400, let words = answer.complaint {
      throw KohaRefusals.refusal(.branchRefused, .placeHold, words, answer)
    }
    try answer.nod(.placeHold)
    var moved = await told(hold, in: call)
    moved.pickup = branch
    return moved
  }

  func cancel(
    _ item: ItemID, of reader: DeskReader, in call: Call
  ) async throws(CirculationError) {
    let hold = try await mine(item, reader, .cancelHold, in: call)
    let answer = try await command(.delete, "holds/\(hold.number)", nil, .cancelHold, in: call)
    // Somebody else was faster: what was wanted has happened.
    if answer.status == 404, answer.complaint?.lowercased().holds("hold not found") == true {
      return
    }
    if answer.status == 403, let words = answer.complaint, !KohaRefusals.isOurs(words) {
      throw KohaRefusals.refusal(.unsupported(.holds), .cancelHold, words, answer)
    }
    // 202 is a request to the library: the hold stays on the shelf until somebody there has seen
    // it.
    try answer.nod(.cancelHold)
  }

  func suspend(
    _ item: ItemID, of reader: DeskReader, until day: CivilDate?, in call: Call
  ) async throws(CirculationError) -> Hold {
    var hold = try await mine(item, reader, .suspendHold, in: call)
    let body: JSONValue = day.map { ["end_date": .string($0.text)] } ?? [:]
    let answer = try await command(
      .post, "holds/\(hold.number)/suspension", body, .suspendHold, in: call)
    if answer.status == 400, let words = answer.complaint {
      throw KohaRefusals.refusal(.unsupported(.suspension), .suspendHold, words, answer)
    }
    _ = try answer.document(.suspendHold)
    (hold.isSuspended, hold.suspendedUntil) = (true, day)
    return hold.hold(desk.calendar)
  }

  func resume(
    _ item: ItemID, of reader: DeskReader, in call: Call
  ) async throws(CirculationError) -> Hold {
    var hold = try await mine(item, reader, .resumeHold, in: call)
    let answer = try await command(
      .delete, "holds/\(hold.number)/suspension", nil, .resumeHold, in: call)
    try answer.nod(.resumeHold)
    hold.isSuspended = false
    return await told(hold, in: call)
  }

  // MARK: - The reader's own

  private func mine(
    _ item: ItemID, _ reader: DeskReader, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> KohaHold {
    guard let number = ItemName(item)?.number,
      let hold = try await hold(on: number, of: patron(reader, operation), operation, in: call)
    else { throw Failures.failure(.notOnHold, operation) }
    return hold
  }

  private func hold(
    on title: Int, of patron: Int, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> KohaHold? {
    try await holds(of: patron, operation, in: call).first { $0.title == title }
  }

  /// What is not this reader's is no answer to the question.
  func holds(
    of patron: Int, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> [KohaHold] {
    let query = Address.QueryItem("patron_id", String(patron))
    return try await list("holds", [query], operation, in: call).map {
      row throws(CirculationError) in
      guard let hold = KohaHold(row), hold.patron == patron else {
        throw Failures.malformed("the reader's holds", operation)
      }
      return hold
    }
  }

  func title(_ item: ItemID, _ operation: Circulation.Operation) throws(CirculationError) -> Int {
    guard let number = ItemName(item)?.number else {
      throw Failures.failure(.titleGone, operation)
    }
    return number
  }

  func patron(_ reader: DeskReader, _ operation: Circulation.Operation)
    throws(CirculationError) -> Int
  {
    guard let number = Int(reader.id) else {
      throw Failures.failure(
        .notConfigured(what: "sign_in, which must name the system that keeps the holds"), operation)
    }
    return number
  }
}
