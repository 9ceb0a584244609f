import Arguments
import TextSafety

/// Every error has one word, the same in `--json`, in logs and in `carrel help errors`.
enum ErrorCode: String, CaseIterable {
  case unknownCommand = "unknown_command"
  case missingCommand = "missing_command"
  case unknownFlag = "unknown_flag"
  case missingArgument = "missing_argument"
  case tooManyArguments = "too_many_arguments"
  case missingValue = "missing_value"
  case unwantedValue = "unwanted_value"
  case badValue = "bad_value"
  case givenTwice = "given_twice"
  case conflictingFlags = "conflicting_flags"
  case inputNeeded = "input_needed"
  case confirmationNeeded = "confirmation_needed"
  case notConfirmed = "not_confirmed"
  case unknownTopic = "unknown_topic"
  case unknownSchema = "unknown_schema"
  case unknownSetting = "unknown_setting"
  case configInvalid = "config_invalid"
  case configMissing = "config_missing"
  case configUnreadable = "config_unreadable"
  case noHome = "no_home"
  case editorFailed = "editor_failed"
  case unwritable
  case addressInUse = "address_in_use"
  case addressRefused = "address_refused"
  case databaseUnavailable = "database_unavailable"
  case incompleteInstall = "incomplete_install"
  case interrupted
  case credentialsRejected = "credentials_rejected"
  case pinNotKept = "pin_not_kept"
  case accountExpired = "account_expired"
  case accountBlocked = "account_blocked"
  case noCopiesAvailable = "no_copies_available"
  case alreadyBorrowed = "already_borrowed"
  case loanLimitReached = "loan_limit_reached"
  case holdLimitReached = "hold_limit_reached"
  case alreadyOnHold = "already_on_hold"
  case notOnHold = "not_on_hold"
  case notBorrowed = "not_borrowed"
  case currentlyAvailable = "currently_available"
  case notRenewable = "not_renewable"
  case titleGone = "title_gone"
  case formatUnavailable = "format_unavailable"
  case noLicenses = "no_licenses"
  case notHoldable = "not_holdable"
  case branchRefused = "branch_refused"
  case unsupported
  case providerBusy = "provider_busy"
  case providerUnavailable = "provider_unavailable"
  case malformedResponse = "malformed_response"
  case networkFailure = "network_failure"
  case deadlineExceeded = "deadline_exceeded"
  case cancelled
  case notConfigured = "not_configured"
  case inDoubt = "in_doubt"
  case unknownProvider = "unknown_provider"
  case unknownLibrary = "unknown_library"
  case chooseLibrary = "choose_library"
  case unknownAccount = "unknown_account"
  case noAccounts = "no_accounts"
  case alreadyLinked = "already_linked"
  case tooManyCatalogs = "too_many_catalogs"
  case nameTaken = "name_taken"
  case badName = "bad_name"
  case unknownDevice = "unknown_device"
  case unknownSession = "unknown_session"
  case unknownReader = "unknown_reader"
  case unknownAnnotation = "unknown_annotation"
  case noSuchPlace = "no_such_place"
  case unknownNotes = "unknown_notes"
  case deviceExists = "device_exists"
  case codesExist = "codes_exist"
  case codeWrong = "code_wrong"
  case unknownChannel = "unknown_channel"
  case channelExists = "channel_exists"
  case badChannel = "bad_channel"
  case noWay = "no_way"
  case channelCodeWrong = "channel_code_wrong"
  case channelConfirmed = "channel_confirmed"
  case tooManyChannels = "too_many_channels"
  case rateLimited = "rate_limited"
  case limitReached = "limit_reached"
  case unknownList = "unknown_list"
  case listExists = "list_exists"
  case listMirrored = "list_mirrored"
  case listNotMirrored = "list_not_mirrored"
  case listReadOnly = "list_read_only"
  case listsBusy = "lists_busy"
  case noListsLinked = "no_lists_linked"
  case unknownWrite = "unknown_write"
  case notOnList = "not_on_list"
  case unknownShelfFile = "unknown_shelf_file"
  case unknownWish = "unknown_wish"
  case unknownTitle = "unknown_title"
  case severalMatches = "several_matches"
  case branchNeeded = "branch_needed"
  case onPaper = "on_paper"
  case wrongState = "wrong_state"
  case notOnLoan = "not_on_loan"
  case notInQueue = "not_in_queue"
  case opensElsewhere = "opens_elsewhere"
  case nothingOpen = "nothing_open"
  case downloadFailed = "download_failed"
  case malwareFound = "malware_found"
  case scannerAway = "scanner_away"
  case unscannable
  case nothingToDecide = "nothing_to_decide"
  case unknownLane = "unknown_lane"
  case vaultLocked = "vault_locked"
  case vaultKeyWrong = "vault_key_wrong"
  case vaultUnusable = "vault_unusable"
  case partlyFailed = "partly_failed"
  case unknownKind = "unknown_kind"
  case noPicture = "no_picture"
  case unreadable
  case emptyInput = "empty_input"
  case catalogueShrunk = "catalogue_shrunk"
  case zipUnreadable = "zip-unreadable"
  case zipSplit = "zip-split"
  case zipEncrypted = "zip-encrypted"
  case zipCompressionMethod = "zip-compression-method"
  case containerMissing = "container-missing"
  case containerMalformed = "container-malformed"
  case containerNoRootfile = "container-no-rootfile"
  case opfMissing = "opf-missing"
  case opfMalformed = "opf-malformed"
  case spineEmpty = "spine-empty"
  case spineNothingReadable = "spine-nothing-readable"
  case drmLCP = "drm-lcp"
  case drmAdept = "drm-adept"
  case passphraseNeeded = "passphrase-needed"
  case passphraseWrong = "passphrase-wrong"
  case notWrittenOut = "not-written-out"
  case drmFairPlay = "drm-fairplay"
  case drmUnknown = "drm-unknown"
  case tooLarge = "too-large"
  case noSuchItem = "no-such-item"
  case itemUnreadable = "item-unreadable"
  case queryTooLong = "query-too-long"
  case notABackup = "not_a_backup"
  case backupDamaged = "backup_damaged"
  case backupLocked = "backup_locked"
  case backupKeyWrong = "backup_key_wrong"
  case backupDiffers = "backup_differs"
  case newerDatabase = "newer_database"
  case dataInUse = "data_in_use"
  case badAddress = "bad_address"
  case unexpected

  init(_ problem: UsageError.Problem) {
    self =
      switch problem {
      case .unknownCommand: .unknownCommand
      case .missingCommand: .missingCommand
      case .unknownFlag: .unknownFlag
      case .missingArgument: .missingArgument
      case .tooManyArguments: .tooManyArguments
      case .missingValue: .missingValue
      case .unwantedValue: .unwantedValue
      case .badValue: .badValue
      case .givenTwice: .givenTwice
      }
  }

  var exit: ExitCode { row.exit }
  var cause: String { row.cause }
  var remedy: String { row.remedy.description }
  /// For a line to be pasted, where it is one.
  var attempt: ShellCommand { row.remedy }

  private var row: Row {
    if let row = circulationRow ?? bookRow ?? keepingRow { return row }
    return switch self {
    case .unknownCommand:
      (.usage, "There is no command of that name.", "Look it up with carrel help.")
    case .missingCommand:
      (.usage, "A word such as 'config' needs a verb after it.", "The message lists the verbs.")
    case .unknownFlag:
      (.usage, "The command has no such flag.", "Its help lists the flags it has.")
    case .missingArgument:
      (.usage, "A command was called without something it needs.", "The usage line names it.")
    case .tooManyArguments:
      (.usage, "More words than the command takes.", "Quote words that belong together.")
    case .missingValue:
      (.usage, "A flag stands without its value.", "Write it as --flag=VALUE or --flag VALUE.")
    case .unwantedValue:
      (.usage, "A flag that is either there or not was given a value.", "Leave '=' out.")
    case .badValue:
      (.usage, "A value is not of the kind that is asked for.", "The message says what it must be.")
    case .givenTwice:
      (.usage, "A flag was given twice with two values.", "Decide for one of them.")
    case .conflictingFlags:
      (.usage, "Two flags contradict each other.", "Leave one of them out.")
    case .inputNeeded:
      (
        .usage, "An answer is needed and nobody can be asked.",
        "Give the flag that the message names, or run it in a terminal."
      )
    case .confirmationNeeded:
      (.usage, "What cannot be undone needs a yes.", "Add --yes, or the flag that is named.")
    case .notConfirmed:
      (.refused, "The question was answered with no.", "Nothing was changed.")
    case .unknownTopic:
      (.notFound, "Help has no page of that name.", "carrel help lists commands and topics.")
    case .unknownSchema:
      (.notFound, "No output has a schema of that name.", "carrel schema lists the names.")
    case .unknownSetting:
      (
        .notFound, "There is no setting or group of that name.",
        "carrel config show lists them all."
      )
    case .configInvalid:
      (
        .configuration, "A settings file or variable has something wrong in it.",
        "Every fault is listed with file, line and column: mend them, then carrel config check."
      )
    case .configMissing:
      (
        .configuration, "The settings file that was named does not exist.",
        "Name another, or write one with carrel config example."
      )
    case .configUnreadable:
      (.configuration, "The settings file cannot be read.", "Check its owner and its mode.")
    case .noHome:
      (
        .configuration, "HOME is not set, so there is no place for files.",
        "Name one with --home DIR."
      )
    case .editorFailed:
      (
        .refused, "The editor could not be started, or gave up.",
        "Set EDITOR to an editor that is installed; the old file is unchanged."
      )
    case .unwritable:
      (.file, "A file or stream cannot be written.", "Check the folder, its mode and the disk.")
    case .addressInUse:
      (.inUse, "Another program listens on the port.", "Stop it, or choose one with --port.")
    case .addressRefused:
      (
        .refused, "The system does not let us listen on the address.",
        "Ports below 1024 need rights; addresses must belong to this machine."
      )
    case .databaseUnavailable:
      (
        .unreachable, "The database does not answer or refuses us.",
        "Check database.url and its password file with carrel config show database."
      )
    case .incompleteInstall:
      (.unexpected, "A part of carrel is not where it belongs.", "Install carrel again.")
    case .interrupted:
      (.interrupted, "Ctrl-C or a signal stopped the command.", "Run it again: it resumes.")
    default:
      (
        .unexpected, "The program met a fault of its own: a bug.",
        "Run it again with --debug and report it with the file that is named."
      )
    }
  }
}
