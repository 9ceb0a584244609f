import Circulation
import Foundation
import HTTPClient
import JSON
import LibraryDeskMock
import Lines
import MockKit
import ProviderKit
import Secrets
import TestSupport
import Testing

@testable import LibraryDesk

/// Programs that others wrote, which `scripts/setup test` fetches.
private enum Peers {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  static let environment = [
    "PYTHONPATH": root.appending(path: ".build/home/sip2").path, "PYTHONDONTWRITEBYTECODE": "1",
  ]
  static func script(_ name: String) -> String { root.appending(path: "Tests/Peers/\(name)").path }
}

@Suite(.serialized, .timeLimit(.minutes(2))) struct `Others speak SIP2 with us` {
  @Test func `an independent SIP2 client works with the mock SIP2 server`() async throws {
    try await SIP2House.open("koha") { open in
      let finished = try await run(
        "python3",
        [
          Peers.script("sip2-client.py"), "\(open.line.port)", SIP2Dialect.login.user,
          SIP2Dialect.login.password, "23000000000004", "44440044", "39000000800300", "MTH",
        ], environment: Peers.environment)
      #expect(finished.end == .exited(0), "\(finished.errorText)")
      // It says goodbye in words of its own.
      let steps = finished.output.split(separator: UInt8(ascii: "\n")).compactMap {
        try? JSONValue(parsing: Array($0))
      }
      func told(_ step: String, _ part: String, _ name: String) -> String? {
        let value = steps.first { $0["step"]?.string == step }?[part]?[name]
        return value?.string ?? value?.array?.first?.string
      }
      #expect(told("login", "fixed", "Ok") == "1")
      #expect(told("status", "fixed", "OnlineStatus") == "Y")
      #expect(told("patron", "variable", "AE") == "LE CARRÉ, JOËL")
      #expect(told("patron", "variable", "BL") == "Y" && told("patron", "variable", "CQ") == "Y")
      #expect(told("item", "variable", "AJ")?.isEmpty == false)
      #expect(told("hold", "fixed", "Ok") == "1")
      // It reads eighteen signs as an expiry that the paper lets a server leave out.
      #expect(told("hold", "fixed", "ExpirationDate")?.contains("|BSMTH|") == true)
      #expect(told("again", "fixed", "Ok") == "0")
      #expect(told("holds", "variable", "CD") == "39000000800300")
      #expect(told("cancel", "fixed", "Ok") == "1")
      #expect(told("end", "fixed", "EndSession") == "Y")
      #expect(open.holds.isEmpty)
      #expect(open.asked("unreadable") == 0)
    }
  }

  @Test
  func `the SIP2 client works with an independent server that requires checksums`() async throws {
    let server = try RunningProcess(
      "python3", [Peers.script("sip2-server.py")], environment: Peers.environment)
    defer { server.send(9) }
    let port = try #require(
      try await server.nextLine().flatMap { Int($0) }, "\(server.errorText())")
    let session = try SIP2House.session(SIP2House.Ledger())
    func desk(_ pin: String) throws -> any CirculationProvider {
      try LibraryDeskProvider.listing.make(
        SIP2House.library(
          at: "sip2://127.0.0.1:\(port)", "generic",
          ["sip2_error_detection": "strict", "sip2_institution": "THEIRS"],
          login: ("carrel", "s3cret")),
        Credentials(["card": Secret("21234000000018"), "pin": Secret(pin)]), session)
    }
    let call = Call(patron: nil, deadline: .now + .seconds(20), requestID: "test")
    let reader = try desk("1234")
    #expect(try await reader.checkAccount(in: call).identity?.name == "LE CARRÉ, JOËL")
    let wrong = try desk("4321")
    let error = await failure { () async throws(CirculationError) in
      _ = try await wrong.checkAccount(in: call)
    }
    #expect(error?.reason == .credentialsRejected)
    let item = ItemID("copy-31234000000016")
    let options = HoldOptions(pickup: BranchID("EAST"))
    #expect(
      try await reader.placeHold(on: item, options: options, in: call).pickup?.rawValue == "EAST")
    let again = await failure { () async throws(CirculationError) in
      _ = try await reader.placeHold(on: item, options: options, in: call)
    }
    #expect(again?.reason == .alreadyOnHold)
    let holds = try await reader.shelf(in: call).holds
    #expect(holds.map(\.item) == [item] && holds.first?.title == "Moby-Dick")
    try await reader.cancelHold(on: item, in: call)
    #expect(try await reader.shelf(in: call).holds.isEmpty)
    let unknown = await failure { () async throws(CirculationError) in
      _ = try await reader.placeHold(on: ItemID("copy-1"), options: options, in: call)
    }
    #expect(unknown?.reason == .titleGone)
    await session.fittings.close()
    await session.lines?.shutdown()
  }
}
