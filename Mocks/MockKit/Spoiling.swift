import HTTP
package import HTTPServer
import JSON

/// Bodies that are wrong in a way a client must survive.
package enum Spoiling {
  /// Half of the document and then what no parser takes.
  package static func malformed(_ response: Response) -> Response {
    var response = response
    let bytes = response.wholeBody
    response.body = .bytes(Array(bytes.prefix(bytes.count / 2)) + Array("}<\u{1}".utf8))
    return response
  }

  /// Half of the document, in an answer that is whole as far as HTTP can tell.
  package static func truncated(_ response: Response) -> Response {
    var response = response
    let bytes = response.wholeBody
    response.body = .bytes(Array(bytes.prefix(bytes.count / 2)))
    return response
  }

  /// A page of a gateway in front, as it comes with status 200.
  package static func wrongType(_ response: Response) -> Response {
    var page = Response.text(
      "<!DOCTYPE html><html><head><title>Please wait</title></head>"
        + "<body><h1>We are doing some maintenance</h1></body></html>", .html)
    page.status = response.status == .noContent ? .ok : response.status
    return page
  }

  package static func empty(_ response: Response) -> Response {
    var response = response
    response.status = .ok
    response.body = .empty
    return response
  }

  /// Every list of the document in another order.
  package static func reordered(_ response: Response, _ random: inout SeededRandom) -> Response {
    var response = response
    if let document = XMLBody(response) {
      response.body = .bytes(document.with { reordered($0, &random) }.bytes)
      return response
    }
    guard let value = try? JSONValue(parsing: response.wholeBody) else { return response }
    switch value {
    case .array(let list): response.body = .bytes(JSONValue.array(shuffled(list, &random)).bytes())
    case .object(var object):
      for member in object.members {
        guard let list = member.value.array else { continue }
        object[member.name] = .array(shuffled(list, &random))
      }
      response.body = .bytes(JSONValue.object(object).bytes())
    default: break
    }
    return response
  }

  /// Never the order it had, as far as there is another.
  private static func shuffled(_ list: [JSONValue], _ random: inout SeededRandom) -> [JSONValue] {
    let shuffled = list.shuffled(using: &random)
    return shuffled == list ? list.reversed() : shuffled
  }
}
