import Testing

@testable import Terminal

@Suite struct `What a reader likes` {
  @Test func `What a reader likes: comes back as it was written down`() {
    for theme in Theme.allCases {
      var taste = ReaderModel.Taste()
      (taste.theme, taste.width, taste.spacing) = (theme, 44, 2)
      (taste.edge, taste.manner) = (.justified, .scroll)
      #expect(ReaderModel.Taste(text: taste.text) == taste)
    }
    #expect(ReaderModel.Taste(text: ReaderModel.Taste().text) == ReaderModel.Taste())
  }

  @Test(arguments: [
    "", "\n\n", "width", "width wide", "width -3", "width 99999999999999999999", "spacing 7",
    "colors octarine", "smell of paper", "\u{0}", "widthwidth 40",
  ])
  func `What a reader likes: is what everybody gets where it cannot be read`(_ text: String) {
    #expect(ReaderModel.Taste(text: text) == ReaderModel.Taste())
  }

  @Test func `What a reader likes: is read line by line, whatever the others say`() {
    let taste = ReaderModel.Taste(text: "new 1\nwidth 60\ncolors sepia\nspacing x")
    #expect(taste.width == 60 && taste.theme == .sepia && taste.spacing == 0)
  }

  @Test func `line widths changed many times in the terminal reader stay valid`() throws {
    var model = try Volume(Volume.words("w", 2)).model(100, 20)
    _ = model.press(.enter)
    for _ in 0..<40 { _ = model.press(.character("-")) }
    #expect(ReaderModel.Taste(text: model.taste.text) == model.taste)
    for _ in 0..<80 { _ = model.press(.character("+")) }
    #expect(ReaderModel.Taste(text: model.taste.text) == model.taste)
  }
}
