/// How much of each kind of entry is read, in bytes. A book cannot move them.
enum Limits {
  static let small = 1 << 20
  static let package = 16 << 20
  static let chapter = 32 << 20
  static let media = 512 << 20
  static let tocEntries = 50_000
  static let tocDepth = 32
  static let metadata = 64 << 10
}
