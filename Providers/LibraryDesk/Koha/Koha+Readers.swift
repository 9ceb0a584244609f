import Circulation
import HTTP
import JSON
import Machine
import ProviderKit
import SIP2
import Secrets

// Who a reader is, and how the card stands.

extension Koha {
  func prove(
    _ slip: Slip, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> DeskReader {
    let number: Int
    switch (desk.rules.proof, slip.pin) {
    case (.pin, let pin?): number = try await validate(slip.card, pin, operation, in: call)
    case (.pin, nil): throw Failures.wrongCard(operation)
    case (.familyName, _), (.none, _):
      number = try await patron(withCard: slip.card, operation, in: call)
    }
    let patron = try await patron(number, operation, in: call)
    if desk.rules.proof == .familyName {
      guard let name = slip.pin?.revealText({ $0 }),
        patron.familyName?.lowercased() == name.lowercased()
      else { throw Failures.wrongCard(operation) }
    }
    var reader = patron.reader
    // Asked only where it can matter: it is a call of its own, and a permission, too.
    if desk.feeLimit != nil || !desk.blockRules.isEmpty {
      let answer = try await get("patrons/\(number)/account", [], operation, in: call)
      guard let balance = try answer.document(operation)["balance"]?.amount else {
        throw Failures.malformed("a balance", operation)
      }
      reader.owed = max(balance, Amount(tenThousandths: 0))
      reader.currency = desk.currency
    }
    return reader
  }

  /// The number of the patron whose PIN it is. Wrong and locked are told alike, on purpose.
  private func validate(
    _ card: String, _ pin: Secret, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> Int {
    func body(_ name: String) -> JSONValue {
      [.init(name, .string(card)), .init("password", .string(pin.revealText { $0 }))].object
    }
    let path = "auth/password/validation"
    // Not repeated: every wrong one counts towards a lock.
    var answer = try await command(.post, path, body("identifier"), operation, in: call)
    // Older versions know it by another name, and say so before they look at it.
    if answer.isMisspelt {
      answer = try await command(.post, path, body("userid"), operation, in: call)
    }
    if answer.status == 400, answer.complaint != nil { throw Failures.wrongCard(operation) }
    guard let number = try answer.document(operation)["patron_id"]?.whole, answer.status == 201
    else { throw Failures.malformed("a validated patron", operation) }
    return number
  }

  /// Where the library gives out cards without a PIN.
  private func patron(
    withCard card: String, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> Int {
    let filter = Koha.filter(["cardnumber": .string(card)])
    let found = try await list("patrons", [filter], operation, in: call)
    guard !found.isEmpty else { throw Failures.wrongCard(operation) }
    guard found.count == 1, let number = found[0]["patron_id"]?.whole,
      found[0]["cardnumber"]?.words == card
    else { throw Failures.malformed("the patron with this card", operation) }
    return number
  }

  private func patron(
    _ number: Int, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> KohaPatron {
    let answer = try await get("patrons/\(number)", [], operation, in: call)
    guard let patron = KohaPatron(try answer.document(operation)), patron.number == number else {
      throw Failures.malformed("this patron", operation)
    }
    return patron
  }
}

/// `GET /patrons/{id}`, of which we take what decides something.
struct KohaPatron: Sendable {
  let number: Int
  let familyName: String?
  let reader: DeskReader

  init?(_ json: JSONValue) {
    // Names of things that are no texts are not understood: a home that was lost so would send books
    // to another branch.
    let names = ["cardnumber", "library_id", "category_id", "expiry_date", "date_of_birth"]
    let isText = names.allSatisfy { name in
      json[name].map { $0 == .null || $0.string != nil } ?? true
    }
    guard let number = json["patron_id"]?.whole, isText else { return nil }
    self.number = number
    familyName = json["surname"]?.words
    var reader = DeskReader(id: String(number), card: json["cardnumber"]?.words ?? "")
    let spoken = [json["firstname"]?.words, familyName].compactMap(\.self)
    reader.name = spoken.isEmpty ? nil : spoken.joined(separator: " ")
    (reader.home, reader.kind) = (json["library_id"]?.words, json["category_id"]?.words)
    reader.lastDay = json["expiry_date"]?.words.flatMap { CivilDate(written: $0) }
    reader.born = json["date_of_birth"]?.words.flatMap { CivilDate(written: $0) }
    if json["patron_card_lost"]?.flag == true { reader.blocks.append(AccountBlock(.cardLost)) }
    if json["restricted"]?.flag == true { reader.blocks.append(AccountBlock(.noBorrowing)) }
    if json["incorrect_address"]?.flag == true {
      reader.blocks.append(
        AccountBlock(.noBorrowing, "The library does not have your right address."))
    }
    self.reader = reader
  }
}

extension JSONValue {
  /// Money as the interface writes it: a number, or one in a text.
  var amount: Amount? {
    if let text = words { return Amount(text) }
    guard let number = double, abs(number) < 1e12 else { return nil }
    return Amount(tenThousandths: Int64((number * 10_000).rounded()))
  }
}
