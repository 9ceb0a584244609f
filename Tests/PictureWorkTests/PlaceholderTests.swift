import Images
import Pictures
import Testing

@testable import PictureWork

@Suite struct `A placeholder` {
  private func book(
    _ title: String, _ authors: [String] = ["Odile Marsh"], work: String = "w1",
    size: PictureBox = PictureBox(200, 300)
  ) -> PlaceholderCover {
    PlaceholderCover(work: work, title: title, authors: authors, size: size)
  }

  private static let sizes = [PictureBox(200, 300), PictureBox(800, 1200)]

  @Test(arguments: Self.sizes) func `A placeholder fills its size`(_ size: PictureBox) throws {
    let picture = try PlaceholderArt().draw(book("The Tin Harbour", size: size))
    #expect(picture.width == size.width && picture.height == size.height)
  }

  @Test func `A placeholder is the same each time, and another for another book`() throws {
    let art = try PlaceholderArt()
    let first = try art.draw(book("Emma")).png()
    #expect(try art.draw(book("Emma")).png() == first)
    #expect(try art.draw(book("Emma", work: "w2")).png() != first)
    #expect(try art.draw(book("Emmas")).png() != first)
    #expect(try art.draw(book("Emma", ["Ann Other"])).png() != first)
  }

  @Test(arguments: [
    "", " ", "\n\n", "&amp;", "A", "W",
    String(repeating: "W", count: 400), String(repeating: "long title ", count: 500),
    "\u{202E}gnp.exe", "🜁🜂🜃", "a\u{0}b", "e\u{301}\u{301}\u{301}",
  ])
  func `A placeholder is drawn for any title`(_ title: String) throws {
    let art = try PlaceholderArt()
    for size in Self.sizes {
      let picture = try art.draw(book(title, [title, title], size: size))
      #expect(picture.width == size.width)
    }
  }

  @Test func `A placeholder names two authors, or one of many`() throws {
    let art = try PlaceholderArt()
    let two = try art.draw(book("T", ["Ann", "Ben"])).png()
    let three = try art.draw(book("T", ["Ann", "Ben", "Cid"])).png()
    #expect(two != three)
    #expect(try art.draw(book("T", ["Ann", "X", "Y", "Z"])).png() == three)
  }

  @Test(arguments: [
    ("Emma", true), ("Łódź, 1984", true), ("Война и мир", true), ("Ὀδύσσεια", true), ("1984", true),
    ("源氏物語", false), ("ألف ليلة", false), ("שיר השירים", false), ("महाभारत", false),
    ("Genji 源氏", false), ("", false), ("…", false),
  ])
  func `A placeholder writes what can be written letter by letter`(_ text: String, isWritable: Bool)
  {
    #expect(Script.isWritable(text) == isWritable)
  }

  @Test func `A placeholder of a script that cannot be written has an ornament`() throws {
    let art = try PlaceholderArt()
    let one = try art.draw(book("源氏物語", ["紫式部"])).png()
    #expect(try art.draw(book("平家物語", ["無名"])).png() == one)
  }
}

@Suite struct `Lines of words` {
  private let face: Typeface

  init() throws {
    face = try Typeface(firstOf: ["/usr/share/fonts/truetype/dejavu/DejaVuSerif-Bold.ttf"])
  }

  @Test func `Lines of words are as wide as they may be`() {
    let set = Paragraph(
      "one two three four five six seven", face, width: 120, size: 16, most: 20)
    #expect(set.isWhole && set.lines.joined(separator: " ") == "one two three four five six seven")
    #expect(set.lines.allSatisfy { face.width(of: $0, size: 16) <= 120 })
  }

  @Test func `Lines of words end in dots where there are too many`() {
    let set = Paragraph("one two three four five six seven", face, width: 60, size: 16, most: 2)
    #expect(set.lines.count == 2 && set.lines[1].hasSuffix("…") && !set.isWhole)
    #expect(set.lines.allSatisfy { face.width(of: $0, size: 16) <= 60 })
  }

  @Test func `Lines of words break a word that is wider than the page`() {
    let set = Paragraph("Kapitänspatentprüfung", face, width: 80, size: 16, most: 9)
    #expect(set.lines.count > 1 && set.lines[0].hasSuffix("-"))
    #expect(set.lines.allSatisfy { face.width(of: $0, size: 16) <= 80 })
    #expect(set.lines.map { $0.replacing("-", with: "") }.joined() == "Kapitänspatentprüfung")
  }

  @Test func `Lines of words shrink until all of it fits`() {
    let (few, many) = (
      Paragraph.largest("Emma", face, width: 200, height: 200, from: 30, to: 10),
      Paragraph.largest(
        "An account of a very long journey there and back again by several roads", face, width: 200,
        height: 200, from: 30, to: 10)
    )
    #expect(few.size == 30 && few.lines == ["Emma"])
    #expect(many.size < 30 && many.isWhole)
  }
}
