import Circulation
import HTTP

extension Record {
  /// The format asked for, or the best there is; nil where there is no such thing. A recording in
  /// many parts is heard at the site.
  func fulfilment(as format: Format?, by settings: Settings) -> Fulfilment? {
    let all = offered
    guard let chosen = format == nil ? all.first : all.first(where: { $0.format.id == format?.id })
    else { return nil }
    guard chosen.files.count == 1, let file = chosen.files.first else {
      return .handOff(
        Fulfilment.Link(address: settings.page(of: number).description, format: chosen.format))
    }
    var link = Fulfilment.Link(
      address: settings.address(of: chosen.format.id, in: number).description,
      format: chosen.format)
    link.length = file.bytes
    return .file(link)
  }
}
