import Circulation
import Desk
import Downloads
import FrontDesk
import Items

/// What the pages say, in one place. Sentences are whole, and what is counted knows its plural.
enum Phrases {
  static let skip = "Skip to the content"
  static let motto = "One shelf for every library card."
  static let toLibrary = "Library"

  // MARK: - Look

  static let lookHeading = "Colors"

  static func look(_ look: Look) -> String {
    switch look {
    case .device: "As the device"
    case .light: "Light"
    case .dark: "Dark"
    }
  }

  // MARK: - Keys

  static let keyHelp = "Keyboard shortcuts"
  static let keysAreOn = "Use these keys on this device"
  static let close = "Close"
  static let keys: [(keys: [String], does: String)] = [
    (["/"], "Go to the search"), (["j", "k"], "Next and previous book"),
    (["Enter"], "Open the book"),
    (["b"], "Borrow the book"), (["?"], "Show these keys"),
  ]

  // MARK: - Ignoring

  static let ignore = "Ignore"
  static let ignored = "Ignored"
  static let ignoreYes = "Leave it out"
  static let cancel = "Cancel"
  static let undo = "Undo"
  static let failed = "That did not work. Load the page anew and try again."
  static let ignoreWhy =
    "Lanes and recommendations leave it out. A search still finds it, and there it can be shown again."
  static let showAgain = "Show it again"

  /// In three parts: the title between them is marked as one.
  static let ignoreQuestion = (before: "Leave ", after: " out of your shelves?")

  // MARK: - What was done

  static func done(_ deed: BookDeed) -> String? {
    switch deed {
    case .save: "Saved for later."
    case .unsave: "No longer saved."
    case .ignore: "Your shelves leave it out from now on."
    case .unignore: "Your shelves show it again."
    case .dismiss: "Put away."
    case .fetch: "It is being downloaded."
    case .enlist: "It is on your list."
    case .borrow, .hold, .renew, .cancel, .giveBack: nil
    }
  }

  // MARK: - Saving

  static let save = "☆ Save"
  static let saveForLater = "☆ Save for later"
  static let saved = "★ Saved"
  static let savedRemove = "★ Saved: remove"

  // MARK: - Downloads

  static let downloads = "Downloads"
  static let myBooks = "My books"
  static let refresh = "Refresh"
  static let noDownloads = "Nothing is being downloaded. What you borrow comes here by itself."

  static func deed(_ deed: Lobby.QueueDeed) -> String {
    switch deed {
    case .pause: "Pause"
    case .resume: "Go on"
    case .retry: "Try again"
    case .cancel: "Cancel"
    }
  }

  static func state(_ ticket: Ticket, after others: Int) -> String {
    let cause = ticket.reason.map(DownloadWords.cause)
    switch ticket.state {
    case .queued:
      if let cause { return "Waits: \(cause)." }
      return others == 0
        ? "Waits, the next one." : "Waits after \(Words.count(others, "other", "others"))."
    case .running: return "Downloading, \(size(ticket))."
    case .paused: return ticket.received > 0 ? "Paused at \(size(ticket))." : "Paused."
    case .failed where ticket.willBeTriedAgain:
      return "\(sentence(cause)) It is tried again by itself."
    case .failed: return sentence(cause)
    case .done: return "Downloaded."
    }
  }

  private static func sentence(_ cause: String?) -> String {
    cause.map { "It failed: \($0)." } ?? "It failed."
  }

  private static func size(_ ticket: Ticket) -> String {
    let received = DownloadWords.bytes(ticket.received)
    return ticket.total.map { "\(received) of \(DownloadWords.bytes($0))" } ?? received
  }

  // MARK: - My books

  static let whichBooks = "Which books"
  static let yours = "Yours to keep"
  static let remove = "Remove"
  static let dismiss = "Put away"
  static let fetch = "Download"
  static let read = "Read"
  static let readThere = "Read at the library’s page"
  /// In front of the moment and behind it.
  static let tokenUntil = (
    before: "Open the file with Adobe Digital Editions until ",
    after: "; after that, get a new one here."
  )
  static let tokenOver = (before: "The file was good until ", after: ": download a new one.")
  static let newWindow = "opens a new window"
  static let file = "Save the file"

  static func title(of part: MyBooksPage.Part) -> String {
    switch part {
    case .all: "All"
    case .loans: "Loans"
    case .ready: "Ready"
    case .holds: "Holds"
    case .past: "Past"
    case .saved: "Saved"
    }
  }

  static func emptiness(of part: MyBooksPage.Part) -> String {
    switch part {
    case .all: "No books yet. Find one, borrow it, and it stands here."
    case .loans: "Nothing is on loan."
    case .ready: "Nothing waits to be picked up."
    case .holds: "You wait for nothing."
    case .past: "Nothing went by."
    case .saved: "Nothing is saved for later. The star on a book’s page puts it here."
    }
  }

  static func notHeard(from libraries: [String]) -> String {
    "Not heard from lately: \(libraries.joined(separator: ", ")). What is shown was known before."
  }

  /// In front of the day.
  static func past(_ state: BookState, at library: String) -> String {
    state == .loanOfferExpired
      ? "\(library) kept it ready for you; the time is over." : "The loan from \(library) ended."
  }

  static func file(_ ticket: Ticket?) -> String? {
    switch ticket?.state {
    case .done: "downloaded"
    case .running: "downloading"
    case .queued: "waits to be downloaded"
    case .paused: "the download rests"
    case .failed: "the download failed"
    case nil: nil
    }
  }

  static func wait(_ wait: Wait) -> String {
    "About \(Words.span(wait)): \(wait.basis)."
  }

  // MARK: - Told on a device

  static let pushHeading = "On this device"
  static let pushWhy =
    "Holds that are ready and loans that end are told here, also while Carrel is closed. No titles are "
    + "named. It ends when you sign out."
  static let pushHere = "Tell me on this device"
  static let pushRefused =
    "This browser lets nobody tell you anything. Its settings for this site say so."

  // MARK: - Adobe

  static let adobeNone =
    "None is kept here. Books that are locked by Adobe open with an Adobe ID of your own."
  static let adobeNotYet = "Made by itself with the first book that is locked by Adobe."
  static let adobeMade = "There is one, and no program was activated with it yet."
  static let adobeActivated = "There is one, and programs were activated with it."
  static let adobeAnew =
    "Books you borrow from now on have a new Adobe ID: activate your programs anew for them."

  // MARK: - A book

  static let whereToGetIt = "Where to get it"
  static let whatOpensIt = "what opens it"
  static let goneEverywhere = "None of your libraries has it any more."
  static let signInToBorrow = "Sign in to borrow"
  static let addToList = "Add to a list"
  static let whichList = "List"
  static let newList = "A new list"
  static let newListName = "Name of a new list"
  static let add = "Add"
  static let share = "Share"
  static let copy = "Copy the address"
  static let copied = "The address is copied."
  static let address = "Address of this book"
  static let byMail = "By e-mail"
  static let whichBranch = "Where shall it wait for you?"
  static let placeHold = "Place the hold"

  static func pickUp(_ library: String) -> String { "Pick up on paper at \(library)" }

  static func noBranches(_ library: String) -> String {
    "\(library) does not say where paper can be picked up. Try again in a minute."
  }

  /// `EPUB: in this browser, or any reading app`
  static func opening(_ format: Format) -> String {
    let name = Labels.format(format.content)
    switch format.protection {
    case .none where format.content == .epub:
      return "\(name), without a lock: opens here in the browser, and in any reading app."
    case .none: return "\(name), without a lock: opens in any program for such files."
    case .adobe:
      return
        "\(name), locked by Adobe: opens in Adobe Digital Editions and apps that take an Adobe ID, "
        + "on computers, phones and many e-readers."
    case .lcp:
      return
        "\(name), locked by LCP: opens in Thorium Reader and other LCP apps, on computers and phones."
    case .streaming: return "\(name): opens in the browser, at the library’s own page."
    case .vendorApp where format.content == .kindle:
      return "\(name): opens on a Kindle or its apps."
    case .vendorApp: return "\(name): opens in the vendor’s own app, on phones and tablets."
    case .unknown: return "\(name): opens in the library’s own app."
    }
  }
}
