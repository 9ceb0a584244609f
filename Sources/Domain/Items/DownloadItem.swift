package import JSON

/// A book in the line of downloads, or one whose file is here.
package struct DownloadItem: Sendable, Hashable {
  package var title: String
  package var authors: [String] = []
  package var account: String
  package var item: String
  /// queued, running, paused, failed or done.
  package var state: String
  /// Why it failed, or waits: a word for programs.
  package var reason: String?
  package var tries = 0
  /// When it is tried again by itself.
  package var retriesAt: String?
  package var received = 0
  package var total: Int?
  /// How many come first.
  package var ahead: Int?
  /// The file, when it is here.
  package var path: String?
  /// What to call it where people look for it.
  package var fileName: String?
  package var mediaType: String?
  /// The program that opens it, where Carrel does not.
  package var opensWith: String?
  /// The page where it is read, where the provider gives no file.
  package var page: String?

  package init(title: String, account: String, item: String, state: String) {
    (self.title, self.account, self.item, self.state) = (title, account, item, state)
  }

  package var json: JSONValue {
    [
      "id": .string("\(account):\(item)"), "title": .string(title), "authors": .texts(authors),
      "account": .string(account), "item": .string(item), "state": .string(state),
      "reason": JSONValue(reason), "tries": .integer(tries), "retries_at": JSONValue(retriesAt),
      "received": .integer(received), "total": .number(total), "ahead": .number(ahead),
      "path": JSONValue(path), "file_name": JSONValue(fileName),
      "media_type": JSONValue(mediaType), "opens_with": JSONValue(opensWith),
      "page": JSONValue(page),
    ]
  }
}
