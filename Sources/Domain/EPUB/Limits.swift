/// How much is read: of entries in bytes, else by number. A book cannot move them.
enum Limits {
  static let small = 1 << 20
  static let package = 16 << 20
  static let chapter = 32 << 20
  static let media = 512 << 20
  /// What is held whole in memory to be opened.
  static let locked = 256 << 20
  static let sheet = 4 << 20
  static let tocEntries = 50_000
  static let tocDepth = 32
  static let metadata = 64 << 10
  /// Steps of one chain: more is a cycle in all but name.
  static let fallbacks = 64
  /// Places of the spine that name a document again.
  static let spineRepeats = 64
}
