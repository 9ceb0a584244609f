import Testing
import Yaml

@Suite struct `The YAML library at work` {
  @Test func `The YAML library at work has a version`() {
    #expect(yamlVersion.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+/) != nil, "\(yamlVersion)")
  }
}
