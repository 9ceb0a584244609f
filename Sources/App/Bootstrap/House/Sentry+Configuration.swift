import Downloads
import Log
import Scanning
import Setup

extension Sentry {
  /// Nil where no scanner is set.
  init?(_ configuration: Configuration, _ logger: Logger, _ meter: Meter?) {
    let settings = configuration.scanner
    guard let address = settings.address else { return nil }
    self.init(
      Scanner(
        at: Scanner.Place(address), most: settings.largest, patience: settings.deadline),
      isRequired: settings.isRequired
    ) { sighting in
      meter?.note(sighting)
      switch sighting {
      case .clean: break
      case .found(let name): logger.error("malware found", [.pair("name", name)])
      case .unexamined(let fault): logger.warn("file not examined", [.pair("why", fault.word)])
      }
    }
  }
}

extension Scanner.Place {
  /// As the setting has it: a path, or a host and a port.
  fileprivate init(_ text: String) {
    guard !text.hasPrefix("/"), let colon = text.lastIndex(of: ":"),
      let number = Int(text[text.index(after: colon)...])
    else {
      self = .socket(path: text)
      return
    }
    let host = text[..<colon].filter { $0 != "[" && $0 != "]" }
    self = .port(host: String(host), number: number)
  }
}
