import Database
import Foundation
import StoreSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A killed program` {
  /// A child process of this very test binary writes rows, tells which are acknowledged, and is killed
  /// from another thread of its own in the middle of it.
  @Test(arguments: [1, 20, 150])
  func `A killed program keeps every acknowledged row`(afterRows count: Int) async throws {
    try await withTemporaryFolder { folder in
      let path = folder.path("a.db")
      let result = await #expect(
        processExitsWith: .signal(SIGKILL), observing: [\.standardOutputContent]
      ) { [path = path as String, count = count as Int] in
        let store = try await Store.open(.sqlite(path: path), .forTests)
        try await store.write { tx throws(DatabaseError) in try tx.execute(counters) }
        for number in 0..<100_000 {
          try await store.write { tx throws(DatabaseError) in
            try tx.add("n\(number)")
            try tx.add("m\(number)")
          }
          let line = Array("kept \(number)\n".utf8)
          FileHandle.standardOutput.write(Data(line))
          if number == count { Thread.detachNewThread { kill(getpid(), SIGKILL) } }
        }
      }
      let output = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
      let acknowledged = output.split(separator: "\n").count { $0.hasPrefix("kept ") }
      #expect(acknowledged > count)
      try await withStore(at: .sqlite(path: path)) { store in
        let names = try await store.names()
        // One more transaction may have been committed without having been told; never half of one.
        #expect([acknowledged * 2, acknowledged * 2 + 2].contains(names.count))
        #expect(
          (0..<acknowledged).allSatisfy { names.contains("n\($0)") && names.contains("m\($0)") })
        #expect(try await store.integrityFaults() == [])
        try await store.expectAnswers()
      }
    }
  }
}
