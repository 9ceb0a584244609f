import Crypto
import Testing

@Suite struct `The cryptography library at work` {
  @Test func `The cryptography library at work has a version`() {
    #expect(openSSLVersion.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+.*/) != nil, "\(openSSLVersion)")
  }
}
