import Foundation
import Machine
import TestSupport
import Testing

@Suite struct `A process mark` {
  @Test func `A process mark says that a process runs until it has ended`() async throws {
    let own = try #require(ProcessMark.own)
    #expect(!own.hasEnded && ProcessMark(text: own.text) == own)
    let parts = own.text.split(separator: " ")
    let child = try RunningProcess("/bin/cat")
    let id = child.pid
    let stat = try String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
    let start = try #require(stat.split(separator: ")").last).split(separator: " ")[19]
    let mark = ProcessMark(text: "\(parts[0]) \(id) \(start)")
    #expect(!mark.hasEnded)
    child.send(SIGKILL)
    _ = try await child.waitForEnd()
    #expect(mark.hasEnded)
  }

  @Test func `A process mark says that a process has ended when another one has its number`() throws
  {
    let parts = try #require(ProcessMark.own).text.split(separator: " ")
    #expect(ProcessMark(text: "\(parts[0]) \(parts[1]) 1").hasEnded)
  }

  @Test(arguments: ["", "x", "1 2", "1 2 3 4", "4026531836 -1 5"])
  func `A process mark says nothing of a process that it cannot see`(text: String) throws {
    #expect(!ProcessMark(text: text).hasEnded)
    let parts = try #require(ProcessMark.own).text.split(separator: " ")
    #expect(!ProcessMark(text: "1\(parts[0]) \(parts[1]) 1").hasEnded)
  }
}
