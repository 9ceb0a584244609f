import Phrasebook
import Testing

@Suite struct `A phrase` {
  @Test func `A phrase is its own English`() {
    #expect(said("Page \(3) of \("9")") == "Page 3 of 9")
    #expect(counted(1, one: "\(1) copy", many: "\(1) copies") == "1 copy")
    #expect(counted(0, one: "\(0) copy", many: "\(0) copies") == "0 copies")
    #expect(said("Free", "of charge") == "Free" && said(known: "May") == "May")
  }

  @Test func `A phrase is said in the tongue of the moment, and only there`() {
    Tongue.$current.withValue(.german) {
      #expect(said("Page \(3) of \(9)") == "Seite 3 von 9")
      #expect(said("by \("Ada"), like \("Bee")") == "von Ada, wie Bee")
      #expect(counted(1, one: "\(1) copy", many: "\(1) copies") == "1 Exemplar")
      #expect(counted(7, one: "\(7) copy", many: "\(7) copies") == "7 Exemplare")
      #expect(said("Free", "of charge") == "Kostenlos")
    }
    #expect(Tongue.$current.withValue(.spanish) { said(known: "May") } == "mayo")
    #expect(said(known: "May") == "May")
  }

  @Test func `A phrase stays English where a catalogue lacks it`() {
    Tongue.$current.withValue(.spanish) {
      #expect(said("Nobody says \("this")") == "Nobody says this")
      #expect(counted(2, one: "\(2) yak", many: "\(2) yaks") == "2 yaks")
      #expect(said(known: "The operator's own lane") == "The operator's own lane")
    }
  }

  @Test func `A phrase puts what is marked where the tongue wants it`() {
    let sentence: () -> Sentence<Int> = { "Leave \(7) out of your shelves?" }
    #expect(pieces(sentence()) == ["Leave ", "7", " out of your shelves?"])
    #expect(
      Tongue.$current.withValue(.german) { pieces(sentence()) }
        == ["7", " aus Ihren Regalen weglassen?"])
  }

  private func pieces(_ sentence: Sentence<Int>) -> [String] {
    sentence.pieces.map { piece in
      switch piece {
      case .words(let words): words
      case .hole(let hole): "\(hole)"
      }
    }
  }

  @Test func `A phrase has its numbers grouped as the tongue does`() {
    let all = Tongue.allCases.map { tongue in
      Tongue.$current.withValue(tongue) { [1234, 1_234_567].map(Numerals.grouped) }
    }
    #expect(
      all == [
        ["1\u{a0}234", "1\u{a0}234\u{a0}567"], ["1.234", "1.234.567"],
        ["1234", "1\u{a0}234\u{a0}567"],
      ])
  }

  @Test(arguments: [
    (["de-AT", "en"], Tongue.german), (["fr", "es-MX", "de"], .spanish), (["fr"], .english),
    ([], .english),
    (["DE"], .german), (["den"], .english),
  ])
  func `A phrase is said in the first tongue of ours that somebody likes`(
    tags: [String], tongue: Tongue
  ) {
    #expect(Tongue(bestOf: tags) == tongue)
  }
}
