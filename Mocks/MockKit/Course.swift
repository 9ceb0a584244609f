import HTTP
import HTTPServer

/// The way of one request through the faults that strike it: before it is carried out, while it is,
/// and after.
struct Course {
  private let request: MockRequest
  private let dialect: Dialect?
  private let faults: [Fault]
  private(set) var mishap = Mishap()
  /// The names of what struck, with what chance decided.
  private(set) var journal: [String] = []

  /// Its place in the journal.
  let number: Int

  init(_ request: MockRequest, _ dialect: Dialect?, _ faults: [Fault], _ number: Int) {
    (self.request, self.dialect, self.faults) = (request, dialect, faults)
    self.number = number
  }

  /// What keeps the request from being carried out, if anything does.
  mutating func hindrance(_ state: inout WorldState) -> Response? {
    journal = faults.map(\.name)
    for fault in faults {
      if let early = before(fault, &state) { return early }
    }
    return nil
  }

  /// Carries the request out, as `answer` does it.
  mutating func run(
    _ state: inout WorldState, _ answer: (inout WorldState) -> Response
  ) -> Response {
    let stale = faults.contains { $0.kind == .stale }
    let question = "\(request.method) \(request.target) \(request.headers["Authorization"] ?? "")"
    let old = stale ? state.answers.stale(question) : nil
    var response = answer(&state)
    if faults.contains(where: { $0.kind == .duplicate }) { response = answer(&state) }
    if request.method == .get, response.status.isSuccess {
      state.answers.remember(response, to: question)
    }
    if let old { response = old }
    return spoiled(response, &state)
  }

  /// The answer as it arrives.
  mutating func spoiled(_ response: Response, _ state: inout WorldState) -> Response {
    var response = response
    for fault in faults { after(fault, &response, &state) }
    return response
  }

  /// As slow as the service was when it was recorded.
  mutating func wait(_ milliseconds: Int) { mishap.delay += milliseconds }

  private func failure(_ status: Status, _ state: inout WorldState) -> Response {
    dialect?.failure(status, &state) ?? .problem(Problem(status, code: "fault"))
  }

  private func spoil(
    _ fault: LineFault, _ response: Response, _ state: inout WorldState
  ) -> Response {
    dialect?.spoilLine?(fault, request, response, &state) ?? response
  }

  /// What happens instead of the answer, and what has to be known before it.
  private mutating func before(_ fault: Fault, _ state: inout WorldState) -> Response? {
    switch fault.kind {
    case .status(let code): return failure(Status(code), &state)
    case .rateLimit(let seconds):
      var response = failure(.tooManyRequests, &state)
      response.headers.set("Retry-After", String(seconds))
      return response
    case .redirect(let target): return .redirect(to: target, .found)
    case .gatewayPage: return Spoiling.wrongType(Response())
    case .latency(let time, let jitter):
      let extra = jitter > 0 ? state.random.below(jitter + 1) : 0
      mishap.delay += time + extra
      journal.append("\(fault.name): \(time + extra) ms")
    case .line(.pleaseRepeat): return spoil(.pleaseRepeat, Response(), &state)
    case .tokenExpired: if let token = request.bearer { state.tokens.revoke(token) }
    case .reset, .refuse:
      mishap.delivery = .severed
      return Response.severed
    case .timeout:
      mishap.delivery = .never
      return Response.severed
    default: break
    }
    return nil
  }

  private mutating func after(_ fault: Fault, _ response: inout Response, _ state: inout WorldState)
  {
    switch fault.kind {
    case .statusAfter(let code): response = failure(Status(code), &state)
    case .malformed: response = Spoiling.malformed(response)
    case .wrongType: response = Spoiling.wrongType(response)
    case .empty: response = Spoiling.empty(response)
    case .garbage: response = Spoiling.garbage(response, &state.random)
    case .wrongShape: response = Spoiling.reshaped(response)
    case .wrongScalar: response = Spoiling.respelled(response)
    case .padded(let bytes): response = Spoiling.padded(response, by: bytes)
    case .oneText(let bytes): response = Spoiling.oneText(response, of: bytes)
    case .wrongCharset: response = Spoiling.recoded(response)
    case .truncate: response = Spoiling.truncated(response)
    case .reorder: response = Spoiling.reordered(response, &state.random)
    case .line(.pleaseRepeat): break
    case .line(.restart): mishap.delivery = .restarted
    case .line(let fault): response = spoil(fault, response, &state)
    case .resetAfter: mishap.delivery = .severed
    case .timeoutAfter: mishap.delivery = .never
    case .bandwidth(let rate): mishap.delivery = .paced(bytesPerSecond: rate)
    case .slicer(let bytes): mishap.delivery = .sliced(bytes: bytes)
    case .slowClose(let time): mishap.delivery = .slowlyClosed(milliseconds: time)
    case .limitBytes(let count): mishap.delivery = .cut(after: count)
    case .cut(let percent):
      mishap.delivery = .cut(after: response.wholeBody.count * percent / 100)
    case .wrongLength: mishap.delivery = .promisingMore(bytes: 16)
    default: break
    }
  }
}
