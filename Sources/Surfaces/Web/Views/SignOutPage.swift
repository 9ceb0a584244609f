import HTTPServer
import Markup
import Phrasebook

/// Asks once more, and tells what goes and what stays.
struct SignOutPage: Sendable {
  let reader: Caller.Reader

  func page(_ caller: Caller, _ lobby: Lobby) -> Page {
    Page(said("Sign out"), .you) {
      tag("div", .init("class", "door")) {
        tag("h1") { said("Sign out?") }
        tag("p", .init("class", "lead")) {
          said(
            """
            What this browser keeps of your pages and books goes: copies for reading without a \
            network, too. Your loans, places and notes stay with the gateway.
            """)
        }
        tag(
          "form", .init("class", "actions"), .init("method", "post"),
          .init("action", caller.link(LobbyPaths.signOut.print()))
        ) {
          lobby.sealed(reader)
          tag("button", .init("class", "button"), .init("type", "submit")) { said("Sign out") }
          tag(
            "a", .init("class", "button second"),
            .init("href", caller.link(LobbyPaths.home.print()))
          ) { said("Stay") }
        }
      }
    }
  }
}
