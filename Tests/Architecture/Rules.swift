import Foundation

/// What the house allows, each rule a function from the tree to the lines that break it.
struct Rules {
  let tree: SourceTree
  let rooms: [String: Room]

  init(root: URL) throws {
    tree = try SourceTree(at: root)
    rooms = tree.rooms(under: root)
  }

  /// One offending line, written as an editor can open it.
  struct Offence: CustomStringConvertible, Equatable {
    let file: String
    let line: Int
    let what: String
    var description: String { "\(file):\(line): \(what)" }
  }

  /// Imports go up the list of layers only.
  func upwardImports() -> [Offence] {
    eachImport { room, module in
      guard let target = rooms[module], target != room else { return nil }
      if mayUse(room, target) { return nil }
      return "\(room.layer.rawValue)/\(room.module) imports \(target.layer.rawValue)/\(module)"
    }
  }

  private func mayUse(_ room: Room, _ target: Room) -> Bool {
    let layers = Layer.allCases
    let (from, to) = (layers.firstIndex(of: room.layer)!, layers.firstIndex(of: target.layer)!)
    switch room.layer {
    case .mocks:
      // Code shared with an adapter would hide shared mistakes. The executable hosts the dialects.
      return target.layer == .platform || target.module == "MockKit"
        || (room.module == "carrel-mock" && target.layer == .mocks)
    case .providers, .surfaces: return to < from && target.layer != .c
    case .platform: return target.layer == .c || target.layer == .platform
    default: return to <= from && target.layer != .c
    }
  }

  /// A C library has one door: the Platform target that wraps it. The C library itself counts.
  func cImportsOutsidePlatform() -> [Offence] {
    eachImport { room, module in
      let isC = rooms[module]?.layer == .c || ["Glibc", "Musl", "CRT"].contains(module)
      return isC && room.layer != .platform ? "imports the C module \(module)" : nil
    }
  }

  /// Both pull ICU into the binary: tens of megabytes and a slow start.
  func forbiddenFoundations() -> [Offence] {
    eachImport { _, module in
      ["FoundationNetworking", "FoundationXML", "FoundationInternationalization"].contains(module)
        ? "imports \(module)" : nil
    }
  }

  /// The vocabulary knows nothing below it, not even a platform target.
  func circulationImports() -> [Offence] {
    eachImport { room, module in
      guard room.module == "Circulation", !["Foundation", "FoundationEssentials"].contains(module)
      else { return nil }
      return "Circulation imports \(module)"
    }
  }

  /// The optimizer loses parts of such tuples: docs/explanation/optimizer-fault.md.
  func tuplesFromTasks() -> [Offence] {
    tree.files.filter { !$0.showsFaults }.flatMap { file -> [Offence] in
      guard file.code.contains(where: { $0.text.contains("Task") }) else { return [] }
      let text = file.code.map(\.text).joined(separator: "\n")
      // A tuple is told from a type in parentheses by its comma.
      let group = /TaskGroup(?:<|\(\s*of:\s*)\([^()]*,/
      let task = /Task<\([^()]*,|Task(?:\.detached)?(?:\([^()]*\))? \{[^\n]*-> \([^()]*,/
      return (text.ranges(of: group) + text.ranges(of: task)).map { range in
        let before = text[..<range.lowerBound].count { $0 == "\n" }
        return Offence(
          file: file.path, line: file.code[before].number, what: "a task returns a tuple")
      }
    }
  }

  /// A part of a tuple that is awaited, and may fail, gets a name before the tuple is returned.
  func awaitedPartsOfTuples() -> [Offence] {
    tree.files.filter { !$0.showsFaults }.flatMap { file in
      file.code.indices.compactMap { index -> Offence? in
        let (number, text) = file.code[index]
        guard text.contains("return (") else { return nil }
        let rest = file.code[index...].prefix(6).map(\.text).joined(separator: " ")
        guard let start = rest.range(of: "return (")?.upperBound else { return nil }
        var (depth, parts, tuple) = (1, 1, "")
        for character in rest[start...] {
          if "([{".contains(character) { depth += 1 }
          if ")]}".contains(character) { depth -= 1 }
          if depth == 0 { break }
          if depth == 1, character == "," { parts += 1 }
          tuple.append(character)
        }
        guard depth == 0, parts > 1, tuple.contains("try await ") else { return nil }
        return Offence(file: file.path, line: number, what: "awaits inside a returned tuple")
      }
    }
  }

  private func eachImport(_ judge: (Room, String) -> String?) -> [Offence] {
    tree.files.flatMap { file -> [Offence] in
      guard let room = file.room else { return [] }
      return file.imports.compactMap { number, module in
        judge(room, module).map { Offence(file: file.path, line: number, what: $0) }
      }
    }
  }

  /// A provider's name in code outside its own folders means that its ways have leaked out.
  func strayProviderNames() -> [Offence] {
    tree.files.flatMap { file -> [Offence] in
      guard let room = file.room, room.layer != .mocks, !mayNameProviders.contains(file.path),
        !file.path.hasPrefix(Self.fileForms)
      else { return [] }
      return file.code.flatMap { number, text in
        let folded = text.lowercased()
        return providerNames.filter { name in
          folded.contains(name.lowercased()) && !(room.layer == .providers && room.module == name)
        }.map { Offence(file: file.path, line: number, what: "names the provider \($0)") }
      }
    }
  }

  private var providerNames: [String] {
    [
      "OverDrive", "CloudLibrary", "Axis360", "Gutenberg", "HathiTrust", "Goodreads",
      "GoogleBooks", "OpenLibrary", "LibraryDesk", "BiblioCommons", "BookWyrm",
    ]
  }

  /// A file that a reader brings is called after whoever wrote it.
  private static let fileForms = "Sources/Services/ShelfFiles/Formats/"

  /// Where every provider is named on purpose, and examples that must work.
  private var mayNameProviders: Set<String> {
    [
      "Sources/App/Bootstrap/AllProviders.swift", "Sources/App/Commands/List/LinkCommand.swift",
      "Sources/App/Commands/List/DecodeCommand.swift",
      "Sources/App/Commands/List/GutenbergImportCommand.swift",
      "Sources/App/Commands/Shelf/ShelfFileText.swift",
      "Sources/App/Commands/AllCommands.swift", "Sources/App/Commands/Program+Carrel.swift",
      "Sources/App/Setup/Configuration/ExampleFile.swift",
    ]
  }

  /// Over 300 lines a file must argue for itself, in a line that says so.
  func longFiles() -> [Offence] {
    tree.files.compactMap { file in
      let argued = file.lines.contains { $0.hasPrefix("// Over 300 lines because ") }
      guard file.lines.count > 301, !argued else { return nil }
      return Offence(
        file: file.path, line: 301, what: "\(file.lines.count) lines without an argument for it")
    }
  }

  func deepFiles() -> [Offence] {
    tree.files.filter { $0.parts.count > 6 }.map {
      Offence(file: $0.path, line: 1, what: "stands \($0.parts.count - 1) folders deep")
    }
  }

  /// Twelve protocols are what a newcomer can hold in the head.
  func protocols() -> [Offence] {
    tree.files.flatMap { file -> [Offence] in
      guard file.room != nil else { return [] }
      return file.code.compactMap { number, text in
        let words = text.split(separator: " ")
        guard let at = words.firstIndex(of: "protocol"), at + 1 < words.count, at <= 1,
          words[at + 1].first?.isUppercase == true
        else { return nil }
        return Offence(file: file.path, line: number, what: "declares \(words[at + 1])")
      }
    }
  }

  /// What goes to a terminal is cleaned by its type; the two ways around that are kept to the modules that
  /// clean and that write.
  func uncleanedWrites() -> [Offence] {
    let write =
      /stringLiteral:|(?:STDOUT|STDERR)_FILENO|FileHandle\.standard(?:Output|Error)|(?:^|[^.\w])(?:print|debugPrint|fputs|puts)\(/
    return tree.files.flatMap { file -> [Offence] in
      guard let room = file.room, !["TextSafety", "Console"].contains(room.module),
        room.layer == .app || ["Terminal", "Items"].contains(room.module)
      else { return [] }
      return file.code.filter { $0.text.contains(write) }
        .map { Offence(file: file.path, line: $0.number, what: "writes past the cleaned text") }
    }
  }

  /// Memory is only ever touched where a C library is wrapped.
  func unsafeOutsidePlatform() -> [Offence] {
    tree.files.flatMap { file -> [Offence] in
      guard let room = file.room, room.layer != .platform else { return [] }
      return file.code.filter { line in
        // With hyphens it is a part of some word in a string, such as the name of a fault.
        line.text.split { !($0.isLetter || $0.isNumber || "_@-".contains($0)) }.contains("unsafe")
      }.map { Offence(file: file.path, line: $0.number, what: "unsafe outside Platform") }
    }
  }
}
