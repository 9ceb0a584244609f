package import HTTP
import JSON
import ProviderKit
import XML

/// Whatever a catalogue answers with, told apart by what it is and not by what it is called (§14.1).
package enum Document: Sendable, Hashable {
  case feed(Feed)
  /// A publication by itself, as a borrow answers with.
  case entry(Publication)
  case authentication(AuthenticationDocument)
  case search(SearchDescription)
  case problem(ProblemReport)

  package var feed: Feed? { if case .feed(let feed) = self { feed } else { nil } }

  package enum Fault: Error, Sendable, Hashable {
    case empty
    /// No catalogue's document: a web page, a picture.
    case foreign
    /// Cut off, torn, or in no shape that could be read.
    case torn(String)

    /// What there should have been.
    package var wanted: String {
      switch self {
      case .empty: "a feed, not an empty answer"
      case .foreign: "a feed of a catalogue"
      case .torn(let what): "a whole feed: \(what)"
      }
    }
  }

  /// How much is forgiven. A shelf that is torn is refused, since half of it would pass for all; a
  /// page of a catalogue may be mended, as long as its end is there.
  package enum Tolerance: Sendable { case strict, mending }

  /// `address` is where it came from in the end: what links are relative to.
  package init(
    _ body: [UInt8], type: MediaType?, from address: Address, _ tolerance: Tolerance = .strict
  ) throws(Fault) {
    // A mark of UTF-8, which some put in front, and blank lines.
    var start = body.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while start < body.count, [0x20, 0x09, 0x0A, 0x0D].contains(body[start]) { start += 1 }
    guard start < body.count else { throw .empty }
    switch body[start] {
    case UInt8(ascii: "{"): self = try Self.json(Array(body[start...]), type, address)
    case UInt8(ascii: "<"), 0xFE, 0xFF:
      self = try Self.xml(Array(body[start...]), type, address, tolerance)
    default: throw .foreign
    }
  }

  private static func json(_ body: [UInt8], _ type: MediaType?, _ address: Address)
    throws(Fault) -> Document
  {
    let json: JSONValue
    do throws(JSONError) { json = try JSONValue(parsing: body, by: rules) } catch {
      throw .torn("line \(error.line): not JSON")
    }
    if let document = AuthenticationDocument(json, from: address) {
      return .authentication(document)
    }
    let reading = JSONReading(base: address)
    if json["metadata"]?.object != nil {
      // An empty feed and a publication differ in what is asked of them only.
      if reading.isFeed(json, type) { return .feed(try reading.feed(json)) }
      guard let publication = reading.publication(json) else {
        throw .torn("a publication without title")
      }
      return .entry(publication)
    }
    if let problem = ProblemReport(json) { return .problem(problem) }
    throw .foreign
  }

  private static let rules: JSONRules = {
    var rules = JSONRules.tolerant
    (rules.maximumBytes, rules.maximumDepth, rules.maximumValues) = (16 << 20, 64, 500_000)
    return rules
  }()

  private static func xml(
    _ body: [UInt8], _ type: MediaType?, _ address: Address, _ tolerance: Tolerance
  ) throws(Fault) -> Document {
    guard !XMLText.isWebPage(body) else { throw .foreign }
    let root = try XMLText.root(of: body, charset: type?["charset"], tolerance)
    let reading = AtomReading(base: address)
    switch Vocabulary.name(of: root) {
    case .atom("feed"): return .feed(reading.feed(root))
    case .atom("entry"):
      guard let publication = reading.publication(root) else {
        throw .torn("an entry without title and acquisition")
      }
      return .entry(publication)
    case .search("OpenSearchDescription"), .atom("OpenSearchDescription"):
      return .search(reading.search(root))
    default: throw .foreign
    }
  }
}
