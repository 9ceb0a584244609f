import HTTP
import HTTPServer
import JSON
import MockKit

/// Why the library says no: a problem document with one of Palace's types.
struct Failure: Error {
  let status: Status
  let type: String
  let title: String
  let detail: String
  /// Whoever has not said who it is gets the authentication document instead.
  private(set) var asksWhoItIs = false

  init(_ status: Status, _ slug: String, _ title: String, _ detail: String) {
    self.status = status
    type = slug.hasPrefix("http") ? slug : "http://librarysimplified.org/terms/problem/\(slug)"
    (self.title, self.detail) = (title, detail)
  }

  static let signInNeeded: Failure = {
    var failure = Failure(
      .unauthorized, "credentials-required", "Authentication required.", "Please sign in.")
    failure.asksWhoItIs = true
    return failure
  }()

  static let wrongCredentials = Failure(
    .unauthorized,
    "http://palaceproject.io/terms/problem/auth/unrecoverable/credentials/invalid",
    "Invalid credentials", "A valid library card barcode number and password are required.")
  static let tokenExpired = Failure(
    .unauthorized, "http://palaceproject.io/terms/problem/auth/recoverable/token/expired",
    "Access token expired", "The access token has expired. Please sign in again.")
  static let notFound = Failure(
    .notFound, "about:blank", "Not found", "There is nothing at this address.")
  static let noLicenses = Failure(
    .notFound, "no-licenses", "No licenses.",
    "The library currently has no licenses for this book.")
  static let unknownLane = Failure(
    .notFound, "unknown-lane", "No such lane.", "The lane you asked for does not exist.")

  static func noActiveLoan(_ status: Status) -> Failure {
    Failure(
      status, "no-active-loan", "No active loan.",
      "You can't do this without first borrowing this book.")
  }

  /// What is wrong with the service itself.
  static func usual(_ status: Status) -> Failure {
    switch status {
    case .unauthorized: wrongCredentials
    case .forbidden:
      Failure(status, "forbidden-by-policy", "Forbidden by policy.", "This is not allowed here.")
    case .notFound: notFound
    case .badGateway, .serviceUnavailable:
      Failure(
        status, "remote-integration-failed", "Third-party service failed.",
        "The library could not communicate with the third-party service.")
    default:
      Failure(status, "about:blank", status.phrase, "An internal error occurred.")
    }
  }

  /// The library's refusals in Palace's words.
  init(_ refusal: LendingRefusal) {
    switch refusal {
    case .unknownCard, .wrongPIN: self = .wrongCredentials
    case .expiredCard:
      self.init(
        .forbidden, "credentials-expired", "Your library card has expired.",
        "Your library card has expired. You need to renew it.")
    case .blocked(.fines):
      self.init(
        .forbidden, "outstanding-fines", "You have outstanding fines.",
        "You must pay your outstanding fines before you can borrow more books.")
    case .blocked:
      self.init(
        .forbidden, "credentials-suspended", "Your library card is suspended.",
        "Your library card has been suspended. Contact your branch library.")
    case .loanLimit(let limit):
      self.init(
        .forbidden, "loan-limit-reached", "Loan limit reached.",
        "You have reached your loan limit of \(limit).")
    case .holdLimit(let limit):
      self.init(
        .forbidden, "hold-limit-reached", "Limit reached.",
        "You have reached your hold limit of \(limit).")
    case .unknownTitle: self = .noLicenses
    case .noCopies:
      self.init(
        .forbidden, "no-available-license", "No available license.",
        "All licenses for this book are loaned out.")
    case .alreadyBorrowed:
      self.init(
        .badRequest, "loan-already-exists", "Loan already exists", "You have this book already.")
    case .notBorrowed: self = .noActiveLoan(.badRequest)
    case .notOnHold:
      self.init(
        .badRequest, "no-active-hold", "No active hold.", "You have no hold on this book.")
    case .alreadyOnHold, .copyAvailable, .holdsMakeNoSense:
      self.init(
        .badGateway, "cannot-place-hold", "Could not place hold.",
        "The lender would not place a hold on this book.")
    case .notReturnable:
      self.init(
        .serviceUnavailable, "cannot-mirror-to-remote", "Could not mirror local state to remote.",
        "The loan can only be returned with the program that opened it.")
    case .noSuchFormat:
      self.init(
        .badRequest, "bad-delivery-mechanism", "Unsupported delivery mechanism.",
        "You selected a delivery mechanism that's not supported by this book.")
    case .otherFormatLocked(let format):
      self.init(
        .conflict, "delivery-mechanism-conflict", "Delivery mechanism conflict",
        "You already fulfilled this loan as \(format), you can't also do it as something else.")
    case .tooEarlyToRenew, .othersWait, .renewalLimit:
      self.init(
        .badRequest, "cannot-renew-loan", "Could not renew loan.",
        "You cannot renew a loan if other patrons have the work on hold.")
    }
  }

  /// In the type that Palace's server has always used.
  var response: Response {
    let body: JSONValue = [
      "type": .string(type), "title": .string(title), "status": .integer(status.code),
      "detail": .string(detail),
    ]
    return .bytes(body.bytes(), MediaType("application", "api-problem+json"), status: status)
  }
}
