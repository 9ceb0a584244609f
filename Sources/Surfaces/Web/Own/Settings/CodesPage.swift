import Barcodes
import Circulation
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Phrasebook
import Registry
import Secrets

/// The reader's app for codes at sign-in: set up with a key that is shown once, ended, or given new
/// recovery codes.
struct CodesPage: Sendable {
  private enum Shown: Sendable {
    case nothing
    /// The key that was just drawn; nil where it was shown before.
    case begun(FactorKey?)
    case spares([Secret])
  }

  private let own: Own
  private let trouble: FormTrouble?
  private let shown: Shown
  private static let path = OwnPaths.codes.print()
  /// What is asked a fresh proof for. To confirm a key takes a code of it, and only who has just given
  /// a proof was shown it.
  static let changes: Set<String> = ["begin", "renew", "end"]

  init(_ own: Own) { self.init(own, nil, .nothing) }

  private init(_ own: Own, _ trouble: FormTrouble?, _ shown: Shown) {
    (self.own, self.trouble, self.shown) = (own, trouble, shown)
  }

  func page() async throws(Problem) -> Page {
    let factor = try await kept { () throws(RegistryError) in
      try await own.lobby.registry.secondFactor(of: own.reader.patron)
    }
    var page = own.setting(said("Codes at sign-in")) {
      if case .spares(let spares) = shown { once(spares) }
      if let factor {
        standing(factor)
        changing
      } else if case .begun(let key) = shown {
        if let key { once(key) }
        confirming(hasKey: key != nil)
      } else {
        beginning
      }
    }
    if let trouble {
      page.notice = .alert(trouble.words)
    } else if own.caller.query["for"] == "office", factor == nil {
      page.notice = .alert(
        said("The office opens for those who sign in with codes: set up an app here first."))
    }
    return page
  }

  // MARK: - What is shown

  @Children private var beginning: [Node] {
    tag("p", .init("class", "lead")) {
      said(
        """
        With codes, card and PIN are not enough to sign in here: an app on your telephone shows \
        six digits that change every half minute. Any authenticator app will do.
        """)
    }
    tag("p") {
      said(
        """
        Apps that read books for you go on with passwords of their own; card and PIN open \
        nothing for them any more.
        """)
    }
    own.form(Self.path) {
      hidden("do", "begin")
      tag("button", .init("class", "button"), .init("type", "submit")) { said("Set up an app") }
    }
  }

  private func once(_ key: FactorKey) -> Node {
    tag("section", .init("class", "once"), .init("aria-labelledby", "key")) {
      tag("h2", .init("id", "key")) { said("The key for your app") }
      tag("p") { said("Let the app read the square, or type the key. It is shown this once.") }
      key.address.revealText { address in
        QRCode(address).map { code in
          tag(
            "svg", .init("class", "square"), .init("viewBox", "0 0 \(code.side) \(code.side)"),
            .init("role", "img"), .init("aria-label", said("The key as a square of dots")),
            .init("shape-rendering", "crispEdges")
          ) {
            tag(
              "rect", .init("width", "\(code.side)"), .init("height", "\(code.side)"),
              .init("fill", "#fff"))
            tag("path", .init("d", code.path), .init("fill", "#000"))
          }
        }
      }
      key.grouped.revealText { text in tag("p", .init("class", "number")) { text } }
      key.address.revealText { address in
        tag("p") { tag("a", .init("href", address)) { said("Open the app on this device") } }
      }
    }
  }

  private func confirming(hasKey: Bool) -> [Node] {
    [
      own.form(Self.path, "fields") {
        hidden("do", "confirm")
        CodeEntry.timed(
          trouble?.field == CodeEntry.timedField ? trouble?.words : nil,
          hint: said("The six digits that the app shows now. Nothing counts before."),
          isFocused: !hasKey)
        tag("button", .init("class", "button"), .init("type", "submit")) { said("Confirm") }
      },
      hasKey
        ? nil
        : own.form(Self.path) {
          hidden("do", "begin")
          tag("button", .init("class", "button second"), .init("type", "submit")) {
            said("Begin anew, with another key")
          }
        },
    ].compactMap(\.self)
  }

  private func once(_ spares: [Secret]) -> Node {
    tag("section", .init("class", "once"), .init("aria-labelledby", "spares")) {
      tag("h2", .init("id", "spares")) { said("Your recovery codes") }
      tag("p") {
        said(
          """
          Write them down and keep them apart from your telephone: each lets you in once when the \
          app is lost. They are shown this once.
          """)
      }
      tag("ol", .init("class", "codes")) {
        for spare in spares {
          tag("li") { spare.revealText { text in tag("code") { text } } }
        }
      }
    }
  }

  @Children private func standing(_ factor: SecondFactor) -> [Node] {
    tag("p", .init("class", "lead")) {
      said("You sign in with codes: set up \(Ago.words(factor.since, own.caller.now)).")
      " "
      counted(
        factor.spares, one: "\(factor.spares) recovery code is left.",
        many: "\(factor.spares) recovery codes are left.")
    }
  }

  @Children private var changing: [Node] {
    tag("section", .init("aria-labelledby", "change")) {
      tag("h2", .init("id", "change")) { said("Change something") }
      own.form(Self.path) { choices }
    }
  }

  private var choices: Node {
    tag("div", .init("class", "actions")) {
      for (deed, words) in [
        ("renew", said("Make new recovery codes")), ("end", said("Sign in without codes")),
      ] {
        tag(
          "button", .init("class", "button second"), .init("type", "submit"),
          .init("name", "do"), .init("value", deed)
        ) { words }
      }
    }
  }

  // MARK: - What its forms do

  func carry(_ form: FormFields) async throws(Problem) -> FormEnd {
    switch form["do"] {
    case "begin": try await begin()
    case "confirm": try await confirm(form)
    case "renew", "end": try await change(form)
    default: throw incompleteForm
    }
  }

  private func begin() async throws(Problem) -> FormEnd {
    let (reader, registry) = (own.reader, own.lobby.registry)
    let patron = Patron(id: reader.patron, name: reader.pass.owner)
    let begun = try await kept { () throws(RegistryError) in
      try await registry.beginFactor(
        of: patron, issuer: own.lobby.settings.title, by: reader.patron.rawValue,
        request: own.caller.request.id.description)
    }
    guard case .begun(let key) = begun else { return .onward(Self.path) }
    return .page(try await CodesPage(own, nil, .begun(key)).page())
  }

  private func confirm(_ form: FormFields) async throws(Problem) -> FormEnd {
    let (reader, registry, request) = (own.reader, own.lobby.registry, own.caller.request)
    let (code, pass) = (CodeEntry(form)?.secret ?? Secret(""), request.pass.map { Secret($0.text) })
    let spares = try await kept { () throws(RegistryError) in
      try await registry.confirmFactor(
        of: reader.patron, with: code, in: pass, by: reader.patron.rawValue,
        request: request.id.description)
    }
    guard let spares else {
      let trouble = FormTrouble(CodePage.Trouble.wrong.words, at: CodeEntry.timedField)
      return .page(
        try await CodesPage(own, trouble, .begun(nil)).page(), .unprocessableContent)
    }
    return .pageAfterCode(try await CodesPage(own, nil, .spares(spares)).page())
  }

  private func change(_ form: FormFields) async throws(Problem) -> FormEnd {
    let (patron, registry) = (own.reader.patron, own.lobby.registry)
    let request = own.caller.request.id.description
    if form["do"] == "end" {
      try await kept { () throws(RegistryError) in
        _ = try await registry.endFactor(
          of: patron, keeping: own.reader.pass.reference, by: patron.rawValue, request: request)
      }
      return .onward(Self.path, ["did": OwnDeed.uncoded.rawValue])
    }
    let spares = try await kept { () throws(RegistryError) in
      try await registry.renewSpares(of: patron, by: patron.rawValue, request: request)
    }
    return .page(try await CodesPage(own, nil, .spares(spares ?? [])).page())
  }

  private func kept<T: Sendable>(
    _ body: () async throws(RegistryError) -> T
  ) async throws(Problem) -> T {
    do throws(RegistryError) { return try await body() } catch {
      throw Refusals.unread(said("Nothing of your codes can be read or written just now."))
    }
  }
}
