import Circulation
import Testing

@testable import Matching

@Suite struct `A matcher` {
  private func verdict(_ a: Candidate, _ b: Candidate) -> Verdict.Answer {
    Matcher.verdict(a, b).verdict
  }

  @Test(arguments: [
    ("0-345-40946-9", "9780345409461"), ("=\"0451526538\"", "9780451526533"),
    ("080442957x", "9780804429573"), ("978-0-306-40615-7", "9780306406157"),
    ("345409469", "9780345409461"), ("[2070291340]", "9782070291342"),
    ("0375503129 (hbk.)", "9780375503122"), ("urn:isbn:9780306406157", "9780306406157"),
    ("080442957Х", "9780804429573"), ("9791032305690", "9791032305690"),
  ])
  func `A matcher reads numbers as lists have them`(_ text: String, _ digits: String) {
    #expect(ISBN(listed: text)?.digits == digits)
  }

  @Test(arguments: [
    "9790060115615", "2940012345678", "9780345409460", "0000000000", "1111111111", "0123456789",
    "9.78035E+12", "AlexisGlyn", "",
  ])
  func `A matcher takes no other number for an ISBN`(_ text: String) {
    #expect(ISBN(listed: text) == nil)
  }

  @Test(arguments: [
    ("Moby-Dick; or, The Whale", "moby dick"), ("Educated: A Memoir", "educated"),
    ("Hobbit, The", "hobbit"), ("Leviathan Wakes (The Expanse, #1)", "leviathan wakes"),
    ("Monster, Vol. 2", "monster"), ("Henry IV, Part 1", "henry 4"), ("2666", "2666"),
    ("It", "it"), ("The Complete Poems", "complete poems"), ("Stand by Me", "stand by me"),
    ("A Novel Bookstore", "novel bookstore"), ("Les Misérables", "miserables"),
    ("By the Sea", "by the sea"), ("Une si longue lettre", "si longue lettre"),
    ("The No. 1 Ladies' Detective Agency", "no 1 ladies detective agency"),
    ("Influence, New and Expanded", "influence"), ("C++ Primer", "c plus plus primer"),
    ("C# in Depth", "c sharp in depth"), ("E=mc²", "e mc2"), ("The ﬁrst ﬁve pages", "1th 5 pages"),
    ("Animal Farm and 1984", "animal farm and 1984"), ("Charles I", "charles 1"),
    ("The Second Part of King Henry the Fourth", "king henry 4"),
    ("The Hundred and One Dalmatians", "101 dalmatians"),
    ("The Illustrated A Brief History of Time", "brief history of time"),
    ("The Illustrated Man", "illustrated man"), ("[sic]", "sic"),
    ("Dune [electronic resource]", "dune"),
  ])
  func `A matcher finds the name in a title`(_ title: String, _ main: String) {
    #expect(TitleReading(Candidate(title: title)).main.joined(separator: " ") == main)
  }

  @Test func `A matcher trusts a shared ISBN only when the titles meet`() throws {
    let isbn = try #require(ISBN("9780306406157"))
    var one = Candidate(title: "The Hobbit", authors: ["J. R. R. Tolkien"])
    var two = Candidate(title: "The Hobbit: Or There and Back Again", authors: ["Alan Lee"])
    var three = Candidate(title: "The Pilgrim's Progress", authors: ["John Bunyan"])
    (one.isbns, two.isbns, three.isbns) = ([isbn], [isbn], [isbn])
    #expect(verdict(one, two) == .same)
    #expect(verdict(one, three) == .unsure)
  }

  @Test func `A matcher says why`() {
    let found = Matcher.verdict(
      Candidate(title: "Monster, Vol. 1", authors: ["Naoki Urasawa"]),
      Candidate(title: "Monster, Vol. 2", authors: ["Naoki Urasawa"]))
    #expect(found.why == ["volume 1 is not volume 2"])
    #expect(found.isVeto)
  }

  @Test func `A matcher reads an edition with all its contributors`() {
    var edition = Edition(item: ItemID("1"), title: "My Brilliant Friend")
    edition.contributors = [
      Contributor(name: "Elena Ferrante", role: .author),
      Contributor(name: "Ann Goldstein", role: .translator),
    ]
    edition.languages = ["en"]
    let other = Candidate(title: "My Brilliant Friend", authors: ["Goldstein, Ann"])
    #expect(verdict(Candidate(edition), other) == .same)
  }

  @Test func `A matcher takes no half a letter from a name that ends in one`() {
    #expect(PersonName("Mariama Bâ")?.family == ["ba"])
    #expect(PersonName("Walter Lord")?.family == ["lord"])
    #expect(PersonName("Michael Greger M.D. FACLM")?.family == ["greger"])
  }

  @Test func `A matcher says nothing of selections of two writers that share a number`() throws {
    let isbn = try #require(ISBN("9780679766742"))
    var one = Candidate(title: "Selected Stories", authors: ["Alice Munro"])
    var two = Candidate(title: "Selected Stories", authors: ["William Trevor"])
    (one.isbns, two.isbns) = ([isbn], [isbn])
    #expect(verdict(one, two) == .unsure)
  }

  @Test(arguments: [
    ("Fahrenheit 451", "Farenheit 451", Verdict.Answer.same),
    ("The Restaurant at the End", "The Restaurent at the End", .same),
    ("The Ancestor", "The Ancestors", .different), ("The Stranger", "The Strangers", .different),
  ])
  func `the matcher takes one wrong letter for a slip and a plural for another title`(
    _ one: String, _ two: String, _ answer: Verdict.Answer
  ) {
    let (a, b) = (
      Candidate(title: one, authors: ["Jane Doe"]), Candidate(title: two, authors: ["Jane Doe"])
    )
    #expect(verdict(a, b) == answer)
    #expect(verdict(b, a) == answer)
  }

  @Test(arguments: [
    ("Mindset: 12 Revolutionary Strategies", Verdict.Answer.same),
    ("Mindset: Twelve Revolutionary Strategies", .same),
    ("Mindset: Dark Revolutionary Strategies", .unsure),
    ("Mindset: 12 Strategies", .unsure),
  ])
  func `the matcher takes a subtitle of three words with a number first for a description`(
    _ title: String, _ answer: Verdict.Answer
  ) {
    let whole = Candidate(title: title, authors: ["Carol Dweck"])
    let name = Candidate(title: "Mindset", authors: ["Carol Dweck"])
    #expect(verdict(whole, name) == answer)
    #expect(verdict(name, whole) == answer)
  }

  @Test func `A matcher is bounded for texts of any size`() {
    let long = String(repeating: "a ", count: 500_000)
    let names = (0..<500).map { "Name\($0) Family\($0)" }
    let one = Candidate(title: long, subtitle: long, authors: names)
    var two = Candidate(title: long + "b", authors: names + [long])
    two.languages = Array(repeating: long, count: 100)
    let clock = ContinuousClock()
    let spent = clock.measure { #expect(verdict(one, two) != .same) }
    #expect(spent < .seconds(5))
    #expect(Matcher.keys(of: one).count <= 48)
    #expect(Matcher.keys(of: one).allSatisfy { $0.utf8.count < 200 })
  }

  @Test(arguments: [
    "", " ", "()", "[]", ":", "/", " / ", "&", "&#;", "&#x110000;", "((((", "Ã", "#", "-",
  ])
  func `A matcher reads a title that says nothing`(_ title: String) {
    let candidate = Candidate(title: title, authors: ["Somebody Else"])
    #expect(verdict(candidate, candidate) != .different)
    #expect(verdict(candidate, Candidate(title: "Dune", authors: ["Frank Herbert"])) != .same)
  }
}

@Suite struct `Clusters of candidates` {
  @Test func `Clusters of candidates gather editions of one work`() {
    let clusters = Clusters([
      Candidate(title: "Dune", authors: ["Frank Herbert"]),
      Candidate(title: "Emma", authors: ["Jane Austen"]),
      Candidate(title: "Dune (Movie Tie-In)", authors: ["Herbert, Frank"]),
      Candidate(title: "Dune Messiah", authors: ["Frank Herbert"]),
      Candidate(title: "DUNE: a novel", authors: ["Herbert, Frank, 1920-1986"]),
    ])
    #expect(clusters.groups == [[0, 2, 4], [1], [3]])
  }

  @Test func `Clusters of candidates do not join what contradicts through a third`() {
    var one = Candidate(title: "Siddhartha", authors: ["Hermann Hesse"])
    one.languages = ["de"]
    let bridge = Candidate(title: "Siddhartha", authors: ["Hermann Hesse"])
    var two = one
    two.languages = ["en"]
    let clusters = Clusters([one, bridge, two])
    #expect(clusters.groups.count == 2)
    #expect(!clusters.torn.isEmpty)
  }

  @Test func `Clusters of candidates do not depend on chance`() {
    let all = ["Dune", "Dune: A Novel", "Dune, Part One", "Dune, Part Two", "Dune (Illustrated)"]
      .map { Candidate(title: $0, authors: ["Frank Herbert"]) }
    let first = Clusters(all).groups
    for _ in 0..<5 { #expect(Clusters(all).groups == first) }
  }

  @Test func `Clusters of candidates survive a key that everything shares`() {
    let all = (0..<300).map { Candidate(title: "Poems", authors: ["Poet Number\($0)"]) }
    #expect(Clusters(all).groups.count == 300)
  }
}
