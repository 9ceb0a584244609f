import Foundation

/// The project's Swift sources as text, each with the place it takes in the house. Works on any
/// folder, so that a test can plant a fault in a small tree of its own.
struct SourceTree {
  let files: [SourceFile]

  init(at root: URL) throws {
    var found: [SourceFile] = []
    for top in ["Sources", "Providers", "Mocks", "Tests", "Bench", "Fuzz"] {
      let folder = root.appendingPathComponent(top)
      let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
      while let url = walk?.nextObject() as? URL {
        guard url.pathExtension == "swift" else { continue }
        let path = String(url.path.dropFirst(root.path.count + 1))
        found.append(SourceFile(path: path, text: try String(contentsOf: url, encoding: .utf8)))
      }
    }
    files = found.sorted { $0.path < $1.path }
  }

  /// Every module of the tree with its room, C modules included.
  func rooms(under root: URL) -> [String: Room] {
    var rooms: [String: Room] = [:]
    for file in files {
      if let room = file.room { rooms[room.module] = room }
    }
    let c = root.appendingPathComponent("Sources/C").path
    for name in (try? FileManager.default.contentsOfDirectory(atPath: c)) ?? [] {
      rooms[name] = Room(layer: .c, module: name)
    }
    return rooms
  }

  /// The checkout that this test was compiled from.
  static let checkout = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}

struct SourceFile {
  let path: String
  let lines: [String]
  /// The lines that are code: comments left out, so that prose may name what code may not.
  let code: [(number: Int, text: String)]

  init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    code = Self.code(in: lines)
  }

  var parts: [String] { path.split(separator: "/").map(String.init) }
  var isTest: Bool { parts[0] == "Tests" || parts.contains("Tests") }

  /// Whether it contains on purpose what the rules refuse.
  var showsFaults: Bool {
    ["Tests/Architecture/PlantedFaultTests.swift", "Tests/ToolchainTests/Fixtures/LostStore.swift"]
      .contains(path)
  }

  /// Where the file stands; nil for tests, benchmarks and fuzzers, which may look everywhere.
  var room: Room? {
    guard !isTest, parts.count >= 3 else { return nil }
    switch parts[0] {
    case "Sources":
      guard let layer = Layer(rawValue: parts[1]), parts.count >= 4 else { return nil }
      return Room(layer: layer, module: parts[2])
    case "Providers": return Room(layer: .providers, module: parts[1])
    case "Mocks": return Room(layer: .mocks, module: parts[1])
    default: return nil
    }
  }

  private static func code(in lines: [String]) -> [(number: Int, text: String)] {
    var inBlock = false
    return lines.enumerated().compactMap { index, line in
      let text = line.drop { $0 == " " }
      if inBlock {
        inBlock = !text.contains("*/")
        return nil
      }
      if text.hasPrefix("/*") {
        inBlock = !text.contains("*/")
        return nil
      }
      return text.hasPrefix("//") ? nil : (index + 1, String(text))
    }
  }

  var imports: [(number: Int, module: String)] {
    code.compactMap { number, text in
      let words = text.split(separator: " ").map(String.init)
      guard let at = words.firstIndex(of: "import"), at + 1 < words.count,
        words[..<at].allSatisfy({ $0.hasPrefix("@") || accessWords.contains($0) })
      else { return nil }
      // `import struct Foundation.Date` names the module behind the kind.
      let kinds: Set = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
      let rest = words[(at + 1)...].drop { kinds.contains($0) }
      guard let name = rest.first else { return nil }
      return (number, String(name.prefix { $0 != "." && $0 != ";" }))
    }
  }
}

private let accessWords: Set = ["public", "package", "internal", "fileprivate", "private"]

/// A folder of the house and the module that lives there.
struct Room: Hashable {
  let layer: Layer
  let module: String
}

/// The layers, in the only direction that imports may go: each may use those before it.
enum Layer: String, CaseIterable {
  case c = "C"
  case platform = "Platform"
  case domain = "Domain"
  case services = "Services"
  case providers = "Providers"
  case surfaces = "Surfaces"
  case app = "App"
  case mocks = "Mocks"
}
