import Database
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Phrasebook
import Profiles
import Shelving
import Text

/// What a reader likes, said outright: recommendations count it with what they borrowed.
struct GenresPage: Sendable {
  private let own: Own
  private static let path = OwnPaths.genres.print()

  init(_ own: Own) { self.own = own }

  func page() async throws(Problem) -> Page {
    let liked: Set<String>
    do throws(DatabaseError) {
      liked = Set(try await own.stock.profiles.genres(of: own.reader.patron))
    } catch {
      throw Refusals.unread(said("Your settings cannot be read."))
    }
    let groups: [(String, Genre.Kind?)] = [
      (said("Fiction"), .fiction), (said("Nonfiction"), .nonfiction), (said("Of both kinds"), nil),
    ]
    return own.setting(said("Genres you like")) {
      tag("p", .init("class", "lead")) {
        said("Recommended counts them together with what you have borrowed.")
      }
      own.form(Self.path, "fields") {
        for (title, kind) in groups {
          tag("fieldset", .init("class", "boxes")) {
            tag("legend") { title }
            for genre in Self.sorted(Genre.all.filter { $0.kind == kind }) { box(genre, liked) }
          }
        }
        tag("button", .init("class", "button"), .init("type", "submit")) { said("Keep") }
      }
    }
  }

  /// As the tongue of the page orders its words.
  private static func sorted(_ genres: [Genre]) -> [Genre] {
    Tongue.current == .english
      ? genres
      : genres.map { (words: Self.folded(said(known: $0.title)), genre: $0) }
        .sorted { $0.words < $1.words }.map(\.genre)
  }

  private static func folded(_ words: String) -> String {
    var folding = Folding()
    return String(decoding: folding.query(words), as: UTF8.self)
  }

  private func box(_ genre: Genre, _ liked: Set<String>) -> Node {
    tag("label", .init("class", "choice")) {
      tag(
        "input", .init("type", "checkbox"), .init("name", "genre"), .init("value", genre.id),
        .init("checked", liked.contains(genre.id)))
      " \(said(known: genre.title))"
    }
  }

  func carry(_ form: FormFields) async throws(Problem) -> FormEnd {
    let known = Set(Genre.all.map(\.id))
    do throws(DatabaseError) {
      try await own.stock.profiles.keep(
        genres: form.all("genre").filter(known.contains), of: own.reader.patron)
    } catch {
      throw Refusals.unread(said("Nothing can be written now."))
    }
    return .onward(Self.path, ["did": OwnDeed.kept.rawValue])
  }
}
