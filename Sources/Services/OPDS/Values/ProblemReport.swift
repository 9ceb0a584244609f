package import JSON
import ProviderKit

/// What a service says of its failure (RFC 9457, §6).
package struct ProblemReport: Sendable, Hashable {
  package var type: String
  package var title: String?
  package var status: Int?
  package var detail: String?

  package init(type: String, title: String?, status: Int?, detail: String?) {
    (self.type, self.title, self.status, self.detail) = (type, title, status, detail)
  }

  package init?(_ json: JSONValue) {
    guard json.object != nil, json["metadata"] == nil, json["authentication"] == nil,
      let type = json["type"]?.words
    else { return nil }
    self.init(
      type: type, title: json["title"]?.words, status: json["status"]?.whole,
      detail: json["detail"]?.words)
  }

  /// The last word of its type: `loan-limit-reached`.
  package var slug: String {
    String(type.split(separator: "/").last ?? "")
  }
}
