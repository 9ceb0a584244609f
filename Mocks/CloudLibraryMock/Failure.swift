import HTTP
import HTTPServer
import Markup
import MockKit

/// This service's way of saying no: one code for everything, and an English sentence that counts.
struct Failure: Error {
  let status: Status
  let sentence: String

  init(_ status: Status, _ sentence: String) { (self.status, self.sentence) = (status, sentence) }

  /// Who did not sign rightly is told nothing at all.
  var response: Response {
    guard status != .unauthorized else { return Response(.unauthorized) }
    return .cirrus(
      tag("Error") { [leaf("Code", "Gen-001"), leaf("Message", sentence)] }, status)
  }

  static let unsigned = Failure(.unauthorized, "")
  static let notFound = Failure(.notFound, "Not found")
  static let malformed = Failure(.badRequest, "Unknown error")
  /// Of a bad card, a bad PIN, and of bad days.
  static let authentication = Failure(.badRequest, "Authentication failed")

  static func status(_ actual: String, notOneOf wanted: String, _ status: Status = .badRequest)
    -> Failure
  {
    Failure(status, "the patron document status was \(actual) and not one of \(wanted)")
  }

  /// What the lending desk refuses beyond a title's status.
  init(_ refusal: LendingRefusal) {
    switch refusal {
    case .loanLimit(let limit):
      self.init(.badRequest, "Patron cannot loan more than \(limit) documents")
    case .holdLimit(let limit):
      self.init(.badRequest, "Patron cannot have more than \(limit) holds")
    case .unknownCard, .wrongPIN: self = .authentication
    case .expiredCard: self.init(.forbidden, "The library card has expired.")
    case .blocked(let block): self.init(.forbidden, "The library card is blocked (\(block)).")
    case .notOnHold: self.init(.notFound, "The patron does not have the book on hold")
    case .notBorrowed: self.init(.notFound, "The patron has no eBooks checked out")
    default: self = .malformed
    }
  }
}

/// An element that holds a text and nothing else.
func leaf(_ name: Name, _ text: String) -> Node { tag(name) { text.isEmpty ? [] : [.text(text)] } }

func leaf(_ name: Name, _ flag: Bool) -> Node { leaf(name, flag ? "TRUE" : "FALSE") }

func leaf(_ name: Name, _ number: Int) -> Node { leaf(name, String(number)) }

/// UTC that does not say so.
func leaf(_ name: Name, _ moment: Moment) -> Node { leaf(name, String(moment.text.dropLast())) }

extension Response {
  static func cirrus(_ root: Node, _ status: Status = .ok) -> Response {
    var writer = XMLWriter(.omitted)
    writer.write(root)
    return .cirrus(writer.finish(), status)
  }

  static func cirrus(_ body: [UInt8], _ status: Status = .ok) -> Response {
    .bytes(
      body, MediaType("application", "xml", [MediaType.Parameter("charset", "utf-8")]),
      status: status)
  }

  /// What the service says where it has nothing to say, and when it is broken.
  static var nothing: Response { .cirrus([]) }
}
