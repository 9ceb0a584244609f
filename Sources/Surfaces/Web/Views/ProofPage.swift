import Circulation
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Phrasebook
import Registry
import Secrets

/// Asks a patron who signed in some time ago for what they sign in with, before the form that was sent
/// is carried out. The form comes along, so that nothing has to be typed again.
struct ProofPage: Sendable {
  private static let wordField = "proof"
  private static let codeField = "proof-code"

  let reader: Caller.Reader
  let wanted: FreshProof.Wanted
  /// Where the form goes, without base path.
  let path: String
  let carried: FormFields
  var trouble: FreshProof.Answer?

  /// Nil for a form of a page that did not ask for a proof.
  static func given(_ form: FormFields) -> FreshProof? {
    guard form[wordField] != nil || form[codeField] != nil else { return nil }
    return FreshProof(
      word: Secret(form[wordField] ?? ""), code: Secret((form[codeField] ?? "").trimmed))
  }

  func page(_ caller: Caller, _ lobby: Lobby) -> Page {
    var page = Page(said("Confirm that it is you"), .you) {
      tag("div", .init("class", "door")) {
        tag("h1") { said("Confirm that it is you") }
        wanted.isPossible ? asking(caller, lobby) : [impossible]
        tag("p", .init("class", "small")) {
          tag("a", .init("href", caller.link(LobbyPaths.signOut.print()))) {
            said("Sign out, and sign in again")
          }
        }
      }
    }
    if let words { page.notice = .alert(words) }
    return page
  }

  @Children private func asking(_ caller: Caller, _ lobby: Lobby) -> [Node] {
    tag("p", .init("class", "lead")) {
      said(
        """
        You signed in more than ten minutes ago. Enter again what you sign in with, so that a \
        person who finds this device open cannot do this in your name.
        """)
    }
    tag(
      "form", .init("class", "fields"), .init("method", "post"),
      .init("action", caller.link(path))
    ) {
      lobby.sealed(reader)
      for field in carried.fields
      where ![FormSeal.field, Self.wordField, Self.codeField].contains(field.name) {
        hidden(field.name, field.value)
      }
      if wanted.pin || wanted.appPassword {
        FormField(Self.wordField, wordLabel) { field in
          (field.type, field.fill) = ("password", "current-password")
          field.isFocused = true
          field.wrong = trouble == .wrongWord ? words : nil
        }.node
      }
      if wanted.code {
        FormField(Self.codeField, said("Code from the app, or a recovery code")) { field in
          (field.fill, field.longest) = ("one-time-code", 60)
          field.wrong = trouble == .wrongCode ? words : nil
        }.node
      }
      tag("button", .init("class", "button"), .init("type", "submit")) { said("Confirm") }
    }
  }

  private var wordLabel: String {
    switch (wanted.pin, wanted.appPassword) {
    case (true, true):
      said("PIN of the card you signed in with, or an app password with all rights")
    case (true, false): said("PIN of the card you signed in with")
    default: said("An app password with all rights")
    }
  }

  private var impossible: Node {
    tag("p", .init("class", "lead")) {
      said(
        """
        You signed in with a link more than ten minutes ago. Ask the operator of this gateway for a \
        new link, and use it for this within ten minutes.
        """)
    }
  }

  private var words: String? {
    switch trouble {
    case nil, .right: nil
    case .wrongWord: said("That is not right. Check it and try again.")
    case .wrongCode: CodePage.Trouble.wrong.words
    case .slowed(let seconds): CodePage.Trouble.slowed(seconds: seconds).words
    }
  }
}
