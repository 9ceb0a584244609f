import Foundation
import JSON
import JourneySupport
import TestSupport
import Testing

/// What the doctor says of who can sign in.
@Suite(.timeLimit(.minutes(3))) struct `The doctor, about patrons` {
  private func link(_ stage: Stage, _ patron: String, at library: String) async throws {
    let ending = try await stage.carrel(
      "link", "overdrive", "--library", library, "--credentials-stdin", "--as", patron,
      input: "\(Mock.ada)\n1111\n")
    guard ending.code == 0 else { throw TestSupportError(ending.error) }
  }

  private func told(_ stage: Stage) async throws -> [String] {
    try await stage.json("doctor").items.filter { $0["check"]?.string == "patrons" }
      .compactMap { $0["message"]?.string }
  }

  @Test(arguments: Engine.allCases)
  func `the doctor names patrons who cannot sign in, and those who may be taken for each other`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try stage.addSettings("server:\n  port: \(try sparePort())\n")
      let settings = try String(contentsOfFile: stage.settings, encoding: .utf8)
      // The mock's second library gives out no PINs unless it is asked for them.
      try Data(settings.replacing("pin_required: false", with: "pin_required: true").utf8)
        .write(to: URL(filePath: stage.settings))
      try await link(stage, "ada", at: "city")
      #expect(try await told(stage) == ["Each patron with a card can sign in."])
      try await link(stage, "bob", at: "lantern")
      try await link(stage, "eve", at: "city")
      let shared = try await told(stage)
      #expect(shared.count == 2)
      #expect(shared.contains("Cannot sign in by any card or app password: eve."))
      #expect(shared.contains { $0.hasPrefix("One card number and PIN fit ada and bob:") })
      #expect(!shared.joined().contains("1111") && !shared.joined().contains(Mock.ada))
      try await stage.json("admin", "device", "add", "phone", "--as", "eve")
      #expect(try await told(stage).count == 1)
      // Where the second library asks for no PIN again, no card of it signs in.
      try Data(settings.utf8).write(to: URL(filePath: stage.settings))
      let lost = try await told(stage)
      #expect(lost.contains { $0.hasPrefix("No card of lantern signs in") })
    }
  }
}
