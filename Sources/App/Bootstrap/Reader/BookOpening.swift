import EPUB
import Items
import ReadingRoom
import Setup

extension LinkedEngine {
  static func open(_ source: BookSource) throws(ErrorItem) -> Book { try ReadingRoom.open(source) }
}
