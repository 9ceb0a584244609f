import Circulation
import Desk
import Downloads
import FrontDesk
import Items
import Markup
import Phrasebook

/// What the pages say, in one place. Sentences are whole, and what is counted knows its plural.
enum Phrases {
  static var skip: String { said("Skip to the content") }
  static var motto: String { said("One shelf for every library card.") }
  static var toLibrary: String { said("Library") }

  // MARK: - Look

  static var lookHeading: String { said("Colors") }

  static var tongueHeading: String { said("Language") }
  static var tongueOfTheDevice: String { said("Language of the device") }
  /// Told by a form; no tongue is called that.
  static let asTheDevice = "device"

  static func look(_ look: Look) -> String {
    switch look {
    case .device: said("As the device")
    case .light: said("Light")
    case .dark: said("Dark")
    }
  }

  // MARK: - Keys

  static var keyHelp: String { said("Keyboard shortcuts") }
  static var keysAreOn: String { said("Use these keys on this device") }
  static var close: String { said("Close") }
  static var keys: [(keys: [String], does: String)] {
    [
      (["/"], said("Go to the search")), (["j", "k"], said("Next and previous book")),
      (["Enter"], said("Open the book")),
      (["b"], said("Borrow the book")), (["?"], said("Show these keys")),
    ]
  }

  // MARK: - Ignoring

  static var ignore: String { said("Ignore") }
  static var ignored: String { said("Ignored") }
  static var ignoreYes: String { said("Leave it out") }
  static var cancel: String { said("Cancel") }
  static var undo: String { said("Undo") }
  static var failed: String { said("That did not work. Load the page anew and try again.") }
  static var ignoreWhy: String {
    said(
      "Lanes and recommendations leave it out. A search still finds it, and there it can be shown again."
    )
  }
  static var showAgain: String { said("Show it again") }

  static func ignoreQuestion(_ title: [Node]) -> [Node] {
    marked("Leave \(title) out of your shelves?")
  }

  // MARK: - What was done

  static func done(_ deed: BookDeed) -> String? {
    switch deed {
    case .save: said("Saved for later.")
    case .unsave: said("No longer saved.")
    case .ignore: said("Your shelves leave it out from now on.")
    case .unignore: said("Your shelves show it again.")
    case .dismiss: said("Put away.")
    case .fetch: said("It is being downloaded.")
    case .enlist: said("It is on your list.")
    case .borrow, .hold, .renew, .cancel, .giveBack: nil
    }
  }

  // MARK: - Saving

  static var save: String { said("☆ Save") }
  static var saveForLater: String { said("☆ Save for later") }
  static var saved: String { said("★ Saved") }
  static var savedRemove: String { said("★ Saved: remove") }

  // MARK: - Downloads

  static var downloads: String { said("Downloads") }
  static var myBooks: String { said("My books") }
  static var refresh: String { said("Refresh") }
  static var noDownloads: String {
    said("Nothing is being downloaded. What you borrow comes here by itself.")
  }

  static func deed(_ deed: Lobby.QueueDeed) -> String {
    switch deed {
    case .pause: said("Pause")
    case .resume: said("Go on")
    case .retry: said("Try again")
    case .cancel: said("Cancel")
    }
  }

  static func state(_ ticket: Ticket, after others: Int) -> String {
    let cause = ticket.reason.map { said(known: DownloadWords.cause($0)) }
    switch ticket.state {
    case .queued:
      if let cause { return said("Waits: \(cause).") }
      return others == 0
        ? said("Waits, the next one.")
        : counted(
          others, one: "Waits after \(others) other.", many: "Waits after \(others) others.")
    case .running: return said("Downloading, \(size(ticket)).")
    case .paused: return ticket.received > 0 ? said("Paused at \(size(ticket)).") : said("Paused.")
    case .failed where ticket.willBeTriedAgain:
      return "\(sentence(cause)) \(said("It is tried again by itself."))"
    case .failed: return sentence(cause)
    case .done: return said("Downloaded.")
    }
  }

  private static func sentence(_ cause: String?) -> String {
    cause.map { said("It failed: \($0).") } ?? said("It failed.")
  }

  private static func size(_ ticket: Ticket) -> String {
    let received = bytes(ticket.received)
    return ticket.total.map { said("\(received) of \(bytes($0))") } ?? received
  }

  private static func bytes(_ count: Int) -> String {
    DownloadWords.bytes(count, point: Numerals.point)
  }

  // MARK: - My books

  static var whichBooks: String { said("Which books") }
  static var yours: String { said("Yours to keep") }
  static var remove: String { said("Remove") }
  static var dismiss: String { said("Put away") }
  static var fetch: String { said("Download") }
  static var read: String { said("Read") }
  static var readThere: String { said("Read at the library’s page") }
  static func tokenUntil(_ moment: [Node]) -> [Node] {
    marked(
      "Open the file with Adobe Digital Editions until \(moment); after that, get a new one here.")
  }
  static func tokenOver(_ moment: [Node]) -> [Node] {
    marked("The file was good until \(moment): download a new one.")
  }
  static var newWindow: String { said("opens a new window") }
  static var file: String { said("Save the file") }

  static func title(of part: MyBooksPage.Part) -> String {
    switch part {
    case .all: said("All", "books")
    case .loans: said("Loans")
    case .ready: said("Ready")
    case .holds: said("Holds")
    case .past: said("Past")
    case .saved: said("Saved")
    }
  }

  static var findOne: String { said("Find a book") }

  static func emptiness(of part: MyBooksPage.Part) -> String {
    switch part {
    case .all: said("No books yet. Find one, borrow it, and it stands here.")
    case .loans: said("Nothing is on loan.")
    case .ready: said("Nothing waits to be picked up.")
    case .holds: said("You wait for nothing.")
    case .past: said("Nothing went by.")
    case .saved: said("Nothing is saved for later. The star on a book’s page puts it here.")
    }
  }

  static func notHeard(from libraries: [String]) -> String {
    said(
      "Not heard from lately: \(libraries.joined(separator: ", ")). What is shown was known before."
    )
  }

  static func past(_ state: BookState, at library: String, on day: Node?) -> [Node] {
    let library = Node.text(library)
    guard let day else {
      return state == .loanOfferExpired
        ? marked("\(library) kept it ready for you; the time is over.")
        : marked("The loan from \(library) ended.")
    }
    return state == .loanOfferExpired
      ? marked("\(library) kept it ready for you until \(day).")
      : marked("The loan from \(library) ended on \(day).")
  }

  static func file(_ ticket: Ticket?) -> String? {
    switch ticket?.state {
    case .done: said("downloaded")
    case .running: said("downloading")
    case .queued: said("waits to be downloaded")
    case .paused: said("the download rests")
    case .failed: said("the download failed")
    case nil: nil
    }
  }

  static func wait(_ wait: Wait) -> String {
    said("About \(Words.span(wait)): \(wait.basis).")
  }

  // MARK: - Told on a device

  static var pushHeading: String { said("On this device") }
  static var pushWhy: String {
    said(
      """
      Holds that are ready and loans that end are told here, also while Carrel is closed. \
      No titles are named. It ends when you sign out.
      """)
  }
  static var pushHere: String { said("Tell me on this device") }
  static var pushRefused: String {
    said("This browser lets nobody tell you anything. Its settings for this site say so.")
  }

  // MARK: - Adobe

  static var adobeNone: String {
    said("None is kept here. Books that are locked by Adobe open with an Adobe ID of your own.")
  }
  static var adobeNotYet: String {
    said("Made by itself with the first book that is locked by Adobe.")
  }
  static var adobeMade: String { said("There is one, and no program was activated with it yet.") }
  static var adobeActivated: String { said("There is one, and programs were activated with it.") }
  static var adobeAnew: String {
    said("Books you borrow from now on have a new Adobe ID: activate your programs anew for them.")
  }

  // MARK: - A book

  static func lookAt(_ library: String) -> String { said("Look for it at \(library)") }
  static var whereToGetIt: String { said("Where to get it") }
  static var whatOpensIt: String { said("what opens it") }
  static var goneEverywhere: String { said("None of your libraries has it any more.") }
  static var signInToBorrow: String { said("Sign in to borrow") }
  static var addToList: String { said("Add to a list") }
  static var whichList: String { said("List") }
  static var newList: String { said("A new list") }
  static var newListName: String { said("Name of a new list") }
  static var add: String { said("Add") }
  static var share: String { said("Share") }
  static var copy: String { said("Copy the address") }
  static var copied: String { said("The address is copied.") }
  static var address: String { said("Address of this book") }
  static var byMail: String { said("By e-mail") }
  static var whichBranch: String { said("Where shall it wait for you?") }
  static var placeHold: String { said("Place the hold") }

  static func pickUp(_ library: String) -> String { said("Pick up on paper at \(library)") }

  static func noBranches(_ library: String) -> String {
    said("\(library) does not say where paper can be picked up. Try again in a minute.")
  }

  /// `EPUB: in this browser, or any reading app`
  static func opening(_ format: Format) -> String {
    let name = Labels.format(format.content)
    switch format.protection {
    case .none where format.content == .epub:
      return said("\(name), without a lock: opens here in the browser, and in any reading app.")
    case .none: return said("\(name), without a lock: opens in any program for such files.")
    case .adobe:
      return
        said(
          """
          \(name), locked by Adobe: opens in Adobe Digital Editions and apps that take an \
          Adobe ID, on computers, phones and many e-readers.
          """)
    case .lcp:
      return
        said(
          "\(name), locked by LCP: opens in Thorium Reader and other LCP apps, on computers and phones."
        )
    case .streaming: return said("\(name): opens in the browser, at the library’s own page.")
    case .vendorApp where format.content == .kindle:
      return said("\(name): opens on a Kindle or its apps.")
    case .vendorApp: return said("\(name): opens in the vendor’s own app, on phones and tablets.")
    case .unknown: return said("\(name): opens in the library’s own app.")
    }
  }
}
