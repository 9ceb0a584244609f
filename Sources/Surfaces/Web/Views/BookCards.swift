import Catalog
import Circulation
import Covers
import Desk
import FoundationEssentials
import FrontDesk
import HTTPServer
import Markup

/// Books as covers in a row, and as lines of a list.
struct BookCards {
  let lobby: Lobby
  let caller: Caller

  init(_ lobby: Lobby, _ caller: Caller) { (self.lobby, self.caller) = (lobby, caller) }

  func address(_ work: WorkID) -> String { caller.link(LobbyPaths.work.print(work.rawValue)) }

  func ways(_ entry: CatalogEntry) -> [Way] { Way.ranked(entry, for: caller.shelf) }

  func glance(_ entry: CatalogEntry) -> Glance {
    Glance(ways(entry), caller.now, lobby.stock.nameOfLibrary)
  }

  // MARK: - Pictures

  enum Loading: String { case lazy, eager }

  /// The title stands beside it, so it says nothing to whoever does not see it.
  func cover(_ entry: CatalogEntry, _ size: CoverSize, _ loading: Loading = .lazy) -> Node {
    tag(
      "img", .init("class", "cover"),
      .init("src", caller.link(CoverAddress.path(of: entry, size, lobby.signer))),
      .init("alt", ""), .init("width", size.width), .init("height", size.height),
      .init("loading", loading.rawValue), .init("decoding", "async"))
  }

  // MARK: - A row of covers

  func row(_ entries: [CatalogEntry], _ loading: Loading = .lazy) -> Node {
    tag("ul", .init("class", "row")) {
      for entry in entries { tag("li") { card(entry, loading) { state(glance(entry)) } } }
    }
  }

  func card(
    _ entry: CatalogEntry, _ loading: Loading, @Children below: () -> [Node]
  ) -> Node {
    let face = entry.face
    return tag("a", .init("class", "book"), .init("href", address(entry.work))) {
      cover(entry, .thumbnail, loading)
      tag("span", .init("class", "title"), Self.language(of: face)) { face.title }
      if let author = face.authors.first { tag("span", .init("class", "who")) { author } }
      below()
    }
  }

  func state(_ glance: Glance) -> Node {
    tag("span", .init("class", "state \(glance.tone.rawValue)")) { glance.words }
  }

  /// How much of a loan is left: in words, and as a bar for the eye alone.
  func due(_ until: Date, since: Date?) -> [Node] {
    let time = DueTime(until, caller.now)
    let bar = time.share(since: since).map { share in
      tag(
        "meter", .init("class", time.isSoon ? "due soon" : "due"), .init("min", 0),
        .init("max", 100), .init("value", share), .init("aria-hidden", "true"))
    }
    let words = tag("span", .init("class", time.isSoon ? "state soon" : "state mine")) {
      tag("time", .init("datetime", time.day)) { time.words }
    }
    return [bar, words].compactMap(\.self)
  }

  // MARK: - A list

  func list(_ page: LanePage) -> Node {
    tag("ol", .init("class", "list"), .init("start", page.offset + 1)) {
      for entry in page.entries {
        tag("li") {
          let face = entry.face
          tag("a", .init("class", "line"), .init("href", address(entry.work))) {
            cover(entry, .thumbnail)
            tag("span", .init("class", "told")) {
              tag("span", .init("class", "title"), Self.language(of: face)) { face.title }
              if !face.authors.isEmpty {
                tag("span", .init("class", "who")) { face.authors.joined(separator: ", ") }
              }
              if let why = page.reasons[entry.work] { tag("span", .init("class", "small")) { why } }
              state(glance(entry))
            }
          }
        }
      }
    }
  }

  /// Told to whoever reads aloud, where it is not the page's own.
  static func language(of face: Edition) -> Attribute {
    let language = face.languages.first { tag in
      tag.count <= 12
        && tag.utf8.allSatisfy { byte in
          (0x61...0x7A).contains(byte | 0x20) || byte == 0x2D || (0x30...0x39).contains(byte)
        }
    }
    return Attribute("lang", language == "en" ? nil : language)
  }
}
