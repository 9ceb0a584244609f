import Circulation
import Glibc
import HTTP
import LibraryDeskMock
import Lines
import MockKit
import ProviderKit
import Secrets
import TestSupport
import Testing

@testable import LibraryDesk

@Suite(.serialized, .timeLimit(.minutes(3))) struct `A SIP2 server goes wrong` {
  private func signIn(_ open: SIP2House) async -> CirculationError? {
    await failure { () async throws(CirculationError) in
      let desk: any CirculationProvider
      do { desk = try open.desk("23000000000004", "44440044") } catch { return }
      let standing = try await desk.checkAccount(in: open.call)
      #expect(standing.identity?.card == "23000000000004")
    }
  }

  private static let survived: [Fault.Kind] = [
    .line(.wrongSum), .line(.wrongNumber), .line(.pleaseRepeat), .line(.twice), .line(.noise),
    .line(.noDetection), .line(.wrongLetters), .line(.repeatedFields), .slicer(bytes: 1), .reset,
    .resetAfter, .cut(percent: 50), .line(.restart), .latency(milliseconds: 200, jitter: 0),
  ]

  @Test(arguments: survived)
  func `A SIP2 server goes wrong once, and the reader hears nothing of it`(_ kind: Fault.Kind)
    async throws
  {
    try await SIP2House.open("symphony", ["sip2_answer_seconds": "3"]) { open in
      // A wrong number is answered by waiting for the right one, which may never come.
      open.fault(kind, of: "patron")
      let error = await signIn(open)
      if kind == .line(.wrongNumber) {
        #expect(error?.reason == .deadlineExceeded)
      } else {
        #expect(error == nil, "\(kind)")
      }
      // What went wrong has no effect on who comes next.
      #expect(await signIn(open) == nil)
    }
  }

  @Test(arguments: [
    (Fault.Kind.line(.wrongSum), "malformed_response"),
    (.line(.pleaseRepeat), "malformed_response"),
    (.line(.endless), "malformed_response"), (.timeout, "deadline_exceeded"),
    (.reset, "network_failure"), (.cut(percent: 50), "network_failure"),
  ]) func `a lasting SIP2 failure is reported by its cause, never as a wrong card`(
    _ kind: Fault.Kind, _ code: String
  ) async throws {
    try await SIP2House.open("symphony") { open in
      open.fault(kind, count: .always)
      if kind == .reset || kind == .cut(percent: 50) {
        // The machine itself was let in before.
        open.house.main.withState { state in
          state.faults.removeAll()
          var fault = Fault(name: "always", kind: kind)
          fault.operation = "patron"
          state.faults.add(fault)
        }
      }
      let began = ContinuousClock.now
      let error = await signIn(open)
      #expect(error?.reason.code == code, "\(kind) \(String(describing: error))")
      #expect(began.duration(to: .now) < .seconds(9))
    }
  }

  @Test func `A SIP2 server goes wrong strict settings refuse an answer without a sum`()
    async throws
  {
    try await SIP2House.open("symphony", ["sip2_error_detection": "strict"]) { open in
      #expect(await signIn(open) == nil)
      open.fault(.line(.noDetection), of: "patron")
      guard case .malformedResponse = await signIn(open)?.reason else {
        Issue.record("it was taken")
        return
      }
    }
  }

  @Test(arguments: [
    Fault.Kind.resetAfter, .timeoutAfter, .line(.restart), .line(.wrongSum), .line(.pleaseRepeat),
    .line(.noise), .line(.wrongNumber),
  ]) func `a SIP2 failure after a hold was placed leaves exactly one hold`(_ kind: Fault.Kind)
    async throws
  {
    try await SIP2House.open("symphony") { open in
      open.fault(kind, of: "hold")
      let desk = try open.desk("23000000000004", "44440044")
      let hold = try await desk.placeHold(
        on: open.item(3), options: HoldOptions(pickup: BranchID("MTH")), in: open.call)
      #expect(hold.item == open.item(3))
      #expect(open.holds == ["8003 23000000000004"])
    }
  }

  @Test(arguments: [Fault.Kind.reset, .timeout])
  func `a SIP2 failure before a hold is placed leaves its outcome open`(
    _ kind: Fault.Kind
  ) async throws {
    try await SIP2House.open("symphony") { open in
      open.fault(kind, of: "hold")
      let desk = try open.desk("23000000000004", "44440044")
      let error = await failure { () async throws(CirculationError) in
        _ = try await desk.placeHold(
          on: open.item(3), options: HoldOptions(pickup: BranchID("MTH")), in: open.call)
      }
      // It may still arrive: neither done nor refused.
      #expect(error?.reason.leavesOutcomeOpen == true)
      #expect(open.asked("hold") == 1)
      #expect(open.holds.isEmpty)
    }
  }

  @Test
  func `the SIP2 client checks whether a hold was canceled when the reply is lost`() async throws {
    try await SIP2House.open("symphony") { open in
      let desk = try open.desk("23000000000004", "44440044")
      _ = try await desk.placeHold(
        on: open.item(3), options: HoldOptions(pickup: BranchID("MTH")), in: open.call)
      open.fault(.resetAfter, of: "cancel_hold")
      try await desk.cancelHold(on: open.item(3), in: open.call)
      #expect(open.holds.isEmpty && open.asked("cancel_hold") == 1)
    }
  }

  @Test
  func `the SIP2 client sends nothing for a while after five failures in a row`() async throws {
    try await SIP2House.open("symphony") { open in
      open.fault(.reset, of: "login", count: .always)
      for _ in 0..<5 { _ = await signIn(open) }
      let asked = open.asked("login")
      guard case .open = open.session.standing.circuit else {
        Issue.record("the office sees nothing of it")
        return
      }
      let began = ContinuousClock.now
      let error = await signIn(open)
      #expect(error?.reason == .providerUnavailable)
      #expect(open.asked("login") == asked)
      #expect(began.duration(to: .now) < .milliseconds(500))
    }
  }

  @Test func `a silent SIP2 server does not delay requests to another server`() async throws {
    let silent = try RawServer { line in
      _ = line.request()
    }
    defer { silent.stop() }
    try await SIP2House.open("symphony") { open in
      let hung = try LibraryDeskProvider.listing.make(
        SIP2House.library(at: "sip2://127.0.0.1:\(silent.port)", "symphony", [:]),
        Credentials(["card": Secret("23000000000001"), "pin": Secret("1111")]),
        try SIP2House.session(open.journal))
      let call = open.call
      async let lost = failure { () async throws(CirculationError) in
        _ = try await hung.checkAccount(in: call)
      }
      let began = ContinuousClock.now
      for _ in 0..<10 { #expect(await signIn(open) == nil) }
      #expect(began.duration(to: .now) < .seconds(1))
      #expect(await lost?.reason == .deadlineExceeded)
      #expect(began.duration(to: .now) < .seconds(3))
    }
  }

  @Test func `a reply that is not SIP2 is an error, but not a wrong card`() async throws {
    for answer in ["HTTP/1.1 400 Bad Request\r\n\r\n", "login:\r\n", "64\r", "\u{1}\u{2}garbage\r"]
    {
      let server = try RawServer { line in
        // More than anybody asks for, and then until the other side hangs up.
        for _ in 0..<64 { line.write(answer) }
        while line.line() != nil {}
      }
      let session = try SIP2House.session(SIP2House.Ledger())
      let desk = try LibraryDeskProvider.listing.make(
        SIP2House.library(
          at: "sip2://127.0.0.1:\(server.port)", "generic", ["sip2_greeting": "true"]),
        Credentials(["card": Secret("23000000000001"), "pin": Secret("1111")]), session)
      let error = await failure { () async throws(CirculationError) in
        _ = try await desk.checkAccount(
          in: Call(patron: nil, deadline: .now + .seconds(8), requestID: "test"))
      }
      #expect(error != nil && error?.reason != .credentialsRejected, "\(answer)")
      await session.fittings.close()
      await session.lines?.shutdown()
      server.stop()
    }
  }
}
