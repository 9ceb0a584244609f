import HTTP
import JSON
import ProviderKit

extension AuthenticationDocument {
  /// Nil for any other document: what it must have is its list of ways.
  init?(_ json: JSONValue, from address: Address) {
    guard let ways = json["authentication"]?.array, json["metadata"] == nil else { return nil }
    let reading = JSONReading(base: address)
    self.init(
      id: json["id"]?.words ?? address.text, title: json["title"]?.localized?.bounded() ?? "",
      flows: ways.prefix(50).compactMap { Flow($0, reading) })
    description = json["description"]?.localized ?? json["service_description"]?.localized
    links = reading.linksOrMap(json["links"])
  }
}

extension AuthenticationDocument.Flow {
  fileprivate init?(_ json: JSONValue, _ reading: JSONReading) {
    guard let type = json["type"]?.words else { return nil }
    self.init(AuthenticationDocument.Kind(type))
    description = json["description"]?.localized?.bounded()
    links = reading.linksOrMap(json["links"])
    loginLabel = json["labels"]?["login"]?.localized?.bounded(100)
    passwordLabel = json["labels"]?["password"]?.localized?.bounded(100)
    login = json["inputs"]?["login"].map(AuthenticationDocument.Input.init)
    password = json["inputs"]?["password"].map(AuthenticationDocument.Input.init)
  }
}

extension AuthenticationDocument.Input {
  fileprivate init(_ json: JSONValue) {
    self.init(
      keyboard: json["keyboard"]?.words, maximumLength: json["maximum_length"]?.whole,
      barcodeFormat: json["barcode_format"]?.words)
  }
}
