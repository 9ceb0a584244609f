import TextSafety

/// What can go wrong at a library, in the contract's words, and around an account.
extension ErrorCode {
  typealias Row = (exit: ExitCode, cause: String, remedy: ShellCommand)

  var circulationRow: Row? {
    switch self {
    case .credentialsRejected:
      (
        .signIn, "The library refused the card or its PIN.",
        "carrel account login NAME takes the right ones."
      )
    case .pinNotKept:
      (
        .signIn, "Nothing can be asked with a card whose PIN is not kept here.",
        "carrel account login NAME takes the PIN and keeps it."
      )
    case .accountExpired:
      (
        .refused, "The card has expired.",
        "Renew it at the library, then carrel account check NAME."
      )
    case .accountBlocked:
      (
        .refused, "The library has blocked the card, often for fees.",
        "Ask at the library, then carrel account check NAME."
      )
    case .noCopiesAvailable:
      (.refused, "All copies are out.", "carrel hold add TITLE joins the queue.")
    case .alreadyBorrowed: (.refused, "The title is on loan already.", "carrel loans shows it.")
    case .loanLimitReached:
      (.refused, "The library lends no more titles at a time.", "Return one: carrel loans.")
    case .holdLimitReached:
      (.refused, "The library keeps no more holds at a time.", "Cancel one: carrel hold list.")
    case .alreadyOnHold: (.refused, "The title is on hold already.", "carrel hold list shows it.")
    case .notOnHold: (.notFound, "The title is not on hold.", "carrel hold list shows what is.")
    case .notBorrowed: (.notFound, "The title is not on loan.", "carrel loans shows what is.")
    case .currentlyAvailable:
      (.refused, "A copy is free: there is no queue to join.", "carrel borrow TITLE takes it.")
    case .notRenewable:
      (
        .refused, "The loan cannot be renewed, or not yet.",
        "Try again near its end, or place a hold."
      )
    case .titleGone:
      (.notFound, "The library no longer lists the title.", "carrel search looks elsewhere.")
    case .formatUnavailable:
      (.refused, "The title cannot be had in that format.", "carrel show TITLE lists the formats.")
    case .noLicenses:
      (.refused, "The library owns no copy of the title.", "carrel search looks elsewhere.")
    case .notHoldable:
      (
        .refused, "No copy of the title may be waited for with this card.",
        "Ask at the library, or carrel search looks elsewhere."
      )
    case .branchRefused:
      (
        .refused, "The library puts no copy aside at that branch, or wants one to be named.",
        "carrel show TITLE names the branches."
      )
    case .unsupported:
      (.refused, "The service cannot do that at all.", "carrel provider list tells what it can.")
    case .providerBusy:
      (.wait, "The service asks to be left alone for a while.", "Wait as long as it says.")
    case .providerUnavailable:
      (.unreachable, "The service is there, but does not work.", "Try again later.")
    case .malformedResponse:
      (
        .unreachable, "The service sent something that makes no sense.",
        "Try again later; report it if it stays so."
      )
    case .networkFailure:
      (.unreachable, "The service cannot be reached.", "Check the network and its address.")
    case .deadlineExceeded:
      (.unreachable, "The service did not answer in time.", "Give it more with --timeout 30s.")
    case .cancelled:
      (.interrupted, "The command was stopped before the answer came.", "Run it again: it resumes.")
    case .notConfigured:
      (.configuration, "A library's settings lack something.", "carrel config edit mends them.")
    case .inDoubt:
      (
        .unreachable, "The library has not said whether a command took effect.",
        "carrel sync asks for the shelf and tells."
      )
    default: accountRow
    }
  }

  private var accountRow: Row? {
    switch self {
    case .unknownProvider:
      (.notFound, "There is no provider of that name.", "carrel provider list names them.")
    case .unknownLibrary:
      (.notFound, "No library of that name is configured.", "carrel provider list names them.")
    case .chooseLibrary:
      (.ambiguous, "The provider has several libraries.", "Name one with --library.")
    case .unknownAccount:
      (.notFound, "No account of that name is linked.", "carrel account list names them.")
    case .noAccounts:
      (.notFound, "No card is linked yet.", "carrel link PROVIDER links one.")
    case .alreadyLinked:
      (.refused, "The card is linked already.", "carrel account list shows it.")
    case .tooManyCatalogs:
      (
        .refused,
        "A patron can link at most 10 catalogs by their addresses, and link 30 in 24 hours.",
        "carrel unlink ACCOUNT unlinks one."
      )
    case .nameTaken: (.refused, "Another account has that name.", "Choose one with --name.")
    case .badName:
      (.usage, "A name has letters, digits, - and _ only.", "Choose another with --name.")
    case .unknownAnnotation:
      (
        .notFound, "No bookmark or note has that name, or several begin with it.",
        "carrel note ls and carrel bookmark ls name them."
      )
    case .noSuchPlace:
      (.notFound, "The book has no such place.", "carrel epub search FILE WORDS finds places.")
    case .unknownNotes:
      (
        .refused, "The file holds no notes that we can read.",
        "Export them as Web Annotations or as KOReader's JSON."
      )
    case .unknownDevice:
      (.notFound, "No device of that name has a password.", "carrel admin device ls names them.")
    case .unknownSession:
      (.notFound, "No browser is signed in with that session.", "carrel session list shows them.")
    case .unknownReader:
      (
        .notFound, "Nobody of that name reads here.",
        "Names are as they were given with --as when a card was linked."
      )
    case .deviceExists:
      (.refused, "A device of that name has a password.", "Choose another name, or revoke it.")
    case .codesExist:
      (.refused, "The reader signs in with codes already.", "carrel admin codes rm ends them.")
    case .codeWrong:
      (
        .refused, "That is no code of the key that was drawn last, or none was drawn.",
        "Type the one that the app shows now; both clocks have to be right."
      )
    case .unknownChannel:
      (.notFound, "You have no channel of that name.", "carrel notify ls names them.")
    case .channelExists:
      (.refused, "Another channel of yours has that name.", "Choose another name with --name.")
    case .badChannel:
      (
        .usage, "What the channel leads to is not sound; the error names the field.",
        "carrel help notify add tells what is wanted. Addresses begin with https."
      )
    case .noWay:
      (
        .refused, "This gateway cannot send by that kind of channel.",
        "Set mail.server for email, and notices.sms_url or notices.sms_mail for sms."
      )
    case .channelCodeWrong:
      (
        .refused, "The code of the channel is wrong or no longer valid.",
        "Take the newest message, or send another code with carrel notify confirm NAME --send-again."
      )
    case .channelConfirmed:
      (.refused, "The address of the channel is confirmed already.", "Nothing needs to be done.")
    case .tooManyChannels:
      (
        .refused, "You have as many channels as a patron may have.",
        "Remove one that you do not use."
      )
    case .rateLimited:
      (
        .wait, "Too many codes and tests were sent.",
        "Wait as long as the error says; carrel help notify confirm names the limits."
      )
    case .limitReached:
      (
        .refused, "This gateway stores no more of that for one patron.",
        "Remove some of them first; the error names the limit."
      )
    case .unknownShelfFile:
      (
        .refused, "The file holds no list of books that we can read.",
        "Export it as CSV or JSON; carrel help list import tells what is known."
      )
    case .unknownList:
      (.notFound, "You have no list of that name.", "carrel list ls names them.")
    case .listExists:
      (.refused, "Another list of yours has that name.", "Choose another name.")
    case .listMirrored:
      (
        .refused, "The list is kept at a service, which names it.",
        "carrel unlink NAME takes the account and its lists away."
      )
    case .listNotMirrored:
      (.refused, "The list is your own and kept at no service.", "carrel list sync takes the rest.")
    case .listReadOnly:
      (
        .refused, "Nothing can be put on that list from here, or taken off it.",
        "Make one of your own with carrel list create NAME."
      )
    case .listsBusy:
      (.wait, "The lists are being brought in step at this moment.", "Try again soon.")
    case .noListsLinked:
      (
        .notFound, "No account where you keep lists is linked.",
        "carrel link PROVIDER links one; carrel provider list names them."
      )
    case .unknownWrite:
      (.notFound, "No write of that number can be taken back.", "carrel list log shows them.")
    case .notOnList:
      (.notFound, "The list has no such book.", "carrel list show LIST shows what stands on it.")
    case .unknownWish:
      (.notFound, "You have no such wish.", "carrel wish ls lists what you wish for.")
    case .unknownTitle:
      (.notFound, "No title goes by that name.", "carrel search finds titles.")
    case .severalMatches:
      (.ambiguous, "Several titles go by that name.", "Name one by its number or its id.")
    case .branchNeeded:
      (
        .ambiguous, "The library has to know at which branch a copy shall wait.",
        "Name one with --at; carrel show TITLE lists them."
      )
    case .onPaper:
      (
        .refused, "The title is there on paper, to be fetched at a branch.",
        "carrel hold add TITLE --at BRANCH has a copy put aside."
      )
    case .wrongState:
      (
        .refused, "The book is in a state where that has no meaning.",
        "carrel books shows what each book allows."
      )
    case .notOnLoan:
      (.notFound, "The title is not on loan.", "carrel borrow TITLE borrows it.")
    case .notInQueue:
      (.notFound, "No download goes by that name.", "carrel queue lists them.")
    case .opensElsewhere:
      (
        .refused, "The book is a licence for another reading program.",
        "carrel get TITLE --to FOLDER hands it over to that program."
      )
    case .nothingOpen:
      (.notFound, "No book was read here yet.", "carrel books lists what there is.")
    case .downloadFailed:
      (
        .unreachable, "A file could not be downloaded; the message says why.",
        "carrel get TITLE tries again and goes on where it stopped."
      )
    case .malwareFound:
      (
        .refused, "The scanner found malware in a file, which was thrown away.",
        "Tell the library, and whoever runs the gateway; its log has the name of what was found."
      )
    case .scannerAway:
      (
        .unreachable, "The scanner for malware does not answer, and nothing passes without it.",
        "Start it, then carrel doctor; downloads go on by themselves."
      )
    case .unscannable:
      (
        .refused, "A file is larger than the scanner for malware looks at.",
        "Raise scanner.largest and clamd's StreamMaxLength, or set scanner.required to false."
      )
    case .nothingToDecide:
      (.refused, "What was to be decided is so already.", "carrel explain TITLE tells how it is.")
    case .unknownLane:
      (.notFound, "There is no lane of that name.", "carrel lane list names them.")
    case .vaultLocked:
      (.locked, "The vault needs its passphrase.", "Type it, or set vault.passphrase_file.")
    case .vaultKeyWrong:
      (.locked, "The key does not open the vault.", "Give the right passphrase or key file.")
    case .vaultUnusable:
      (
        .locked, "The vault's files are damaged, missing, or open to others.",
        "Mend what the message names, or restore a backup."
      )
    case .partlyFailed:
      (.partly, "Some cards failed, the others did not.", "Each is listed with its reason.")
    case .noPicture:
      (
        .configuration, "A cover cannot be drawn: there is no font, or no memory.",
        "Install the Debian package fonts-liberation or fonts-dejavu-core."
      )
    case .unknownKind:
      (.usage, "The provider has no such kind of answer.", "The message lists the kinds.")
    case .unreadable: (.file, "A file cannot be read.", "Check its name and its mode.")
    case .catalogueShrunk:
      (
        .partly, "A catalogue lists far fewer titles than it did, so none was taken to have left.",
        "Get the catalogue again; if it is right, read it a second time."
      )
    case .emptyInput: (.usage, "Credentials were expected and none came.", "Look at the help.")
    default: nil
    }
  }
}
