import Circulation
import FrontDesk
import HTTP
import HTTPServer
import Phrasebook
import Profiles
import Registry
import StoreSupport
import TestSupport
import Testing

@testable import Web

@Suite struct `The tongue of the pages` {
  private static let german: Headers = ["Accept-Language": "de-AT,de;q=0.9,en;q=0.5"]

  @Test(arguments: [
    ("de", "de"), ("de-CH, en;q=0.5", "de"), ("en, de;q=0.9", "en"),
    ("fr, es;q=0.3, en;q=0.2", "es"),
    ("de;q=0, es;q=0.1", "es"), ("fr", "en"), ("", "en"),
  ])
  func `The tongue of the pages is the best that the browser asks for`(
    field: String, tongue: String
  ) async throws {
    try await LobbyRoom.open { room in
      for target in ["/", "/search", "/sign-in", "/none", "/offline"] {
        let page = try await room.ask(target, ["Accept": "text/html", "Accept-Language": field])
        #expect(page.text.contains("<html lang=\"\(tongue)\""), "\(target)")
      }
    }
  }

  @Test func `The tongue of the pages is the reader's choice before that, kept by the browser`()
    async throws
  {
    try await LobbyRoom.open { room in
      let chosen = try await room.ask("/tongue", form: ["tongue": "es", "then": "/search"])
      #expect(chosen.status == 303 && chosen.location == "/search")
      let home = try await room.ask("/", Self.german)
      #expect(home.text.contains("<html lang=\"es\"") && home.text.contains("Biblioteca"))
      #expect(home.text.contains(/lang="en" aria-pressed="false">English</))
      #expect(home.text.contains(/value="es" aria-pressed="true">Español</))
      try await room.ask("/tongue", form: ["tongue": "device"])
      #expect(try await room.ask("/", Self.german).text.contains("<html lang=\"de\""))
    }
  }

  @Test
  func `the page language is not changed by another site, nor to an unknown language`() async throws
  {
    try await LobbyRoom.open { room in
      let away = try await room.ask(
        "/tongue", ["Sec-Fetch-Site": "cross-site"], form: ["tongue": "de"])
      #expect(away.status == 403)
      for word in ["fr", "de; Path=/x", ""] {
        #expect(try await room.ask("/tongue", form: ["tongue": word]).status == 403)
      }
      #expect(room.cookie("carrel_tongue") == nil)
      room.keep("carrel_tongue", "<script>")
      #expect(try await room.ask("/").text.contains("<html lang=\"en\""))
    }
  }

  @Test func `pages are cached separately for each language`()
    async throws
  {
    try await LobbyRoom.open { room in
      for target in ["/", "/lanes/popular", "/search?q=volume"] {
        let texts = try await [Self.german, [:], Self.german, ["Accept-Language": "es"], [:]]
          .asyncMap { try await room.ask(target, $0) }
        #expect(texts[0].text == texts[2].text && texts[1].text == texts[4].text)
        #expect(texts[0].text.contains("lang=\"de\"") && texts[0].text.contains("Anmelden"))
        #expect(texts[1].text.contains("lang=\"en\"") && !texts[1].text.contains("Anmelden"))
        #expect(texts[3].text.contains("lang=\"es\""))
        #expect(texts[0].head["ETag"] != texts[1].head["ETag"])
        #expect(texts[0].head["Vary"] == "Cookie, Accept-Language")
      }
    }
  }

  @Test func `The tongue of the pages is kept of the last page, for what is sent to its reader`()
    async throws
  {
    try await LobbyRoom.open { room in
      try await room.signIn()
      let profiles = try #require(room.lobby.own?.profiles)
      let known = { try await profiles.tongue(of: room.ada.patron) }
      for (field, tongue) in [("de", Tongue.german), ("es", .spanish), ("es", .spanish)] {
        _ = try await room.ask("/my-books", ["Accept-Language": field])
        #expect(try await known() == tongue)
      }
      try await room.ask("/tongue", form: ["tongue": "en"])
      _ = try await room.ask("/", ["Accept-Language": "es"])
      #expect(try await known() == .english)
    }
  }

  @Test func `The tongue of the pages names titles of its own no tongue, and others theirs`()
    async throws
  {
    try await LobbyRoom.open { room in
      let lane = try await room.ask("/lanes/popular?count=3", Self.german)
      #expect(lane.text.contains(/<span class="title" lang="en">Volume/))
      #expect(try await !room.ask("/lanes/popular?count=3").text.contains("lang=\"en\">Volume"))
    }
  }

  @Test func `The tongue of the pages says days, spans and counts as it does`() async throws {
    try await LobbyRoom.open { room in
      try await room.signIn()
      let book = try await room.book("Volume 3 ")
      try await room.press("borrow", of: "t3", at: book)
      let mine = try await room.ask("/my-books", Self.german)
      #expect(mine.text.contains("noch ") && mine.text.contains(" Tage<"))
      #expect(mine.text.contains(/<time datetime="20\d\d-\d\d-\d\dT/))
      let page = try await room.ask(book, Self.german)
      #expect(
        page.text.contains(/Ausgeliehen bei Town &lt;Library&gt; bis <time[^>]*>\d+\. \p{L}+ 20/))
      let lane = try await room.ask("/lanes/popular?count=10", Self.german)
      #expect(lane.text.contains("Seite 1 von 5") && lane.text.contains("42 Titel"))
    }
  }

  @Test func `The tongue of the pages is told in refusals, and not in the words of programs`()
    async throws
  {
    try await LobbyRoom.open { room in
      let page = try await room.ask("/works/none", Self.german)
      #expect(page.status == 404)
      #expect(page.text.contains("Keine Ihrer Bibliotheken hat diesen Titel."))
      let program = try await room.ask(
        "/none", ["Accept": "application/json", "Accept-Language": "de"])
      #expect(!program.text.contains("Adresse"))
    }
  }
}

@Suite struct `A page in another tongue` {
  /// Whole phrases of the catalogue that would be English there.
  private static func english(_ tongue: Tongue) -> Set<String> {
    let entries = Catalogue.of(tongue)?.entries ?? [:]
    return Set(
      entries.compactMap { key, forms in
        let words = key.split(separator: " @").first.map(String.init) ?? key
        let isSame = forms.first.map { $0 == [.words(words)] } ?? true
        return isSame || words.contains("{") || Self.names.contains(words) ? nil : words
      })
  }

  /// Of the room's lanes and tongues, which whoever runs it called so.
  private static let names: Set<String> = ["English", "Other"]

  @Test(arguments: [Tongue.german, .spanish])
  func `A page in another tongue has no English of ours`(tongue: Tongue) async throws {
    let english = Self.english(tongue)
    let headers: Headers = ["Accept": "text/html", "Accept-Language": tongue.rawValue]
    try await LobbyRoom.open { room in
      var seen = 0
      func look(_ target: String) async throws {
        let page = try await room.ask(target, headers)
        #expect(page.text.contains("<html lang=\"\(tongue.rawValue)\""), "\(target)")
        let texts = Self.texts(page.text)
        seen += texts.count
        #expect(texts.filter(english.contains).sorted() == [], "\(target)")
      }
      for target in [
        "/", "/sign-in", "/lanes/popular", "/lanes/genres", "/lanes/none", "/search",
        "/search?q=volume", "/search?q=nothing+like+it", "/search?q=volume&page=99", "/offline",
        "/none", "/works/none",
      ] { try await look(target) }
      try await look(room.book("Volume 5 "))
      try await room.signIn(stay: true)
      let parts = ["all", "loans", "ready", "holds", "past", "saved"].map { "/my-books?show=\($0)" }
      for target in parts + ["/", "/downloads"] { try await look(target) }
      let book = try await room.book("Volume 4 ")
      try await room.press("borrow", of: "t4", at: book)
      try await room.press("save", of: "t5", at: try await room.book("Volume 5 "))
      for target in parts + [
        "/", book, "\(book)/ignore", "\(book)?did=lent&at=town", "/downloads", "/profile",
        "/accounts", "/accounts/of/\(room.ada.id.rawValue)",
        "/accounts/of/\(room.ada.id.rawValue)/unlink", "/accounts/new?at=town",
        "/profile/cards/\(room.ada.id.rawValue)", "/settings", "/settings/notices",
        "/settings/reading", "/settings/genres", "/settings/ignored", "/settings/devices",
        "/settings/calendar", "/settings/export", "/settings/feedback", "/settings/credits",
        "/read/town/t4", "/read/town/none", "/sign-out",
      ] { try await look(target) }
      #expect(seen > 1500)
    }
  }

  /// What people read or hear of a page, piece by piece.
  private static func texts(_ page: String) -> [String] {
    let body = page.replacing(/<script[^>]*>[^<]*<\/script>/, with: "")
    let shown = body.matches(of: />([^<>]+)</).map { String($0.1) }
    let told = body.matches(of: /(?:aria-label|alt|placeholder|data-(?:word-)?\w+)="([^"]+)"/)
      .map { String($0.1) }
    return (shown + told).map(\.trimmed).filter { !$0.isEmpty }
  }
}

extension Sequence {
  fileprivate func asyncMap<T>(_ change: (Element) async throws -> T) async throws -> [T] {
    var all: [T] = []
    for element in self { all.append(try await change(element)) }
    return all
  }
}
