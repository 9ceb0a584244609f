import Circulation
import ProviderKit

/// What the service's sentences and statuses mean to us: the tables of §9. Its code is always the
/// same, so the English text is the contract.
enum Failures {
  /// What it says on a bad day of its own, and also of a wrong PIN.
  static let badDay = "Authentication failed"

  /// The meaning of a sentence; nil for one that nobody knows.
  static func meaning(of text: String, during operation: Circulation.Operation)
    -> CirculationError.Reason?
  {
    let sentence = Sentence(text)
    if let number = sentence.number(after: "patron cannot loan more than", before: "document") {
      return .loanLimitReached(limit: number)
    }
    if let number = sentence.number(after: "patron cannot have more than", before: "hold") {
      return .holdLimitReached(limit: number)
    }
    if let (actual, wanted) = sentence.statuses { return meaning(of: actual, wanted, operation) }
    switch sentence.text {
    case "the patron does not have the book on hold": return .notOnHold
    case "the patron has no ebooks checked out": return .notBorrowed
    case "authentication failed", "unknown error": return .providerUnavailable
    default: return nil
    }
  }

  /// What a title is to the reader, and what it would have to be.
  private static func meaning(
    of actual: String, _ wanted: [String], _ operation: Circulation.Operation
  ) -> CirculationError.Reason {
    if actual == "CAN_WISH" { return .noLicenses }
    if wanted.contains("CAN_LOAN") {
      switch actual {
      case "CAN_HOLD": return .noCopiesAvailable
      case "LOAN": return .alreadyBorrowed
      case "HOLD": return .alreadyOnHold
      default: return .unsupported(.lending)
      }
    }
    if wanted.contains("CAN_HOLD") { return meaningForHold(of: actual) }
    // The other commands want what they undo or open.
    switch operation {
    case .cancelHold: return actual == "RESERVATION" ? .unsupported(.holds) : .notOnHold
    case .checkIn, .fulfil, .renew: return .notBorrowed
    default: return .providerUnavailable
    }
  }

  static func meaningForHold(of actual: String) -> CirculationError.Reason {
    switch actual {
    case "CAN_LOAN": .currentlyAvailable
    // Ready is on hold, too: it wants to be borrowed.
    case "HOLD", "RESERVATION": .alreadyOnHold
    case "LOAN": .alreadyBorrowed
    case "CAN_WISH": .noLicenses
    default: .unsupported(.holds)
    }
  }

  /// What a status means where no sentence decides.
  static func meaning(
    of status: Int, text: String?, during operation: Circulation.Operation, isForReader: Bool
  ) -> CirculationError.Reason {
    switch status {
    // The key, unless it says something: then it is the reader who is refused.
    case 401:
      text == nil || !isForReader
        ? .notConfigured(what: "account id and key")
        : standing(text ?? "")
    case 403:
      isForReader ? standing(text ?? "") : .notConfigured(what: "a permission of the account")
    case 404, 410: notFound(operation)
    case 405 where operation == .placeHold: .unsupported(.holds)
    case 300..<400: .malformedResponse(expected: "an answer, not a redirect")
    default: .providerUnavailable
    }
  }

  private static func notFound(_ operation: Circulation.Operation) -> CirculationError.Reason {
    switch operation {
    case .checkIn, .renew, .fulfil: .notBorrowed
    case .cancelHold, .suspendHold, .resumeHold: .notOnHold
    case .harvest, .search, .lookUp, .availability, .checkOut, .placeHold: .titleGone
    case .checkAccount, .shelf, .list, .branches, .copies:
      .notConfigured(what: "the library's id")
    }
  }

  /// Why a card is refused, in words that each library chooses for itself.
  static func standing(_ text: String) -> CirculationError.Reason {
    let text = text.lowercased()
    if text.contains("expire") { return .accountExpired }
    if ["block", "barred", "fine", "suspend", "lost"].contains(where: text.contains) {
      return .accountBlocked
    }
    return .credentialsRejected
  }

  /// Fit to be shown: one line of bounded length, and no number as long as a card's.
  static func shown(_ text: String) -> String {
    let words = text.split(whereSeparator: \.isWhitespace).map { word in
      word.count { $0.isNumber } >= 6 ? "•••" : String(word)
    }
    return String(words.joined(separator: " ").prefix(200))
  }
}

/// A text of the service, made ready to be compared: small letters, single blanks, no full stop.
private struct Sentence {
  let text: String

  init(_ text: String) {
    let words = text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    self.text = words.hasSuffix(".") ? String(words.dropLast()) : words
  }

  func number(after start: String, before end: String) -> Int? {
    guard text.hasPrefix(start) else { return nil }
    let words = text.dropFirst(start.count).split(separator: " ")
    guard words.count >= 2, words[1].hasPrefix(end) else { return nil }
    return Int(words[0])
  }

  var statuses: (actual: String, wanted: [String])? {
    let (start, middle) = ("the patron document status was ", " and not one of ")
    guard text.hasPrefix(start), let cut = text.firstRange(of: middle) else { return nil }
    let actual = text[text.index(text.startIndex, offsetBy: start.count)..<cut.lowerBound]
    let wanted = text[cut.upperBound...].split { $0 == "," || $0 == " " }
    return (actual.uppercased(), wanted.map { $0.uppercased() })
  }
}
