import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(600))) struct `Every parser refuses whatever is wrong` {
  /// `FUZZ=1000000` for a long run, `FUZZ_NUMBER=17` for one input.
  private static let environment = ProcessInfo.processInfo.environment
  private static let count = environment["FUZZ"].flatMap { Int($0) } ?? 800
  private static let only = environment["FUZZ_NUMBER"].flatMap { Int($0) }
  private static let patience = Duration.seconds(5)
  private static let checkout = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Seeds of our own, and whatever brought a parser down once.
  private static func corpus(of parser: Parser) throws -> [(name: String, bytes: [UInt8])] {
    let folder = checkout.appendingPathComponent("Fuzz/Corpus/\(parser.name)")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
      (name, [UInt8](try Data(contentsOf: folder.appendingPathComponent(name))))
    }
  }

  @Test(arguments: Parser.all)
  func `every parser handles each file of its fuzz corpus without failing`(parser: Parser) throws {
    let corpus = try Self.corpus(of: parser)
    #expect(!corpus.isEmpty)
    for (name, bytes) in corpus { try Self.attempt(parser, bytes, name) }
  }

  @Test(arguments: Parser.all)
  func `every parser handles mutations of its fuzz corpus without failing`(parser: Parser) throws {
    let seeds = try Self.corpus(of: parser).map(\.bytes)
    let numbers = Self.only.map { $0..<($0 + 1) } ?? 0..<Self.count
    for number in numbers {
      var mutator = Mutator(seeds: seeds, number: number)
      try Self.attempt(parser, mutator.input(), "\(number)")
    }
  }

  @Test func `every parser has a fuzz corpus, and every corpus has a parser`() throws {
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: Self.checkout.appendingPathComponent("Fuzz/Corpus").path)
    #expect(folders.sorted() == Parser.all.map(\.name).sorted())
  }

  private static func attempt(_ parser: Parser, _ bytes: [UInt8], _ name: String) throws {
    // A parser that traps takes the process with it: what it was given is found beside the log.
    try note(parser, bytes, name)
    let began = ContinuousClock.now
    parser.read(bytes)
    let took = ContinuousClock.now - began
    #expect(
      took < patience,
      "\(parser.name) took \(took): FUZZ_NUMBER=\(name) scripts/test Fuzz")
  }

  private static let descriptor = unsafe open(
    checkout.appendingPathComponent(".build/fuzz-last").path, O_RDWR | O_CREAT | O_TRUNC, 0o600)

  private static func note(_ parser: Parser, _ bytes: [UInt8], _ name: String) throws {
    guard descriptor >= 0 else { return }
    let head = Array("\(parser.name) \(name)\n".utf8) + bytes
    _ = ftruncate(descriptor, 0)
    _ = unsafe head.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }
}
