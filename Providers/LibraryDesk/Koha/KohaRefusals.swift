import Circulation
import ProviderKit

/// Why a hold is not taken: the codes of §1, and what they mean to us. What is not in the table is
/// the library's own word, shown as such.
enum KohaRefusals {
  /// Throws what the answer refuses; silent where it does not, or where it is no refusal of a hold.
  static func check(_ answer: KohaAnswer, _ operation: Circulation.Operation)
    throws(CirculationError)
  {
    guard [400, 403, 404, 409].contains(answer.status), let words = answer.complaint,
      !isOurs(words)
    else { return }
    switch answer.status {
    case 404:
      // Which of the things it names is not there, only its words tell.
      let isBranch = words.lowercased().holds("librar") || words.lowercased().holds("location")
      throw refusal(isBranch ? .branchRefused : .titleGone, operation, words, answer)
    case 400 where words.lowercased().holds("pickup"):
      throw refusal(.branchRefused, operation, words, answer)
    case 400: return
    default: break
    }
    guard let code = code(of: answer, words) else {
      // A conflict without a reason may be anybody's.
      if answer.status == 403 || answer.code != nil {
        throw refusal(.notHoldable, operation, words, answer)
      }
      return
    }
    throw refusal(reason(of: code), operation, sentence(of: code) ?? words, answer)
  }

  static func refusal(
    _ reason: CirculationError.Reason, _ operation: Circulation.Operation, _ words: String,
    _ answer: KohaAnswer
  ) -> CirculationError {
    var error = Failures.failure(reason, operation, says: answer.says)
    error.explanation = Failures.shown(words)
    return error
  }

  /// Our account lacks a permission: no word about the reader.
  static func isOurs(_ words: String) -> Bool {
    words.lowercased().holds("permission") || words.lowercased().holds("authorization")
      || words.lowercased().holds("authentication")
  }

  /// `Hold cannot be placed. Reason: tooManyReserves`
  private static func code(of answer: KohaAnswer, _ words: String) -> String? {
    if let mark = words.firstRange(of: "Reason: ") {
      let code = words[mark.upperBound...].prefix { $0.isLetter || $0 == "_" }
      if !code.isEmpty { return String(code) }
    }
    return answer.code
  }

  private static func reason(of code: String) -> CirculationError.Reason {
    switch code {
    case "tooManyReserves", "tooManyReservesToday", "tooManyHoldsForThisRecord":
      .holdLimitReached(limit: nil)
    case "itemAlreadyOnHold": .alreadyOnHold
    case "alreadypossession", "alreadyPossession": .alreadyBorrowed
    case "libraryNotFound", "libraryNotPickupLocation", "cannotBeTransferred",
      "pickupNotInHoldGroup":
      .branchRefused
    default: .notHoldable
    }
  }

  private static func sentence(of code: String) -> String? {
    switch code {
    case "ageRestricted": "It is for older readers."
    case "damaged": "The copy is damaged."
    case "notReservable", "noReservesAllowed": "The library takes no holds on it."
    case "recall": "The library would have to call a copy back."
    case "none_available": "No copy of it can be put aside."
    case "cannotReserveFromOtherBranches": "Its branch serves only its own readers."
    case "libraryNotFound": "There is no such branch."
    case "libraryNotPickupLocation": "Nothing can be fetched at that branch."
    case "cannotBeTransferred", "pickupNotInHoldGroup": "It does not travel to that branch."
    case "tooManyHoldsForThisRecord": "You wait for it often enough already."
    default: nil
    }
  }
}
