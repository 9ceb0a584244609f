import Crypto
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Notices
import Phrasebook
import Registry
import Secrets

/// What the forms of the page of notices do.
extension NoticesPage {
  func carry(_ form: FormFields) async throws(Problem) -> FormEnd {
    let (notices, patron) = (own.stock.notices, own.reader.patron)
    switch form["do"] {
    case "read":
      try await told { () throws(NoticeError) in _ = try await notices.readAll(of: patron) }
      return .onward(Self.path)
    case "remove":
      let name = form["name"] ?? ""
      try await told { () throws(NoticeError) in
        _ = try await notices.removeChannel(named: name, of: patron)
      }
      return .onward(Self.path, ["did": OwnDeed.removed.rawValue])
    case "test":
      let name = form["name"] ?? ""
      let start = ContinuousClock.now
      let trials = try await told { () throws(NoticeError) in
        try await notices.test(name, of: patron)
      }
      // An address that does not answer fails after the same time, whatever is or is not there.
      if trials.contains(where: \.isSilence) {
        await own.stock.pause(notices.settings.patience - (.now - start))
      }
      var page = try await page()
      let trouble = trials.compactMap(\.told).first
      page.notice =
        trouble.map { .alert(said("The test did not arrive: \(said(known: $0))")) }
        ?? .done(said("The test is on its way."))
      return .page(page)
    case "add": return try await add(form)
    case "confirm": return try await confirm(form)
    case "code":
      let name = form["name"] ?? ""
      let trial = try await told { () throws(NoticeError) in
        try await notices.sendCode(name, of: patron)
      }
      return try await sent(trial)
    case "device": return try await addDevice(form)
    case "device-off":
      // Sent by a browser without its patron, so nothing can be asked for: it ends no other browser's.
      _ = try? await notices.removeChannel(
        named: Self.nameOfDevice(form["endpoint"] ?? ""), of: patron,
        boundTo: own.reader.pass.reference.text)
      return .onward(Self.path, ["did": OwnDeed.removed.rawValue])
    default: throw incompleteForm
    }
  }

  /// The browser that the form comes from: it may be added as often as one likes, and is one.
  private func addDevice(_ form: FormFields) async throws(Problem) -> FormEnd {
    var fields: [String: Secret] = [:]
    for field in Carrier.push.fields {
      if let text = form[field.name], !text.isEmpty { fields[field.name] = Secret(text) }
    }
    var order = ChannelOrder(
      name: Self.nameOfDevice(form["endpoint"] ?? ""), medium: .push, fields: fields)
    order.kinds = Set(NoticeKind.choosable)
    let session = own.reader.pass.reference.text
    order.session = session
    do throws(NoticeError) {
      _ = try await own.stock.notices.add(order, of: own.reader.patron)
    } catch {
      switch error {
      case .nameTaken(let name):
        try await told { () throws(NoticeError) in
          try await own.stock.notices.bind(name, of: own.reader.patron, to: session)
        }
      case .badField, .badName, .noWay: throw incompleteForm
      case .tooManyChannels: throw Self.problem(error)
      default: throw Refusals.unread(said("Nothing can be written now."))
      }
    }
    return .onward(Self.path, ["did": OwnDeed.kept.rawValue])
  }

  /// The same for the same subscription.
  static func nameOfDevice(_ endpoint: String) -> String {
    "browser-" + Hex.encode(Array(Digest.sha256.hash(endpoint).prefix(4)))
  }

  private func add(_ form: FormFields) async throws(Problem) -> FormEnd {
    guard let medium = form["medium"].flatMap({ Carrier(rawValue: $0) }) else {
      throw incompleteForm
    }
    var fields: [String: Secret] = [:]
    for field in medium.fields {
      let text = (form["\(medium.rawValue)-\(field.name)"] ?? "").trimmed
      if !text.isEmpty { fields[field.name] = Secret(text) }
    }
    var order = ChannelOrder(name: nil, medium: medium, fields: fields)
    order.kinds = Set(form.all("kind").compactMap { NoticeKind(rawValue: $0) })
    if order.kinds.isEmpty { order.kinds = Set(NoticeKind.choosable) }
    order.tellsTitles = form["titles"] == "yes"
    if let start = Self.minute(form["\(medium.rawValue)-from"]),
      let end = Self.minute(form["\(medium.rawValue)-to"]), start != end
    {
      order.hours = Hours(quiet: Hours.Quiet(from: start, to: end))
    }
    let added: AddedChannel
    do throws(NoticeError) {
      added = try await own.stock.notices.add(order, of: own.reader.patron)
    } catch {
      let trouble: FormTrouble
      switch error {
      case .badField(let name):
        trouble = FormTrouble(said("That does not look right: check it once more."), at: name)
      case .nameTaken:
        trouble = FormTrouble(said("There is one of this kind already: remove it first."))
      case .tooManyChannels(let most): trouble = FormTrouble(Self.tooMany(most))
      case .noWay: trouble = FormTrouble(said("Whoever runs this gateway has not set that up."))
      case .rateLimited(let seconds): throw Self.rateLimited(seconds)
      default: throw Refusals.unread(said("Nothing can be written now."))
      }
      let page = try await NoticesPage(own, trouble, medium, nil).page()
      return .page(page, .unprocessableContent)
    }
    if let trial = added.code { return try await sent(trial) }
    guard let key = added.key else { return .onward(Self.path, ["did": OwnDeed.kept.rawValue]) }
    return .page(try await NoticesPage(own, nil, nil, key).page())
  }

  /// How the sending of a code went.
  private func sent(_ trial: ChannelTrial) async throws(Problem) -> FormEnd {
    guard let trouble = trial.told else {
      return .onward(Self.path, ["did": OwnDeed.codeSent.rawValue])
    }
    var page = try await page()
    page.notice = .alert(said("The code could not be sent: \(said(known: trouble))"))
    return .page(page)
  }

  private func confirm(_ form: FormFields) async throws(Problem) -> FormEnd {
    let name = form["name"] ?? ""
    let code = Secret((form[Self.codeField(name)] ?? "").trimmed)
    do throws(NoticeError) {
      _ = try await own.stock.notices.confirm(name, code: code, of: own.reader.patron)
    } catch {
      guard case .wrongCode = error else { throw Self.problem(error) }
      let trouble = FormTrouble(
        said("That is not the code that was sent last, or it is no longer valid."),
        at: Self.codeField(name))
      let page = try await NoticesPage(own, trouble, nil, nil).page()
      return .page(page, .unprocessableContent)
    }
    return .onward(Self.path, ["did": OwnDeed.confirmed.rawValue])
  }

  private static func tooMany(_ most: Int) -> String {
    said("You have \(most) channels, and can add no more. Remove one that you do not use.")
  }

  private static func rateLimited(_ seconds: Int) -> Problem {
    let span = SignInPage.Trouble.span(seconds)
    return Problem(
      .tooManyRequests, code: "rate_limited",
      detail: said("Too many codes and tests were sent. Wait \(span), then try again."),
      retryAfter: seconds)
  }

  /// `22:30` as minutes of the day.
  private static func minute(_ text: String?) -> Int? {
    let parts = (text ?? "").split(separator: ":").prefix(2).compactMap { Int($0) }
    guard parts.count == 2, (0..<24).contains(parts[0]), (0..<60).contains(parts[1]) else {
      return nil
    }
    return parts[0] * 60 + parts[1]
  }

  func told<T: Sendable>(
    _ body: () async throws(NoticeError) -> T
  ) async throws(Problem) -> T {
    do throws(NoticeError) { return try await body() } catch { throw Self.problem(error) }
  }

  private static func problem(_ error: NoticeError) -> Problem {
    switch error {
    case .unknownChannel:
      Problem(
        .notFound, code: "unknown_channel", detail: said("That is gone already."),
        remedy: said("Load the page anew."))
    case .alreadyConfirmed:
      Problem(
        .conflict, code: "channel_confirmed", detail: said("That is confirmed already."),
        remedy: said("Load the page anew."))
    case .tooManyChannels(let most):
      Problem(.conflict, code: "too_many_channels", detail: tooMany(most))
    case .rateLimited(let seconds): rateLimited(seconds)
    default: Refusals.unread(said("Notices cannot be read just now."))
    }
  }
}
