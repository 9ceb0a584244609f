import FrontDesk
import HTTP
import HTTPServer
import Markup
import Phrasebook
import Registry
import Secrets

/// Due dates for a calendar program, under an address that is shown once.
struct CalendarPage: Sendable {
  private let own: Own
  private let new: Secret?
  private static let path = OwnPaths.calendar.print()

  init(_ own: Own) { self.init(own, nil) }

  private init(_ own: Own, _ new: Secret?) { (self.own, self.new) = (own, new) }

  func page() async throws(Problem) -> Page {
    let calendar: CalendarAddress?
    do throws(RegistryError) {
      calendar = try await own.lobby.registry.calendar(of: own.reader.patron)
    } catch {
      throw Refusals.unread(said("Your calendar cannot be read."))
    }
    return own.setting(said("Calendar")) {
      tag("p", .init("class", "lead")) {
        said("Ends of loans and offers as a feed that calendar programs read by themselves.")
      }
      if let new {
        tag("section", .init("class", "once"), .init("role", "status")) {
          tag("h2") { said("Its address") }
          new.revealText { text in tag("p") { tag("code") { text } } }
          tag("p", .init("class", "small")) {
            said(
              "It is shown this once. Whoever has it can read your due dates, so treat it as a secret."
            )
          }
        }
      }
      if let calendar {
        tag("p") {
          let made = Ago.words(calendar.madeAt, own.caller.now)
          calendar.lastUsed.map { used in
            said("There is an address, made \(made), read \(Ago.words(used, own.caller.now)).")
          } ?? said("There is an address, made \(made), not read yet.")
        }
        tag("div", .init("class", "actions")) {
          own.button(said("Make a new address"), "new", at: Self.path)
          own.button(said("Take it back"), "revoke", at: Self.path)
        }
        tag("p", .init("class", "small")) { said("A new one makes the old one worthless.") }
      } else {
        own.button(said("Make an address"), "new", at: Self.path, "button")
      }
    }
  }

  func carry(_ form: FormFields) async throws(Problem) -> FormEnd {
    let (registry, patron) = (own.lobby.registry, own.reader.patron)
    let request = own.caller.request.id.description
    let secret: Secret
    do throws(RegistryError) {
      switch form["do"] {
      case "revoke":
        try await registry.revokeCalendar(of: patron, request: request)
        return .onward(Self.path, ["did": OwnDeed.removed.rawValue])
      case "new": secret = try await registry.newCalendar(of: patron, request: request).secret
      default: return .page(Page.refusal(incompleteForm, own.caller), .badRequest)
      }
    } catch {
      throw Refusals.unread(said("Nothing can be written now."))
    }
    let front = own.caller.request.absoluteLink("")
    let address = CalendarRoute.path(secret).revealText { Secret(front + $0) }
    return .page(try await CalendarPage(own, address).page())
  }
}
