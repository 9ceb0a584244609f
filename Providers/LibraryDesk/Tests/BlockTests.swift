import Circulation
import Machine
import ProviderKit
import SIP2
import Testing

@testable import LibraryDesk

@Suite struct `A library's own rules` {
  private let today = CivilDate(year: 2026, month: 3, day: 24)!

  private var reader: DeskReader {
    var reader = DeskReader(id: "7", card: "2300")
    (reader.kind, reader.home) = ("12", "MTH")
    reader.owed = Amount("12.50")
    reader.born = CivilDate(year: 2013, month: 3, day: 25)
    reader.lastDay = CivilDate(year: 2026, month: 12, day: 31)
    return reader
  }

  private func holds(_ expression: String) throws -> Bool {
    let rule = try BlockRule("r: \(expression) => No.")
    let block = rule.block(reader, today: today)
    #expect(block?.note == nil, "\(expression)")
    return block != nil
  }

  @Test(arguments: [
    ("{fines} > 10", true), ("{fines} > 12.5", false), ("{fines} >= 12.50", true),
    ("{age} == 12", true), ("{age} < 13 and {patron_type} == '12'", true),
    ("age({born}) == 12", true), ("number({patron_type}) == 12", true),
    ("{home} == 'MTH' or {fines} > 1000", true), ("not {home} == 'MTH'", false),
    ("not ({home} == 'X') and not false", true), ("{expires} < '2027-01-01'", true),
    ("{today} == \"2026-03-24\"", true), ("{home} != 'MTH' or ({fines} < 1 and true)", false),
    ("true", true), ("not not false", false), ("{fines} > -1", true),
  ]) func `A library's own rules say what they say`(expression: String, isTrue: Bool) throws {
    #expect(try holds(expression) == isTrue)
  }

  @Test(arguments: [
    "", "{fines}", "{fines} >", "{fines} > 'a'", "{shoe} == 1", "system('x')", "1 + 1 == 2",
    "{fines} = 1", "({fines} > 1", "{fines} > 1)", "'open", "{open", "{fines} > 1 {fines}",
    "{age}.length > 1", "true < false", "number({home}) > 1", "age('yesterday') > 1", "x",
    "1-2 == 3", String(repeating: "(", count: 200) + "true" + String(repeating: ")", count: 200),
  ]) func `A library's own rules that make no sense are refused at the start`(expression: String) {
    #expect(throws: BlockRule.Fault.self) { _ = try BlockRule("r: \(expression) => No.") }
  }

  @Test func `A library's own rules are at most a thousand signs long, with a name and a message`()
    throws
  {
    let long = Array(repeating: "true", count: 250).joined(separator: " or ")
    #expect(throws: BlockRule.Fault.self) { _ = try BlockRule("r: \(long) => No.") }
    for line in ["true => No.", "r: true", "r: true =>", ": true => No.", "r => true: No."] {
      #expect(throws: BlockRule.Fault.self, "\(line)") { _ = try BlockRule(line) }
    }
  }

  @Test func `A library's own rules that cannot be judged block, and tell the administrator`()
    throws
  {
    let rule = try BlockRule("minors: {age} < 13 => Children borrow at the desk.")
    var untold = reader
    untold.born = nil
    let block = try #require(rule.block(untold, today: today))
    #expect(block.kind == .rule && block.sentence == "Children borrow at the desk.")
    #expect(block.note == "rule 'minors' cannot be judged: {age} is not told")
  }

  @Test func `A library's own rules stand one on a line of the settings`() throws {
    let library = try PlayedDesk.library([
      "block_rules":
        "# ours\n minors: {age} < 13 => Children borrow at the desk.\n\nx: false => No.\n"
    ])
    #expect(try BlockRule.rules(library).map(\.name) == ["minors", "x"])
    let wrong = try PlayedDesk.library(["block_rules": "a: true => Yes.\nb: nonsense => No."])
    #expect(throws: SettingsFault.self) { _ = try BlockRule.rules(wrong) }
  }

  @Test func `LibraryDesk explains account blocks when a hold is placed and still shows the shelf`()
    async throws
  {
    let played = PlayedDesk.town { asked in
      switch asked.path {
      case "/api/v1/patrons/7":
        (
          200,
          PlayedDesk.patron(",\"patron_card_lost\":true").replacing(
            "\"patron_card_lost\":false,", with: ""
          ).replacing("2027-01-31", with: "2026-03-01")
        )
      case "/api/v1/patrons/7/account": (200, #"{"balance":12.5}"#)
      default: nil
      }
    }
    let desk = try played.ada(["fine_limit": "10.00", "currency": "USD"])
    #expect(try await desk.shelf(in: played.call) == Shelf())
    let error = await failure {
      _ = try await desk.placeHold(
        on: ItemID("title-1"), options: HoldOptions(pickup: BranchID("CPL")), in: played.call)
    }
    #expect(error?.reason == .accountExpired)
    #expect(
      error?.explanation
        == "The card expired on 2026-03-01. The card was reported lost. "
        + "12.50 USD are owed; the limit is 10.00 USD.")
    #expect(!played.lines.contains("POST /api/v1/holds"))
    let standing = try await desk.checkAccount(in: played.call)
    #expect(standing.blocks.map(\.kind) == [.expired, .cardLost, .fines])
    #expect(standing.identity?.id == "7" && standing.identity?.name == "Émilie Lefèvre")
  }
}
