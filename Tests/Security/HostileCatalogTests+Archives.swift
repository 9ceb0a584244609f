import Foundation
import JSON
import JourneySupport
import Testing

/// A catalog that is fetched as an archive, from a site or from a mirror of it that cannot be trusted.
@Suite struct `A hostile catalog that comes as an archive` {
  /// A bzip2 stream of nothing has 14 bytes. This took 28 seconds.
  @Test func `4 MiB of empty bzip2 streams are read within seconds`() async throws {
    try await Stage.playOnEach { stage in
      let empty: [UInt8] = [0x42, 0x5A, 0x68, 0x39, 0x17, 0x72, 0x45, 0x38, 0x50, 0x90, 0, 0, 0, 0]
      let count = (4 << 20) / empty.count
      let file = stage.home + "/rdf-files.tar.bz2"
      try Data((0..<count).map { _ in empty }.joined()).write(to: URL(fileURLWithPath: file))
      let start = ContinuousClock.now
      let ending = try await stage.carrel("gutenberg", "import", file, "--json")
      #expect(ContinuousClock.now - start < .seconds(14))
      #expect(ending.item["editions"] == 0, "\(ending.output) \(ending.error)")
    }
  }
}
