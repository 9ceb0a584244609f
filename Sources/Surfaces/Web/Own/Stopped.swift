import Circulation
import FrontDesk
import HTTP
import Membership
import Phrasebook
import Registry

/// Why an account was not linked, in words for the form.
struct Stopped: Error {
  static let secretField = "pin"

  let trouble: FormTrouble
  let status: Status

  init(seconds: Int) {
    status = .tooManyRequests
    trouble = FormTrouble(
      said(
        "There were too many wrong attempts. Wait \(SignInPage.Trouble.span(seconds)), then try again."
      )
    )
  }

  /// By an address that a patron gave.
  static var unanswered: Stopped {
    Stopped(
      FormTrouble(
        said(
          """
          No usable answer came from this address. It has to be public and to begin with https; the operator \
          of this gateway can allow others.
          """)), .conflict)
  }

  static func rejected(by library: String) -> Stopped {
    Stopped(
      FormTrouble(
        said("\(library) does not take this card with this PIN. Check both and try again."),
        at: secretField), .unauthorized)
  }

  private init(_ trouble: FormTrouble, _ status: Status) {
    (self.trouble, self.status) = (trouble, status)
  }

  init(_ error: EnrollmentError, _ library: String) {
    switch error {
    case .refused(let error) where error.explanation != nil:
      status = .conflict
      trouble = FormTrouble(Refusals.problem(error, at: library).detail ?? library)
    case .refused(let error) where error.reason == .credentialsRejected:
      self = .rejected(by: library)
    case .refused(let error):
      let problem = Refusals.problem(error.reason, at: library)
      status = .conflict
      trouble = FormTrouble(
        [problem.detail, problem.remedy].compactMap(\.self).joined(separator: " "))
    case .registry(.alreadyLinked(let account)):
      status = .conflict
      trouble = FormTrouble(said("This card is linked already, as \(account.name)."), at: "card")
    case .registry(.linkedByAnother):
      status = .conflict
      trouble = FormTrouble(
        said(
          "Another patron has linked this card. Ask the operator of this gateway to link it for you."
        ),
        at: "card")
    case .registry(.tooManyNewCards):
      status = .tooManyRequests
      trouble = FormTrouble(
        said(
          """
          You have tried as many new cards of libraries without a PIN as a patron may for now. Ask the operator of \
          this gateway to link this one for you.
          """), at: "card")
    case .operatorLinks:
      status = .forbidden
      trouble = FormTrouble(
        said("Only the operator of this gateway links cards of \(library)."))
    case .registry(.tooManyCatalogs(.linked)):
      let most = CatalogLimit.linked.count
      status = .conflict
      trouble = FormTrouble(
        said(
          """
          At most \(most) catalogs can be linked by their addresses. Unlink one before you link \
          another.
          """))
    case .registry(.tooManyCatalogs(.named)):
      let most = CatalogLimit.named.count
      status = .conflict
      trouble = FormTrouble(
        said(
          """
          At most \(most) catalogs can be linked by their addresses in 24 hours. Try again tomorrow.
          """))
    case .registry(.nameTaken(let name)):
      status = .conflict
      trouble = FormTrouble(said("Another of your accounts is called \(name)."), at: "name")
    case .registry(.badName):
      status = .unprocessableContent
      trouble = FormTrouble(said("A name has letters, digits, - and _ only."), at: "name")
    case .unopened, .noPage:
      status = .serviceUnavailable
      trouble = FormTrouble(
        said("\(library) is not set up rightly here. Tell whoever runs this gateway."))
    case .registry, .database:
      status = .serviceUnavailable
      trouble = FormTrouble(said("Nothing can be written now. Try again in a minute."))
    }
  }
}
