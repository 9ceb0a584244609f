/// What tells two books of one name and one writer apart where their titles hardly do: the language or
/// the system that is taught in them, the way a course is cut, or a second book under a name that
/// says nothing.
enum Variants {
  /// Those that stand in a part of a title.
  static func named(in words: [String]) -> Set<String> {
    var found: Set<String> = []
    for (index, word) in words.enumerated() where index > 0 && makes.contains(word) {
      for length in 1...3 where length <= index {
        let name = words[(index - length)..<index].joined(separator: " ")
        if taught.contains(name) { found.insert(name) }
      }
    }
    for phrase in courses where words.holds(phrase) { found.insert(phrase.joined(separator: " ")) }
    return found
  }

  /// Whether this subtitle makes another book of one that goes by its name alone.
  static func isTwin(_ subtitle: [String], of main: [String], by families: Set<String>) -> Bool {
    guard let names = twins[main.joined(separator: " ")] else { return false }
    return names.contains { families.contains($0.family) && $0.subtitle == subtitle }
  }

  private static let makes: Set<String> = ["edition", "version", "ed"]

  /// `Ruby Edition`, `Java Version`, `Mavericks Edition`.
  private static let taught = Set(
    """
    ada|android|applications|assembly|bash|c|c plus plus|c sharp|clojure|cobol|dart|delphi|elixir|
    erlang|excel|f sharp|fortran|go|golang|groovy|haskell|java|javascript|julia|kotlin|linux|lisp|lua|
    mac|macintosh|macos|mac os x|os x|matlab|ml|mysql|node js|objective c|ocaml|oracle|pascal|perl|
    php|postgresql|powershell|prolog|python|python 2|python 3|r|ruby|rust|scala|scheme|smalltalk|sql|
    sql server|swift|typescript|unix|vb|vb net|visual basic|visual basic net|windows|
    ios|ipad|iphone|ipod|ubuntu|
    jaguar|panther|tiger|leopard|snow leopard|lion|mountain lion|mavericks|yosemite|el capitan|sierra|
    high sierra|mojave|catalina|big sur|monterey|ventura|sonoma|vista
    """.split(separator: "|").map { Words.of($0).joined(separator: " ") })

  /// Textbooks that are cut for unlike courses.
  private static let courses = [
    ["early", "transcendentals"], ["early", "transcendental", "functions"], ["single", "variable"],
    ["multivariable"], ["concepts", "and", "contexts"], ["algebra", "based"],
    ["calculus", "based"],
  ]

  private static let twins: [String: [(family: String, subtitle: [String])]] = {
    var all: [String: [(family: String, subtitle: [String])]] = [:]
    for line in table.split(separator: "\n") {
      let cells = line.split(separator: "|").map { Numerals.digits(Words.of($0)) }
      guard cells.count == 3, let family = cells[0].last else { continue }
      all[TitleReading.withoutArticle(cells[1]).joined(separator: " "), default: []]
        .append((family, cells[2]))
    }
    return all
  }()

  /// The family name of an author, the title of the first book, and what the second one adds.
  private static let table = """
    Stanton|Humans of New York|Stories
    Reece|Campbell Biology|Concepts & Connections
    Taylor|Campbell Biology|Concepts & Connections
    Urry|Campbell Biology|Concepts & Connections
    Simon|Campbell Essential Biology|With Physiology
    """
}
