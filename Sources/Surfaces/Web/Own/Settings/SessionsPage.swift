import Circulation
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Phrasebook
import Registry

/// The browsers in which the patron is signed in, with a way to sign out of each and of all.
struct SessionsPage: Sendable {
  private let own: Own
  private static let path = OwnPaths.sessions.print()

  init(_ own: Own) { self.own = own }

  func page() async throws(Problem) -> Page {
    let sessions = try await kept { () throws(RegistryError) in
      try await own.lobby.registry.sessions(of: own.reader.patron)
    }
    return own.setting(said("Where you are signed in")) {
      tag("ul", .init("class", "lines")) {
        for session in sessions {
          tag("li") {
            tag("span", .init("class", "title")) { session.agent ?? said("A browser") }
            tag("span", .init("class", "small")) { facts(session) }
            own.button(
              said("Sign out"), "end", at: Self.path, unseen: session.agent, [("id", session.id)])
          }
        }
      }
      everywhere
    }
  }

  private func facts(_ session: PatronSession) -> String {
    let (made, now) = (Ago.words(session.madeAt, own.caller.now), own.caller.now)
    let used = session.lastSeen.map { Ago.words($0, now) }
    let times =
      used.map { said("signed in \(made), used \($0)") } ?? said("signed in \(made)")
    let isHere = session.reference == own.reader.pass.reference
    return isHere ? "\(said("this browser")) · \(times)" : times
  }

  private var everywhere: Node {
    tag("section", .init("aria-labelledby", "everywhere")) {
      tag("h2", .init("id", "everywhere")) { said("Sign out everywhere") }
      tag("p") {
        said(
          """
          For a lost device. All browsers are signed out, this one too. Open books close, and browsers \
          get no more notifications.
          """)
      }
      own.form(Self.path, "fields") {
        hidden("do", "everywhere")
        for extra in own.signOutExtras {
          tag("label", .init("class", "choice")) {
            tag(
              "input", .init("type", "checkbox"), .init("name", extra.rawValue),
              .init("value", "yes"))
            " \(extra.words)"
          }
        }
        tag("button", .init("class", "button"), .init("type", "submit")) {
          said("Sign out everywhere")
        }
      }
    }
  }

  func carry(_ form: FormFields) async throws(Problem) -> FormEnd {
    let (registry, patron) = (own.lobby.registry, own.reader.patron)
    let request = own.caller.request.id.description
    switch form["do"] {
    case "end":
      let ended = try await kept { () throws(RegistryError) in
        try await registry.endSession(
          form["id"] ?? "", of: patron, by: patron.rawValue, request: request)
      }
      return ended?.reference == own.reader.pass.reference
        ? .passing(LobbyPaths.signIn.print(), .ended)
        : .onward(Self.path, ["did": OwnDeed.signedOut.rawValue])
    case "everywhere":
      try await kept { () throws(RegistryError) in
        _ = try await registry.endSessions(
          of: patron, also: SignOutExtra.chosen(form), by: patron.rawValue, request: request)
      }
      return .passing(LobbyPaths.signIn.print(), .ended)
    default: throw incompleteForm
    }
  }

  private func kept<T: Sendable>(
    _ body: () async throws(RegistryError) -> T
  ) async throws(Problem) -> T {
    do throws(RegistryError) { return try await body() } catch {
      throw Refusals.unread(said("Your sessions are not available right now."))
    }
  }
}

extension Own {
  fileprivate var signOutExtras: [SignOutExtra] {
    SignOutExtra.allCases.filter { $0 != .adobe || stock.adobe != nil }
  }
}

extension SignOutExtra {
  var words: String {
    switch self {
    case .appPasswords: said("Revoke all app passwords as well")
    case .calendar: said("Revoke the address of my calendar as well")
    case .adobe:
      said("Give up my Adobe ID as well: apps for locked books have to be activated again")
    }
  }

  static func chosen(_ form: FormFields) -> Set<SignOutExtra> {
    Set(allCases.filter { form[$0.rawValue] == "yes" })
  }
}
