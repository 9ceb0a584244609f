import Circulation
import FoundationEssentials
import HTTP
import JSON
import Machine
import ProviderKit

// What a reader has and waits for, and the branches.

extension Koha {
  func shelf(of reader: DeskReader, in call: Call) async throws(CirculationError) -> Shelf {
    let patron = try patron(reader, .shelf)
    let holds = try await holds(of: patron, .shelf, in: call)
    let (checkouts, titles) = try await loans(of: patron, .shelf, in: call)
    let numbers = (holds.map(\.title) + titles.values).distinct
    let told = numbers.isEmpty ? [:] : try await records(of: numbers, .shelf, in: call)
    let allowed = await allowances(checkouts, in: call)
    var shelf = Shelf()
    for checkout in checkouts {
      guard let number = titles[checkout.copy] else {
        throw Failures.malformed("the titles of all loans", .shelf)
      }
      var loan = checkout.loan(of: number)
      if let isAllowed = allowed[checkout.number] { loan.isRenewable = isAllowed }
      (loan.title, loan.authors) = (
        told[number]?.title, [told[number]?.author].compactMap(\.self)
      )
      // Two copies of one title stand as the one that is due first.
      if let place = shelf.loans.firstIndex(where: { $0.item == loan.item }) {
        if let due = loan.until, due < shelf.loans[place].until ?? .distantFuture {
          shelf.loans[place] = loan
        }
      } else {
        shelf.loans.append(loan)
      }
    }
    let queues = await queues(for: holds.filter { $0.state == .queued }.map(\.title), in: call)
    for held in holds {
      var hold = held.hold(desk.calendar, of: queues[held.title])
      guard shelf.hold(on: hold.item) == nil else { continue }
      (hold.title, hold.authors) = (
        told[held.title]?.title, [told[held.title]?.author].compactMap(\.self)
      )
      shelf.holds.append(hold)
    }
    return shelf
  }

  /// How many wait for each title, where the library lets us count them.
  func queues(for titles: [Int], in call: Call) async -> [Int: Int] {
    guard !titles.isEmpty,
      let rows = try? await list("holds", [Koha.among("biblio_id", titles)], .shelf, in: call)
    else { return [:] }
    let waiting = rows.compactMap { KohaHold($0) }.filter { $0.state == .queued }
    return Dictionary(grouping: waiting, by: \.title).mapValues(\.count)
  }

  /// Which loans the library would renew now, where its interface tells; those it does not tell of may be.
  private func allowances(_ checkouts: [KohaCheckout], in call: Call) async -> [Int: Bool] {
    guard !checkouts.isEmpty, await features(.shelf, in: call).tellsAllowance else { return [:] }
    let numbers = checkouts.prefix(Self.mostAllowances).map(\.number)
    let answers = await concurrently(numbers) { number -> Bool? in
      let answer = try? await get("checkouts/\(number)/allows_renewal", [], .shelf, in: call)
      return try? answer?.document(.shelf)["allows_renewal"]?.flag
    }
    return zip(numbers, answers).reduce(into: [:]) { $0[$1.0] = $1.1 }
  }

  /// Most cards have room for fewer.
  private static let mostAllowances = 40

  func renew(
    _ item: ItemID, of reader: DeskReader, in call: Call
  ) async throws(CirculationError) -> Loan {
    let (number, patron) = (ItemName(item)?.number, try patron(reader, .renew))
    let (checkouts, titles) = try await loans(of: patron, .renew, in: call)
    guard let number,
      let checkout = checkouts.filter({ titles[$0.copy] == number })
        .min(by: { $0.due ?? .distantFuture < $1.due ?? .distantFuture })
    else { throw Failures.failure(.notBorrowed, .renew) }
    guard let path = await features(.renew, in: call).renewalPath else {
      throw Failures.failure(.unsupported(.renewal), .renew)
    }
    let answer = try await command(
      .post, "checkouts/\(checkout.number)/\(path)", nil, .renew, in: call)
    if answer.status == 403 || answer.status == 409, let words = answer.complaint,
      !KohaRefusals.isOurs(words)
    {
      // A refusal may be the second answer to one command: the shelf knows.
      if let now = try await loans(of: patron, .renew, in: call).checkouts
        .first(where: { $0.number == checkout.number }),
        let due = now.due, let before = checkout.due, due > before
      {
        return now.loan(of: number)
      }
      throw KohaRefusals.refusal(.notRenewable, .renew, words, answer)
    }
    guard let renewed = KohaCheckout(try answer.document(.renew)),
      renewed.number == checkout.number
    else { throw Failures.malformed("the renewed loan", .renew) }
    return renewed.loan(of: number)
  }

  /// With the title of each copy, which loans do not name.
  private func loans(
    of patron: Int, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> (checkouts: [KohaCheckout], titles: [Int: Int]) {
    let query = Address.QueryItem("patron_id", String(patron))
    var checkouts: [KohaCheckout] = []
    for row in try await list("checkouts", [query], operation, in: call) {
      guard let checkout = KohaCheckout(row),
        row["patron_id"]?.whole == patron
      else { throw Failures.malformed("the reader's loans", operation) }
      checkouts.append(checkout)
    }
    var titles: [Int: Int] = [:]
    for batch in checkouts.map(\.copy).batches(of: 50) {
      for row in try await list("items", [Koha.among("item_id", batch)], operation, in: call) {
        guard let item = KohaItem(row) else { throw Failures.malformed("copies", operation) }
        titles[item.number] = item.title
      }
    }
    return (checkouts, titles)
  }

  // MARK: - Branches

  /// Where things can be fetched at all; those of the settings first, by their names there.
  func pickups(in call: Call) async throws(CirculationError) -> [Branch] {
    let all = try await get("libraries", [.init("_per_page", "-1")], .branches, in: call)
    return ordered(try Self.branches(all.document(.branches), .branches))
  }

  func pickups(
    for item: ItemID, _ reader: DeskReader?, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> [Branch] {
    guard let reader else { return try await pickups(in: call) }
    let (number, patron) = try (title(item, operation), patron(reader, operation))
    let answer = try await get(
      "biblios/\(number)/pickup_locations",
      [.init("patron_id", String(patron)), .init("_per_page", "-1")], operation, in: call)
    if answer.status == 404, answer.complaint != nil {
      throw Failures.failure(.titleGone, operation, says: answer.says)
    }
    let json = try answer.document(operation)
    guard let rows = json.array else { throw Failures.malformed("pick-up places", operation) }
    // What only staff may choose is not the reader's to choose.
    let open = rows.filter { $0["needs_override"]?.flag != true }
    return ordered(try Self.branches(.array(open), operation))
  }

  /// Every branch of the library, to name them by.
  func libraries(_ operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> [Branch]
  {
    let all = try await get("libraries", [.init("_per_page", "-1")], operation, in: call)
    return ordered(try Self.branches(all.document(operation), operation, onlyPickups: false))
  }

  private func ordered(_ branches: [Branch]) -> [Branch] {
    let named = desk.branches.filter { own in branches.contains { $0.id == own.id } }
    return named + branches.filter { other in !named.contains { $0.id == other.id } }
  }

  private static func branches(
    _ json: JSONValue, _ operation: Circulation.Operation, onlyPickups: Bool = true
  ) throws(CirculationError) -> [Branch] {
    guard let rows = json.array else { throw Failures.malformed("branches", operation) }
    var branches: [Branch] = []
    for row in rows {
      guard let code = row["library_id"]?.words else {
        throw Failures.malformed("branches", operation)
      }
      if onlyPickups, row["pickup_location"]?.flag == false { continue }
      let address = [row["address1"], row["postal_code"], row["city"]].compactMap { $0?.words }
      branches.append(
        Branch(
          id: BranchID(code), name: row["name"]?.words ?? code,
          address: address.isEmpty ? nil : address.joined(separator: ", ")))
    }
    return branches
  }
}
