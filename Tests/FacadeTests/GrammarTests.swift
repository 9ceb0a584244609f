import Foundation
import FrontDesk
import HTTP
import JSON
import OPDS
import TestSupport
import Testing

@testable import Facade

@Suite struct `Every document of the catalogue` {
  private static let grammar = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Fixtures/opds-1.2.rng").path()

  @Test(arguments: [Headers(), ReadingRoom.card])
  func `every Atom document of the catalog conforms to the RELAX NG grammar`(headers: Headers)
    async throws
  {
    try await ReadingRoom.open { room in
      room.lend()
      var walk = Walk(room, .atom, headers)
      let start = headers.isEmpty ? "/opds/groups" : "/opds"
      try await walk.everywhere(from: start)
      try await withTemporaryFolder { folder in
        var files: [String] = []
        for (place, document) in walk.documents.enumerated() {
          guard document.answer.type?.essence == "application/atom+xml" else { continue }
          let name = "\(place).xml"
          try folder.write(document.answer.bytes, to: name)
          files.append(folder.path(name))
        }
        #expect(files.count > 100)
        let checked = try await run(
          "xmllint", ["--noout", "--nonet", "--relaxng", Self.grammar] + files)
        #expect(checked.end == .exited(0), "\(checked.errorText.prefix(3000))")
      }
    }
  }

  @Test func `Every document of the catalogue that is wrong does not pass the grammar`()
    async throws
  {
    try await ReadingRoom.open { room in
      let page = try await room.ask("/opds/lanes/popular/books").text
      let faults = [
        page.replacing("<updated>20", with: "<updated>once 20"),
        page.replacing("https?://localhost", with: ""),
        page.replacing(#"status="available""#, with: #"status="perhaps""#),
        page.replacing("http://localhost/opds/works", with: "/opds/works"),
      ]
      try await withTemporaryFolder { folder in
        for (place, fault) in faults.enumerated() where fault != page {
          try folder.write(Array(fault.utf8), to: "\(place).xml")
          let checked = try await run(
            "xmllint",
            ["--noout", "--nonet", "--relaxng", Self.grammar, folder.path("\(place).xml")])
          #expect(checked.end != .exited(0))
        }
      }
    }
  }

  @Test(arguments: [Headers(), ReadingRoom.card])
  func `every JSON document of the catalog conforms to the OPDS 2 schemas`(headers: Headers)
    async throws
  {
    try await ReadingRoom.open { room in
      room.lend()
      var walk = Walk(room, .json, headers)
      try await walk.everywhere(from: headers.isEmpty ? "/opds/2/groups" : "/opds/2")
      var faults: [String] = []
      for document in walk.documents
      where document.answer.type?.subtype.hasSuffix("json") == true {
        let json = try JSONValue(parsing: document.answer.bytes)
        faults += Soundness.faults(json).map { "\(document.target): \($0)" }
      }
      #expect(walk.documents.count > 100)
      #expect(faults == [])
      let checked = walk.documents.filter {
        $0.answer.type?.subtype.hasSuffix("json") == true
      }
      #expect(try await SchemaCheck.faults(checked.map(\.answer.bytes)) == [])
    }
  }

  @Test func `Every document of the catalogue that is wrong does not pass the schema`() async throws
  {
    try await ReadingRoom.open { room in
      let page = try await room.ask("/opds/2/lanes/popular/books").text
      #expect(try await SchemaCheck.faults([Array(page.utf8)]) == [])
      let wrong = [
        page.replacing(#""state":"available""#, with: #""state":"perhaps""#),
        page.replacing(#""rel":"self""#, with: #""rel":"mine""#),
        page.replacing(#""href":"http://"#, with: #""href":"//"#),
        page.replacing(#""currentPage":1"#, with: #""currentPage":0"#),
        page.replacing(#""images":["#, with: #""pictures":["#),
      ]
      for fault in wrong where fault != page {
        #expect(try await SchemaCheck.faults([Array(fault.utf8)]).count == 1)
      }
      #expect(wrong.count { $0 != page } > 2)
    }
  }
}

/// What OPDS 2.0 asks of documents, and what apps ask besides (§4, §13.16 of the notes).
enum Soundness {
  static func faults(_ json: JSONValue) -> [String] {
    var faults = emptiness(json, at: "$")
    if json["authentication"] != nil { return faults }
    if json["metadata"]?["title"]?.string == nil { faults.append("no title") }
    let lists = ["publications", "navigation", "groups"].filter { json[$0] != nil }
    if lists.isEmpty { return faults + publication(json, at: "$") }
    let links = json["links"]?.array ?? []
    if !links.contains(where: { relations($0).contains("self") }) { faults.append("no self") }
    for (place, link) in links.enumerated() { faults += self.link(link, at: "links[\(place)]") }
    for (place, link) in (json["navigation"]?.array ?? []).enumerated() {
      faults += self.link(link, at: "navigation[\(place)]")
      if link["title"]?.string == nil { faults.append("navigation[\(place)] without title") }
      if relations(link).first == "self" { faults.append("navigation[\(place)] is self") }
    }
    for (place, book) in (json["publications"]?.array ?? []).enumerated() {
      faults += publication(book, at: "publications[\(place)]")
    }
    for (place, group) in (json["groups"]?.array ?? []).enumerated() {
      let at = "groups[\(place)]"
      if group["metadata"]?["title"]?.string == nil { faults.append("\(at) without title") }
      if relations(group["links"]?[0] ?? .null) != ["self"] {
        faults.append("\(at) does not begin with self")
      }
      for (number, book) in (group["publications"]?.array ?? []).enumerated() {
        faults += publication(book, at: "\(at).publications[\(number)]")
      }
    }
    for (place, facet) in (json["facets"]?.array ?? []).enumerated() {
      let links = facet["links"]?.array ?? []
      if links.count < 2 { faults.append("facets[\(place)] has no choice") }
      if links.count(where: { relations($0) == ["self"] }) > 1 {
        faults.append("facets[\(place)] has several active ones")
      }
      for link in links {
        faults += self.link(link, at: "facets[\(place)]")
        if link["title"]?.string == nil { faults.append("facets[\(place)] without title") }
      }
    }
    let page = json["metadata"]?["currentPage"]
    if page != nil, (page?.integer ?? 0) < 1 { faults.append("pages count from 1") }
    return faults
  }

  private static func publication(_ json: JSONValue, at path: String) -> [String] {
    var faults: [String] = []
    for key in ["@type", "title", "identifier"] where json["metadata"]?[key]?.string == nil {
      faults.append("\(path).metadata.\(key) is missing")
    }
    let links = json["links"]?.array ?? []
    if !links.contains(where: { link in
      relations(link).contains { $0.hasPrefix("http://opds-spec.org/acquisition") }
    }) {
      faults.append("\(path) cannot be had")
    }
    let own = links.filter {
      relations($0) == ["self"] && $0["type"] == "application/opds-publication+json"
    }
    if own.count != 1 { faults.append("\(path) has \(own.count) addresses of its own") }
    let images = json["images"]?.array ?? []
    if images.isEmpty { faults.append("\(path) has no picture") }
    for link in links + images { faults += self.link(link, at: path) }
    return faults
  }

  private static func link(_ json: JSONValue, at path: String) -> [String] {
    var faults: [String] = []
    let href = json["href"]?.string ?? ""
    if !href.hasPrefix("http://localhost/") { faults.append("\(path): \(href) is not absolute") }
    if json["type"]?.string == nil { faults.append("\(path): \(href) has no type") }
    if href.contains("{"), json["templated"] != true { faults.append("\(path) is a template") }
    return faults
  }

  private static func relations(_ link: JSONValue) -> [String] {
    link["rel"]?.array?.compactMap(\.string) ?? [link["rel"]?.string].compactMap { $0 }
  }

  private static func emptiness(_ json: JSONValue, at path: String) -> [String] {
    switch json {
    case .null: return ["\(path) is null"]
    case .string(let text): return text.isEmpty ? ["\(path) is empty"] : []
    case .array(let elements):
      if elements.isEmpty { return ["\(path) is empty"] }
      return elements.enumerated().flatMap { emptiness($0.element, at: "\(path)[\($0.offset)]") }
    case .object(let object):
      if object.isEmpty { return ["\(path) is empty"] }
      return object.members.flatMap { emptiness($0.value, at: "\(path).\($0.name)") }
    case .bool, .integer, .decimal: return []
    }
  }
}
