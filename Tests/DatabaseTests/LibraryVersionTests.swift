import Database
import Testing

@Suite struct `The database libraries at work` {
  @Test(arguments: [sqliteVersion, libpqVersion])
  func `The database libraries at work have versions`(version: String) {
    #expect(version.wholeMatch(of: /[0-9]+\.[0-9]+(\.[0-9]+)*/) != nil)
  }
}
