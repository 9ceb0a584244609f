import HTTPServer
import Markup

/// The door: why it is there, card and PIN, nothing else.
struct SignInPage: Sendable {
  /// Why somebody stands here again.
  enum Trouble: Sendable, Hashable {
    case refused, noCard, noPIN, staleForm, deviceWord
    case slowed(seconds: Int)

    var words: String {
      switch self {
      case .refused: "That card and PIN do not go together. Check both and try again."
      case .noCard: "The card's number is missing."
      case .noPIN: "The PIN is missing."
      case .staleForm:
        "This page was open for too long, or your browser keeps no cookies. Please try again."
      case .deviceWord:
        "That is a password for an app. Here, sign in with the number of a card and its PIN."
      case .slowed(let seconds):
        "There were too many wrong attempts. Wait \(Self.span(seconds)), then try again."
      }
    }

    /// The field it is about.
    var field: String { self == .noPIN ? "pin" : "card" }

    private static func span(_ seconds: Int) -> String {
      if seconds < 90 { return seconds == 1 ? "1 second" : "\(seconds) seconds" }
      return "\((seconds + 59) / 60) minutes"
    }
  }

  let seal: FormSeal
  let onward: Onward
  let trouble: Trouble?

  func page(_ caller: Caller) -> Page {
    Page("Sign in", .door) {
      tag("div", .init("class", "door")) {
        tag("h1") { "Sign in" }
        tag("p", .init("class", "lead")) {
          "With any of your library cards, to see what you have on loan and to borrow."
        }
        if let trouble {
          tag("p", .init("class", "notice alert"), .init("role", "alert"), .init("id", "trouble")) {
            trouble.words
          }
        }
        tag(
          "form", .init("method", "post"), .init("action", caller.link(LobbyPaths.signIn.print()))
        ) {
          hidden(FormSeal.field, seal.text)
          if onward != .home { hidden(Onward.field, onward.path) }
          field("card", "Card number", "text", "username")
          field("pin", "PIN", "password", "current-password")
          tag("label", .init("class", "choice")) {
            tag(
              "input", .init("type", "checkbox"), .init("name", "stay"), .init("value", "month"))
            " Stay signed in on this device for 30 days"
          }
          tag("button", .init("class", "button"), .init("type", "submit")) { "Sign in" }
        }
        tag("p", .init("class", "small")) {
          "A card must be linked to this gateway once before it opens these pages: with "
          tag("code") { "carrel link" }
          ", by you or by whoever runs it."
        }
      }
    }
  }

  /// Paste and password managers are welcome.
  private func field(_ name: String, _ label: String, _ type: String, _ fill: String) -> Node {
    let isWrong = trouble?.field == name || (trouble == .refused && name == "pin")
    return tag("div", .init("class", "field")) {
      tag("label", .init("for", name)) { label }
      tag(
        "input", .init("id", name), .init("name", name), .init("type", type),
        .init("autocomplete", fill), .init("autocapitalize", "none"), .init("spellcheck", "false"),
        .init("required", true), .init("maxlength", 256),
        .init("aria-invalid", isWrong ? "true" : nil),
        .init("aria-describedby", isWrong ? "trouble" : nil))
    }
  }
}
