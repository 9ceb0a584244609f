import FrontDesk
import HTTP
import HTTPServer
import Markup
import Phrasebook

extension Own {
  /// Which of a reader's own places a page belongs to.
  enum Place: String, CaseIterable {
    case profile, accounts, settings

    var title: String {
      switch self {
      case .profile: said("Profile")
      case .accounts: said("Cards")
      case .settings: said("Settings")
      }
    }

    var path: String {
      switch self {
      case .profile: OwnPaths.profile.print()
      case .accounts: OwnPaths.accounts.print()
      case .settings: OwnPaths.settings.print()
      }
    }
  }

  /// A page with the way to the other places above it, and back to where it is one step down from.
  func page(
    _ title: String, _ place: Place, under: (String, String)? = nil,
    @Children _ main: () -> [Node]
  ) -> Page {
    var page = Page(title, .you) {
      tag("nav", .init("class", "tabs"), .init("aria-label", said("Your own pages"))) {
        for one in Place.allCases {
          tag(
            "a", .init("href", link(one.path)),
            .init("aria-current", one != place ? nil : under == nil ? "page" : "true")
          ) { one.title }
        }
        tag("a", .init("class", "leave"), .init("href", link(LobbyPaths.signOut.print()))) {
          said("Sign out")
        }
      }
      if let under {
        tag("p", .init("class", "up")) { tag("a", .init("href", link(under.0))) { under.1 } }
      }
      tag("div", .init("class", "own")) { main() }
    }
    page.notice = OwnDeed(caller.query).map { .done($0.words) }
    return page
  }

  /// A form of this reader, sealed.
  func form(
    _ path: String, _ dress: String? = nil, takesFiles: Bool = false, @Children _ body: () -> [Node]
  ) -> Node {
    tag(
      "form", .init("class", dress), .init("method", "post"), .init("action", link(path)),
      .init("enctype", takesFiles ? "multipart/form-data" : nil)
    ) {
      lobby.sealed(reader)
      body()
    }
  }

  /// One button that does one thing. `unseen` is for those who hear it without what is around it.
  func button(
    _ word: String, _ deed: String, at path: String, _ dress: String = "button second",
    unseen: String? = nil, _ more: [(String, String)] = []
  ) -> Node {
    form(path) {
      hidden("do", deed)
      for (name, value) in more { hidden(name, value) }
      tag("button", .init("class", dress), .init("type", "submit")) {
        word
        if let unseen { tag("span", .init("class", "unseen")) { ": \(unseen)" } }
      }
    }
  }
}

/// What was just done, by a word of the address: it chooses a sentence and adds nothing to it.
enum OwnDeed: String, CaseIterable {
  case linked, relinked, unlinked, checked, pictured, unpictured, kept, saved, removed, told
  case unignored, adobeAnew, uncoded, spared, signedOut, codeSent, confirmed

  init?(_ query: FormFields) {
    guard let word = query["did"], let deed = OwnDeed(rawValue: word) else { return nil }
    self = deed
  }

  var words: String {
    switch self {
    case .linked:
      said("The account is linked. Its books are fetched now, and from then on by themselves.")
    case .relinked: said("You are signed in there again.")
    case .unlinked: said("The account is no longer linked. Nothing of it is kept here.")
    case .checked: said("The account is in order.")
    case .pictured: said("That is your picture now.")
    case .unpictured: said("The picture is gone.")
    case .kept, .saved: said("Kept.")
    case .removed: said("Removed.")
    case .signedOut: said("That browser is signed out.")
    case .codeSent: said("A code was sent. Type it below; it is valid for 24 hours.")
    case .confirmed: said("Confirmed: notifications are sent there from now on.")
    case .told: said("Thank you. Whoever runs this gateway can read it now.")
    case .unignored: said("You will see it again.")
    case .adobeAnew: Phrases.adobeAnew
    case .uncoded: said("Card and PIN are enough again to sign in.")
    case .spared:
      said(
        """
        You came in with a recovery code, which is used up. If the app is lost, end codes here \
        with another one, and set up a new app.
        """)
    }
  }
}

/// One field of a form, with its label, a hint, and what is wrong with it: both are read out with it.
struct FormField {
  let name: String
  let label: String
  var type = "text"
  /// What browsers and password managers know it by.
  var fill = "off"
  var mode: String?
  var value: String?
  var isRequired = true
  var longest = 256
  var hint: String?
  var wrong: String?
  var isFocused = false

  init(_ name: String, _ label: String, _ change: (inout FormField) -> Void = { _ in }) {
    (self.name, self.label) = (name, label)
    change(&self)
  }

  var node: Node {
    let notes = [wrong == nil ? nil : "\(name)-wrong", hint == nil ? nil : "\(name)-hint"]
      .compactMap(\.self).joined(separator: " ")
    return tag("div", .init("class", "field")) {
      tag("label", .init("for", name)) {
        label
        if !isRequired { tag("span", .init("class", "small")) { " (\(said("optional")))" } }
      }
      if let hint { tag("p", .init("class", "small"), .init("id", "\(name)-hint")) { hint } }
      tag(
        "input", .init("id", name), .init("name", name), .init("type", type),
        .init("inputmode", mode), .init("autocomplete", fill), .init("autocapitalize", "none"),
        .init("spellcheck", "false"), .init("required", isRequired),
        .init("maxlength", type == "file" ? nil : longest), .init("value", value),
        .init("aria-invalid", wrong == nil ? nil : "true"),
        .init("aria-describedby", notes.isEmpty ? nil : notes), .init("autofocus", isFocused))
      if let wrong { tag("p", .init("class", "wrong"), .init("id", "\(name)-wrong")) { wrong } }
    }
  }
}

/// How long ago something was, as one says it.
enum Ago {
  static func words(_ moment: Int64, _ now: Int64) -> String {
    let seconds = max(0, (now - moment) / 1000)
    switch seconds {
    case ..<90: return said("just now")
    case ..<5400:
      let minutes = Int(seconds / 60)
      return counted(minutes, one: "\(minutes) minute ago", many: "\(minutes) minutes ago")
    case ..<172_800:
      let hours = Int((seconds + 1800) / 3600)
      return counted(hours, one: "\(hours) hour ago", many: "\(hours) hours ago")
    default:
      let days = Int(seconds / 86_400)
      return counted(days, one: "\(days) day ago", many: "\(days) days ago")
    }
  }
}
