import HTTPClient
import Testing

@Suite struct `The HTTP library at work` {
  @Test func `The HTTP library at work has a version`() {
    #expect(curlVersion.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+.*/) != nil, "\(curlVersion)")
  }

  @Test func `The HTTP library at work speaks HTTP/2`() {
    #expect(curlSpeaksHTTP2)
  }
}
