import Catalog
import Circulation
import Covers
import Desk
import FoundationEssentials
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Phrasebook

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
      for entry in entries {
        let glance = glance(entry)
        tag("li") {
          card(entry, loading) { state(glance, .brief) }
          if glance.tone != .mine { ignoring(entry) }
        }
      }
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

  enum Length { case brief, whole }

  func state(_ glance: Glance, _ length: Length = .whole) -> Node {
    tag("span", .init("class", "state \(glance.tone.rawValue)")) {
      length == .brief ? glance.brief : glance.words
    }
  }

  /// How much of a loan is left: in words, and as a bar for the eye alone.
  func due(_ until: Date, since: Date?, at library: LibraryID) -> [Node] {
    let time = DueTime(until, caller.now)
    let bar = time.share(since: since).map { share in
      tag(
        "meter", .init("class", time.isSoon ? "due soon" : "due"), .init("min", 0),
        .init("max", 100), .init("value", share), .init("aria-hidden", "true"))
    }
    let words = tag("span", .init("class", time.isSoon ? "state soon" : "state mine")) {
      self.time(until, at: library) { _ in time.words }
    }
    return [bar, words].compactMap(\.self)
  }

  /// A moment as machines read it, in words for people.
  func time(_ date: Date, at library: LibraryID, _ words: (PlaceClock) -> String) -> Node {
    let clock = lobby.stock.clock(library).read(in: caller.dayOrder)
    return tag(
      "time", .init("datetime", clock.stamp(date)), .init("title", clock.moment(date))
    ) { words(clock) }
  }

  /// A sentence with its moments marked.
  func told(_ telling: Telling, at library: LibraryID) -> [Node] {
    telling.pieces.map { piece in
      switch piece {
      case .words(let words): .text(words)
      case .day(let date): time(date, at: library) { $0.day(date) }
      }
    }
  }

  // MARK: - What can be done from afar

  /// Leads to the page that asks; a script asks where one is.
  func ignoring(_ entry: CatalogEntry, _ dress: String = "ignore corner") -> Node? {
    guard caller.reader != nil else { return nil }
    let path = LobbyPaths.ignore.print(entry.work.rawValue)
    let from: FormFields = caller.hereAgain == "/" ? [:] : ["from": caller.hereAgain]
    return tag("a", .init("class", dress), .init("href", caller.link(path, from))) {
      Phrases.ignore
    }
  }

  /// Saved or not, ignored or not: what a reader can change on the line of a list.
  private func choices(_ entry: CatalogEntry, _ ways: [Way]) -> Node? {
    guard let reader = caller.reader, let shelf = caller.shelf else { return nil }
    let isMine = ways.contains { $0.loan != nil || $0.hold != nil }
    let isHidden = shelf.hides(entry)
    guard !isMine || isHidden else { return nil }
    return tag(
      "form", .init("class", "choices"), .init("method", "post"),
      .init("action", address(entry.work))
    ) {
      lobby.sealed(reader)
      hidden("from", caller.hereAgain)
      if !isMine {
        let isSaved = shelf.saves(entry)
        choice(isSaved ? .unsave : .save, isSaved ? Phrases.saved : Phrases.save, entry)
      }
      if isHidden {
        choice(.unignore, Phrases.showAgain, entry)
      } else if !isMine {
        ignoring(entry, "ignore plain")
      }
    }
  }

  private func choice(_ deed: BookDeed, _ words: String, _ entry: CatalogEntry) -> Node {
    tag(
      "button", .init("class", "plain"), .init("name", "do"), .init("value", deed.rawValue),
      .init("aria-pressed", deed == .unsave ? "true" : nil)
    ) {
      words
      tag("span", .init("class", "unseen")) { ": \(entry.face.title)" }
    }
  }

  // MARK: - A list

  func list(_ page: LanePage) -> Node {
    tag("ol", .init("class", "list"), .init("start", page.offset + 1)) {
      for entry in page.entries {
        let ways = ways(entry)
        tag("li") {
          tag("a", .init("class", "line"), .init("href", address(entry.work))) {
            cover(entry, .thumbnail)
            tag("span", .init("class", "told")) {
              named(entry.face)
              if let why = page.reasons[entry.work] {
                tag("span", .init("class", "small")) { why.words }
              }
              if caller.shelf?.hides(entry) == true {
                tag("span", .init("class", "small")) { Phrases.ignored }
              }
              state(Glance(ways, caller.now, lobby.stock.nameOfLibrary))
            }
          }
          choices(entry, ways)
        }
      }
    }
  }

  @Children func named(_ face: Edition) -> [Node] {
    tag("span", .init("class", "title"), Self.language(of: face)) { face.title }
    if !face.authors.isEmpty {
      tag("span", .init("class", "who")) { face.authors.joined(separator: ", ") }
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
    return Attribute("lang", language == Tongue.current.rawValue ? nil : language)
  }
}
