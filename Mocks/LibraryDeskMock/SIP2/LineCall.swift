import HTTP
import HTTPServer
import JSON
import MockKit

/// One question on one line. What the line remembers is whether its machine has signed in, and the last
/// answer.
struct LineCall {
  private let request: MockRequest
  private let library: MockLibrary
  private let habit: Habit
  private let memory: JSONValue

  /// Nil where there is no such library.
  init?(_ request: MockRequest, _ state: WorldState) {
    guard request.path.count == 3, let library = state.library(request.path[2], of: request.path[1])
    else { return nil }
    (self.request, self.library) = (request, library)
    habit = Habit.of(library.settings["maker"]?.string ?? "")
    let text = request.headers[LineDesk.memory] ?? ""
    memory = (try? JSONValue(parsing: Array(text.utf8))) ?? .null
  }

  private var hasSignedIn: Bool { memory["in"]?.bool == true }
  private var wasAskedForStatus: Bool { memory["status"]?.bool == true }

  func answer(_ state: inout WorldState) -> Response {
    let question: LineQuestion
    do throws(LineQuestion.Fault) { question = try LineQuestion(request.body) } catch {
      return said(LineReply.sealed(Array("96".utf8), number: nil, isSummed: true), keeping: false)
    }
    if question.code == "97" { return again() }
    if question.code == "93" { return signIn(question) }
    guard hasSignedIn || !habit.wantsLogin else {
      return habit.hangsUp ? SIP2Dialect.closing : refusal(question)
    }
    guard wasAskedForStatus || !habit.wantsStatus || question.code == "99" else {
      return SIP2Dialect.closing
    }
    var desk = LineVisit(habit: habit, question: question, library: library, now: state.now)
    guard let reply = desk.answer() else { return SIP2Dialect.closing }
    let changed = desk.library
    _ = state.change(library.id, of: library.provider) { library, _ in library = changed }
    return said(
      LineReply.sealed(reply.bytes, number: question.number, isSummed: question.isSummed),
      body: reply.bytes, status: question.code == "99")
  }

  private func signIn(_ question: LineQuestion) -> Response {
    let user = question.text("CN", in: habit.charset)
    let password = question.text("CO", in: habit.charset)
    let isRight =
      user == library.settings["sip2_login"]?.string
      && password == library.settings["sip2_password"]?.string
    let body = Array("94\(isRight ? "1" : "0")".utf8)
    if !isRight, habit.hangsUp { return SIP2Dialect.closing }
    return said(
      LineReply.sealed(body, number: question.number, isSummed: question.isSummed), body: body,
      signedIn: isRight)
  }

  /// A machine that has not signed in is nobody.
  private func refusal(_ question: LineQuestion) -> Response {
    said(
      LineReply.sealed(Array("96".utf8), number: nil, isSummed: question.isSummed), keeping: false)
  }

  /// The last answer once more: its body as it was, without the number, under a sum of its own.
  private func again() -> Response {
    guard let hex = memory["last"]?.string else {
      return said(LineReply.sealed(Array("96".utf8), number: nil, isSummed: true), keeping: false)
    }
    return said(LineReply.sealed(Self.bytes(hex), number: nil, isSummed: true), keeping: false)
  }

  private func said(
    _ bytes: [UInt8], body: [UInt8] = [], keeping keeps: Bool = true, signedIn: Bool? = nil,
    status: Bool = false
  ) -> Response {
    var next: JSONObject = memory.object ?? [:]
    if keeps { next["last"] = .string(Self.hex(body)) }
    if let signedIn { next["in"] = .bool(signedIn) }
    if status { next["status"] = true }
    var response = Response()
    response.body = .bytes(bytes + Array(habit.end.utf8))
    response.headers.set(LineDesk.memory, JSONValue.object(next).text())
    return response
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex.utf8)
    return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16)
    }
  }

  // MARK: - What goes wrong

  func spoiled(_ response: Response, by fault: LineFault) -> Response {
    var response = response
    let bytes = response.wholeBody
    let end = Array(habit.end.utf8)
    let body = Array(bytes.dropLast(end.count))
    let isSummed = body.count > 6 && body.dropLast(4).suffix(2).elementsEqual("AZ".utf8)
    let isNumbered = body.count > 9 && body.dropLast(6).suffix(3).starts(with: "AY".utf8)
    let core = isNumbered ? Array(body.dropLast(9)) : body
    let number = isNumbered ? body[body.count - 7] : nil
    switch fault {
    case .wrongSum where isSummed:
      response.body = .bytes(body.dropLast(4) + Array("0001".utf8) + end)
    case .wrongNumber where isNumbered:
      let other = UInt8(ascii: "0") + ((number ?? 0x30) - 0x30 + 5) % 10
      response.body = .bytes(LineReply.sealed(core, number: other, isSummed: true) + end)
    case .pleaseRepeat:
      response.body = .bytes(
        LineReply.sealed(Array("96".utf8), number: nil, isSummed: true) + end)
      response.headers.set(LineDesk.memory, request.headers[LineDesk.memory] ?? "")
    case .twice: response.body = .bytes(bytes + bytes)
    case .noise: response.body = .bytes([0x00, 0xFF, 0x7E, 0x41, 0xC3] + end + bytes)
    case .noDetection: response.body = .bytes(core + end)
    case .endless: response.body = .bytes([UInt8](repeating: 0x78, count: 2 << 20))
    case .wrongLetters:
      let letters = core.map { $0 >= 0x80 ? UInt8(0xE9) : $0 }
      response.body = .bytes(LineReply.sealed(letters, number: number, isSummed: isNumbered) + end)
    case .repeatedFields: response.body = .bytes(repeated(core, number, isNumbered) + end)
    case .wrongSum, .wrongNumber, .restart: break
    }
    return response
  }

  private func repeated(_ core: [UInt8], _ number: UInt8?, _ isSummed: Bool) -> [UInt8] {
    let mark = UInt8(ascii: "|")
    guard let first = core.firstIndex(of: mark), core.count > first + 1 else {
      return LineReply.sealed(core, number: number, isSummed: isSummed)
    }
    return LineReply.sealed(
      core + core[(first + 1)...], number: number, isSummed: isSummed)
  }
}
