import Circulation
import HTTPServer
import Markup
import Phrasebook
import Registry

/// The door: why it is there, card and PIN, and what helps whoever has neither at hand.
struct SignInPage: Sendable {
  /// Why somebody stands here again.
  enum Trouble: Sendable, Hashable {
    case refused, noCard, noPIN, staleForm, deviceWord, needsLibrary
    case noPhoto, nothingRead, noPicture, largePhoto, cannotRead
    case slowed(seconds: Int)
    case busy
    case unreachable(LibrarySilence)

    var words: String {
      switch self {
      case .refused: said("That card and PIN do not go together. Check both and try again.")
      case .noCard: said("The card's number is missing.")
      case .needsLibrary:
        said("This card and PIN fit more than one library. Choose yours and type the PIN again.")
      case .noPIN: said("The PIN is missing.")
      case .staleForm:
        said("This page was open for too long, or your browser keeps no cookies. Please try again.")
      case .deviceWord:
        said(
          """
          This app password has limited rights, so it cannot be used on this page. Use a library \
          card and its PIN, or an app password with all rights.
          """)
      case .noPhoto: said("No photo was chosen.")
      case .nothingRead:
        said(
          """
          No bars were found in the photo. Hold the card flat and close, in good light, or \
          type the number.
          """)
      case .noPicture:
        said("That file is no picture that can be read here: take a JPEG, PNG or WebP.")
      case .largePhoto:
        said("That photo is too large: take a smaller one, of at most 12 megabytes.")
      case .cannotRead: said("Photos cannot be read just now. Type the number instead.")
      case .unreachable(let silence):
        silence.isLate
          ? said(
            """
            \(silence.library) did not answer in time. Your card is as good as before: try \
            again in a minute.
            """)
          : said(
            "\(silence.library) cannot be reached. Your card is as good as before: try again in a minute."
          )
      case .slowed(let seconds):
        said("There were too many wrong attempts. Wait \(Self.span(seconds)), then try again.")
      case .busy: said("Many are signing in at this moment. Try again in a moment.")
      }
    }

    /// The field it is about.
    var field: String? {
      switch self {
      case .noPIN, .refused: "pin"
      case .noCard, .deviceWord: "card"
      case .needsLibrary: "library"
      case .noPhoto, .nothingRead, .noPicture, .largePhoto, .cannotRead: "photo"
      case .staleForm, .slowed, .busy, .unreachable: nil
      }
    }

    static func span(_ seconds: Int) -> String {
      if seconds < 90 {
        return counted(seconds, one: "\(seconds) second", many: "\(seconds) seconds")
      }
      let minutes = (seconds + 59) / 60
      return minutes <= 120 ? said("\(minutes) minutes") : said("\((minutes + 59) / 60) hours")
    }
  }

  /// What the libraries of this gateway say about getting in.
  struct Terms: Sendable {
    /// Where one becomes a member, by name.
    var joining: [(name: String, page: String)] = []
    /// Whether strangers may look around.
    var isPublic = false
    /// Those whose cards sign in.
    var libraries: [(id: LibraryID, name: String)] = []
    /// The id of the one that was named before.
    var chosen: String?
    /// Whether patrons of some of them come in although nobody linked their card here.
    var admitsMembers = false
  }

  let seal: FormSeal
  let onward: Onward
  let trouble: Trouble?
  var terms = Terms()
  /// As it was read from a photo.
  var card: String?

  func page(_ caller: Caller) -> Page {
    var page = Page(said("Sign in"), .door) {
      tag("div", .init("class", "door")) {
        tag("h1") { said("Sign in") }
        tag("p", .init("class", "lead")) {
          said(
            """
            With any of your library cards. It is needed to see what you have on loan, and so \
            that the library knows who borrows.
            """)
        }
        form(caller)
        photo(caller)
        joining
      }
    }
    if let trouble { page.notice = .alert(trouble.words) }
    return page
  }

  private func form(_ caller: Caller) -> Node {
    tag(
      "form", .init("class", "fields"), .init("method", "post"),
      .init("action", caller.link(LobbyPaths.signIn.print()))
    ) {
      sealed
      if terms.libraries.count > 1 { library }
      // Letters stand on some cards, so the keys for digits alone would shut their readers out.
      FormField("card", said("Card number")) { field in
        (field.fill, field.value) = ("username", card)
        field.wrong = wrong("card")
        field.hint =
          card == nil || trouble == .needsLibrary
          ? nil : said("Read from your photo. Compare it with the card.")
      }.node
      FormField("pin", "PIN") { field in
        (field.type, field.fill) = ("password", "current-password")
        field.wrong = wrong("pin")
        field.isFocused = card != nil
      }.node
      if terms.admitsMembers {
        choice("keep", "yes", said("Keep my PIN here, sealed"))
        tag("p", .init("class", "small")) {
          said(
            """
            Many libraries want it for every hold and renewal: without it those are made at the \
            library itself.
            """)
        }
      }
      choice("stay", "month", said("Stay signed in on this device for 30 days"))
      tag("div", .init("class", "actions")) {
        tag("button", .init("class", "button"), .init("type", "submit")) { said("Sign in") }
        if terms.isPublic {
          tag(
            "a", .init("class", "button second"),
            .init("href", caller.link(LobbyPaths.home.print()))
          ) { said("Cancel") }
        }
      }
    }
  }

  /// The same number and PIN may be another patron's at another library, and a PIN is shown to one
  /// library only.
  private var library: Node {
    tag("div", .init("class", "field")) {
      tag("label", .init("for", "library")) { said("Library") }
      tag(
        "select", .init("id", "library"), .init("name", "library"),
        .init("required", trouble == .needsLibrary),
        .init("aria-invalid", trouble == .needsLibrary ? "true" : nil)
      ) {
        tag("option", .init("value", "")) { said("Any library") }
        for library in terms.libraries {
          tag(
            "option", .init("value", library.id.rawValue),
            .init("selected", library.id.rawValue == terms.chosen)
          ) { library.name }
        }
      }
    }
  }

  private func photo(_ caller: Caller) -> Node {
    tag("details", .init("class", "more-ways"), .init("open", trouble?.field == "photo")) {
      tag("summary") { said("Scan the card with the camera") }
      tag(
        "form", .init("class", "fields"), .init("method", "post"),
        .init("action", caller.link(LobbyPaths.photo.print())),
        .init("enctype", "multipart/form-data")
      ) {
        sealed
        tag("div", .init("class", "field")) {
          tag("label", .init("for", "photo")) { said("A photo of the bars") }
          tag(
            "input", .init("id", "photo"), .init("name", "photo"), .init("type", "file"),
            .init("accept", "image/*"), .init("capture", "environment"), .init("required", true),
            .init("aria-invalid", trouble?.field == "photo" ? "true" : nil),
            .init("aria-describedby", "photo-hint"))
          tag("p", .init("class", "small"), .init("id", "photo-hint")) {
            said("It is read here and not kept.")
          }
        }
        tag("button", .init("class", "button second"), .init("type", "submit")) {
          said("Read the number")
        }
      }
    }
  }

  private var joining: [Node] {
    [
      terms.joining.isEmpty
        ? nil
        : tag("section", .init("aria-labelledby", "join")) {
          tag("h2", .init("id", "join")) { said("No card yet?") }
          tag("ul") {
            for library in terms.joining {
              tag("li") {
                tag("a", .init("href", library.page), .init("rel", "noreferrer")) {
                  said("Register with \(library.name)")
                }
              }
            }
          }
        },
      !terms.admitsMembers
        ? tag("p", .init("class", "small")) {
          marked(
            "A card must be linked to this gateway once before it opens these pages: with \(tag("code") { "carrel link" }), by you or by whoever runs it."
          )
        } : nil,
    ].compactMap(\.self)
  }

  @Children private var sealed: [Node] {
    hidden(FormSeal.field, seal.text)
    if onward != .home { hidden(Onward.field, onward.path) }
  }

  private func choice(_ name: String, _ value: String, _ words: String) -> Node {
    tag("label", .init("class", "choice")) {
      tag("input", .init("type", "checkbox"), .init("name", name), .init("value", value))
      " \(words)"
    }
  }

  private func wrong(_ field: String) -> String? {
    trouble?.field == field ? trouble?.words : nil
  }
}
