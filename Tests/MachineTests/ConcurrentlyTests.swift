import Machine
import Testing

@Suite struct `Concurrent work` {
  private struct Odd: Error, Equatable { let number: Int }

  @Test func `Concurrent work concurrent work returns its outputs in the order of the inputs`()
    async
  {
    let outputs = await concurrently(1...5) { number in
      // The first input ends last.
      for _ in number..<5 { await Task.yield() }
      return number * 2
    }
    #expect(outputs == [2, 4, 6, 8, 10])
  }

  @Test func `Concurrent work concurrent work throws the error of the first input that failed`()
    async
  {
    let failure = await #expect(throws: Odd.self) {
      try await concurrently(1...6) { number throws(Odd) in
        for _ in number..<6 { await Task.yield() }
        guard number.isMultiple(of: 2) else { throw Odd(number: number) }
        return number
      }
    }
    #expect(failure == Odd(number: 1))
  }

  @Test func `Concurrent work concurrent work keeps outputs that are nil`() async {
    #expect(await concurrently([1, 2]) { $0 == 1 ? nil : $0 } == [nil, 2])
  }

  @Test func `Concurrent work concurrent work over nothing returns nothing`() async {
    #expect(await concurrently([Int]()) { $0 } == [])
  }

  @Test func `Concurrent work concurrent work starts every input before any has ended`() async {
    let (started, signal) = AsyncStream<Int>.makeStream()
    let outputs = await concurrently([true, false]) { waits in
      guard waits else {
        signal.yield(7)
        return 0
      }
      for await number in started { return number }
      return -1
    }
    #expect(outputs == [7, 0])
  }
}
