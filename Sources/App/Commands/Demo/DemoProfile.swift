import JSON
import Machine

/// The settings of the demo, written into its own folder: the mock libraries, and nothing else.
struct DemoProfile {
  let home: String
  let names = ["city", "lantern"]

  func write(_ mock: DemoMock) throws(CommandError) {
    var text = "libraries:\n"
    for (name, library) in zip(names, mock.libraries) {
      text +=
        "  \(name):\n    provider: \(library.provider)\n    name: \(library.name)\n    endpoints:\n"
      for key in ["discovery", "patron", "oauth", "patron_oauth"] {
        text += "      \(key): \(word(library, key))\n"
      }
      text += "    library_id: \"\(word(library, "library_id"))\"\n"
      text += "    website_id: \"\(word(library, "website_id"))\"\n"
      text += "    authorization_name: \(word(library, "ils_name"))\n"
      text += "    pin_required: \(word(library, "needs_pin"))\n"
      for key in ["client_key", "client_secret"] {
        let file = "\(home)/\(name)-\(key)"
        try save(word(library, key), to: file)
        text += "    \(key)_file: \(file)\n"
      }
    }
    try save(text, to: "\(home)/config.yaml")
  }

  private func word(_ library: DemoMock.Library, _ key: String) -> String {
    let value = library.endpoints[key]
    return value?.string ?? value?.text() ?? ""
  }

  private func save(_ text: String, to file: String) throws(CommandError) {
    do throws(MachineError) { try WholeFile.write(Array(text.utf8), to: file) } catch {
      throw CommandError(.unwritable, "the demo's folder cannot be written: \(error)")
    }
  }
}
