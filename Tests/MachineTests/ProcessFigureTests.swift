import Foundation
import Testing

@testable import Machine

@Suite struct `What the program takes of the machine` {
  @Test func `What the program takes of the machine: is told by the system itself`() throws {
    let before = try ProcessFigures.current()
    #expect(before.residentBytes > 1 << 20 && before.threads >= 1)
    #expect(before.openFiles >= 3 && before.openFiles < before.fileLimit)
    let file = try FileHandle(forReadingFrom: URL(filePath: "/dev/null"))
    var sum = 0
    for number in 0..<3_000_000 { sum &+= number &* number }
    let after = try ProcessFigures.current()
    try file.close()
    #expect(after.openFiles > before.openFiles || sum == 0)
    #expect(after.cpu >= before.cpu && after.cpu > .zero)
  }
}
