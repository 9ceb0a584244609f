import FrontDesk
import HTTP
import StoreSupport
import TestSupport
import Testing

@testable import Web

@Suite struct `A form that asks a library for something` {
  private func form(_ deed: String, _ page: LobbyRoom.Answer) throws -> FormFields {
    let key = try #require(page.value("key"))
    let seal = try #require(page.value("seal"))
    return ["do": deed, "library": "town", "item": "t3", "seal": seal, "key": key]
  }

  @Test(arguments: Engine.allCases)
  func `a web form that is sent twice asks the library once and gets the same answer`(
    engine: Engine
  ) async throws {
    try await LobbyRoom.open(engine) { room in
      try await room.signIn()
      let book = try await room.book("Volume 3")
      var keys: Set<String> = []
      for _ in 0..<2 {
        for deed in ["borrow", "return"] {
          // The page as it was before counts, with its key.
          let form = try form(deed, try await room.ask(book))
          keys.insert(form["key"] ?? "")
          var answers: Set<String?> = []
          for _ in 0..<3 { answers.insert(try await room.ask(book, form: form).location) }
          #expect(answers.count == 1 && answers.first??.contains("did=") == true, "\(answers)")
        }
      }
      // The same page again has another key, and its form is another wish.
      #expect(keys.count == 4)
      #expect(
        room.lender.commands == ["borrow t3", "return t3", "borrow t3", "return t3"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a web form of an old page says that what it did was undone, and does nothing`(
    engine: Engine
  ) async throws {
    try await LobbyRoom.open(engine) { room in
      try await room.signIn()
      let book = try await room.book("Volume 3")
      let old = try form("borrow", try await room.ask(book))
      #expect(try await room.ask(book, form: old).location?.contains("did=") == true)
      let back = try form("return", try await room.ask(book))
      #expect(try await room.ask(book, form: back).location?.contains("did=") == true)
      let again = try await room.ask(book, form: old)
      #expect(again.location == nil && again.text.contains("undone since"), "\(again.text)")
      #expect(room.lender.commands == ["borrow t3", "return t3"])
    }
  }
}
