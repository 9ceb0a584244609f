package import FrontDesk
package import Registry

/// What is known of reading apps by how they call themselves (§7): a small preference, never a right.
package enum ReadingApps {
  /// Apps that open feeds and download files, and make nothing of a borrow link (§9).
  private static let downloaders = [
    "koreader", "moon+ reader", "librera", "fbreader", "crosspoint", "pocketbook", "kybook",
  ]

  /// As the password was made for, or else as the app calls itself.
  package static func profile(
    of agent: String?, _ manner: Device.Manner = .told
  ) -> Visitor.Profile {
    switch manner {
    case .borrows: .borrows
    case .downloads: .downloads
    case .told: profile(named: agent)
    }
  }

  private static func profile(named agent: String?) -> Visitor.Profile {
    let name = (agent ?? "").lowercased()
    return downloaders.contains { name.contains($0) } ? .downloads : .borrows
  }
}
