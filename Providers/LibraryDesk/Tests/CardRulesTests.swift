import Circulation
import ProviderKit
import Secrets
import Testing

@testable import LibraryDesk

@Suite struct `What a library's cards look like` {
  private func rules(_ settings: [String: String]) throws -> CardRules {
    try CardRules(try PlayedDesk.library(settings))
  }

  private func slip(_ card: String, _ pin: String?, _ settings: [String: String] = [:]) throws
    -> Slip?
  {
    var fields = ["card": Secret(card)]
    fields["pin"] = pin.map { Secret($0) }
    return Slip(Credentials(fields), try rules(settings))
  }

  @Test func `What a library's cards look like: blanks around card and PIN are cut off`() throws {
    let slip = try #require(try slip("  2300 \n", " 4711 "))
    #expect(slip.card == "2300" && slip.isSound)
    #expect(slip.pin?.revealText { $0 } == "4711")
    let kept = try #require(try self.slip("2300", " 4711 ", ["pin_trimmed": "false"]))
    #expect(kept.pin?.revealText { $0 } == " 4711 ")
  }

  @Test(arguments: ["", "   ", nil])
  func `an empty PIN makes a card invalid unless the library uses no PINs`(pin: String?) throws {
    let slip = try #require(try slip("2300", pin))
    #expect(!slip.isSound && slip.pin == nil)
    let without = try #require(try self.slip("2300", pin, ["proof": "none"]))
    #expect(without.isSound && without.pin == nil)
  }

  @Test
  func `a card number has letters, digits and three symbols unless the library differs`() throws {
    for card in ["23000000000001", "émilie", "ada@town.example", "a-1.b"] {
      #expect(try slip(card, "1")?.isSound == true, "\(card)")
    }
    for card in ["2300 0001", "a|b", "../x", "2300\u{0}", "a'b"] {
      #expect(try slip(card, "1")?.isSound == false, "\(card)")
    }
    let own = ["card_pattern": "[0-9]{4}", "pin_pattern": "[0-9]{4}"]
    #expect(try slip("2300", "4711", own)?.isSound == true)
    #expect(try slip("23000", "4711", own)?.isSound == false)
    #expect(try slip("2300", "471", own)?.isSound == false)
  }

  @Test func `a card or PIN that is too long or empty is refused without a request`() async throws {
    let played = PlayedDesk.town()
    let long = String(repeating: "2", count: 65)
    for (card, pin) in [(long, "4711"), ("2300", String(repeating: "1", count: 65)), ("2300", "")] {
      let desk = try played.desk(
        PlayedDesk.koha, secrets: PlayedDesk.kohaSecrets, card: card, pin: pin)
      let error = await failure { _ = try await desk.checkAccount(in: played.call) }
      #expect(error?.reason == .credentialsRejected)
    }
    #expect(played.asked.isEmpty)
  }

  @Test(arguments: [
    ["card_pattern": "["], ["proof": "charm"], ["pin_length": "0"], ["restriction": "prefix"],
    ["restriction": "luck", "restriction_value": "x"],
    ["restriction": "regex", "restriction_value": "("],
    ["restriction": "list", "restriction_field": "shoe", "restriction_value": "1"],
  ]) func `What a library's cards look like: rules that make no sense are said at the start`(
    settings: [String: String]
  ) throws {
    #expect(throws: SettingsFault.self) { _ = try rules(settings) }
  }

  @Test
  func `a PIN that is not stored is a configuration error, not a rejected card`() async throws {
    let played = PlayedDesk.town()
    let desk = try played.desk(
      PlayedDesk.koha, secrets: PlayedDesk.kohaSecrets, card: "2300", pin: nil)
    for error in [
      await failure { _ = try await desk.shelf(in: played.call) },
      await failure { _ = try await desk.checkAccount(in: played.call) },
      await failure { _ = try await desk.renew(ItemID("copy-1"), in: played.call) },
    ] {
      guard case .notConfigured = error?.reason else {
        #expect(Bool(false), "\(String(describing: error))")
        continue
      }
      #expect(error?.explanation?.contains("not kept here") == true)
    }
    #expect(played.asked.isEmpty)
  }

  @Test
  func `patrons of a shared library system are told apart by card, home library or type`() throws {
    var reader = DeskReader(id: "7", card: "230012")
    (reader.home, reader.kind) = ("MTH", "ADULT")
    func admits(_ kind: String, _ field: String, _ value: String) throws -> Bool? {
      try rules([
        "restriction": kind, "restriction_field": field, "restriction_value": value,
      ]).restriction?.admits(reader)
    }
    #expect(try admits("prefix", "card", "2300") == true)
    #expect(try admits("prefix", "card", "2400") == false)
    #expect(try admits("regex", "card", "23[0-9]+") == true)
    #expect(try admits("string", "home", "MTH") == true)
    #expect(try admits("list", "type", "CHILD, ADULT") == true)
    #expect(try admits("list", "type", "CHILD") == false)
    reader.home = nil
    #expect(try admits("string", "home", "MTH") == false)
  }

  @Test func `a card of another library is named as such only after the right PIN`() async throws {
    let played = PlayedDesk.town()
    let only = ["restriction": "prefix", "restriction_value": "99"]
    let right = await failure { _ = try await played.ada(only).checkAccount(in: played.call) }
    #expect(right?.reason == .accountBlocked)
    #expect(right?.explanation == "The card belongs to another library.")
    let wrong = await failure {
      _ = try await played.desk(
        PlayedDesk.koha.merging(only) { $1 }, secrets: PlayedDesk.kohaSecrets, card: "2300",
        pin: "0000"
      ).checkAccount(in: played.call)
    }
    #expect(wrong?.reason == .credentialsRejected && wrong?.explanation == nil)
  }
}
