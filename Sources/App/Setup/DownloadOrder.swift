/// Books that are wanted as files.
package struct DownloadOrder: Sendable, Hashable {
  /// Work ids, `ACCOUNT:ITEM`s or words of titles; none for whatever stands in the line.
  package let titles: [String]
  /// The contract's word, such as epub.
  package let format: String?

  package init(_ titles: [String], format: String?) {
    (self.titles, self.format) = (titles, format)
  }
}

/// What shall become of the line of downloads: of one title, or of all of the reader's.
package enum QueueOrder: Sendable, Hashable {
  case pause(String?)
  case resume(String?)
  case cancel(String?)
}
