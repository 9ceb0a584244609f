package import Circulation
import Database
import FoundationEssentials
import Machine
import ReadingLists

extension Mirrors {
  /// Looks in on the reader's friends at the service once a day, and lists what they read last with
  /// what they said of it. Tells how many lists there are; nil where it is not time yet.
  package func visitFriends(of order: MirrorOrder) async throws(MirrorError) -> Int? {
    let (correspondent, account) = (order.correspondent, order.account)
    guard correspondent.can(.friends) else { return nil }
    let now = now()
    let isDue = try await forgetFriends(
      of: account, before: now - settings.friendsKept.milliseconds)
    guard isDue || order.isWhole else { return nil }
    let friends = try await correspondent.asked { provider, call throws(CirculationError) in
      try await provider.friends(in: call)
    }
    var told: [(ReadingFriend, [ListEntry])] = []
    for friend in friends.sorted(by: { $0.id < $1.id }).prefix(settings.mostFriends) {
      do throws(MirrorError) {
        told.append((friend, try await correspondent.lately(friend)))
      } catch {
        // One who keeps a profile private, or left, is no reason to forget the others.
        guard case .service(let reason) = error, reason.isAboutOneFriend else { throw error }
      }
    }
    let heard = told
    return try await write { tx throws(DatabaseError) in
      try tx.keep(heard, of: order, at: now)
      return heard.count
    }
  }

  /// What friends said is theirs, also where nobody can be asked any more.
  package func forgetFriends() async throws(MirrorError) {
    let accounts: [String] = try await read { snapshot throws(DatabaseError) in
      try snapshot.rows("SELECT DISTINCT account FROM mirror_friend") {
        row throws(DatabaseError) in try row[0]
      }
    }
    let horizon = now() - settings.friendsKept.milliseconds
    for account in accounts {
      _ = try await forgetFriends(of: AccountID(account), before: horizon)
    }
  }

  /// Whether it is time to look again.
  private func forgetFriends(
    of account: AccountID, before horizon: Int64
  ) async throws(MirrorError) -> Bool {
    let next = now() - settings.friendsEvery.milliseconds
    return try await write { tx throws(DatabaseError) in
      let old: [String] = try tx.rows(
        """
        SELECT list FROM mirror_friend
        WHERE account = \(account.rawValue) AND heard_at < \(horizon)
        """
      ) { row throws(DatabaseError) in try row[0] }
      for list in old {
        try tx.drop(ListID(list))
        try tx.execute("DELETE FROM mirror_friend WHERE list = \(list)")
      }
      let last: Int64? =
        try tx.first(
          "SELECT friends_at FROM mirror_account WHERE account = \(account.rawValue)"
        ) { row throws(DatabaseError) -> Int64? in try row[0] } ?? nil
      return last.map { $0 <= next } ?? true
    }
  }
}

extension Correspondent {
  /// What a friend read last, or where nothing says so, put on any list.
  fileprivate func lately(_ friend: ReadingFriend) async throws(MirrorError) -> [ListEntry] {
    let lists = try await asked { provider, call throws(CirculationError) in
      try await provider.lists(of: friend, in: call)
    }
    guard let list = lists.first(where: { $0.state == .read }) ?? lists.first else { return [] }
    let page = try await asked { provider, call throws(CirculationError) in
      try await provider.items(of: list.id, from: nil, in: call)
    }
    return Array(
      page.entries.sorted { ($0.lately, $1.item) > ($1.lately, $0.item) }.prefix(100))
  }
}

extension ListEntry {
  fileprivate var lately: String { readings.last?.finished?.description ?? "" }

  /// What a friend says of it, in a sentence.
  fileprivate var word: String? {
    let stars = rating.map { rating in
      "Rated \(rating == rating.rounded() ? "\(Int(rating))" : "\(rating)") of 5."
    }
    let words = [stars, review.map { String($0.prefix(500)) }].compactMap(\.self)
    return words.isEmpty ? nil : words.joined(separator: " ")
  }
}

extension CirculationError {
  fileprivate var isAboutOneFriend: Bool {
    reason == .titleGone || reason == .credentialsRejected
  }
}

extension Transaction {
  fileprivate func keep(
    _ told: [(ReadingFriend, [ListEntry])], of order: MirrorOrder, at now: Int64
  ) throws(DatabaseError) {
    let account = order.account.rawValue
    let former: [String] = try rows("SELECT list FROM mirror_friend WHERE account = \(account)") {
      row throws(DatabaseError) in try row[0]
    }
    for list in former { try drop(ListID(list)) }
    try execute("DELETE FROM mirror_friend WHERE account = \(account)")
    for (friend, entries) in told {
      let list = try makeList(
        named: "\(order.name)/\(friend.name)", for: order.patron, by: friend.name, at: now)
      let books = entries.map { entry in
        ListedBook(
          work: nil, title: entry.title, authors: entry.authors, isbns: entry.isbns,
          note: entry.word)
      }
      _ = try put(books, on: list, at: now)
      try execute(
        """
        INSERT INTO mirror_friend (list, account, friend, heard_at)
        VALUES (\(list.rawValue), \(account), \(friend.id), \(now))
        """)
    }
    try execute(
      "UPDATE mirror_account SET friends_at = \(now) WHERE account = \(account)")
  }
}
