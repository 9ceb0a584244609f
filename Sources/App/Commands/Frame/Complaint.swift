import Items
import JSON
import TextSafety

/// What the engine could not do, in sentences. Each names the card it is about, and a command that
/// helps when pasted.
extension CommandError {
  init(_ error: ErrorItem) {
    let code = ErrorCode(rawValue: error.code) ?? .unexpected
    let (message, attempt) = Complaint(error: error).sentence(for: code)
    self.init(code, message, try: attempt)
    if [.unknownAccount, .unknownProvider, .unknownLane].contains(code) {
      suggestions = error.choices
    } else if !error.choices.isEmpty {
      details = error.choices.map { "  \($0)" }
    }
    if let account = error.account { fields.append(.init("card", .string(account))) }
    if let seconds = error.retryAfter {
      fields.append(.init("retry_after_s", .integer(seconds)))
    }
    if let operation = error.operation {
      fields.append(.init("operation", .string(operation)))
    }
  }
}

private struct Complaint {
  let error: ErrorItem

  private var library: String { error.library ?? error.account ?? "the library" }
  private var card: String { error.card.map { "card \($0)" } ?? "your card" }
  private var account: String { error.account ?? "NAME" }
  /// What lets the right card and PIN be given: for a card that is not linked yet, linking it.
  private var signIn: ShellCommand {
    error.unlinked.map { "carrel link \($0)" } ?? "carrel account login \(account)"
  }
  private var check: ShellCommand {
    error.unlinked.map { "carrel link \($0)" } ?? "carrel account check \(account)"
  }
  private var span: String {
    error.retryAfter.map { $0 < 120 ? "\($0) seconds" : "\(($0 + 59) / 60) minutes" } ?? "an hour"
  }
  private var title: String { error.title.map { "'\($0)'" } ?? "the title" }
  private var detail: String { error.detail ?? "" }

  /// The title as a command would take it.
  private var argument: String { error.title ?? "TITLE" }

  func sentence(for code: ErrorCode) -> (message: TerminalText, attempt: ShellCommand?) {
    switch code {
    // What the service's own adapter knows better stands for our guess.
    // A fault of the settings explains itself, and no service has said anything.
    case .notConfigured where error.explanation != nil && error.explanation == error.detail:
      ("\(library) cannot be used: \(error.explanation ?? "")", "carrel config check")
    case .credentialsRejected where error.explanation != nil,
      .notConfigured where error.explanation != nil:
      ("\(library): \(error.explanation ?? "")", check)
    case .credentialsRejected:
      ("\(library) refused \(card) or its PIN.", signIn)
    case .pinNotKept:
      ("\(library) can be asked nothing for \(card): its PIN is not kept here.", signIn)
    case .accountExpired where error.explanation != nil,
      .accountBlocked where error.explanation != nil:
      ("\(library) lends nothing new to \(card): \(error.explanation ?? "")", check)
    case .accountExpired:
      ("\(library) says that \(card) has expired: renew it there.", check)
    case .accountBlocked:
      (
        "\(library) has blocked \(card); fees are the usual reason.",
        check
      )
    case .noCopiesAvailable:
      ("All copies of \(title) at \(library) are out.", "carrel hold add \(argument)")
    case .alreadyBorrowed: ("\(title) is on loan already from \(library).", "carrel loans")
    case .alreadyOnHold: ("\(title) is on hold already at \(library).", "carrel hold list")
    case .loanLimitReached:
      (
        "\(library) lends no more\(limit) at a time to \(card); \(title) was not borrowed.",
        "carrel loans"
      )
    case .holdLimitReached:
      ("\(library) keeps no more\(limit) holds for \(card).", "carrel hold list")
    case .notOnHold: ("\(title) is not on hold at \(library).", "carrel hold list")
    case .notBorrowed: ("\(title) is not on loan from \(library).", "carrel loans")
    case .currentlyAvailable:
      ("\(library) has a free copy of \(title): no hold is needed.", "carrel borrow \(argument)")
    case .notRenewable:
      ("\(library) does not renew \(title), or not yet.", "carrel loans")
    case .titleGone: ("\(library) no longer lists \(title).", "carrel search \(argument)")
    case .formatUnavailable:
      ("\(library) does not lend \(title) in that format.", "carrel show \(argument)")
    case .notHoldable:
      (
        "\(library) lets \(card) not wait for \(title)\(error.explanation.map { ": \($0)" } ?? ".")",
        "carrel search \(argument)"
      )
    case .branchRefused:
      (
        "\(library) does not put \(title) aside there"
          + (error.explanation.map { ": \($0)" } ?? "; or name a branch."),
        "carrel show \(argument)"
      )
    case .noLicenses: ("\(library) owns no copy of \(title).", "carrel search \(argument)")
    default: service(code)
    }
  }

  private var limit: String { error.detail.map { " than \($0)" } ?? "" }

  private func service(_ code: ErrorCode) -> (message: TerminalText, attempt: ShellCommand?) {
    switch code {
    case .unsupported:
      ("\(library) does not offer that: \(detail).", "carrel provider list")
    case .providerBusy:
      (
        "\(library) asks us to wait"
          + (error.retryAfter.map { " \($0) seconds" } ?? " a little") + ".",
        check
      )
    case .providerUnavailable:
      ("\(library) answers that it cannot work just now.", check)
    case .malformedResponse where error.operation == "harvest" && error.providerSays != nil:
      ("\(library): \(error.providerSays ?? "").", "carrel help errors")
    case .malformedResponse:
      (
        "\(library) sent something that cannot be read"
          + (detail.isEmpty ? "" : " (expected \(detail))")
          + "; it may be under maintenance.", check
      )
    case .networkFailure where !detail.isEmpty:
      ("\(library) cannot be reached for \(card): \(detail).", "carrel config show http")
    case .networkFailure:
      ("\(library) cannot be reached for \(card).", check)
    case .deadlineExceeded:
      ("\(library) did not answer in time for \(card).", check.adding("--timeout 30s"))
    case .cancelled: ("interrupted", nil)
    case .notConfigured where error.operation != nil:
      ("\(library) does not take what the settings say: check \(detail).", "carrel config edit")
    case .notConfigured:
      detail.isEmpty
        ? ("\(library) cannot be used: its settings have a fault.", "carrel config check")
        : ("The settings of \(library) lack \(detail).", "carrel config edit")
    default: own(code)
    }
  }

  private func own(_ code: ErrorCode) -> (message: TerminalText, attempt: ShellCommand?) {
    switch code {
    case .unknownProvider: ("There is no provider '\(detail)'.", "carrel provider list")
    case .unknownLibrary: ("No library '\(detail)' is configured.", "carrel provider list")
    case .chooseLibrary:
      (
        "\(detail) has several libraries; which is it?",
        ("carrel link \(detail)" as ShellCommand).adding(
          "--library \(value: error.choices.first ?? "LIBRARY")")
      )
    case .unknownAccount: ("No account '\(detail)' is linked.", "carrel account list")
    case .noAccounts: ("No card is linked yet.", "carrel provider list")
    case .alreadyLinked:
      ("That card is linked already, as '\(detail)'.", "carrel account check \(detail)")
    case .tooManyCatalogs: ("Not linked: \(detail).", "carrel account list")
    case .nameTaken: ("Another account is named '\(detail)'.", "carrel account list")
    case .badName:
      ("'\(detail)' is no name: use letters, digits, - and _.", "carrel account list")
    case .unknownAnnotation:
      ("No one bookmark or note is called '\(detail)'.", "carrel note ls")
    case .noSuchPlace: ("'\(detail)' is no place in the book.", "carrel help epub search")
    case .unknownNotes: ("The file holds no notes: \(detail)", "carrel help note import")
    case .unknownSession: ("There is no session '\(detail)'.", "carrel session list")
    case .unknownDevice: ("No device '\(detail)' has a password.", "carrel admin device ls")
    case .unknownReader: ("Nobody called '\(detail)' reads here.", "carrel account list")
    case .deviceExists:
      ("A device '\(detail)' has a password already.", "carrel admin device revoke \(detail)")
    case .codesExist:
      ("'\(detail)' signs in with codes already.", "carrel admin codes rm \(detail)")
    case .codeWrong:
      (
        "That is no code of the key that was drawn for '\(detail)'.",
        "carrel admin codes confirm \(detail)"
      )
    case .unknownChannel: ("You have no channel '\(detail)'.", "carrel notify ls")
    case .channelExists: ("You have a channel '\(detail)' already.", "carrel notify rm \(detail)")
    case .badChannel:
      (
        "This cannot be the '\(detail)' of a channel; addresses begin with https.",
        "carrel help notify add"
      )
    case .noWay: ("This gateway cannot send by \(detail).", "carrel config show")
    case .channelCodeWrong: ("That is no valid code of '\(detail)'.", "carrel notify ls")
    case .channelConfirmed: ("'\(detail)' is confirmed already.", "carrel notify ls")
    case .tooManyChannels: ("You have \(detail) channels already.", "carrel notify rm NAME")
    case .rateLimited: ("Too many messages sent. Try again in \(span).", "carrel notify ls")
    case .limitReached: ("At most \(detail) are stored for one patron; remove some first.", nil)
    case .unknownShelfFile:
      ("The file holds no list of books: \(detail).", "carrel help list import")
    case .unknownList: ("There is no list '\(detail)'.", "carrel list ls")
    case .listExists: ("Another list is called '\(detail)'.", "carrel list ls")
    case .listMirrored:
      ("'\(detail)' is kept at a service, which names it and keeps it.", "carrel list ls")
    case .listNotMirrored: ("'\(detail)' is kept at no service.", "carrel list ls")
    case .listReadOnly: ("Nothing can be changed on '\(detail)' from here.", "carrel list ls")
    case .listsBusy: ("The lists are being brought in step at this moment.", "carrel list sync")
    case .noListsLinked:
      ("No account where you keep lists is linked.", "carrel provider list")
    case .unknownWrite: ("No write \(detail) can be taken back.", "carrel list log")
    case .notOnList: ("The list has no '\(detail)'.", "carrel list ls")
    case .unknownWish: ("You have no wish '\(detail)'.", "carrel wish ls")
    case .unknownTitle:
      ("No title goes by '\(detail)'.", "carrel search \(detail)")
    case .severalMatches:
      ("Several titles go by '\(detail)'; name one by its id.", "carrel search \(detail)")
    case .branchNeeded:
      (
        detail.isEmpty
          ? "\(library) has to know where \(title) shall wait for you; name a branch with --at."
          : "\(library) puts \(title) aside at no branch '\(detail)'; name one with --at.",
        "carrel show \(argument)"
      )
    case .onPaper:
      (
        "\(library) has \(title) on paper: have a copy put aside at a branch.",
        "carrel hold add \(detail)"
      )
    case .wrongState:
      ("\(title) is in the state '\(detail)', which does not allow that.", "carrel books")
    case .notOnLoan: ("\(title) is not on loan.", "carrel borrow \(argument)")
    case .opensElsewhere:
      (
        "\(title) opens in \(detail), not here.",
        ("carrel get \(argument)" as ShellCommand).adding("--to .")
      )
    case .nothingOpen: ("No book was read here yet.", "carrel books")
    case .downloadFailed:
      (
        "\(title) could not be downloaded: \(DownloadWords.cause(detail)).",
        "carrel get \(argument)"
      )
    case .malwareFound, .scannerAway, .unscannable:
      (
        "\(title) could not be downloaded: \(DownloadWords.cause(code.rawValue)).",
        code == .scannerAway ? "carrel doctor" : "carrel queue"
      )
    case .notInQueue: ("No download goes by '\(detail)'.", "carrel queue")
    case .nothingToDecide: ("Nothing was decided: \(detail).", "carrel work list")
    case .unknownLane: ("There is no lane '\(detail)'.", "carrel lane list")
    case .vaultLocked:
      ("The vault is locked: \(detail).", "carrel config show vault --origin")
    case .vaultKeyWrong:
      ("The key does not open the vault: \(detail).", "carrel config show vault --origin")
    case .vaultUnusable:
      ("The vault cannot be used: \(detail).", "carrel config show vault --origin")
    case .badValue: ("\(detail).", nil)
    case .unreadable: ("The file cannot be read: \(detail).", nil)
    case .catalogueShrunk:
      (
        "\(library) lists \(detail) titles only; none was taken to have left.",
        "carrel help errors"
      )
    case .unwritable: ("The data folder cannot be used: \(detail).", "carrel config path")
    case .noPicture:
      (
        "No cover can be drawn for '\(detail)': no font was found.",
        "carrel help cover"
      )
    case .unknownKind: ("There is no kind '\(detail)' to decode.", nil)
    case .databaseUnavailable:
      ("The database cannot be used: \(detail).", "carrel config show database")
    default: keeping(code)
    }
  }

  private func keeping(_ code: ErrorCode) -> (message: TerminalText, attempt: ShellCommand?) {
    switch code {
    case .notABackup: ("\(detail) is no backup.", "carrel help admin backup")
    case .backupDamaged:
      ("The backup is damaged: \(detail). Nothing was put back.", "carrel help admin verify")
    case .backupLocked:
      ("\(detail) is sealed: give its passphrase.", "carrel help admin restore")
    case .backupKeyWrong:
      ("The passphrase does not open \(detail).", "carrel help admin restore")
    case .backupDiffers:
      ("\(detail) was not read back as it was written. Nothing was changed.", nil)
    case .newerDatabase where error.title != nil:
      (
        "The database is newer than this program (\(detail)); the copy made before it was upgraded "
          + "can be put back.",
        error.explanation.map {
          ("carrel admin restore \(argument)" as ShellCommand).adding("--confirm=\(value: $0)")
        } ?? "carrel admin restore \(argument)"
      )
    case .newerDatabase:
      ("A newer program made it (\(detail)): this one would lose some of it.", "carrel version")
    case .dataInUse: ("\(detail): stop it first.", "carrel help errors")
    case .badAddress: ("\(detail).", "carrel help admin migrate-store")
    default: ("carrel met a fault of its own: \(error.code) \(detail)", nil)
    }
  }
}
