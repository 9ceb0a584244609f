import Testing

@testable import Matching

@Suite struct `What a title is read as` {
  private func read(_ title: String) -> TitleReading { TitleReading(Candidate(title: title)) }

  private func take(_ text: String) -> (slots: Slots, rest: String) {
    var (slots, words) = (Slots(), Words.of(text))
    slots.take(from: &words)
    return (slots, words.joined(separator: " "))
  }

  @Test(arguments: [
    "Book", "Books", "Bk", "Livre", "Libro", "Buch", "No", "Nr", "Number", "Boek", "Bok", "Day",
    "Installment",
  ])
  func `a number after a word such as book is read as the place in a series`(_ word: String) {
    let (slots, rest) = take("Monster \(word) 2")
    #expect(slots.place == 2)
    #expect(slots.volume == nil)
    #expect(rest == "monster")
  }

  @Test(arguments: [
    "Vol", "Volume", "Vols", "Volumes", "V", "Part", "Parts", "Pt", "Band", "Bd", "Tome", "Tomo",
    "Tom", "Teil", "Deel", "Parte", "Partie", "Issue", "Season", "Episode", "Act", "Bind",
  ])
  func `a number after a word such as volume is read as the volume`(_ word: String) {
    let (slots, rest) = take("Monster \(word) 2")
    #expect(slots.volume == 2)
    #expect(slots.place == nil)
    #expect(rest == "monster")
  }

  @Test(arguments: [
    ("Monster Volume 1-3", 3), ("Monster Volume 1 to 3", 3), ("Monster Volume I and II", 2),
    ("Monster Volume 1-100", 100),
  ])
  func `two numbers after the word volume are read as a range`(_ title: String, _ last: Int) {
    let (slots, rest) = take(title)
    #expect(slots.volume == 1)
    #expect(slots.isRange)
    #expect(slots.last == last)
    #expect(rest == "monster")
  }

  @Test(arguments: [
    ("The Gazette Issue 1795 1801", 1795, "the gazette 1801"),
    ("Monster Volume 3 1", 3, "monster 1"), ("Monster Volume 1 101", 1, "monster 101"),
  ])
  func `a year or a number out of order after a volume is not read as the end of a range`(
    _ title: String, _ volume: Int, _ rest: String
  ) {
    let found = take(title)
    #expect(found.slots.volume == volume)
    #expect(!found.slots.isRange)
    #expect(found.slots.last == nil)
    #expect(found.rest == rest)
  }

  @Test(arguments: [
    ("Mort: A Discworld Big Comic", true), ("Guards! Guards!: A Discworld Big Comic", true),
    ("Will Eisner: Inventing the American Comic", false),
    ("Will Eisner: How He Drew an American Comic", false),
    ("A Discworld Big Comic", false),
  ])
  func `only a short subtitle that ends in comic and lacks the word the makes an adaptation`(
    _ title: String, _ isAdaptation: Bool
  ) {
    #expect(read(title).kinds.contains(.adaptation) == isAdaptation)
  }

  @Test(arguments: [
    ("Rowan Oaks: The Secret Library", "the secret library"),
    ("Rowan Oaks: The Unlikely Winner", "the unlikely winner"),
    ("Rowan Oaks: A Thief of Books", "a thief of books"),
  ])
  func `a subtitle that ends as names of imprints do says something after a colon`(
    _ title: String, _ subtitle: String
  ) {
    #expect(read(title).subtitles.map { $0.joined(separator: " ") } == [subtitle])
  }

  @Test(arguments: [
    "Rowan Oaks (The Secret Library)", "Rowan Oaks (Penguin Orange Collection)",
    "Rowan Oaks: Penguin Modern Library",
  ])
  func `the name of an imprint in brackets or with its publisher is no subtitle`(_ title: String) {
    #expect(read(title).subtitles.isEmpty)
  }

  @Test(arguments: [
    ("the illustrated a brief history of time", "brief history of time"),
    ("illustrated the hobbit", "hobbit"), ("the illustrated man", "the illustrated man"),
    ("the illustrated a", "the illustrated a"), ("illustrated an", "illustrated an"),
  ])
  func `the word illustrated is left out only before an article that a name follows`(
    _ title: String, _ rest: String
  ) {
    #expect(TitleReading.withoutTail(Words.of(title)).joined(separator: " ") == rest)
  }
}
