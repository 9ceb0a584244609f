import JSON
import MockKit
import Testing

@Suite struct `A fault told as JSON` {
  @Test(arguments: Fault.Kind.words)
  func `A fault told as JSON reads as it is written`(_ word: String) throws {
    let order: JSONValue = [
      "name": "test", "kind": .string(word), "status": 503, "milliseconds": 20, "retryAfter": 2,
      "bytes": 10, "bytesPerSecond": 100, "percent": 25, "to": "http://elsewhere.example/",
    ]
    let fault = try Fault(reading: order)
    #expect(fault.kind.word == word)
    #expect(try Fault(reading: fault.json) == fault)
  }

  @Test(
    arguments: [
      ["name": "x", "kind": "redirect"], ["name": "x", "kind": "cut", "percent": 100],
      ["name": "x", "kind": "one-text", "bytes": 1_000_000_000],
      ["name": "x", "kind": "status-after", "status": 200],
    ] as [JSONValue])
  func `A fault told as JSON is refused where it makes no sense`(_ order: JSONValue) {
    #expect(throws: AdminRefusal.self) { try Fault(reading: order) }
  }
}
