import Foundation
import Setup
import Shelving
import Testing

@Suite struct `A file of lanes` {
  private func lanes(_ text: String) throws(ConfigurationError) -> [Lane] {
    try LanesFile(Array(text.utf8), path: "lanes.yaml").lanes
  }

  private func faults(_ text: String) -> [String] {
    do throws(ConfigurationError) {
      _ = try lanes(text)
      return []
    } catch {
      return error.faults.map(\.description)
    }
  }

  /// The file in `config/` and what is built in say the same.
  @Test func `the shipped lanes file defines the default lanes`() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../config/lanes.yaml").standardized
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(try lanes(text) == Lane.defaults)
    #expect(try lanes(LanesFile.builtIn) == Lane.defaults)
    // The example at its end is one, too.
    let example = text.split(separator: "# More of the kind, as an example:\n")[1]
      .split(separator: "\n").filter { $0.hasPrefix("#  ") }.map { $0.dropFirst() }
    let all = try lanes("lanes:\n" + example.joined(separator: "\n"))
    #expect(all.flatMap(\.flattened).map(\.lane.id) == ["children", "picture-books", "german"])
  }

  @Test func `A file of lanes holds rules, lists, recommendations and lanes within lanes`() throws {
    let lanes = try lanes(
      """
      lanes:
        - name: crime
          title: Crime
          genre: [mystery, true-crime]
          not_genre: humor
          subject: Sherlock Holmes
          kind: fiction
          audience: [young_adult, adult]
          language: [en, de]
          form: book
          format: epub
          collection: city
          available: now
          added: 4w
          published: 2y
          best_liked: 10
          sort: author
          lanes:
            - name: staff
              by: list
              works: [w1, w2]
              isbns: [978-0-14-143951-8]
              otherwise: {genre: poetry}
        - name: like
          by: recommendation
          language: de
      """)
    var rule = LaneRule()
    rule.genres = ["mystery", "true-crime"]
    (rule.withoutGenres, rule.subjects, rule.kind) = (["humor"], ["Sherlock Holmes"], .fiction)
    (rule.audiences, rule.languages) = (["young_adult", "adult"], ["en", "de"])
    (rule.forms, rule.formats, rule.collections) = (["book"], ["epub"], ["city"])
    (rule.standing, rule.addedWithin, rule.publishedWithin) = (.now, 28, 730)
    rule.bestLiked = 10
    var list = LaneList()
    (list.works, list.isbns) = (["w1", "w2"], ["978-0-14-143951-8"])
    var poetry = LaneRule()
    poetry.genres = ["poetry"]
    list.otherwise = poetry
    var german = LaneRule()
    german.languages = ["de"]
    #expect(
      lanes == [
        Lane(
          id: "crime", title: "Crime", .rule(rule), order: .author,
          lanes: [Lane(id: "staff", title: "staff", .list(list))]),
        Lane(id: "like", title: "like", .recommendation(german)),
      ])
  }

  @Test func `A file of lanes tells all that is wrong, with line and nearest word`() {
    let faults = faults(
      """
      lanes:
        - name: one
          gerne: mystery
          genre: mistery
          available: later
          added: soon
          best_liked: 0
        - title: Nameless
        - name: one
        - name: Two!
          works: [w1]
      lane: []
      """)
    #expect(
      faults == [
        "lanes.yaml:3:5: unknown key 'gerne'; did you mean 'genre'?",
        "lanes.yaml:4:12: 'mistery' is no genre that carrel knows; did you mean 'mystery'?",
        "lanes.yaml:5:16: 'available' must be one of now, queued, not 'later'",
        "lanes.yaml:6:12: 'added' must be a time such as 30d, 26w or 1y, not 'soon'",
        "lanes.yaml:7:17: 'best_liked' must be a number from 1 to 100000, not '0'",
        "lanes.yaml:8:5: a lane has no 'name'",
        "lanes.yaml:9:11: there is another lane named 'one'",
        "lanes.yaml:10:11: a lane is named by small letters, digits and -: 'Two!'",
        "lanes.yaml:12:1: unknown key 'lane'; did you mean 'lanes'?",
      ])
  }

  @Test(
    arguments: [
      ("- name: x", "lanes.yaml:1:1: a file of lanes begins with 'lanes:'"),
      ("lanes: x", "lanes.yaml:1:8: 'lanes' is a list, each lane beginning with '- name:'"),
      (
        "lanes:\n  - x",
        "lanes.yaml:2:5: a lane is a group of settings beginning with 'name:'"
      ),
      (
        "lanes:\n  - name: x\n    works: [w1]",
        "lanes.yaml:3:5: 'works' belongs to a lane with 'by: list'"
      ),
      (
        "lanes:\n  - name: x\n    genre: {a: b}",
        "lanes.yaml:3:12: 'genre' must be a word, not a group of settings"
      ),
    ])
  func `A file of lanes of another shape is refused where it goes wrong`(
    pair: (text: String, fault: String)
  ) {
    #expect(faults(pair.text) == [pair.fault])
  }

  @Test func `A file of lanes that is no YAML at all is refused with the place`() {
    #expect(faults("lanes: [").first?.hasPrefix("lanes.yaml:") == true)
  }

  @Test func `A file of lanes does not go deeper than anybody looks`() {
    let deep = (0..<8).map { depth in
      let indent = String(repeating: "    ", count: depth)
      return "\(indent)lanes:\n\(indent)  - name: a\(depth)"
    }.joined(separator: "\n")
    #expect(faults(deep).contains { $0.hasSuffix("lanes lie at most 6 deep") })
  }
}
