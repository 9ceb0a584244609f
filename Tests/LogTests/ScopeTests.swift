import Synchronization
import Testing

@testable import Log

@Suite struct `Lines that are written for a request` {
  let lines = Lines()

  @Test
  func `the log lines of a request carry its id, and a hash of the reader once known`() async {
    let logger = Logger(to: lines.log())
    let scope = LogScope(requestID: "r7") { "h" + String($0.count) }
    await LogScope.$current.withValue(scope) {
      logger.info("before")
      scope.note(reader: "secret-name")
      await Task { logger.info("after", [.pair("route", "/x")]) }.value
      logger.info("own", [.pair("request_id", "mine")])
    }
    logger.info("outside")
    let tails = lines.all.map { $0.split(separator: "msg=")[1] }
    #expect(
      tails == [
        "before request_id=r7\n", "after route=/x request_id=r7 patron_hash=h11\n",
        "own request_id=mine patron_hash=h11\n", "outside\n",
      ])
  }

  @Test func `log lines are counted by level, without those below the log level`() {
    let log = lines.log(level: .info)
    let logger = Logger(to: log)
    logger.error("a")
    logger.info("b")
    logger.info("c")
    logger.debug("d")
    #expect(Level.allCases.map { log.count(of: $0) } == [1, 0, 2, 0])
  }
}
