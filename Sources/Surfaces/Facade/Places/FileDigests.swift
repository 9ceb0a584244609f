import Crypto
import HTTPServer

/// What KOReader calls a file (§12): a digest of samples of it, or of its name, as its reader chose.
enum FileDigests {
  private static let sample = 1024

  static func all(of file: FileBody, named name: String) -> [String] {
    [partial(of: file), Hex.encode(Digest.md5.hash(name))]
  }

  /// 1024 bytes from the start, then from 1024, 4096, 16384 and so on, as far as the file goes. That
  /// the first two meet is an accident of the app's, kept by all its versions.
  static func partial(of file: FileBody) -> String {
    var samples: [UInt8] = []
    for start in [0] + (0...10).map({ sample << (2 * $0) }) {
      guard start < file.length else { break }
      samples += file.read(start..<min(file.length, start + sample))
    }
    return Hex.encode(Digest.md5.hash(samples))
  }
}
