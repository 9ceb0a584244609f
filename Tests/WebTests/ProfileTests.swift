import Barcodes
import Circulation
import FrontDesk
import HTTP
import HTTPServer
import Images
import ProviderKit
import Registry
import Secrets
import StoreSupport
import TestSupport
import Testing

@testable import Web

@Suite struct `The profile` {
  @Test func `The profile hides the number until it is asked for, and its bars are kept by nobody`()
    async throws
  {
    try await LobbyRoom.open { room in
      room.lender.change { state in
        state.shelf.holds = [Hold(item: ItemID("t4"), status: .waiting(position: 2, total: 2))]
      }
      try await room.sync()
      try await room.signIn()
      let page = try await room.ask("/profile")
      #expect(page.status == 200 && page.text.contains("•••• •••• 0001"))
      #expect(page.text.contains("Volume 4 of Everything") && !page.text.contains("21000001"))
      let path = "/profile/cards/\(room.ada.id.rawValue)"
      let card = try await room.ask(path)
      #expect(!card.text.contains("21000001") && card.head["Cache-Control"] == "no-store")
      let shown = try await room.send(["do": "show"], to: path)
      #expect(shown.text.contains("21000001") && shown.head["Cache-Control"] == "no-store")
      #expect(shown.text.contains("src=\"\(path)/bars.svg\"") && !shown.text.contains(">1234<"))
      let bars = try await room.ask("\(path)/bars.svg")
      #expect(bars.status == 200 && bars.head["Cache-Control"] == "no-store")
      #expect(bars.head["Content-Type"] == "image/svg+xml")
      #expect(bars.text == Barcode("21000001", .code128)?.svg)
      room.keep("carrel_pass", nil)
      #expect(try await room.ask("\(path)/bars.svg").status == 404)
    }
  }

  @Test func `the profile shows number and PIN to who knows the PIN, and slows who does not`()
    async throws
  {
    try await LobbyRoom.open { room in
      try await room.signIn()
      try await room.age()
      let path = "/profile/cards/\(room.ada.id.rawValue)"
      #expect(try await room.ask("\(path)/bars.svg").status == 403)
      let wrong = try await room.send(["do": "pin", "proof": "0000"], to: path)
      #expect(wrong.status == 403 && !wrong.text.contains("1234") && !wrong.text.contains("0000"))
      let right = try await room.send(["do": "pin", "proof": "1234"], to: path)
      #expect(right.status == 200 && right.text.contains(">1234<"))
      #expect(try await room.ask("\(path)/bars.svg").status == 200)
      try await room.age()
      for _ in 0..<10 { try await room.send(["do": "pin", "proof": "0000"], to: path) }
      let slowed = try await room.send(["do": "pin", "proof": "1234"], to: path)
      #expect(slowed.status == 429 && slowed.head["Retry-After"] == "900")
    }
  }

  @Test(arguments: Engine.allCases)
  func `The profile keeps a picture small and square, and gives it up again`(engine: Engine)
    async throws
  {
    try await LobbyRoom.open(engine) { room in
      try await room.signIn()
      let photo = try Picture(width: 900, height: 500, Color(0x3366AA)).jpeg()
      let kept = try await room.send(
        ["do": "keep"], to: "/profile/picture", from: "/profile", files: [("photo", photo)])
      #expect(kept.location == "/profile?did=pictured")
      let page = try await room.ask("/profile")
      #expect(page.text.contains("alt=\"Your picture\""))
      let picture = try await room.ask("/profile/picture")
      #expect(picture.status == 200 && picture.head["Content-Type"] == "image/jpeg")
      #expect(picture.head["Cache-Control"]?.hasPrefix("private") == true)
      let broken = try await room.send(
        ["do": "keep"], to: "/profile/picture", from: "/profile",
        files: [("photo", Array("<svg onload=alert(1)>".utf8))])
      #expect(broken.status == 422)
      #expect(
        try await room.send(["do": "drop"], to: "/profile/picture", from: "/profile").status == 303)
      #expect(try await room.ask("/profile/picture").status == 404)
    }
  }
}

@Suite struct `A card before the camera` {
  private func photo(of number: String) throws -> [UInt8] {
    let bars = try #require(Barcode(number, .usual(for: number)))
    let unit = 3
    let sheet = try Picture(width: (bars.bars.count + 60) * unit, height: 300, Color(0xF4F2EC))
    for (place, isDark) in bars.bars.enumerated() where isDark {
      sheet.fill(x: (place + 30) * unit, y: 60, width: unit, height: 180, Color(0x202020))
    }
    return try sheet.jpeg(quality: 70)
  }

  @Test func `A card before the camera fills the number in, and the PIN is still asked for`()
    async throws
  {
    try await LobbyRoom.open { room in
      let door = try await room.ask("/sign-in?then=/my-books")
      #expect(door.text.contains("accept=\"image/*\" capture=\"environment\""))
      let form: FormFields = ["seal": door.value("seal") ?? "", "then": "/my-books"]
      let read = try await room.ask(
        "/sign-in/photo", form: form, files: [("photo", try photo(of: "21000001"))])
      #expect(read.status == 200 && read.value("then") == "/my-books")
      #expect(read.text.contains("value=\"21000001\"") && room.cookie("carrel_pass") == nil)
      let signed: FormFields = [
        "card": "21000001", "pin": "1234", "seal": read.value("seal") ?? "", "then": "/my-books",
      ]
      #expect(try await room.ask("/sign-in", form: signed).location == "/my-books")
    }
  }

  @Test
  func `a card photo without a barcode is explained, and one without a form token refused`()
    async throws
  {
    try await LobbyRoom.open { room in
      let seal = try await room.ask("/sign-in").value("seal") ?? ""
      let blank = try Picture(width: 300, height: 200, .white).jpeg()
      let nothing = try await room.ask(
        "/sign-in/photo", form: ["seal": seal], files: [("photo", blank)])
      #expect(nothing.status == 422 && nothing.text.contains("No bars were found"))
      #expect(
        nothing.text.contains("role=\"alert\"")
          && nothing.text.contains("<details class=\"more-ways\" open"))
      let strange = try await room.ask(
        "/sign-in/photo", form: ["seal": seal], files: [("photo", Array("GIF89a".utf8))])
      #expect(strange.status == 422)
      let none = try await room.ask("/sign-in/photo", form: ["seal": seal], files: [])
      #expect(none.status == 422 && none.text.contains("No photo was chosen"))
      let unsealed = try await room.ask(
        "/sign-in/photo", form: ["seal": "x"], files: [("photo", blank)])
      #expect(unsealed.status == 403)
    }
  }
}

@Suite struct `A card without a PIN` {
  @Test(arguments: Engine.allCases)
  func `the number of a card never signs in alone, whatever its library does`(
    engine: Engine
  ) async throws {
    try await LobbyRoom.open(engine) { room in
      for (name, library) in [("eve", PaperOffice.village), ("tom", LobbyRoom.town)] {
        _ = try await room.registry.link(
          patron: try await room.registry.patron(named: name).id, name: .like("card"),
          provider: ProviderID("paper"), library: library,
          credentials: .init(["card": Secret(name == "eve" ? "55500001" : "55500002")]),
          pinVerified: false, request: "r")
      }
      for (card, pin) in [
        ("55500001", ""), ("55500001", "0"), ("55500002", ""), ("55500002", "0"), ("21000001", ""),
      ] {
        var form: FormFields = ["card": card, "pin": pin, "nopin": "yes"]
        form.add("seal", try await room.ask("/sign-in").value("seal") ?? "")
        let answer = try await room.ask("/sign-in", form: form)
        #expect(answer.status == (pin.isEmpty ? 422 : 401))
      }
      #expect(room.cookie("carrel_pass") == nil)
    }
  }

  @Test func `every refused web sign-in takes at least the same time`() async throws {
    try await LobbyRoom.open { room in
      func refused(_ card: String, _ pin: String) async throws -> Duration {
        let start = ContinuousClock.now
        #expect(try await room.signIn(card: card, pin: pin).status == 401)
        return .now - start
      }
      var times: [Duration] = []
      for turn in 0..<4 {
        times.append(try await refused("21000001", "x\(turn)"))
        times.append(try await refused("2999999\(turn)", "x"))
      }
      #expect(times.allSatisfy { $0 >= Lobby.refusalTime })
    }
  }
}
