import Testing

@testable import HTTPServer

@Suite struct `Connections by network` {
  @Test(arguments: [("2001:db8:7:", "::1"), ("203.0.113.", "")])
  func `one network gets an eighth of all connections and no more`(start: String, end: String)
    throws
  {
    var limits = Limits()
    (limits.connections, limits.connectionsPerAddress) = (80, 4)
    let admission = Admission(limits, ProxyPolicy())
    func peer(_ text: String) throws -> Peer { .ip(try #require(IPAddress(text)), port: 1) }
    for number in 1...10 {
      #expect(admission.admit(try peer("\(start)\(number)\(end)")) == .admitted)
    }
    #expect(admission.admit(try peer("\(start)11\(end)")) == .tooManyFromThere)
    #expect(admission.admit(try peer("198.51.100.1")) == .admitted)
    admission.release(try peer("\(start)1\(end)"))
    #expect(admission.admit(try peer("\(start)11\(end)")) == .admitted)
  }

  @Test func `clients that are turned away hold few connections`() {
    var limits = Limits()
    limits.connections = 320
    let admission = Admission(limits, ProxyPolicy())
    for _ in 0..<20 { #expect(admission.turnAway()) }
    #expect(!admission.turnAway())
    admission.releaseTurnedAway()
    #expect(admission.turnAway())
    #expect(!admission.turnAway())
  }
}
