package import HTTPServer
import JSON

/// Bodies that are documents, and not the ones that were agreed upon.
extension Spoiling {
  /// Of the same length, and of no meaning.
  package static func garbage(_ response: Response, _ random: inout SeededRandom) -> Response {
    var response = response
    let count = max(response.wholeBody.count, 64)
    response.body = .bytes((0..<count).map { _ in UInt8(random.below(256)) })
    return response
  }

  /// As converters from XML do: a list of one becomes the one, and an object stands in a list.
  package static func reshaped(_ response: Response) -> Response {
    rewritten(response, json: reshapedRoot, xml: { $0.with(reshaped).bytes })
  }

  private static func reshapedRoot(_ root: JSONValue) -> JSONValue {
    guard case .object(var object) = root else { return root }
    for member in object.members { object[member.name] = reshaped(member.value) }
    return .object(object)
  }

  private static func reshaped(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(let list): list.first ?? [:]
    case .object(let object): [.object(object)]
    default: value
    }
  }

  package static func respelled(_ response: Response) -> Response {
    rewritten(response, json: respelled, xml: { $0.with(respelled).bytes })
  }

  private static func respelled(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): return .integer(text.utf8.count)
    case .integer(let number): return .string(String(number))
    case .array(let list): return .array(list.map(respelled))
    case .object(var object):
      for member in object.members { object[member.name] = respelled(member.value) }
      return .object(object)
    default: return value
    }
  }

  /// Whatever is no document stays as it is.
  package static func padded(_ response: Response, by count: Int) -> Response {
    let padding = String(
      decoding: [UInt8](repeating: UInt8(ascii: "a"), count: count), as: UTF8.self)
    func pad(_ root: JSONValue) -> JSONValue {
      guard case .object(var object) = root else { return root }
      object["padding"] = .string(padding)
      return .object(object)
    }
    return rewritten(response, json: pad, xml: { padded($0, by: count) })
  }

  package static func oneText(_ response: Response, of count: Int) -> Response {
    var response = response
    let quote = UInt8(ascii: "\"")
    response.body = .bytes([quote] + [UInt8](repeating: UInt8(ascii: "a"), count: count) + [quote])
    return response
  }

  /// UTF-16, though the header goes on telling what it told.
  package static func recoded(_ response: Response) -> Response {
    var response = response
    let text = String(decoding: response.wholeBody, as: UTF8.self)
    response.body = .bytes(
      [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
    return response
  }

  private static func rewritten(
    _ response: Response, json change: (JSONValue) -> JSONValue,
    xml write: (XMLBody) -> [UInt8]
  ) -> Response {
    var response = response
    if let document = XMLBody(response) {
      response.body = .bytes(write(document))
      return response
    }
    guard let value = try? JSONValue(parsing: response.wholeBody) else { return response }
    response.body = .bytes(change(value).bytes())
    return response
  }
}
