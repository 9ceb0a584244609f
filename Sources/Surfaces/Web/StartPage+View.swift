import Markup
import Phrasebook

extension StartPage {
  func view(_ links: SiteLinks) -> Node {
    PageFrame(
      title: "Carrel", links: links
    ).page {
      tag("h1") { said("One shelf for every library card") }
      tag("p", .init("class", "lead")) {
        said("The gateway is running. No library card is linked yet, so the shelf is empty.")
      }
      tag("h2") { said("From the terminal") }
      tag("dl", .init("class", "steps")) {
        for step in steps {
          tag("div") {
            tag("dt") { tag("code") { step.command } }
            tag("dd") { said(known: step.does) }
          }
        }
      }
    }
  }
}
