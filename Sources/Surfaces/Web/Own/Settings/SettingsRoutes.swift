import FrontDesk
import HTTP
import HTTPServer
import Markup
import Phrasebook

extension Lobby {
  func addSettings<Note: Sendable>(
    to router: inout Router<Note>, _ note: Note, _ stock: OwnStock
  ) {
    ownPage(OwnPaths.settings, &router, note, stock) { own, _ throws(Problem) in
      SettingsPage(own).page()
    }
    ownPage(OwnPaths.notices, &router, note, stock) { own, _ throws(Problem) in
      try await NoticesPage(own).page()
    }
    // Removing asks, too: a thief would silence what tells of their deeds.
    form(OwnPaths.notices, &router, note, stock, proof: .deeds(["add", "remove"])) {
      own, _, form throws(Problem) in
      try await NoticesPage(own).carry(form)
    }
    ownPage(OwnPaths.reading, &router, note, stock) { own, _ throws(Problem) in
      try await TastePage(own).page()
    }
    form(OwnPaths.reading, &router, note, stock) { own, _, form throws(Problem) in
      try await TastePage(own).carry(form)
    }
    ownPage(OwnPaths.genres, &router, note, stock) { own, _ throws(Problem) in
      try await GenresPage(own).page()
    }
    form(OwnPaths.genres, &router, note, stock) { own, _, form throws(Problem) in
      try await GenresPage(own).carry(form)
    }
    ownPage(OwnPaths.ignored, &router, note, stock) { own, _ throws(Problem) in
      try await IgnoredPage(own).page()
    }
    form(OwnPaths.ignored, &router, note, stock) { own, _, form throws(Problem) in
      try await IgnoredPage(own).carry(form)
    }
    ownPage(OwnPaths.devices, &router, note, stock) { own, _ throws(Problem) in
      try await DevicesPage(own).page()
    }
    form(OwnPaths.devices, &router, note, stock, proof: .deeds(["add"])) {
      own, _, form throws(Problem) in
      try await DevicesPage(own).carry(form)
    }
    moment(OwnPaths.sessions, &router, note, stock) { own, _ throws(Problem) in
      try await SessionsPage(own).page()
    }
    form(OwnPaths.sessions, &router, note, stock, proof: .endings(["everywhere"])) {
      own, _, form throws(Problem) in
      try await SessionsPage(own).carry(form)
    }
    ownPage(OwnPaths.codes, &router, note, stock) { own, _ throws(Problem) in
      try await CodesPage(own).page()
    }
    form(OwnPaths.codes, &router, note, stock, proof: .deeds(CodesPage.changes)) {
      own, _, form throws(Problem) in
      try await CodesPage(own).carry(form)
    }
    ownPage(OwnPaths.calendar, &router, note, stock) { own, _ throws(Problem) in
      try await CalendarPage(own).page()
    }
    form(OwnPaths.calendar, &router, note, stock, proof: .deeds(["new"])) {
      own, _, form throws(Problem) in
      try await CalendarPage(own).carry(form)
    }
    ownPage(OwnPaths.feedback, &router, note, stock) { own, _ throws(Problem) in
      try await FeedbackPage(own).page()
    }
    form(OwnPaths.feedback, &router, note, stock) { own, _, form throws(Problem) in
      try await FeedbackPage(own).carry(form)
    }
    ownPage(OwnPaths.export, &router, note, stock) { own, _ throws(Problem) in
      try await ExportPage(own).page()
    }
    form(OwnPaths.exported, &router, note, stock, proof: .always) {
      own, what, form throws(Problem) in
      try await ExportPage(own).file(what, form)
    }
    ownPage(OwnPaths.credits, &router, note, stock) { own, _ throws(Problem) in
      CreditsPage(own).page()
    }
  }
}

extension Own {
  /// A page below the settings.
  func setting(_ title: String, @Children _ main: () -> [Node]) -> Page {
    page(title, .settings, under: (OwnPaths.settings.print(), said("Settings"))) {
      tag("h1") { title }
      main()
    }
  }
}

/// The places of the settings, each with what it is for.
struct SettingsPage {
  private let own: Own

  init(_ own: Own) { self.own = own }

  private static var places: [(String, String, String)] {
    [
      (OwnPaths.notices.print(), said("Notices"), said("What you are told, and where")),
      (OwnPaths.reading.print(), said("Reading"), said("How pages look, here and in the terminal")),
      (OwnPaths.genres.print(), said("Genres you like"), said("For what is recommended to you")),
      (OwnPaths.ignored.print(), said("Ignored books"), said("What lanes leave out for you")),
      (
        OwnPaths.devices.print(), said("Apps and devices"),
        said("Passwords of their own, and who has one")
      ),
      (
        OwnPaths.sessions.print(), said("Where you are signed in"),
        said("Your browsers, and signing out of each or of all")
      ),
      (
        OwnPaths.codes.print(), said("Codes at sign-in"),
        said("Besides card and PIN, six digits from an app")
      ),
      (OwnPaths.calendar.print(), said("Calendar"), said("Due dates in your own calendar")),
      (OwnPaths.export.print(), said("Export"), said("Your lists, notes and books, to take along")),
      (OwnPaths.feedback.print(), said("Feedback"), said("A word to whoever runs this gateway")),
      (OwnPaths.credits.print(), said("Credits"), said("What Carrel is made of")),
    ]
  }

  func page() -> Page {
    own.page(said("Settings"), .settings) {
      tag("h1") { said("Settings") }
      tag("ul", .init("class", "lines")) {
        for (path, title, what) in Self.places {
          tag("li") {
            tag("a", .init("href", own.link(path))) {
              tag("span", .init("class", "title")) { title }
              tag("span", .init("class", "small")) { what }
            }
          }
        }
      }
    }
  }
}

extension Page {
  /// The same page with what was wrong said first.
  func alerting(_ words: String, _ status: Status = .unprocessableContent) -> FormEnd {
    var page = self
    page.notice = .alert(words)
    return .page(page, status)
  }
}

/// A form that says nothing we know: made by hand, or by an older page.
var incompleteForm: Problem {
  Problem(
    .badRequest, code: "bad_value", detail: said("This form is not complete."),
    remedy: said("Load the page anew and try again."))
}
