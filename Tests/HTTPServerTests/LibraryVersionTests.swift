import HTTPServer
import Testing

@Suite struct `The server libraries at work` {
  @Test(arguments: [eventVersion, llhttpVersion])
  func `The server libraries at work have versions`(version: String) {
    #expect(version.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+.*/) != nil)
  }
}
