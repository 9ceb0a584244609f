import JSON
import MockKit

/// A title as lists and as the metadata page show it, oddities and all.
extension Visit {
  func product(_ title: Title, in collection: Collection, isMinimal: Bool) -> JSONValue {
    let own = "/v1/collections/\(collection.token)/products/\(title.id)"
    var links: JSONObject = [
      "self": link(own), "metadata": link("\(own)/metadata"),
      "availability": link("\(own)/availability"),
    ]
    // Some records know only the old availability.
    if Self.number(of: title.id) % 5 != 0 {
      links["availabilityV2"] = link("/v2\(own.dropFirst(3))/availability")
    }
    if isMinimal {
      return [
        "id": .string(title.id), "crossRefId": .integer(Self.number(of: title.id)),
        "links": .object(links),
      ]
    }
    var object: JSONObject = [
      "id": .string(title.id), "crossRefId": .integer(Self.number(of: title.id)),
      "mediaType": .string(Self.mediaType(title)), "title": .string(title.name),
      "sortTitle": .string(Self.sortTitle(title)),
    ]
    if let subtitle = title.subtitle { object["subtitle"] = .string(subtitle) }
    if let series = title.series { object["series"] = .string(series) }
    if let author = title.authors.first {
      object["primaryCreator"] = ["role": "Author", "name": .string(author)]
    }
    object["starRating"] = JSONValue(Self.stars(title))
    object["dateAdded"] = .string(title.added.text)
    object["images"] = ["thumbnail": image(title, 200)]
    object["formats"] = Self.formats(Self.discoverable(title))
    object["contentDetails"] = [
      [
        "href": .string("\(request.base)/ContentDetails.htm?ID={\(title.id.uppercased())}"),
        "type": "text/html",
        "account": [
          "id": .integer(Int(collection.library.id) ?? 0), "name": .string(collection.library.name),
        ],
      ]
    ]
    object["links"] = .object(links)
    return .object(object)
  }

  func metadata(_ title: Title, in collection: Collection) -> JSONValue {
    var object: JSONObject = [
      "id": .string(title.id), "crossRefId": .integer(Self.number(of: title.id)),
      "isOwnedByCollections": true, "mediaType": .string(Self.mediaType(title)),
      "title": .string(title.name), "sortTitle": .string(Self.sortTitle(title)),
    ]
    if let subtitle = title.subtitle { object["subtitle"] = .string(subtitle) }
    if let series = title.series {
      object["series"] = .string(series)
      object["readingOrder"] = .string(Self.readingOrder(title))
    }
    object["publisher"] = .string(title.publisher)
    object["publishDate"] = .string(title.published + "T00:00:00-04:00")
    object["publishDateText"] = .string(Self.american(title.published))
    object["creators"] = .array(Self.creators(title))
    object["languages"] = [
      [
        "code": .string(title.language == "zh" ? "zh-Hans" : title.language),
        "name": .string(title.language),
      ]
    ]
    object["images"] = [
      "thumbnail": image(title, 200), "cover150Wide": image(title, 150), "cover": image(title, 100),
      "cover300Wide": image(title, 400),
    ]
    object["shortDescription"] = .string(title.summary)
    object["fullDescription"] = .string(title.summary)
    object["subjects"] = .array(title.subjects.map { ["value": .string($0)] })
    object["keywords"] = []
    object["starRating"] = JSONValue(Self.stars(title))
    object["popularity"] = .integer(title.popularity)
    object["isPublicDomain"] = false
    object["formats"] = .array(Self.discoverable(title).map { format($0, of: title) })
    object["links"] = [
      "self": link("/v1/collections/\(collection.token)/products/\(title.id)/metadata")
    ]
    return .object(object)
  }

  private func format(_ id: String, of title: Title) -> JSONValue {
    let number = Self.number(of: title.id)
    // Publishers type these by hand.
    let isbn = [3: "", 5: "n/a", 8: "9780000000000"][number % 11] ?? title.isbn
    return [
      "id": .string(id), "name": Self.formats([id])[0]?["name"] ?? "",
      "fileName": .string("title-\(number)"), "fileSize": .integer(number % 4 == 0 ? 0 : number),
      "partCount": 0, "onSaleDate": .string(Self.american(title.published)), "rights": [],
      "identifiers": [["type": "ISBN", "value": .string(isbn)]], "samples": [],
    ]
  }

  /// Discovery no longer says what can be downloaded; that is first known after the borrow.
  static func discoverable(_ title: Title) -> [String] {
    title.formats.filter {
      $0.hasSuffix("-overdrive") || $0 == "ebook-kindle" || $0.hasSuffix("-open")
    }
  }

  private func image(_ title: Title, _ width: Int) -> JSONValue {
    // One title in nine has only the stand-in picture.
    let id =
      Self.number(of: title.id) % 9 == 0
      ? "00000000-0000-0000-0000-000000000002" : title.id.uppercased()
    return link("/ImageType-\(width)/0017-1/{\(id)}Img\(width).jpg", "image/jpeg")
  }

  private static func creators(_ title: Title) -> [JSONValue] {
    func creator(_ role: String, _ name: String) -> JSONValue {
      let parts = name.split(separator: " ", maxSplits: 1)
      let filed = parts.count == 2 ? "\(parts[1]), \(parts[0])" : name
      return ["role": .string(role), "name": .string(name), "fileAs": .string(filed)]
    }
    let isCombined = number(of: title.id) % 8 == 0 && title.authors.count == 1
    var list = title.authors.map { creator(isCombined ? "Author and Illustrator" : "Author", $0) }
    if let narrator = title.narrator { list.append(creator("Narrator", narrator)) }
    return list
  }

  private static func readingOrder(_ title: Title) -> String {
    let place = title.seriesPosition ?? "1"
    return switch number(of: title.id) % 6 {
    case 0: "#\(place)"
    case 1: "\(place)-\(place)9"
    case 2: "Number \(place)"
    case 3: "\(place).5"
    case 4: ""
    default: place
    }
  }

  private static func american(_ date: String) -> String {
    let parts = date.split(separator: "-").compactMap { Int($0) }
    return parts.count == 3 ? "\(parts[1])/\(parts[2])/\(parts[0])" : date
  }

  static func sortTitle(_ title: Title) -> String {
    for article in ["The ", "A ", "An "] where title.name.hasPrefix(article) {
      return String(title.name.dropFirst(article.count))
    }
    return title.name
  }

  static func stars(_ title: Title) -> Double { Double(number(of: title.id) % 51) / 10 }
}
