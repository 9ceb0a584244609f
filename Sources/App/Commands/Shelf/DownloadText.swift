import Arguments
import Items
import TextSafety

/// Downloads in words, and the shape of their item.
enum DownloadText {
  static let properties: [ReportSchema.Property] = [
    .init("id", .string, "What every command takes for its title."),
    .init("title", .string, "Its title."),
    .init("authors", .list(.string), "Who wrote it."),
    .init("account", .string, "The card it is on."),
    .init("item", .string, "The provider's own name for the title."),
    .init("state", .string, "queued, running, paused, failed or done."),
    .init("reason", .nullable(.string), "Why it failed, or waits."),
    .init("tries", .integer, "How often it was tried in vain."),
    .init("retries_at", .nullable(.time), "When it is tried again by itself."),
    .init("received", .integer, "Bytes that are here."),
    .init("total", .nullable(.integer), "Bytes there are."),
    .init("ahead", .nullable(.integer), "How many come first."),
    .init("path", .nullable(.string), "The file, when it is here."),
    .init("file_name", .nullable(.string), "What to call the file."),
    .init("media_type", .nullable(.string), "What kind of file it is."),
    .init("opens_with", .nullable(.string), "The program that opens it, where Carrel does not."),
    .init("page", .nullable(.string), "The page where it is read, where there is no file."),
  ]

  /// `'Emma': 1.2 of 3.4 MB`, of all that are under way.
  static func progress(_ items: [DownloadItem]) -> String {
    items.filter { $0.state == "running" }.prefix(3).map { item in
      "\(item.title): \(size(item))"
    }.joined(separator: " · ")
  }

  static func rows(_ items: [DownloadItem]) -> [[String]] {
    items.enumerated().map { index, item in
      [
        "\(index + 1)", item.title, item.authors.prefix(2).joined(separator: ", "), item.account,
        state(item),
      ]
    }
  }

  static func state(_ item: DownloadItem) -> String {
    switch item.state {
    case "queued":
      let why = item.reason.map { ", \(DownloadWords.cause($0))" } ?? ""
      let place = item.ahead.map { $0 == 0 ? ", next" : ", after \($0) others" } ?? ""
      return "queued" + (why.isEmpty ? place : why)
    case "running": return "downloading, \(size(item))"
    case "paused": return "paused" + (item.received > 0 ? ", \(size(item))" : "")
    case "failed":
      let why = item.reason.map { ": \(DownloadWords.cause($0))" } ?? ""
      return "failed\(why)" + (Moments.ahead(item.retriesAt).map { "; tried again \($0)" } ?? "")
    default: return "here" + (item.opensWith.map { ", opens in \($0)" } ?? "")
    }
  }

  private static func size(_ item: DownloadItem) -> String {
    guard let total = item.total else { return DownloadWords.bytes(item.received) }
    return "\(DownloadWords.bytes(item.received)) of \(DownloadWords.bytes(total))"
  }

  /// What helps with a failure.
  static func remedy(_ item: DownloadItem) -> ShellCommand {
    let id = "\(item.account):\(item.item)"
    return switch item.reason {
    case "no_room": "carrel config edit"
    case "malware_found": "carrel queue"
    case "scanner_away", "unscannable": "carrel config show scanner"
    case "disk_full", "unwritable": "carrel config path"
    case "not_borrowed", "title_gone": "carrel borrow \(id)"
    case "credentials_rejected", "account_unopened": "carrel account login \(item.account)"
    case "read_at_provider", "format_unavailable": "carrel show \(id)"
    default: "carrel get \(id)"
    }
  }
}
