import Books
import Circulation
import Crypto
import Database
import Desk
import Downloads
import Foundation
import HTTP
import HTTPServer
import Log
import MockKit
import Registry
import Schedule
import Secrets

@testable import Bootstrap

extension Campaign {
  func require(_ condition: Bool, _ what: @autoclosure () -> String) throws {
    guard !condition else { return }
    throw Violation(
      description: """
        seed \(seed): \(what())
        Replay it: SEED=\(seed) make soak
        \(tally.story.suffix(90).joined(separator: "\n"))
        """)
  }

  // MARK: - After each command

  func effects(of name: String) -> Int { wire.effects.count { $0.attempt == name } }

  /// No command is doubled, and none is called done that was not, or not done that was.
  func check(_ word: String, _ attempt: Attempt) throws {
    let effects = effects(of: attempt.name)
    try require(effects <= 1, "\(attempt.name) had \(effects) effects")
    switch word {
    case "lent", "done", "had", "already":
      try require(
        effects == 1 || stands(attempt) || (attempt.verb == .renew && word == "already"),
        "\(attempt.name) never happened, and was called \(word)")
    case "in doubt", "database", "unopened": break
    case "waiting" where attempt.verb == .borrow: break
    case let word where word.hasPrefix("ended"): break
    default:
      try require(effects == 0, "\(attempt.name) happened, and was called \(word)")
    }
  }

  /// Whether it is at the library as the command wanted it.
  private func stands(_ attempt: Attempt) -> Bool {
    let (lending, card) = (lending(at: attempt.card), Town.cards[attempt.card].number)
    let loan = lending.loan(of: attempt.item.rawValue, by: card)
    let hold = lending.hold(on: attempt.item.rawValue, by: card)
    switch attempt.verb {
    case .borrow: return loan != nil
    case .giveBack: return loan == nil
    case .renew: return false
    case .placeHold: return hold != nil || loan != nil
    case .cancelHold: return hold == nil
    case .suspendHold: return hold?.suspension != nil
    case .resumeHold: return hold != nil && hold?.suspension == nil
    }
  }

  // MARK: - When it is quiet

  /// Everything that was on its way has come or is lost; two rounds settle everything, and all is as it
  /// is at the libraries.
  func settle(_ number: Int) async throws {
    time.wrong = .zero
    // On another machine only the calendar tells how old a command is, and two of them may be wrong.
    time.pass(.seconds(machine.isOther ? 960 : 320))
    machine.isOther = false
    await wire.arrive()
    for round in 1...2 {
      time.pass(.seconds(30))
      for reader in readers {
        let outcome = await DueWork.syncing.perform(house, reader.rawValue, .silent)
        try require(
          outcome.word == "done",
          "round \(round): a sync \(outcome.word): \(outcome.note ?? "")")
      }
    }
    _ = await DueWork.settling.perform(house, wholeHouse, .silent)
    _ = await DueWork.expiring.perform(house, wholeHouse, .silent)
    await house.porter().workOff()
    say("quiet at \(number)")
    try require(
      try await house.desk.accountsInDoubt().isEmpty, "commands are still in doubt")
    for card in accounts.indices { try await checkShelf(card) }
    try await checkIntents()
    for reader in readers { try await checkBooks(of: reader) }
    try await checkFiles()
  }

  var readers: [PatronID] {
    Set(accounts.map(\.account.patron)).sorted { $0.rawValue < $1.rawValue }
  }

  /// Our shelf is the library's.
  private func checkShelf(_ card: Int) async throws {
    let (account, number) = (accounts[card].account.id, Town.cards[card].number)
    let lending = lending(at: card)
    let truth =
      lending.loans(by: number).map { "loan \($0.title.lowercased())" }
      + lending.holds(by: number).map { hold in
        let word = hold.suspension != nil ? "suspended" : hold.isReady ? "ready" : "waiting"
        return "\(word) \(hold.title.lowercased())"
      }
    let loans = try await house.desk.loans(of: [account]).map(\.loan)
    let holds = try await house.desk.holds(of: [account]).map(\.hold)
    let kept =
      loans.map { "loan \($0.item.rawValue.lowercased())" }
      + holds.map { "\($0.word) \($0.item.rawValue.lowercased())" }
    try require(
      truth.sorted() == kept.sorted(),
      "\(Town.cards[card].name) has \(truth.sorted()), and is shown \(kept.sorted())")
  }

  /// What is noted of each command is what became of it; none is lost.
  private func checkIntents() async throws {
    let states = try await house.store.read { snapshot throws(DatabaseError) in
      try snapshot.rows("SELECT attempt, state FROM desk_intent") { row throws(DatabaseError) in
        (try row[0] as String, try row[1] as String)
      }
    }
    let told = Dictionary(states, uniquingKeysWith: { first, _ in first })
    try require(told.count == states.count, "an attempt is noted twice")
    for attempt in attempts {
      let effects = effects(of: attempt.name)
      try require(effects <= 1, "\(attempt.name) had \(effects) effects")
      // What is older than a week is forgotten.
      guard let state = told[attempt.name] else { continue }
      try require(
        state == "done" || state == "untold" || effects == 0,
        "\(attempt.name) is \(state) and had its effect")
    }
  }

  /// Each book is in exactly one state, and in the one that the library's word asks for.
  private func checkBooks(of reader: PatronID) async throws {
    let mine = accounts.indices.filter { accounts[$0].account.patron == reader }
    let books = try await house.followed(mine.map { accounts[$0].account }, of: reader)
    let keys = books.map { "\($0.key.library.rawValue) \($0.key.item.rawValue.lowercased())" }
    try require(Set(keys).count == keys.count, "a book is there twice")
    for card in mine {
      let (lending, number) = (lending(at: card), Town.cards[card].number)
      for item in items(at: card) {
        let book = books.first {
          $0.key.library.rawValue == Town.cards[card].library && $0.key.item.isSame(as: item)
        }
        let state = book?.state ?? .none
        let hold = lending.hold(on: item.rawValue, by: number)
        let isFair: Bool
        if lending.loan(of: item.rawValue, by: number) != nil {
          isFair = state.isOnLoan
        } else if let hold {
          // That an offer went by is told until its reader has seen it, also while they wait on.
          isFair =
            hold.isReady
            ? state == .loanOffered : state == .waitingForLoan || state == .loanOfferExpired
        } else {
          isFair = !state.isOnLoan && state != .waitingForLoan && state != .loanOffered
        }
        try require(
          isFair, "\(Town.cards[card].name): \(item) is \(state.rawValue), which it is not")
      }
    }
  }

  /// What is said to be here is here, whole; nothing is kept of a loan that is over.
  private func checkFiles() async throws {
    for reader in readers {
      let loans = try await house.desk.loans(
        of: accounts.map(\.account).filter { $0.patron == reader }.map(\.id))
      for book in try await house.storeroom.files.books(of: reader) {
        let path = house.storeroom.files.path(of: book)
        let bytes = FileManager.default.contents(atPath: path).map { [UInt8]($0) } ?? []
        try require(
          Hex.encode(Digest.sha256.hash(bytes)) == book.digest, "a file is not what it was")
        try require(
          loans.contains { $0.account == book.account && $0.loan.item == book.item },
          "a file is kept of \(book.item) on \(book.account), whose loan is over; there are"
            + " \(loans.map { "\($0.loan.item) on \($0.account)" })")
      }
    }
  }

  // MARK: - In the end

  /// No secret is in what is kept or told, and nothing of one reader in what the other is told.
  func searchForSecrets() async throws {
    let search = Search(Town.secrets + Array(town.passwords.values))
    // Pages cost as much as all that led to them.
    let answers = fate.draw("pages", 4) == 0 ? try await lookedAt() : []
    for (reader, what, bytes) in answers {
      if let secret = search.find(in: Data(bytes)) {
        try require(false, "\(what) for \(reader) holds a secret (\(secret.suffix(3)))")
      }
      for other in Set(Town.cards.map(\.reader)) where other != reader {
        let marks = Search([other] + Town.cards.filter { $0.reader == other }.map(\.name))
        try require(marks.find(in: Data(bytes)) == nil, "\(what) for \(reader) tells of \(other)")
      }
    }
    if let secret = search.find(in: Data(log.bytes)) {
      try require(false, "a secret is in the log (\(secret.suffix(3)))")
    }
    await house.close()
    if let secret = search.find(in: Data(try await town.rows(of: path).utf8)) {
      try require(false, "a secret is in the database (\(secret.suffix(3)))")
    }
    for name in FileManager.default.enumerator(atPath: path) ?? .init() {
      guard let name = name as? String,
        let bytes = FileManager.default.contents(atPath: "\(path)/\(name)")
      else { continue }
      if let secret = search.find(in: bytes) {
        try require(false, "a secret is in \(name) (\(secret.suffix(3)))")
      }
    }
  }

  /// What each reader is shown.
  private func lookedAt() async throws -> [(String, String, [UInt8])] {
    let handler = try await town.wholeGateway(house).handler
    var found: [(String, String, [UInt8])] = []
    for reader in Set(Town.cards.map(\.reader)).sorted() {
      guard let account = accounts.first(where: { $0.card.reader == reader })?.account,
        let pass = try await house.registry.newPass(
          by: .card(account.id), for: .day, request: "sim")
      else { continue }
      let cookie = pass.revealText { $0 }
      let password = Base64.standard.encode(Array(":\(town.passwords[reader] ?? "")".utf8))
      for (path, headers) in [
        ("/my-books", ["Cookie": "carrel_pass=\(cookie)"] as Headers),
        ("/accounts", ["Cookie": "carrel_pass=\(cookie)"] as Headers),
        ("/opds/1/shelf", ["Authorization": "Basic \(password)"] as Headers),
      ] {
        let request = try HTTPServer.Request(.get, path, headers: headers)
        let response = await handler(request)
        let bytes = response.reply(to: request).bytes ?? []
        say("\(reader) \(path): \(response.status.code), \(bytes.count > 0 ? "a page" : "nothing")")
        found.append((reader, path, bytes))
      }
    }
    return found
  }
}
