import Compression
import Testing

@Suite struct `The compression library at work` {
  @Test func `The compression library at work has a version`() {
    #expect(zlibVersion.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+.*/) != nil, "\(zlibVersion)")
  }
}
