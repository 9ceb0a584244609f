package import Items

/// Books that lie on the disk, as the commands about them see them. They need no account, no settings
/// and no database, so that the small program becomes `carrel-book` for them, which starts in a
/// third of the time that the large one takes: this is the seam between those two, and has one
/// conformer for the same reason as `Engine`.
package protocol BookFiles: Sendable {
  /// The same, for books that this key opens.
  func unlocking(with key: LockKey) -> any BookFiles
  /// What a book says of itself.
  func inspect(_ book: BookSource) throws(ErrorItem) -> BookItem
  func contents(of book: BookSource) throws(ErrorItem) -> [ContentsItem]
  /// Everything that is wrong with a book that can be opened, found by reading all of it.
  func examine(_ book: BookSource) throws(ErrorItem) -> [FaultItem]
  /// Hands over the text of one document in reading order, counted from 0, or of all, each as soon
  /// as it is its turn.
  func text(
    of book: BookSource, item: Int?, _ found: (BookTextItem) throws(ErrorItem) -> Void
  ) async throws(ErrorItem)
  /// Finds words in a book, and hands over what it finds as it is found: the first are there before
  /// the last chapter is read. Returns how often the words are there.
  func search(
    _ book: BookSource, for order: ContentOrder, _ found: (ContentHitItem) throws(ErrorItem) -> Void
  ) async throws(ErrorItem) -> Int
}
