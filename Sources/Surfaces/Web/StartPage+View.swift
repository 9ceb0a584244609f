import Markup

extension StartPage {
  func view(_ links: SiteLinks) -> Node {
    PageFrame(
      title: "Carrel", language: "en", links: links
    ).page {
      tag("h1") { "One shelf for every library card" }
      tag("p", .init("class", "lead")) {
        "The gateway is running. No library card is linked yet, so the shelf is empty."
      }
      tag("h2") { "From the terminal" }
      tag("dl", .init("class", "steps")) {
        for step in steps {
          tag("div") {
            tag("dt") { tag("code") { step.command } }
            tag("dd") { step.does }
          }
        }
      }
    }
  }
}
