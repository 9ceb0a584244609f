import Circulation
package import Items
import Machine
import Notices
import Registry
package import Secrets
package import Setup

func toldOfNotices<T: Sendable>(
  _ body: () async throws(NoticeError) -> T
) async throws(ErrorItem) -> T {
  do throws(NoticeError) { return try await body() } catch { throw ErrorItem(error) }
}

extension LinkedEngine {
  package func needs(ofChannel medium: String) throws(ErrorItem) -> SignInNeeds {
    guard let known = Carrier(rawValue: medium) else {
      throw ErrorItem(NoticeError.badField("channel"))
    }
    return SignInNeeds(
      library: medium, libraryName: medium,
      fields: known.fields.map { field in
        SignInNeeds.Field(
          name: field.name, label: field.label, isSecret: field.isSecret,
          isRequired: field.isRequired)
      }, isPage: false)
  }

  package func addChannel(_ given: NotifyOrder, at seat: Seat)
    async throws(ErrorItem) -> ChannelKey
  {
    guard let medium = Carrier(rawValue: given.medium) else {
      throw ErrorItem(NoticeError.badField("channel"))
    }
    var order = ChannelOrder(name: given.name, medium: medium, fields: given.fields)
    if !given.kinds.isEmpty { order.kinds = Set(given.kinds.compactMap(NoticeKind.init)) }
    order.hours = Hours(
      quiet: given.quiet.map { Hours.Quiet(from: $0.start, to: $0.end) }, digest: given.digest,
      zone: given.zone)
    order.tellsTitles = given.tellsTitles
    return try await visit(seat) { visit throws(ErrorItem) in
      let added = try await toldOfNotices { () throws(NoticeError) in
        try await visit.house.notices.add(order, of: visit.patron.id)
      }
      return ChannelKey(
        item: ChannelItem(added.channel), key: added.key, codeTrouble: added.code?.trouble)
    }
  }

  package func confirmChannel(_ name: String, code: Secret, at seat: Seat)
    async throws(ErrorItem) -> ChannelItem
  {
    try await visit(seat) { visit throws(ErrorItem) in
      ChannelItem(
        try await toldOfNotices { () throws(NoticeError) in
          try await visit.house.notices.confirm(name, code: code, of: visit.patron.id)
        })
    }
  }

  package func sendChannelCode(_ name: String, at seat: Seat)
    async throws(ErrorItem) -> ChannelKey
  {
    try await visit(seat) { visit throws(ErrorItem) in
      let trial = try await toldOfNotices { () throws(NoticeError) in
        try await visit.house.notices.sendCode(name, of: visit.patron.id)
      }
      return ChannelKey(item: ChannelItem(trial.channel), key: nil, codeTrouble: trial.trouble)
    }
  }

  package func channels(at seat: Seat) async throws(ErrorItem) -> [ChannelItem] {
    try await visit(seat) { visit throws(ErrorItem) in
      try await toldOfNotices { () throws(NoticeError) in
        try await visit.house.notices.channels(of: visit.patron.id)
      }.map(ChannelItem.init)
    }
  }

  package func removeChannel(_ name: String, at seat: Seat)
    async throws(ErrorItem) -> ChannelItem
  {
    try await visit(seat) { visit throws(ErrorItem) in
      ChannelItem(
        try await toldOfNotices { () throws(NoticeError) in
          try await visit.house.notices.removeChannel(named: name, of: visit.patron.id)
        })
    }
  }

  package func testChannel(_ name: String?, at seat: Seat)
    async throws(ErrorItem) -> [ChannelTrialItem]
  {
    try await visit(seat) { visit throws(ErrorItem) in
      try await toldOfNotices { () throws(NoticeError) in
        try await visit.house.notices.test(name, of: visit.patron.id)
      }.map {
        ChannelTrialItem(
          name: $0.channel.name, medium: $0.channel.medium.rawValue, trouble: $0.trouble)
      }
    }
  }

  package func sendings(at seat: Seat) async throws(ErrorItem) -> [SendingItem] {
    try await visit(seat) { visit throws(ErrorItem) in
      try await toldOfNotices { () throws(NoticeError) in
        try await visit.house.notices.log(of: visit.patron.id)
      }.map {
        SendingItem(
          channel: $0.channel, kind: $0.kind.rawValue, state: $0.state, tries: $0.tries,
          at: moment($0.at), note: $0.note)
      }
    }
  }

  package func pushPoint(at seat: Seat) async throws(ErrorItem) -> String {
    try await visit(seat) { visit throws(ErrorItem) in
      try await toldOfNotices { () throws(NoticeError) in
        try await visit.house.notices.pushPoint()
      }
    }
  }

  package func inbox(_ choice: InboxChoice, at seat: Seat) async throws(ErrorItem) -> [NoticeItem] {
    try await visit(seat) { visit throws(ErrorItem) in
      try await toldOfNotices { () throws(NoticeError) in
        let notices = visit.house.notices
        let found = try await notices.inbox(of: visit.patron.id, onlyUnread: choice != .all)
        if choice == .readAll { try await notices.readAll(of: visit.patron.id) }
        return found
      }.map(NoticeItem.init)
    }
  }
}

private func moment(_ milliseconds: Int64) -> String {
  Timestamp(millisecondsSinceEpoch: milliseconds).rfc3339()
}

extension ChannelItem {
  fileprivate init(_ channel: Channel) {
    let hours = channel.hours
    self.init(
      name: channel.name, medium: channel.medium.rawValue, to: channel.shown,
      kinds: NoticeKind.choosable.filter(channel.kinds.contains).map(\.rawValue),
      quiet: hours.quiet.map { "\(Self.clock($0.start))-\(Self.clock($0.end))" },
      digest: hours.digest.map(Self.clock), zone: hours.zone, tellsTitles: channel.tellsTitles,
      madeAt: moment(channel.madeAt), offBecause: channel.offBecause,
      isConfirmed: channel.isConfirmed)
  }

  private static func clock(_ minute: Int) -> String {
    let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
    return "\(two(minute / 60)):\(two(minute % 60))"
  }
}

extension NoticeItem {
  fileprivate init(_ notice: InboxNotice) {
    let kept = notice.kept
    self.init(
      kind: kept.fact.kind.rawValue, title: notice.wording.title, body: notice.wording.body,
      toldAt: moment(kept.toldAt), until: kept.fact.until.map(moment), isRead: kept.readAt != nil)
  }
}

extension ErrorItem {
  init(_ error: NoticeError) {
    switch error {
    case .database(let error): self.init(error)
    case .locked(let error): self.init(error)
    case .damaged:
      self.init("vault_unusable")
      detail = "a channel for notices does not open"
    case .badName(let name):
      self.init("bad_name")
      detail = name
    case .nameTaken(let name):
      self.init("channel_exists")
      detail = name
    case .unknownChannel(let name):
      self.init("unknown_channel")
      detail = name
    case .badField(let field):
      self.init("bad_channel")
      detail = field
    case .noWay(let medium):
      self.init("no_way")
      detail = medium.rawValue
    case .wrongCode(let name):
      self.init("channel_code_wrong")
      detail = name
    case .alreadyConfirmed(let name):
      self.init("channel_confirmed")
      detail = name
    case .tooManyChannels(let most):
      self.init("too_many_channels")
      detail = "\(most)"
    case .rateLimited(let seconds):
      self.init("rate_limited")
      retryAfter = seconds
    }
  }
}
