import Markup
import Testing

@Suite struct NodeTests {
  private func list(_ items: [String], isLoud: Bool, note: String?) -> Node {
    tag("ul", .init("class", "shelf")) {
      for item in items { tag("li") { item } }
      if let note { tag("li") { note } }
      if isLoud { tag("hr") } else { "quiet" }
      switch items.count {
      case 0: "none"
      case 1: "one"
      default: "many"
      }
    }
  }

  @Test func `content is written with loops, conditions and switches`() {
    #expect(
      list(["a", "b"], isLoud: true, note: "c")
        == .element(
          "ul", [Attribute("class", "shelf")],
          [
            .element("li", [], [.text("a")]), .element("li", [], [.text("b")]),
            .element("li", [], [.text("c")]), .element("hr", [], []), .text("many"),
          ]))
    #expect(
      list([], isLoud: false, note: nil)
        == .element("ul", [Attribute("class", "shelf")], [.text("quiet"), .text("none")]))
  }

  @Test func `optional content and ready lists of nodes are content too`() {
    let (missing, text): (Node?, String?) = (nil, "t")
    let ready: [Node] = [tag("a"), tag("b")]
    let node = tag("p") {
      missing
      text
      ready
    }
    #expect(node == .element("p", [], [.text("t"), tag("a"), tag("b")]))
  }

  @Test func `absence makes no difference between equal nodes`() {
    let nothing: String? = nil
    #expect(tag("a", .init("b", nothing), .init("c", false)) == tag("a"))
  }

  @Test func `names are compared by their letters`() {
    let (one, other): (Name, Name) = ("availability", "availabilitx")
    #expect(one != other)
    #expect(one == "availability")
    #expect(Set([one, other, "availability"]).count == 2)
  }

  @Test func `a literal that is no name stops the program`() async {
    await #expect(processExitsWith: .failure) { _ = Name(stringLiteral: "a b") }
    await #expect(processExitsWith: .failure) { _ = Name(stringLiteral: "a\"") }
    await #expect(processExitsWith: .failure) { _ = Name(stringLiteral: "1a") }
    await #expect(processExitsWith: .failure) { _ = Name(stringLiteral: "a:b:c") }
  }
}
