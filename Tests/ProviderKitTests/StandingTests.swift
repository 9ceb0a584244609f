import Circulation
import FoundationEssentials
import HTTPClient
import Testing

@testable import ProviderKit

@Suite struct `How a service does` {
  @Test func `a circuit breaker reports its state after failures, pauses and successes`() {
    let breaker = CircuitBreaker(.init(tolerance: 2, pause: .seconds(10)))
    let start = ContinuousClock.now
    #expect(breaker.standing(at: start) == .closed(failures: 0))
    breaker.failed(at: start)
    #expect(breaker.standing(at: start) == .closed(failures: 1))
    breaker.failed(at: start)
    #expect(breaker.standing(at: start + .seconds(4)) == .open(retryAfter: .seconds(6)))
    #expect(breaker.standing(at: start + .seconds(40)) == .open(retryAfter: .zero))
    #expect(breaker.admit(at: start + .seconds(40), by: "one") == .probe)
    #expect(breaker.standing(at: start + .seconds(40)) == .probing)
    breaker.succeeded()
    #expect(breaker.standing(at: start + .seconds(41)) == .closed(failures: 0))
  }

  @Test func `How a service does: forgets how long answers took a while ago`() {
    let ear = SessionEar()
    #expect(ear.heard.typical == nil && ear.heard.answers == 0)
    ear.answered(at: .init(), after: .seconds(8))
    #expect(ear.heard.typical == .seconds(8))
    ear.answered(at: .init(), after: .seconds(4))
    #expect(ear.heard.typical == .seconds(7))
    for _ in 0..<20 { ear.answered(at: .init(), after: .milliseconds(100)) }
    let typical = ear.heard.typical ?? .zero
    #expect(typical > .milliseconds(100) && typical < .milliseconds(200))
    let date = Date(timeIntervalSince1970: 1_000)
    ear.failed(at: date)
    #expect(ear.heard.failedAt == date)
    #expect(ear.heard.failures == 1 && ear.heard.answers == 22)
  }
}
