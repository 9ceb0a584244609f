import Testing

@testable import Matching

@Suite struct `The labelled pairs` {
  struct Tally {
    var found = 0
    var missed = 0
    var wrong = 0
    var unsure = 0
    var lines: [String] = []

    init(_ pairs: [LabelledPair]) {
      for pair in pairs {
        let verdict = Matcher.verdict(pair.one, pair.two)
        if verdict.verdict == .unsure { unsure += 1 }
        switch (pair.isSame, verdict.verdict) {
        case (true, .same): found += 1
        case (true, _):
          missed += 1
          lines.append(Self.line("missed", pair, verdict))
        case (false, .same):
          wrong += 1
          lines.append(Self.line("WRONG", pair, verdict))
        case (false, _): break
        }
      }
    }

    var precision: Double { Double(found) / Double(max(1, found + wrong)) }
    var recall: Double { Double(found) / Double(max(1, found + missed)) }

    private static func line(_ word: String, _ pair: LabelledPair, _ verdict: Verdict) -> String {
      "\(word) \(pair.id) \(pair.about): \(pair.one.title) | \(pair.two.title): "
        + "\(verdict.verdict.rawValue), \(verdict.why.joined(separator: "; "))"
    }

    func report(_ name: String) {
      let figures = [precision, recall].map { String(Int(($0 * 1000).rounded())) }
      print(
        "pairs \(name): precision \(figures[0]) ‰, recall \(figures[1]) ‰; "
          + "same \(found), missed \(missed), wrong \(wrong), unsure \(unsure)")
      for line in lines { print("  " + line) }
    }
  }

  let pairs: [LabelledPair]

  init() throws { pairs = try LabelledPair.all() }

  @Test func `The labelled pairs are enough, and each has a name of its own`() {
    #expect(pairs.count >= 300)
    #expect(Set(pairs.map(\.id)).count == pairs.count)
    #expect(pairs.count { $0.isSame } > 100)
    #expect(pairs.count { !$0.isSame } > 100)
  }

  @Test func `The labelled pairs are as like as the verdict on them says`() {
    for (pair, next) in zip(pairs, pairs.dropFirst() + pairs.prefix(1)) {
      for other in [pair.two, next.one, next.two] {
        let verdict = Matcher.verdict(pair.one, other)
        let score = verdict.verdict == .same ? verdict.score : nil
        #expect(Matcher.likeness(Dossier(pair.one), Dossier(other)) == score)
      }
    }
  }

  @Test(arguments: [false, true])
  func `The labelled pairs meet the goals, those held out too`(_ heldOut: Bool) {
    let tally = Tally(pairs.filter { $0.isHeldOut == heldOut && !$0.isByFact })
    tally.report(heldOut ? "held out" : "tuned on")
    #expect(tally.precision >= 0.99)
    #expect(tally.recall >= 0.9)
  }

  @Test func `The labelled pairs of retitled works and pen names are reported apart`() {
    let tally = Tally(pairs.filter(\.isByFact))
    tally.report("by fact")
    #expect(tally.wrong == 0)
    #expect(tally.recall >= 0.8)
  }

  @Test func `The labelled pairs of one work that are called different are very few`() {
    let denied = pairs.filter { pair in
      pair.isSame && !pair.isByFact && Matcher.verdict(pair.one, pair.two).verdict == .different
    }
    #expect(denied.count * 50 <= pairs.count, "\(denied.map(\.id))")
  }

  @Test func `The labelled pairs have verdicts that do not depend on who comes first`() {
    for pair in pairs {
      let (one, two) = (Matcher.verdict(pair.one, pair.two), Matcher.verdict(pair.two, pair.one))
      #expect(one.verdict == two.verdict, "\(pair.id)")
      #expect(one.score == two.score, "\(pair.id)")
    }
  }

  @Test func `The labelled pairs that are the same share a key`() {
    for pair in pairs where Matcher.verdict(pair.one, pair.two).verdict == .same {
      let keys = Set(Matcher.keys(of: pair.one))
      let shared = keys.intersection(Matcher.keys(of: pair.two))
      #expect(!shared.isEmpty, "\(pair.id) \(pair.one.title) | \(pair.two.title)")
    }
  }

  @Test func `The labelled pairs are the same as themselves`() {
    for pair in pairs where !pair.one.title.hasPrefix("Untitled") && !pair.one.authors.isEmpty {
      let verdict = Matcher.verdict(pair.one, pair.one)
      #expect(verdict.verdict != .different, "\(pair.id)")
    }
  }
}
