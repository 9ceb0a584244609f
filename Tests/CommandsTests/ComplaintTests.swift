import Arguments
import Foundation
import Items
import Machine
import Testing
import TextSafety

@testable import Commands

@Suite struct `A complaint about a library` {
  private func item(_ code: ErrorCode) -> ErrorItem {
    var item = ErrorItem(code.rawValue)
    (item.account, item.library, item.card) = ("city", "City Library", "…0417")
    (item.title, item.detail, item.retryAfter) = ("Emma", "5", 30)
    return item
  }

  /// What a library refuses or fails at: the library is named.
  static let ofLibraries: [ErrorCode] = [
    .credentialsRejected, .pinNotKept, .accountExpired, .accountBlocked, .noCopiesAvailable,
    .alreadyBorrowed,
    .loanLimitReached, .holdLimitReached, .alreadyOnHold, .notOnHold, .notBorrowed,
    .currentlyAvailable, .notRenewable, .titleGone, .formatUnavailable, .noLicenses, .notHoldable,
    .branchRefused, .unsupported,
    .providerBusy, .providerUnavailable, .malformedResponse, .networkFailure, .deadlineExceeded,
    .notConfigured, .branchNeeded, .onPaper,
  ]
  /// What is wrong on our side: the word it is about is said again.
  static let ofOurs: [ErrorCode] = [
    .unknownProvider, .unknownLibrary, .chooseLibrary, .unknownAccount, .alreadyLinked, .nameTaken,
    .tooManyCatalogs,
    .unknownLane, .badName, .unknownTitle, .severalMatches, .vaultLocked, .vaultKeyWrong,
    .vaultUnusable, .unknownKind, .noPicture, .databaseUnavailable, .badValue, .unwritable,
    .nothingToDecide, .catalogueShrunk, .unknownDevice, .unknownSession, .deviceExists,
    .unknownReader,
    .codesExist, .codeWrong,
    .unknownAnnotation, .noSuchPlace, .unknownNotes,
    .unknownWish,
    .unknownShelfFile,
    .unknownList, .listExists, .listMirrored, .listNotMirrored, .listReadOnly, .unknownWrite,
    .notOnList, .wrongState, .unknownChannel, .channelExists,
    .badChannel, .noWay, .channelCodeWrong, .channelConfirmed, .tooManyChannels, .notInQueue,
    .downloadFailed,
    .opensElsewhere,
    .notABackup, .backupDamaged, .backupLocked, .backupKeyWrong, .backupDiffers, .newerDatabase,
    .dataInUse, .badAddress,
  ]
  /// Said by the commands themselves, or about nothing.
  static let others: [ErrorCode] = [
    .cancelled, .noAccounts, .inDoubt, .partlyFailed, .unreadable, .emptyInput, .nothingOpen,
    .notOnLoan, .listsBusy, .noListsLinked, .malwareFound, .scannerAway, .unscannable,
    .rateLimited, .limitReached,
  ]

  @Test func `A complaint about a library is tested for every code that can come from behind`() {
    let known = Set(Self.ofLibraries + Self.ofOurs + Self.others)
    let behind = ErrorCode.allCases.filter { ($0.circulationRow ?? $0.keepingRow) != nil }
    #expect(behind.filter { !known.contains($0) } == [])
  }

  @Test(arguments: ofLibraries + ofOurs)
  func `A complaint about a library is a sentence with a command that works`(_ code: ErrorCode)
    throws
  {
    let error = CommandError(item(code))
    #expect(error.code == code)
    #expect(error.message.text.contains(Self.ofLibraries.contains(code) ? "City Library" : "5"))
    #expect(!error.message.text.contains("fault of its own"))
    guard let attempt = error.attempt?.description else { return }
    let words = attempt.split(separator: " ").map { String($0.filter { $0 != "\"" }) }
    #expect(words.first == "carrel")
    _ = try Program.carrel.read(Array(words.dropFirst()))
  }

  @Test func `A complaint about a library names the card by its last digits only`() {
    let error = CommandError(item(.credentialsRejected))
    #expect(error.message == "City Library refused card …0417 or its PIN.")
    #expect(error.attempt == "carrel account login city")
    #expect(error.json.text.contains(#""card":"city""#))
  }

  @Test func `A complaint about a library asks whether a name that is near was meant`() {
    for code in [ErrorCode.unknownAccount, .unknownProvider, .unknownLane] {
      var item = item(code)
      item.choices = ["city"]
      let error = CommandError(item)
      #expect(error.suggestions == ["city"] && error.text.text.contains("did you mean: city"))
    }
  }

  @Test func `A complaint about a library repeats what a service explains in place of our guess`() {
    for code in [ErrorCode.credentialsRejected, .notConfigured] {
      var item = item(code)
      item.explanation = "This instance shows its shelves to other instances only."
      let error = CommandError(item)
      #expect(
        error.message
          == "City Library: This instance shows its shelves to other instances only.")
      #expect(error.attempt == "carrel account check city")
    }
  }

  @Test func `A complaint about a library quotes a title of several words for the shell`() {
    var item = item(.noCopiesAvailable)
    item.title = "Pride and Prejudice"
    #expect(CommandError(item).attempt == "carrel hold add 'Pride and Prejudice'")
  }

  @Test func `A complaint about a library tells how long to wait`() {
    let error = CommandError(item(.providerBusy))
    #expect(error.message == "City Library asks us to wait 30 seconds.")
    #expect(error.json.text.contains(#""retry_after_s":30"#))
    #expect(error.code.exit == .wait)
  }
}

@Suite struct `Rows in columns` {
  private func grid(_ width: Int?) -> String {
    Grid(rows: [["1", "A very long title indeed", "now"], ["22", "Short", "later"]], yielding: 1)
      .text(.init(width: width, isStyled: false)).text
  }

  @Test func `Rows in columns stand under one another`() {
    #expect(grid(nil) == " 1  A very long title indeed  now\n22  Short                     later\n")
  }

  @Test func `Rows in columns have numbers end below one another`() {
    let rows = [["9", "12 Years", "1,204 books"], ["10", "A", "7 books"], ["11", "B", ""]]
    #expect(
      Grid(rows: rows, yielding: 1).text(.init(width: 40, isStyled: false))
        == " 9  12 Years  1,204 books\n10  A             7 books\n11  B\n")
  }

  @Test func `Rows in columns cut the title where the screen is narrow`() {
    #expect(grid(28) == " 1  A very long titl…  now\n22  Short              later\n")
  }

  @Test func `Rows in columns take lines of their own where even that is too wide`() {
    let rows = [["1", "A very long title indeed", "place 1 of 2, about 3 weeks", "", "city"]]
    let text = Grid(rows: rows, yielding: 1).text(.init(width: 40, isStyled: false))
    #expect(text == "1 A very long title indeed\n    place 1 of 2, about 3 weeks · city\n")
    let led = Grid(rows: rows, yielding: 2, leading: 1).text(.init(width: 40, isStyled: false))
    #expect(led == "1\n    A very long title indeed · place 1\n    of 2, about 3 weeks · city\n")
  }
}

@Suite struct `A number of the last list` {
  @Test func `A number of the last list stands for what was shown there`() throws {
    let shell = try Shell()
    let places = try Places(home: shell.home.path(), Surroundings.current)
    let list = LastList(places)
    #expect(throws: CommandError.self) { try list.title(1) }
    list.keep([])
    #expect { try list.title(1) } throws: {
      ($0 as? CommandError)?.message.text.hasSuffix("the last list was empty") == true
    }
    list.keep(["w1", "city:abc"])
    #expect(try list.title(2) == "city:abc")
    #expect(throws: CommandError.self) { try list.title(3) }
  }
}

@Suite struct `A time that is past` {
  @Test(arguments: [
    ("2026-11-22T11:59:30Z", "just now"), ("2026-11-22T11:40:00Z", "20 minutes ago"),
    ("2026-11-22T10:59:00Z", "1 hour ago"), ("2026-11-22T03:00:00Z", "9 hours ago"),
    ("2026-10-01T12:00:00Z", "1 Oct 2026"), ("2026-11-23T12:00:00Z", "23 Nov 2026"),
  ])
  func `A time that is past is said as people say it`(time: String, words: String) throws {
    let now = try #require(Timestamp(rfc3339: "2026-11-22T12:00:00Z"))
    #expect(Moments.past(time, now: now) == words)
  }
}

@Suite struct `A wait in words` {
  @Test(arguments: [
    (0, 20, "up to 3 weeks"), (14, 35, "2-5 weeks"), (3, 3, "3 days"), (1, 1, "1 day"),
    (0, 1, "up to 1 day"), (7, 14, "1-2 weeks"), (14, 14, "2 weeks"),
  ])
  func `A wait in words counts days for a fortnight and weeks from then on`(
    low: Int, high: Int, words: String
  ) {
    let estimate = EstimateItem(lowDays: low, highDays: high, basis: "")
    #expect(OfferText.wait(estimate) == words)
    #expect(OfferText.roughWait(estimate) == (low == 0 ? words : "about \(words)"))
  }
}

@Suite struct `A harvest in a line` {
  @Test func `A harvest in a line counts all books only when it came to its end`() {
    var item = HarvestItem(library: "city", provider: "lender")
    (item.changed, item.editions) = (3, 24)
    #expect(HarvestCommand.line(item) == "city: 3 new or changed, 0 gone; stopped before its end\n")
    item.isComplete = true
    #expect(HarvestCommand.line(item) == "city: 3 new or changed, 0 gone, 24 in all\n")
  }
}
