import HTTP
import JSON
import Synchronization
import TestSupport

/// A catalog of OPDS 2 whose every text holds what a terminal obeys, what a shell runs, and a row that
/// looks like one of ours. It lends all titles but the third; what it lends has a file
/// where it is given one.
final class HostileCatalog: Sendable {
  /// A title for the window, a cleared screen, C1, directions, breaks, invisible characters and tags.
  static let poison =
    "\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m\u{85}\u{7f}\u{8}\u{202e}\u{2066}\u{2028}\u{2029}\u{200b}"
    + "\u{feff}\u{e0041}\r\nFORGED\tw9\tForged $(touch ran)`touch ran`;touch ran&&touch ran #'"
    // What fish takes for a quote, and what is one with an accent on it.
    + "\\';touch ran;#'\u{301};touch ran #"
  static let title = "Emma \(poison)"
  static let flag = "--output=ran \(poison)"

  private let server: RawServer
  var address: String { server.url("/") }

  init(lending book: [UInt8]? = nil) throws {
    let loans = Mutex<Set<Int>>([])
    server = try RawServer { connection in
      while let request = connection.request() {
        if let book, request.target.hasPrefix("/get/") {
          let head =
            "HTTP/1.1 200 OK\r\nContent-Type: application/epub+zip\r\n"
            + "Content-Length: \(book.count)\r\n\r\n"
          guard connection.write(Array(head.utf8) + book) else { return }
          continue
        }
        let base = "http://\(request.header("Host") ?? "")"
        let (status, type, body) = loans.withLock { loans in
          Self.answer(to: request, from: base, &loans)
        }
        let bytes = body.bytes()
        let head =
          "HTTP/1.1 \(status)\r\nContent-Type: application/\(type)+json\r\n"
          + "Content-Length: \(bytes.count)\r\n\r\n"
        guard connection.write(Array(head.utf8) + bytes) else { return }
      }
    }
  }

  deinit { server.stop() }

  private typealias Answer = (String, String, JSONValue)

  private static func answer(
    to request: RawConnection.Request, from base: String, _ loans: inout Set<Int>
  ) -> Answer {
    let path = request.target.split(separator: "/").map(String.init)
    let number = path.last.flatMap { Int($0) } ?? 0
    let isClosed = ["shelf", "borrow", "get", "revoke"].contains(path.first)
    guard !isClosed || request.header("Authorization") != nil else {
      return ("401 Closed", "opds-authentication", authentication(base))
    }
    switch path.first {
    case "auth": return ("200 OK", "opds-authentication", authentication(base))
    case "shelf":
      return ("200 OK", "opds", feed(base, loans.sorted().map { lent($0, base) }))
    case "borrow" where number == 3, "get", "problem": return ("403 No", "problem", problem)
    case "borrow":
      loans.insert(number)
      return ("201 Lent", "opds-publication", lent(number, base))
    case "revoke":
      loans.remove(number)
      return ("200 OK", "opds-publication", free(number, title, base))
    default:
      let books = [
        free(1, title, base), free(2, flag, base, isOut: true), free(3, "Refused \(poison)", base),
      ]
      return ("200 OK", "opds", feed(base, books))
    }
  }

  private static var problem: JSONValue {
    [
      "type": "http://opds-spec.org/odl/error/unknown", "title": .string("No \(poison)"),
      "detail": .string("Not for you \(poison)"),
    ]
  }

  private static func authentication(_ base: String) -> JSONValue {
    [
      "id": .string("\(base)/auth"), "title": .string("Library \(poison)"),
      "description": .string("Come in \(poison)"),
      "authentication": [
        [
          "type": "http://opds-spec.org/auth/basic",
          "labels": ["login": .string("Card \(poison)"), "password": .string("PIN \(poison)")],
        ]
      ],
    ]
  }

  private static func feed(_ base: String, _ books: [JSONValue]) -> JSONValue {
    let links: [(String, String)] = [
      ("self", ""), ("http://opds-spec.org/shelf", "shelf"),
      ("http://opds-spec.org/crawlable", "all"),
    ]
    return [
      "metadata": ["title": .string("Library \(poison)")],
      "links": .array(
        links.map { rel, path in
          [
            "rel": .string(rel), "href": .string("\(base)/\(path)"),
            "type": "application/opds+json",
          ]
        }),
      "publications": .array(books),
    ]
  }

  private static func lent(_ number: Int, _ base: String) -> JSONValue {
    book(
      number, number == 2 ? flag : title,
      [
        [
          "rel": "http://opds-spec.org/acquisition", "type": "application/epub+zip",
          "href": .string("\(base)/get/\(number)"),
          "properties": ["availability": ["state": "available"]],
        ],
        [
          "rel": "http://librarysimplified.org/terms/rel/revoke",
          "href": .string("\(base)/revoke/\(number)"),
        ],
      ])
  }

  private static func free(
    _ number: Int, _ title: String, _ base: String, isOut: Bool = false
  ) -> JSONValue {
    book(
      number, title,
      [
        [
          "rel": "http://opds-spec.org/acquisition/borrow",
          "type": "application/opds-publication+json",
          "href": .string("\(base)/borrow/\(number)"),
          "properties": [
            "availability": ["state": isOut ? "unavailable" : "available"],
            "copies": ["total": 1, "available": .integer(isOut ? 0 : 1)],
            "indirectAcquisition": [["type": "application/epub+zip"]],
          ],
        ]
      ])
  }

  private static func book(_ number: Int, _ title: String, _ links: [JSONValue]) -> JSONValue {
    [
      "metadata": [
        "title": .string(title), "subtitle": .string("Sub \(poison)"),
        "author": [["name": .string("Jane \(poison)")]], "language": "en",
        "identifier": .string("urn:x:\(number)$(touch ran);`touch ran`;'\(poison)"),
        "description": .string("About \(poison)"), "publisher": .string("Press \(poison)"),
        "subject": [["name": .string("Subject \(poison)")]],
      ],
      "links": .array(links),
    ]
  }
}
