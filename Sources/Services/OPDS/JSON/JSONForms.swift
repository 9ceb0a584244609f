import HTTP
import JSON
import ProviderKit

// The forms in which OPDS 2.0 lets one say the same: a text, an object or a list of either (§14.17).
extension JSONValue {
  /// One or several: what stands by itself is a list of one; what is null is none.
  var several: [JSONValue] {
    switch self {
    case .array(let elements): elements
    case .null: []
    default: [self]
    }
  }

  /// A text, or the best of a map of languages: the unmarked one, English, or the first; of several
  /// the first.
  var localized: String? {
    if let text = words { return text }
    if let elements = array {
      return elements.lazy.compactMap { $0.array == nil ? $0.localized : nil }.first
    }
    guard let object else { return nil }
    let best = object["und"]?.words ?? object["en"]?.words
    return best ?? object.members.lazy.compactMap(\.value.words).first
  }
}

/// Feeds and publications of OPDS 2.0 as values (§4).
struct JSONReading {
  /// Where relative addresses start from.
  let base: Address

  // MARK: - Links

  func links(_ json: JSONValue?) -> [Link] {
    (json?.several ?? []).prefix(Limits.links).compactMap(link)
  }

  func link(_ json: JSONValue) -> Link? {
    // `link` in place of `href` occurs (§14.4).
    guard let href = json["href"]?.words ?? json["link"]?.words, let text = absolute(href, in: base)
    else { return nil }
    let relations = (json["rel"]?.several ?? []).prefix(20).compactMap(\.words)
      .map { Relation(rawValue: $0) }
    var link = Link(
      text, relations, type: json["type"]?.words.flatMap { MediaType(parsing: $0) },
      title: json["title"]?.localized?.bounded())
    link.isTemplated = json["templated"]?.flag == true || href.contains("{")
    link.count = json["properties"]?["numberOfItems"]?.whole
    (link.width, link.height) = (json["width"]?.whole, json["height"]?.whole)
    // An address in one draft, a link in the other (§4).
    let authenticate = json["properties"]?["authenticate"]
    link.authenticate = (authenticate?.words ?? authenticate?["href"]?.words).flatMap {
      absolute($0, in: base)
    }
    return link
  }

  /// At feed level several authentications may be written as an object by relation (§5).
  func linksOrMap(_ json: JSONValue?) -> [Link] {
    guard let members = json?.object?.members, json?["href"] == nil else { return links(json) }
    return members.flatMap { member in
      member.value.several.compactMap { value -> Link? in
        guard let text = value.words ?? value["href"]?.words, let whole = absolute(text, in: base)
        else { return nil }
        return Link(
          whole, [Relation(rawValue: member.name)],
          type: value["type"]?.words.flatMap { MediaType(parsing: $0) })
      }
    }
  }
}
