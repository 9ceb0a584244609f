import Phrasebook

/// The first page of a gateway that has nothing to show yet: that it runs, and where to go on.
package struct StartPage: Sendable, Hashable {
  package struct Step: Sendable, Hashable {
    package let command: String
    package let does: String

    package init(_ command: String, _ does: String) { (self.command, self.does) = (command, does) }
  }

  package var steps: [Step]

  package init(steps: [Step] = StartPage.firstSteps) { self.steps = steps }

  package static let firstSteps = [
    Step("carrel help", phrase("what the command line can do, with examples")),
    Step("carrel config show --origin", phrase("every setting, and where its value comes from")),
    Step("carrel serve", phrase("this gateway; Ctrl-C stops it")),
  ]
}
