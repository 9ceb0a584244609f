import FrontDesk
import HTTP
import HTTPServer
import Markup

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
    form(OwnPaths.notices, &router, note, stock) { own, _, form throws(Problem) in
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
    form(OwnPaths.devices, &router, note, stock) { own, _, form throws(Problem) in
      try await DevicesPage(own).carry(form)
    }
    ownPage(OwnPaths.calendar, &router, note, stock) { own, _ throws(Problem) in
      try await CalendarPage(own).page()
    }
    form(OwnPaths.calendar, &router, note, stock) { own, _, form throws(Problem) in
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
    form(OwnPaths.exported, &router, note, stock) { own, what, form throws(Problem) in
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
    page(title, .settings, under: (OwnPaths.settings.print(), "Settings")) {
      tag("h1") { title }
      main()
    }
  }
}

/// The places of the settings, each with what it is for.
struct SettingsPage {
  private let own: Own

  init(_ own: Own) { self.own = own }

  private static let places: [(String, String, String)] = [
    (OwnPaths.notices.print(), "Notices", "What you are told, and where"),
    (OwnPaths.reading.print(), "Reading", "How pages look, here and in the terminal"),
    (OwnPaths.genres.print(), "Genres you like", "For what is recommended to you"),
    (OwnPaths.ignored.print(), "Ignored books", "What lanes leave out for you"),
    (OwnPaths.devices.print(), "Apps and devices", "Passwords of their own, and who has one"),
    (OwnPaths.calendar.print(), "Calendar", "Due dates in your own calendar"),
    (OwnPaths.export.print(), "Export", "Your lists, notes and books, to take along"),
    (OwnPaths.feedback.print(), "Feedback", "A word to whoever runs this gateway"),
    (OwnPaths.credits.print(), "Credits", "What Carrel is made of"),
  ]

  func page() -> Page {
    own.page("Settings", .settings) {
      tag("h1") { "Settings" }
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
let incompleteForm = Problem(
  .badRequest, code: "bad_value", detail: "This form is not complete.",
  remedy: "Load the page anew and try again.")
