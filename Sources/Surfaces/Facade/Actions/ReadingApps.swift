/// What is known of reading apps by how they call themselves (§7): a small preference, never a right.
package enum ReadingApps {
  /// Apps that open feeds and download files, and make nothing of a borrow link (§9).
  private static let downloaders = [
    "koreader", "moon+ reader", "librera", "fbreader", "crosspoint", "pocketbook", "kybook",
  ]

  package static func profile(of agent: String?) -> Visitor.Profile {
    let name = (agent ?? "").lowercased()
    return downloaders.contains { name.contains($0) } ? .downloads : .borrows
  }
}
