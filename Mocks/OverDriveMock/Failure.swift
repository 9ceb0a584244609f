import HTTP
import HTTPServer
import JSON
import MockKit

/// OverDrive's way of saying no: a code, a sentence, and a reference for their support.
struct Failure: Error {
  let status: Status
  let code: String
  let message: String

  init(_ status: Status, _ code: String, _ message: String) {
    (self.status, self.code, self.message) = (status, code, message)
  }

  func response(_ state: inout WorldState) -> Response {
    .overdrive(
      [
        "errorCode": .string(code), "message": .string(message),
        "token": .string(state.random.guid()),
      ], status)
  }

  static let notFound = Failure(.notFound, "NotFound", "The requested resource was not found.")
  static let badGUID = Failure(.badRequest, "InvalidGuid", "The product id is not a valid GUID.")
  static let unauthorized = Failure(
    .unauthorized, "Unauthorized", "Authorization has been denied for this request.")
  static let notCheckedOut = Failure(
    .badRequest, "TitleNotCheckedOut", "The title is not checked out by this patron.")
  static let notOnHold = Failure(
    .notFound, "PatronDoesntHaveTitleOnHold", "The patron does not have this title on hold.")
  static let notLockable = Failure(
    .badRequest, "PatronTitleProcessingFailed",
    "An error occurred while processing the request. The selected format may not be available for this title."
  )
  static let noCopies = Failure(
    .badRequest, "NoCopiesAvailable", "No copies are available for the requested title.")

  static func missing(_ field: String) -> Failure {
    Failure(.badRequest, "InvalidRequest", "The field \(field) is missing or not valid.")
  }

  /// The library's refusals in OverDrive's words.
  init(_ refusal: LendingRefusal) {
    switch refusal {
    case .unknownTitle: self.init(.notFound, "TitleNotFoundError", "The title was not found.")
    case .noCopies, .copyAvailable: self = .noCopies
    case .alreadyBorrowed:
      self.init(
        .badRequest, "TitleAlreadyCheckedOut", "The patron has already checked this title out.")
    case .notBorrowed: self = .notCheckedOut
    case .notReturnable:
      self.init(.badRequest, "TitleCannotBeReturned", "This title cannot be returned early.")
    case .loanLimit:
      self.init(
        .badRequest, "PatronHasExceededCheckoutLimit", "The patron has reached the checkout limit.")
    case .holdLimit:
      self.init(.badRequest, "PatronExceededHoldLimit", "The patron has reached the hold limit.")
    case .alreadyOnHold:
      self.init(.badRequest, "AlreadyOnWaitList", "The patron already has a hold on this title.")
    case .notOnHold: self = .notOnHold
    case .holdsMakeNoSense:
      self.init(.badRequest, "TitleIsAlwaysAvailable", "Holds are not taken for this title.")
    case .noSuchFormat: self = .notLockable
    case .otherFormatLocked:
      self.init(
        .badRequest, "AnotherFormatHasBeenLockedIn", "The loan is locked to another format.")
    case .tooEarlyToRenew:
      self.init(
        .badRequest, "NotWithinRenewalWindow", "The title can be renewed shortly before it expires."
      )
    case .othersWait, .renewalLimit:
      self.init(.badRequest, "TitleCannotBeRenewed", "The title cannot be renewed.")
    case .unknownCard, .wrongPIN, .expiredCard, .blocked: self = .unauthorized
    }
  }
}

extension Response {
  static func overdrive(_ json: JSONValue, _ status: Status = .ok) -> Response {
    .bytes(
      json.bytes(), MediaType("application", "json", [MediaType.Parameter("charset", "utf-8")]),
      status: status)
  }
}
