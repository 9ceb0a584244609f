import Circulation
import Foundation
import Items
import Phrasebook
import Shelving
import Testing

@Suite struct `The catalogues` {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let read = Result { try SaidPhrases(under: root) }
  private static let foreign = Tongue.allCases.filter { $0 != .english }

  /// Words of tables that stand below the phrasebook, or come from whoever adapts a service.
  private static let tables: Set<String> = Set(
    BookState.allCases.map(\.word) + Genre.all.map(\.title)
      + Lane.defaults.flatMap(\.flattened).map(\.lane.title)
      + Contributor.Role.allCases.map { $0.rawValue.replacing("_", with: " ") }
      + Array(DownloadWords.causes.values))

  @Test func `the phrase scanner finds the phrases of the sources`() throws {
    let keys = try Self.read.get().keys
    #expect(keys.count > 700)
    #expect(keys["Page {0} of {1}"] != nil && keys["{0} title | {0} titles"] != nil)
    let planted = SaidPhrases(
      #"""
      // said("in a comment")
      let a = said("Of \(said("inner")) and \(x.map { "none" } ?? "")", "this")
      let b = counted(n, one: "\(n) leaf", many: "\(n) leaves")
      let c = said(
        """
        One line that \
        goes on.
        """)
      """#)
    #expect(
      planted.keys.keys.sorted() == [
        "Of {0} and {1} @this", "One line that goes on.", "inner", "{0} leaf | {0} leaves",
      ])
  }

  @Test(arguments: foreign)
  func `The catalogues have every phrase of the sources and of the tables`(tongue: Tongue) throws {
    let catalogue = try #require(Catalogue.of(tongue))
    let wanted = Set(try Self.read.get().keys.keys).union(Self.tables)
    #expect(wanted.filter { catalogue.entries[$0] == nil }.sorted() == [])
  }

  @Test(arguments: foreign)
  func `The catalogues have the same holes in each form`(tongue: Tongue) throws {
    for (key, forms) in try #require(Catalogue.of(tongue)).entries {
      let english = key.split(separator: " @").first.map(String.init) ?? key
      let wanted = (Catalogue("\(english)\n\(english)").entries[english] ?? []).map(Self.holes)
      let (found, isWhole) = (forms.map(Self.holes), !forms.contains(where: \.isEmpty))
      #expect(found == wanted && isWhole, "\(key)")
    }
  }

  private static func holes(_ form: [Catalogue.Part]) -> [Int] {
    Set(form.compactMap { if case .hole(let number) = $0 { number } else { nil } }).sorted()
  }

  /// What services call their fields stands in the sources of those who adapt them.
  @Test(arguments: foreign)
  func `The catalogues have nothing that nobody says`(tongue: Tongue) throws {
    let known = Set(try Self.read.get().keys.keys).union(Self.tables)
    let left = try #require(Catalogue.of(tongue)).entries.keys.filter { !known.contains($0) }
    let all = try Self.text(of: ["Sources/Domain", "Providers"])
    #expect(left.filter { !all.contains("\"\($0)\"") }.sorted() == [])
  }

  private static func text(of folders: [String]) throws -> String {
    var all = ""
    for folder in folders {
      let walk = FileManager.default.enumerator(
        at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
      while let url = walk?.nextObject() as? URL {
        guard url.pathExtension == "swift" else { continue }
        all += try String(contentsOf: url, encoding: .utf8)
      }
    }
    return all
  }

  @Test func `The catalogues are all of one shape: English, the other tongue, a blank line`() throws
  {
    for tongue in Self.foreign {
      let file = Self.root.appendingPathComponent("Sources/Platform/Phrasebook")
        .appendingPathComponent("\(tongue.rawValue).txt")
      let lines = try String(contentsOf: file, encoding: .utf8)
        .split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("#") }
      let blocks = lines.split(separator: "").map(Array.init)
      #expect(blocks.filter { $0.count != 2 } == [])
      #expect(blocks.map { $0[0] }.count == Set(blocks.map { $0[0] }).count)
    }
  }
}
