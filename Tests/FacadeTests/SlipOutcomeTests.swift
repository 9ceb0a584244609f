import FrontDesk
import Testing

@testable import Facade

@Suite struct `An outcome of a slip` {
  @Test(arguments: [
    SlipOutcome.done(Deed(.lent, until: nil)), .done(Deed(.waiting, place: 3)),
    .refused(Refusals.problem(code: "loan_limit_reached", at: "City")),
  ])
  func `An outcome of a slip is read back as it was kept`(outcome: SlipOutcome) {
    #expect(SlipOutcome(outcome.text) == outcome)
  }

  @Test(arguments: ["", "{}", "[]", "{\"did\":\"danced\"}"])
  func `An outcome of a slip that is none is none`(text: String) {
    #expect(SlipOutcome(text) == nil)
  }
}
