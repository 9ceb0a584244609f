import BackOffice
import Circulation
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Phrasebook
import Registry

/// The operator signs a patron out everywhere, for patrons who cannot do it themselves.
extension ReaderOffice {
  static func signingOut(_ sight: PatronSight, _ visit: OfficeVisit) -> Node {
    tag("section") {
      tag("h2") { said("Sign out everywhere") }
      tag("p") {
        said(
          """
          For a lost device. All browsers of \(sight.patron.name) are signed out, open books close, \
          and browsers get no more notifications.
          """)
      }
      OfficeView.form(
        OfficePaths.reader.print(sight.patron.id.rawValue), ["do": "everywhere"], visit, "stack"
      ) {
        tag("label", .init("class", "choice")) {
          tag(
            "input", .init("type", "checkbox"), .init("name", SignOutExtra.appPasswords.rawValue),
            .init("value", "yes"))
          " \(SignOutExtra.appPasswords.words)"
        }
        tag("button", .init("class", "button second"), .init("type", "submit")) {
          said("Sign out everywhere")
        }
      }
    }
  }

  /// Like `carrel session end --all --as PATRON`.
  static func signOut(
    _ sight: PatronSight, _ visit: OfficeVisit, _ form: FormFields
  ) async throws(Problem) -> OfficeEnd {
    let ended = try await visit.registered { () throws(RegistryError) in
      try await visit.office.registry.endSessions(
        of: sight.patron.id, also: SignOutExtra.chosen(form), by: visit.reader.patron.rawValue,
        request: visit.request)
    }
    visit.lobby.watch.forget()
    var page = try await make(visit, sight.patron.id.rawValue)
    page.notice = .done(
      counted(
        ended, one: "\(ended) browser was signed out.", many: "\(ended) browsers were signed out."))
    return .told(page)
  }
}
