import Circulation
import Desk
import TestSupport
import Testing

private let emma = HeldItem("ada", "emma")

@Suite struct `What a reader says of the pace` {
  @Test(arguments: Engine.allCases)
  func `What a reader says of the pace: is kept until something else is said`(engine: Engine)
    async throws
  {
    try await withReader(engine) { _, gateway, _ async throws in
      let desk = gateway.desk
      #expect(try await desk.pace(of: "p", with: ["ada"]).isEmpty)
      try await desk.keep(mostReady: 2, of: "p")
      try await desk.keep(mostReady: 3, of: "p")
      try await desk.keep(notBefore: 20_000, for: emma)
      try await desk.keep(notBefore: 21_000, for: emma)
      try await desk.note(rest: emma, isOurs: true)
      try await desk.note(rest: emma, isOurs: true)
      let kept = try await desk.pace(of: "p", with: ["ada"])
      #expect(kept.mostReady == 3 && kept.notBefore == [emma: 21_000] && kept.rests == [emma])
      #expect(try await desk.pace(of: "q", with: ["bob"]).isEmpty)
      let paced = try await desk.paced()
      #expect(paced.patrons == ["p"] && paced.accounts == ["ada"])
      try await desk.keep(mostReady: nil, of: "p")
      try await desk.keep(notBefore: nil, for: emma)
      try await desk.note(rest: emma, isOurs: false)
      #expect(try await desk.pace(of: "p", with: ["ada"]).isEmpty)
    }
  }

  @Test(arguments: Engine.allCases)
  func `What a reader says of the pace: goes with the account`(engine: Engine) async throws {
    try await withReader(engine) { _, gateway, _ async throws in
      let desk = gateway.desk
      try await desk.keep(notBefore: 20_000, for: emma)
      try await desk.keep(notBefore: 20_000, for: HeldItem("bob", "emma"))
      try await desk.note(rest: emma, isOurs: true)
      try await gateway.forget("ada")
      #expect(try await desk.paced().accounts == ["bob"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `the desk drops a hold's not-before date about a day after the hold is gone`(
    engine: Engine
  ) async throws {
    try await withReader(engine) { house, gateway, ada async throws in
      let desk = gateway.desk
      house.town.stock("persuasion", copies: 1)
      #expect(await gateway.reader("bob").perform(.borrow, "persuasion") == "lent")
      _ = await ada.perform(.placeHold, "persuasion")
      let held = HeldItem("ada", "persuasion")
      #expect(try await desk.holds(of: ["ada"]).map(\.hold.item) == ["persuasion"])
      try await desk.keep(notBefore: 20_000, for: emma)
      try await desk.keep(notBefore: 20_000, for: held)
      try await desk.note(rest: emma, isOurs: true)
      try await desk.tidyPace(of: ["ada"])
      let young = try await desk.pace(of: "p", with: ["ada"])
      #expect(young.notBefore.count == 2 && young.rests.isEmpty)
      house.clock.step(seconds: 90_000)
      try await desk.tidyPace(of: ["ada"])
      #expect(try await desk.pace(of: "p", with: ["ada"]).notBefore == [held: 20_000])
    }
  }
}
