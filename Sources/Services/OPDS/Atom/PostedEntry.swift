package import Circulation
package import HTTP
import JSON
import Markup
import ProviderKit
import XML

/// An entry as a client posts it to a list (RFC 5023 §9): what it says of the book, whatever else is
/// in it. Nothing of its markup is kept, only its words.
package struct PostedEntry: Sendable, Hashable {
  package var id: String?
  package var title: String?
  package var isbns: [ISBN]
  package var links: [Link]
  package var note: String?

  package enum Fault: Error, Sendable, Hashable {
    /// No media type that is read here.
    case foreignType
    case torn(String)
  }

  private init() { (isbns, links) = ([], []) }

  /// `address` is what links in it are relative to.
  package init(_ body: [UInt8], type: MediaType?, from address: HTTP.Address) throws(Fault) {
    switch type?.essence {
    case "application/atom+xml": self = try Self.atom(body, type, address)
    case "application/json", "application/opds-publication+json", "application/opds+json":
      self = try Self.json(body, address)
    default: throw .foreignType
    }
    // Beyond this nobody writes notes; the list says so itself where it is still too long.
    note = note?.trimmingBlanks
    if note?.isEmpty == true { note = nil }
  }

  private static func atom(
    _ body: [UInt8], _ type: MediaType?, _ address: HTTP.Address
  ) throws(Fault) -> PostedEntry {
    let root: Element
    do throws(Document.Fault) {
      root = try XMLText.root(of: body, charset: type?["charset"], .strict)
    } catch {
      throw .torn(error.wanted)
    }
    guard Vocabulary.name(of: root) == .atom("entry") else { throw .torn("an entry of Atom") }
    let reading = AtomReading(base: address).within(root)
    var entry = PostedEntry()
    entry.id = root.words(.atom("id"))
    entry.title = root.words(.atom("title"))?.bounded()
    entry.isbns = root.all(.dublin("identifier")).prefix(50).compactMap { isbn($0.text) }
    entry.links = reading.links(of: root)
    entry.note = root.one(.atom("content")).flatMap(words)
    return entry
  }

  private static func json(_ body: [UInt8], _ address: HTTP.Address) throws(Fault) -> PostedEntry {
    let json: JSONValue
    do throws(JSONError) { json = try JSONValue(parsing: body) } catch {
      throw .torn("JSON (line \(error.line))")
    }
    guard json.object != nil else { throw .torn("an object") }
    let metadata = json["metadata"] ?? json
    var entry = PostedEntry()
    entry.id = (metadata["identifier"] ?? metadata["id"])?.string
    entry.title = metadata["title"]?.string?.bounded()
    let others = metadata["altIdentifier"]?.array ?? metadata["isbns"]?.array ?? []
    entry.isbns = ([entry.id] + others.prefix(50).map(\.string)).compactMap { $0.flatMap(isbn) }
    entry.links = (json["links"]?.array ?? []).prefix(Limits.links).compactMap { link in
      guard let href = link["href"]?.string, let whole = absolute(href, in: address) else {
        return nil
      }
      let relations = link["rel"]?.array?.compactMap(\.string) ?? [link["rel"]?.string ?? ""]
      return Link(whole, relations.map { Relation(rawValue: $0) })
    }
    entry.note = json["note"]?.string.flatMap(PlainText.of(blurb:))
    return entry
  }

  private static func isbn(_ text: String) -> ISBN? {
    let bare = text.trimmingBlanks
    let prefix = "urn:isbn:"
    return ISBN(bare.lowercased().hasPrefix(prefix) ? String(bare.dropFirst(prefix.count)) : bare)
  }

  /// What it says, without what would run or load.
  private static func words(_ element: Element) -> String? {
    switch element["type"]?.lowercased() {
    case nil, "text": element.text
    case "html", "text/html": PlainText.of(blurb: element.text)
    case "xhtml": PlainText.of(blurb: XMLText.markup(element.children))
    default: element["src"] == nil ? element.text : nil
    }
  }
}
