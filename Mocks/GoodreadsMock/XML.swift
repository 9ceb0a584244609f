import HTTP
import HTTPServer
import MockKit

/// XML as the service writes it: with an envelope, blank lines in front, CDATA where it likes, and
/// types on some of the numbers.
enum XML {
  static func element(_ name: String, _ text: String?, _ attributes: String = "") -> String {
    let open = attributes.isEmpty ? name : "\(name) \(attributes)"
    return "<\(open)>\(escaped(text ?? ""))</\(name)>\n"
  }

  static func wrap(_ name: String, _ inner: String, _ attributes: String = "") -> String {
    "<\(attributes.isEmpty ? name : "\(name) \(attributes)")>\n\(inner)</\(name)>\n"
  }

  static func cdata(_ name: String, _ text: String) -> String {
    "<\(name)>\n  <![CDATA[\(text.replacing("]]>", with: "]]]]><![CDATA[>"))]]>\n</\(name)>\n"
  }

  static func number(_ name: String, _ value: Int) -> String {
    element(name, String(value), "type=\"integer\"")
  }

  static func escaped(_ text: String) -> String {
    text.reduce(into: "") { out, sign in
      switch sign {
      case "&": out += "&amp;"
      case "<": out += "&lt;"
      case ">": out += "&gt;"
      case "\"": out += "&quot;"
      default: out.append(sign)
      }
    }
  }

  static func document(_ inner: String, _ status: Status = .ok) -> Response {
    .bytes(
      Array("\n\n<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(inner)".utf8),
      MediaType("application", "xml", [.init("charset", "utf-8")]), status: status)
  }

  static func error(_ text: String, _ status: Status) -> Response {
    document(element("error", text), status)
  }

  static func page(_ text: String, _ status: Status) -> Response {
    .text(
      "<!DOCTYPE html>\n<html><head><title>\(text)</title></head><body><h1>\(text)</h1></body></html>",
      .html, status: status)
  }

  /// `Fri Feb 06 15:11:50 -0800 2009`: the service lives on the West Coast and knows no summer here.
  static func stamp(_ moment: Moment) -> String {
    let (day, time) = local(moment)
    let words = day.split(separator: " ")
    return "\(words[0].dropLast()) \(words[2]) \(words[1]) \(time) -0800 \(words[3])"
  }

  /// `Fri, 06 Feb 2009 15:11:50 -0800`
  static func mailStamp(_ moment: Moment) -> String {
    let (day, time) = local(moment)
    return "\(day) \(time) -0800"
  }

  private static func local(_ moment: Moment) -> (day: String, time: String) {
    let text = (moment + -8 * 3_600_000).httpDate.description
    let words = text.split(separator: " ").map(String.init)
    return (words.prefix(4).joined(separator: " "), words.count > 4 ? words[4] : "00:00:00")
  }

  /// A day as a reader wrote it, in either form.
  static func stamp(day: String?, mail: Bool = false) -> String {
    guard let day, let moment = Moment(day + "T08:00:00Z") else { return "" }
    return mail ? mailStamp(moment) : stamp(moment)
  }
}

/// Why the service says no, as its answer.
struct Refusal: Error {
  let response: Response

  init(_ text: String, _ status: Status) { response = XML.error(text, status) }

  init(_ response: Response) { self.response = response }

  static let signature = Refusal(.text("Invalid OAuth Request", status: .unauthorized))
  static let key = Refusal(.text("Invalid API key.", status: .unauthorized))
  static let noReview = Refusal("review not found", .notFound)
  static let noBook = Refusal("book not found", .notFound)
  static let noUser = Refusal("user not found", .notFound)

  static func invalid(_ text: String) -> Refusal {
    Refusal(
      XML.document(XML.wrap("errors", XML.element("error", text)), .unprocessableContent))
  }
}
