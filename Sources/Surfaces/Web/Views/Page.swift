import FrontDesk
import HTTP
import HTTPServer
import Markup
import Phrasebook
import Registry

/// One page before it is written.
struct Page: Sendable {
  /// Whether it may be shown again as long as nothing changes in the house.
  enum Keeping: Sendable { case remembered, fresh }

  /// What is to be said first.
  enum Notice: Sendable {
    case done(String)
    /// With a form that takes it back.
    case undoable(String, Undo)
    case alert(String)
  }

  struct Undo: Sendable {
    let work: String
    let deed: BookDeed
  }

  /// What the navigation marks as here.
  enum Place: Sendable { case library, myBooks, you, office, door, elsewhere }

  var title: String
  var place = Place.elsewhere
  var keeping = Keeping.fresh
  var notice: Notice?
  /// What stands in the search field.
  var words: String?
  var main: [Node]

  init(
    _ title: String, _ place: Place = .elsewhere, _ keeping: Keeping = .fresh,
    @Children main: () -> [Node]
  ) {
    (self.title, self.place, self.keeping, self.main) = (title, place, keeping, main())
  }

  static func refusal(_ problem: Problem, _ caller: Caller) -> Page {
    let heading = ProblemPage(problem.status).heading
    return Page(heading) {
      tag("h1") { heading }
      tag("p", .init("class", "lead")) { problem.detail ?? ProblemPage(problem.status).advice }
      if let remedy = problem.remedy { tag("p") { remedy } }
      tag("p") {
        tag(
          "a", .init("class", "button"), .init("href", caller.link(LobbyPaths.home.print()))
        ) { said("To the library") }
      }
    }
  }
}

extension Lobby {
  func frame(_ page: Page, _ caller: Caller) -> Node {
    PageFrame(
      title: page.place == .library ? "Carrel" : "\(page.title) · Carrel",
      links: SiteLinks(caller.request), top: top(page, caller), foot: FrameFoot(caller).nodes,
      sheet: page.place == .office ? caller.link(Stylesheet.office.path.print()) : nil,
      keeper: keeper(caller)
    ).page {
      notice(page.notice, caller)
      page.main
    }
  }

  private func notice(_ notice: Page.Notice?, _ caller: Caller) -> Node? {
    switch notice {
    case nil: return nil
    case .done(let text):
      return tag("p", .init("class", "notice"), .init("role", "status")) { text }
    case .alert(let text):
      return tag("p", .init("class", "notice alert"), .init("role", "alert")) { text }
    case .undoable(let text, let undo):
      return tag("div", .init("class", "notice"), .init("role", "status")) {
        text
        if let reader = caller.reader {
          tag(
            "form", .init("method", "post"),
            .init("action", caller.link(LobbyPaths.work.print(undo.work)))
          ) {
            sealed(reader)
            hidden("from", caller.hereAgain)
            tag(
              "button", .init("class", "plain"), .init("name", "do"),
              .init("value", undo.deed.rawValue)
            ) { Phrases.undo }
          }
        }
      }
    }
  }

  private func top(_ page: Page, _ caller: Caller) -> [Node] {
    let isInside = caller.reader != nil
    let showsSearch = page.place != .door && (isInside || settings.isPublic)
    let search = tag(
      "form", .init("class", "search"), .init("role", "search"), .init("method", "get"),
      .init("action", caller.link(LobbyPaths.search.print()))
    ) {
      tag("label", .init("for", "q"), .init("class", "unseen")) { said("Search all libraries") }
      tag(
        "input", .init("id", "q"), .init("name", "q"), .init("type", "search"),
        .init("placeholder", said("Title, author, subject")), .init("maxlength", 200),
        .init("enterkeyhint", "search"), .init("autocomplete", "off"),
        .init("data-suggest", caller.link(LobbyPaths.suggestions.print())),
        .init("value", page.words))
      tag("button", .init("type", "submit")) { said("Search") }
    }
    let way = tag("nav", .init("aria-label", said("Main", "navigation"))) {
      if isInside || settings.isPublic {
        place(said("Library"), LobbyPaths.home.print(), page.place == .library, caller)
      }
      if isInside {
        place(said("My books"), LobbyPaths.myBooks.print(), page.place == .myBooks, caller)
      }
      if caller.reader?.pass.isOperator == true {
        place(said("Office"), OfficePaths.home.print(), page.place == .office, caller)
      }
      if isInside {
        place(
          said("You"), own == nil ? LobbyPaths.signOut.print() : OwnPaths.profile.print(),
          page.place == .you, caller)
      } else if page.place != .door {
        place(said("Sign in"), signInPath(caller), false, caller)
      }
    }
    // Also where a page has no form of its own: the script has deeds, too.
    let seal = caller.reader.map { [sealed($0)] } ?? []
    return seal + (showsSearch ? [way, search] : [way])
  }

  private func place(_ word: String, _ path: String, _ isHere: Bool, _ caller: Caller) -> Node {
    tag(
      "a", .init("href", caller.request.link(path)), .init("aria-current", isHere ? "page" : nil)
    ) { word }
  }

  func signInPath(_ caller: Caller) -> String {
    let onward = caller.here
    guard onward != "/" else { return LobbyPaths.signIn.print() }
    return "\(LobbyPaths.signIn.print())?\(FormFields([.init(Onward.field, onward)]).encoded)"
  }

  func sealed(_ reader: Caller.Reader) -> Node { hidden(FormSeal.field, reader.seal.text) }
}

func hidden(_ name: String, _ value: String) -> Node {
  tag("input", .init("type", "hidden"), .init("name", name), .init("value", value))
}
