/// What a page is looked at with.
package struct Screen: Sendable, CustomStringConvertible {
  package var width: Int
  package var height: Int
  package var runsScript = true
  package var isDark = false
  package var wantsLessMotion = false

  package init(_ width: Int, _ height: Int, runsScript: Bool = true) {
    (self.width, self.height, self.runsScript) = (width, height, runsScript)
  }

  package static let phone = Screen(360, 780)
  package static let tablet = Screen(768, 1024)
  package static let desk = Screen(1280, 900)

  /// Phone, tablet and desk, each with script and without.
  package static let all = [phone, tablet, desk].flatMap { [$0, $0.plain] }

  package var plain: Screen { with { $0.runsScript = false } }

  package func with(_ change: (inout Screen) -> Void) -> Screen {
    var screen = self
    change(&screen)
    return screen
  }

  /// Phones and tablets are touched.
  var isTouched: Bool { width < 1000 }

  package var description: String { "\(width) px\(runsScript ? "" : " without script")" }
}
