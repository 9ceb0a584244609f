import Testing
import XML

@Suite struct `The XML library at work` {
  @Test func `The XML library at work has a version`() {
    #expect(xmlVersion.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+/) != nil, "\(xmlVersion)")
  }
}
