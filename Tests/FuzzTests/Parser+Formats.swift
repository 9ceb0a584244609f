import CSV
import JSON
import Styles
import Yaml

extension Parser {
  static let formats = [
    Parser("json") { bytes in
      for rules in [JSONRules.strict, .tolerant] {
        guard let value = try? JSONValue(parsing: bytes, by: rules) else { continue }
        // What was read can be written, and is the same again.
        precondition((try? JSONValue(parsing: value.text())) == value)
      }
    },
    Parser("csv") { bytes in
      guard var table = try? CSVTable(bytes) else { return }
      while let row = try? table.next() { _ = row["title"] }
    },
    Parser("yaml") { bytes in
      do throws(YamlError) {
        let reading = YamlReading(try YamlNode(parsing: bytes))
        let server = reading.root["server"]
        _ = reading.attempt(try server["port"].int(in: 1...65535))
        _ = reading.attempt(try server["name"].string())
        _ = reading.attempt(try reading.root["lanes"].items().map(\.path.description))
        _ = reading.faults.map(\.description)
      } catch {
        precondition(error.position.line >= 1 && error.position.column >= 1)
        precondition(!error.description.isEmpty)
      }
    },
    Parser("styles") { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      let list = StyleList()
      let sheet = list.rebuild(sheet: text)
      precondition(!sheet.lowercased().contains("url(h") && !sheet.contains("</"))
      // What was rebuilt stays as it is.
      precondition(list.rebuild(sheet: sheet) == sheet)
      _ = list.rebuild(declarations: text)
    },
  ]
}
