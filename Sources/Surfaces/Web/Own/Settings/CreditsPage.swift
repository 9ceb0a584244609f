import HTTPServer
import Markup
import Phrasebook

/// What the gateway is made of, and whose work it shows.
struct CreditsPage {
  private let own: Own

  init(_ own: Own) { self.own = own }

  func page() -> Page {
    own.setting(said("Credits")) {
      tag("p", .init("class", "lead")) {
        said(
          """
          Carrel stands on the work of many. It runs with these programs of others, each \
          under its own license.
          """)
      }
      tag("table", .init("class", "credits")) {
        tag("thead") {
          tag("tr") {
            for word in [said("Name"), said("Version"), said("License")] {
              tag("th", .init("scope", "col")) { word }
            }
          }
        }
        tag("tbody") {
          for credit in own.stock.credits {
            tag("tr") {
              tag("th", .init("scope", "row")) { credit.name }
              tag("td") { credit.version }
              tag("td") { credit.license }
            }
          }
        }
      }
      tag("p", .init("class", "small")) {
        said(
          """
          Titles, descriptions and covers come from the libraries themselves and belong to \
          them and to the publishers.
          """)
      }
    }
  }
}
