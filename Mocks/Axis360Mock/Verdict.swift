import HTTP
import HTTPServer
import JSON
import MockKit

/// A code and a sentence, which stand in every answer: `0000` for what went well.
struct Verdict: Error {
  let code: String
  let message: String?

  init(_ code: String, _ message: String?) { (self.code, self.message) = (code, message) }

  enum Shape: Equatable {
    case xml(root: String, result: String?)
    case json(name: String)
  }

  static let notFound = Verdict("3103", "Invalid Title Id")
  static let unknownPatron = Verdict("3122", "Patron information is not found.")
  static let notOnHold = Verdict("3109", "This title is not in Hold list.")

  /// The library's refusals in the vendor's codes.
  init(_ refusal: LendingRefusal) {
    switch refusal {
    case .unknownTitle: self = .notFound
    case .unknownCard: self = .unknownPatron
    case .noCopies: self.init("3113", "Title ID is not available for checkout")
    case .alreadyBorrowed, .tooEarlyToRenew, .othersWait, .renewalLimit:
      self.init("3110", "Title ID is already checked out")
    case .notBorrowed: self.init("4058", "There is no active checkout for this title.")
    case .loanLimit: self.init("3114", "Patron has reached the checkout limit.")
    case .holdLimit: self.init("3113", "Patron has reached the maximum hold limit.")
    case .alreadyOnHold: self.init("3109", "Title is in Hold List")
    case .notOnHold: self = .notOnHold
    case .copyAvailable, .holdsMakeNoSense: self.init("3111", "Title is available for checkout.")
    case .noSuchFormat, .otherFormatLocked: self.init("3126", "Invalid checkout format.")
    case .wrongPIN, .expiredCard, .blocked: self.init("3118", "Invalid patron credentials.")
    case .notReturnable: self.init("3112", "The title cannot be returned.")
    }
  }

  /// Which codes come with a status of their own is nowhere written down; these were seen.
  var usualStatus: Status {
    switch code {
    case "1000", "1001", "1002", "1003", "3122", "2004", "2005": .unauthorized
    case "5000": .internalServerError
    default: .ok
    }
  }

  var xml: String {
    XML.wrap("status", XML.tag("code", code) + (message.map { XML.tag("statusMessage", $0) } ?? ""))
  }

  var json: JSONValue {
    ["Code": .string(code), "Message": JSONValue(message)]
  }

  func response(in shape: Shape, _ status: Status? = nil) -> Response {
    switch shape {
    case .xml(let root, let result):
      .axis(XML.document(root, result.map { XML.wrap($0, xml) } ?? xml), status ?? usualStatus)
    case .json(let name): .axis([(name, json)], status ?? usualStatus)
    }
  }
}

/// XML as the service writes it: in one line, with a type on every result.
enum XML {
  static let namespace = "http://axis360api.baker-taylor.com/vendorAPI"

  /// Nil and nothing are the same: an empty element.
  static func tag(_ name: String, _ text: String?) -> String {
    guard let text, !text.isEmpty else { return "<\(name)/>" }
    return "<\(name)>\(escaped(text))</\(name)>"
  }

  static func wrap(_ name: String, _ inner: String, type: String? = nil) -> String {
    let open = type.map { "\(name) xsi:type=\"\($0)\"" } ?? name
    return inner.isEmpty ? "<\(open)/>" : "<\(open)>\(inner)</\(name)>"
  }

  static func document(_ root: String, _ inner: String) -> String {
    "<?xml version=\"1.0\" encoding=\"utf-8\"?><\(root) xmlns=\"\(namespace)\""
      + " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\""
      + " xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\">\(inner)</\(root)>"
  }

  static func escaped(_ text: String) -> String {
    var out = ""
    for character in text {
      switch character {
      case "&": out += "&amp;"
      case "<": out += "&lt;"
      case ">": out += "&gt;"
      default: out.append(character)
      }
    }
    return out
  }
}

extension Response {
  static func axis(_ xml: String, _ status: Status = .ok) -> Response {
    .bytes(
      Array(xml.utf8), MediaType("text", "xml", [.init("charset", "utf-8")]), status: status)
  }

  static func axis(_ members: [(String, JSONValue)], _ status: Status = .ok) -> Response {
    var object: JSONObject = [:]
    for (name, value) in members { object[name] = value }
    return .bytes(
      JSONValue.object(object).bytes(),
      MediaType("application", "json", [.init("charset", "utf-8")]), status: status)
  }
}
