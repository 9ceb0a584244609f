import Foundation
import JSON
import JourneySupport
import Testing

/// One way in which things go wrong around a reader, and what they must be told.
struct Trouble: Sendable, CustomTestStringConvertible {
  let name: String
  var scenario = "three-cards"
  let code: String
  let exit: Int32
  var words = ["sync"]
  var input = ""
  /// Whether the shelf here is marked as old afterwards.
  var marksStale = true
  /// A trouble of our own house names what is wrong there instead of a card.
  var says = [Mock.name]
  let spoil: @Sendable (Stage) async throws -> Void

  var testDescription: String { name }

  static let all = atTheDoor + ofTheCard + onTheWay + inTheHouse

  private static let linking = [
    "link", "overdrive", "--library", "city", "--name", "other", "--credentials-stdin",
  ]

  private static let atTheDoor = [
    Trouble(
      name: "a wrong PIN", code: "credentials_rejected", exit: 4, words: linking,
      input: "\(Mock.bruno)\n0000\n", marksStale: false, says: [Mock.name, "…0002"]
    ) { _ in },
    Trouble(
      name: "a card that nobody knows", code: "credentials_rejected", exit: 4, words: linking,
      input: "29999999999999\n0000\n", marksStale: false, says: [Mock.name, "…9999"]
    ) { _ in },
    Trouble(
      name: "a card that owes money", scenario: "fines", code: "account_blocked", exit: 6,
      words: linking, input: "\(Mock.bruno)\n2222\n", marksStale: false,
      says: [Mock.name, "…0002"]
    ) { _ in },
    Trouble(
      name: "a card that has run out", scenario: "expired-card", code: "account_expired", exit: 6,
      words: linking, input: "\(Mock.chinua)\n3333\n", marksStale: false,
      says: [Mock.name, "…0003"]
    ) { _ in },
    Trouble(
      name: "a library that is not in the settings", code: "unknown_library", exit: 5,
      words: ["link", "overdrive", "--library", "nowhere", "--credentials-stdin"],
      marksStale: false, says: ["nowhere"]
    ) { _ in },
    Trouble(
      name: "no PIN at all", code: "empty_input", exit: 2, words: linking,
      input: "\(Mock.bruno)\n", marksStale: false
    ) { _ in },
  ]

  private static let ofTheCard = [
    Trouble(
      name: "a PIN that was changed", code: "credentials_rejected", exit: 4,
      says: [Mock.name, "…0001"]
    ) { stage in try await stage.mock.change(Mock.ada, ["pin": "4321"]) },
    Trouble(
      name: "a linked card that runs out", code: "account_expired", exit: 6,
      says: [Mock.name, "…0001"]
    ) { stage in try await stage.mock.change(Mock.ada, ["expires": "2020-01-01T00:00:00Z"]) },
    Trouble(
      name: "a linked card that is blocked", code: "account_blocked", exit: 6,
      says: [Mock.name, "…0001"]
    ) { stage in try await stage.mock.change(Mock.ada, ["block": "fines"]) },
  ]

  private static let onTheWay = [
    Trouble(name: "a page of HTML", code: "malformed_response", exit: 7) { stage in
      try await stage.mock.add(["name": "page", "kind": "wrong-type"])
    },
    Trouble(
      name: "a page of HTML in place of the shelf", code: "malformed_response", exit: 7
    ) { stage in
      try await stage.mock.add(["name": "page", "kind": "wrong-type", "operation": "checkouts"])
    },
    Trouble(name: "nothing at all", code: "malformed_response", exit: 7) { stage in
      try await stage.mock.add(["name": "empty", "kind": "empty"])
    },
    Trouble(name: "half an answer", code: "malformed_response", exit: 7) { stage in
      try await stage.mock.add(["name": "half", "kind": "truncate", "operation": "holds"])
    },
    Trouble(name: "ten megabytes of one string", code: "malformed_response", exit: 7) { stage in
      try await stage.mock.add(["name": "huge", "kind": "one-text", "bytes": 10_000_000])
    },
    Trouble(name: "a way to another host", code: "malformed_response", exit: 7) { stage in
      try await stage.mock.add([
        "name": "elsewhere", "kind": "redirect", "to": "http://elsewhere.invalid/v1/patrons/me",
      ])
    },
    Trouble(
      name: "silence", code: "deadline_exceeded", exit: 7, words: ["sync", "--timeout", "1s"],
      says: [Mock.name, "…0001"]
    ) { stage in try await stage.mock.add(["name": "silence", "kind": "timeout"]) },
    Trouble(
      name: "a library that asks for a minute", code: "provider_busy", exit: 8,
      says: [Mock.name, "60 seconds"]
    ) { stage in
      try await stage.mock.add(["name": "later", "kind": "rate-limit", "retryAfter": 60])
    },
    Trouble(
      name: "a library that cannot work", code: "provider_unavailable", exit: 7,
      words: ["sync", "--timeout", "1s"]
    ) { stage in try await stage.mock.add(["name": "ill", "kind": "status", "status": 500]) },
    Trouble(
      name: "no network", code: "network_failure", exit: 7, words: ["sync", "--timeout", "1s"],
      says: [Mock.name, "…0001"]
    ) { stage in try await stage.mock.end() },
    Trouble(
      name: "no network while borrowing", code: "network_failure", exit: 7,
      words: ["borrow", "city:8a6bd2be-2739-4ae3-8e70-aa19d30c3603", "--timeout", "1s"],
      marksStale: false, says: [Mock.name, "…0001"]
    ) { stage in try await stage.mock.end() },
    Trouble(
      name: "no network while searching where nothing was harvested", code: "network_failure",
      exit: 7, words: ["search", "harbors", "--timeout", "1s"], marksStale: false
    ) { stage in try await stage.mock.end() },
  ]

  private static let inTheHouse = [
    Trouble(
      name: "a library number that is not known", code: "not_configured", exit: 10,
      words: ["harvest"], marksStale: false
    ) { stage in try stage.writeSettings(libraryID: "9999") },
    Trouble(
      name: "a wrong client secret", code: "not_configured", exit: 10,
      says: [Mock.name, "client key and secret"]
    ) { stage in try stage.writeSettings(secret: "guessed") },
    Trouble(
      name: "a client secret that others can read", code: "not_configured", exit: 10,
      says: [Mock.name, "chmod 600"]
    ) { stage in try allow(0o644, stage.key("city-client_secret")) },
    Trouble(
      name: "a vault key that is another", code: "vault_key_wrong", exit: 12, says: ["vault"]
    ) { stage in
      let key = [UInt8](repeating: 7, count: 32)
      try Data(key).write(to: URL(filePath: stage.vaultKey))
      try allow(0o600, stage.vaultKey)
    },
    Trouble(
      name: "a vault key that others can read", code: "vault_unusable", exit: 12,
      says: ["vault.key", "chmod 600"]
    ) { stage in try allow(0o644, stage.vaultKey) },
    Trouble(
      name: "a vault key that is gone", code: "vault_unusable", exit: 12, says: ["vault.key"]
    ) { stage in try FileManager.default.removeItem(atPath: stage.vaultKey) },
    Trouble(
      name: "a vault that cannot be opened while searching", code: "vault_unusable", exit: 12,
      words: ["search", "harbors"], marksStale: false, says: ["vault.key"]
    ) { stage in try allow(0o644, stage.vaultKey) },
  ]

  private static func allow(_ mode: Int, _ path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }
}
