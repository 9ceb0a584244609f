import CCurl
import HTTP

/// One message on its way over SMTP.
///
/// Unchecked `Sendable` for the same reason as `Exchange`: after it is handed to the engine only
/// the engine's thread touches it, until `end`.
@safe final class MailDelivery: Work, @unchecked Sendable {
  let id: UInt64
  private let order: Order
  private let source: UploadSource
  private let answer: (Result<MailReceipt, MailError>) -> Void
  private var dialogue = MailDialogue()
  private var phase = Phase.resolving
  private var fault: MailError?
  private var handle: EasyHandle?

  struct Order {
    let server: MailServer
    let sender: String
    let recipients: [String]
    let message: [UInt8]
    let deadline: ContinuousClock.Instant
  }

  init(
    _ order: Order, id: UInt64, answer: @escaping (Result<MailReceipt, MailError>) -> Void
  ) {
    self.id = id
    self.order = order
    self.answer = answer
    source = UploadSource(order.message)
  }

  var due: ContinuousClock.Instant? { fault == nil ? order.deadline : nil }

  func lapse(at now: ContinuousClock.Instant) -> TransportError? {
    fault == nil && order.deadline <= now ? .deadlineExceeded(phase) : nil
  }

  /// A handle that is taken away makes libcurl write the end of the message, wherever it is in
  /// it, and wait for the answer: half a letter would be delivered as a whole one. A failing
  /// callback makes it hang up.
  func breaksOffItself(with error: TransportError) -> Bool {
    guard fault == nil else { return false }
    fault = .transport(error)
    return true
  }

  // MARK: - Setting up

  func prepare() throws(TransportError) -> EasyHandle {
    guard let handle = EasyHandle() else { throw .other(Cause(CURLE_OUT_OF_MEMORY)) }
    let server = order.server
    let scheme = server.security == .implicit ? "smtps" : "smtp"
    handle.set(
      CURLOPT_URL,
      "\(scheme)://\(server.host.text):\(server.port)/\(Address.encoded(server.clientName))")
    handle.set(CURLOPT_PROTOCOLS_STR, "smtp,smtps")
    handle.set(CURLOPT_PROXY, "")
    handle.set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
    handle.set(CURLOPT_NOSIGNAL, true)
    handle.set(CURLOPT_QUICK_EXIT, true)
    // A relay drops idle connections soon, and a pooled one would have to be told goodbye to at
    // shutdown, waiting for its answer.
    handle.set(CURLOPT_FORBID_REUSE, true)
    handle.set(CURLOPT_CONNECTTIMEOUT_MS, server.connectTimeout.wholeMilliseconds)
    handle.set(
      CURLOPT_SERVER_RESPONSE_TIMEOUT, max(1, Int(server.replyTimeout.components.seconds)))
    setSecurity(handle)
    setLogin(handle)
    handle.set(CURLOPT_MAIL_FROM, order.sender)
    handle.set(CURLOPT_MAIL_RCPT, list: order.recipients)
    // One bad address among many must not keep the message from the others.
    handle.set(CURLOPT_MAIL_RCPT_ALLLOWFAILS, true)
    handle.set(CURLOPT_UPLOAD, true)
    handle.set(CURLOPT_INFILESIZE_LARGE, offset: source.size)
    setCallbacks(handle)
    self.handle = handle
    return handle
  }

  private func setSecurity(_ handle: EasyHandle) {
    let server = order.server
    let wanted =
      switch server.security {
      case .implicit, .required: CURLUSESSL_ALL
      case .opportunistic: server.login == nil ? CURLUSESSL_TRY : CURLUSESSL_ALL
      case .none: CURLUSESSL_NONE
      }
    handle.set(CURLOPT_USE_SSL, Int(wanted.rawValue))
    handle.setSecurity(server.trust)
  }

  private func setLogin(_ handle: EasyHandle) {
    guard let login = order.server.login else { return }
    handle.set(CURLOPT_USERNAME, login.user)
    handle.set(CURLOPT_PASSWORD, login.secret)
    handle.set(
      CURLOPT_LOGIN_OPTIONS, login.mechanisms.map { "AUTH=\($0.rawValue)" }.joined(separator: ";"))
  }

  private func setCallbacks(_ handle: EasyHandle) {
    handle.note(
      unsafe door_set_transfer(handle.pointer, CURLOPT_HEADERFUNCTION, MailDelivery.onReply))
    handle.set(CURLOPT_HEADERDATA, object: self)
    handle.note(unsafe door_set_transfer(handle.pointer, CURLOPT_READFUNCTION, MailDelivery.onRead))
    handle.set(CURLOPT_READDATA, object: self)
    handle.note(
      unsafe door_set_transfer(handle.pointer, CURLOPT_WRITEFUNCTION, MailDelivery.onReply))
    handle.set(CURLOPT_WRITEDATA, object: self)
    handle.note(unsafe door_set_progress(handle.pointer, MailDelivery.onProgress))
    handle.set(CURLOPT_XFERINFODATA, object: self)
    handle.set(CURLOPT_NOPROGRESS, false)
    // The only way to learn which command an answer belongs to. Nothing seen here is kept.
    handle.note(unsafe door_set_debug(handle.pointer, MailDelivery.onTrace))
    handle.set(CURLOPT_DEBUGDATA, object: self)
    handle.set(CURLOPT_VERBOSE, true)
  }

  // MARK: - Called by libcurl

  private static func behind(_ context: UnsafeMutableRawPointer?) -> MailDelivery? {
    unsafe context.map { unsafe Unmanaged<MailDelivery>.fromOpaque($0).takeUnretainedValue() }
  }

  private static let onReply:
    @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
      data, size, count, context in
      guard let delivery = unsafe behind(context) else { return 0 }
      let line = unsafe UnsafeRawBufferPointer(start: data, count: size * count)
      if delivery.phase < .waiting { delivery.phase = .sending }
      unsafe delivery.dialogue.received(line)
      return size * count
    }

  private static let onRead:
    @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
      data, size, count, context in
      guard let delivery = unsafe behind(context) else { return Int(CURL_READFUNC_ABORT) }
      // libcurl goes on without a login when the server offers none.
      guard delivery.order.server.login == nil || delivery.dialogue.hasLoggedIn else {
        delivery.fault = .authenticationNotOffered
        return Int(CURL_READFUNC_ABORT)
      }
      let room = unsafe UnsafeMutableRawBufferPointer(start: data, count: size * count)
      guard let got = unsafe delivery.source.read(into: room) else {
        return Int(CURL_READFUNC_ABORT)
      }
      if delivery.source.isExhausted { delivery.phase = .waiting }
      return got
    }

  private static let onProgress:
    @convention(c) (UnsafeMutableRawPointer?, curl_off_t, curl_off_t, curl_off_t, curl_off_t) ->
      Int32 = { context, _, _, _, _ in
        unsafe behind(context)?.fault == nil ? 0 : 1
      }

  private static let onTrace:
    @convention(c) (
      UnsafeMutableRawPointer?, curl_infotype, UnsafeMutablePointer<CChar>?, Int,
      UnsafeMutableRawPointer?
    ) -> Int32 = { _, kind, data, count, context in
      guard kind == CURLINFO_HEADER_OUT, let delivery = unsafe behind(context) else { return 0 }
      unsafe delivery.dialogue.sent(UnsafeRawBufferPointer(start: data, count: count))
      return 0
    }

  // MARK: - The end

  func end(_ ending: Ending) {
    let result: Result<MailReceipt, MailError> =
      switch ending {
      case .broken(let error): .failure(.transport(error))
      case .done(CURLE_OK): .success(MailReceipt(rejected: rejections))
      case .done(let code): .failure(fault ?? error(code))
      }
    handle = nil
    answer(result)
  }

  private var rejections: [MailError.Rejection] {
    dialogue.rejected.compactMap { place, reply in
      guard order.recipients.indices.contains(place) else { return nil }
      return MailError.Rejection(mailbox: order.recipients[place], reply: reply)
    }
  }

  private func error(_ code: CURLcode) -> MailError {
    guard let handle else { return .transport(.other(Cause(code))) }
    switch code {
    case CURLE_USE_SSL_FAILED: return .encryptionRefused
    case CURLE_LOGIN_DENIED:
      guard let reply = dialogue.last else { return .authenticationNotOffered }
      return reply.isTemporary
        ? .temporary(.login, withoutSecrets(reply)) : .authenticationRefused(withoutSecrets(reply))
    case CURLE_SEND_ERROR, CURLE_WEIRD_SERVER_REPLY, CURLE_REMOTE_ACCESS_DENIED,
      CURLE_RECV_ERROR, CURLE_QUOTE_ERROR:
      if dialogue.stage == .recipient, !rejections.isEmpty {
        return .recipientsRejected(rejections)
      }
      guard let reply = dialogue.last, reply.code >= 400 else { break }
      let shown = withoutSecrets(reply)
      return reply.isTemporary
        ? .temporary(dialogue.stage, shown) : .permanent(dialogue.stage, shown)
    default: break
    }
    return .transport(TransportError(code, in: phase, of: handle, limits: Request.Limits()))
  }

  /// A server that repeats what was sent to it must not put it into our logs.
  private func withoutSecrets(_ reply: MailError.ServerReply) -> MailError.ServerReply {
    guard let login = order.server.login, dialogue.stage == .login else { return reply }
    let forms = [
      login.secret, Base64.encode(login.secret.utf8),
      Base64.encode("\u{0}\(login.user)\u{0}\(login.secret)".utf8),
    ]
    return forms.contains { !$0.isEmpty && reply.text.contains($0) }
      ? MailError.ServerReply(code: reply.code, text: "") : reply
  }
}
