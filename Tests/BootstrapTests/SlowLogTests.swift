import Database
import Log
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import Bootstrap

@Suite struct `Slow statements of a gateway` {
  @Test(arguments: Engine.allCases)
  func `Slow statements of a gateway stand in the log with how often, and for whose request`(
    engine: Engine
  ) async throws {
    let written = Mutex<[String]>([])
    let log = Log(
      level: .info, format: .logfmt, inJournal: false, time: { "now" },
      sink: { bytes in written.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) } })
    var settings = StoreSettings.forTests
    // Whatever is asked takes longer.
    settings.watch(after: .nanoseconds(1), SlowLog(Logger(to: log), nil))
    try await withStore(engine, settings) { store in
      written.withLock { $0 = [] }
      for request in ["first", "second"] {
        try await LogScope.$current.withValue(LogScope(requestID: request) { $0 }) {
          _ = try await store.read { tx throws(DatabaseError) -> Int in
            try tx.value("SELECT 40 + \(2)")
          }
        }
      }
    }
    let lines = written.withLock { $0 }.filter { $0.contains("SELECT 40 + ?") }
    #expect(lines.count == 2)
    for (line, request) in zip(lines, ["first", "second"]) {
      #expect(line.contains(#"msg="slow statement""#) && line.contains("request_id=\(request)"))
      #expect(line.contains(request == "first" ? "count=1" : "count=2"))
    }
  }

  @Test func `Slow statements of a gateway are looked for only where somebody wants them`() {
    var settings = StoreSettings.forTests
    settings.slowAfter = nil
    settings.watch(after: .zero, SlowLog(.silent, nil))
    #expect(settings.slowAfter == nil)
  }
}
