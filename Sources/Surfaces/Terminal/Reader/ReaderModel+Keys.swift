import Text

// What each key does.
extension ReaderModel {
  /// Takes a key, and tells what is to be done outside.
  package mutating func press(_ key: Key) -> [Errand] {
    errands = []
    message = nil
    switch key {
    case .interrupt: errands.append(.leave)
    case .redraw: errands.append(.redraw)
    default: pressed(key)
    }
    return errands
  }

  private mutating func pressed(_ key: Key) {
    switch mode {
    case .jacket: pressedOnJacket(key)
    case .reading: pressedWhileReading(key)
    case .menu(let menu): pressed(key, in: menu)
    case .prompt(let prompt): pressed(key, in: prompt)
    case .slip(let slip): pressed(key, on: slip)
    case .selecting(let selection): pressed(key, on: selection)
    case .ending: pressedAtEnd(key)
    }
  }

  private mutating func pressedOnJacket(_ key: Key) {
    switch key {
    case .character("q"): errands.append(.leave)
    case .character("?"): showHelp()
    case .character("t"): showContents()
    case .character("T"): change { $0.theme = $0.theme.next }
    case .character("c") where elsewhere != nil: goElsewhere()
    case .character("g"):
      mode = .reading
      goToBeginning()
    default:
      mode = .reading
      errands.append(.keepPlace)
    }
  }

  private mutating func pressedWhileReading(_ key: Key) {
    switch key {
    case .character(" "), .pageDown, .right: turn()
    case .pageUp, .left: turnBack()
    case .character("j"), .down: taste.manner == .scroll ? scroll(by: 1) : turn()
    case .character("k"), .up: taste.manner == .scroll ? scroll(by: -1) : turnBack()
    case .enter: openLink()
    case .backspace: goBack()
    case .escape: endSearch()
    case .home: goToBeginning()
    case .end: goToEnd()
    case .character(let letter): pressedLetter(letter)
    default: break
    }
  }

  private mutating func pressedLetter(_ letter: Character) {
    switch letter {
    // While something is searched for, these lead from hit to hit.
    case "n": search == nil ? nextChapter() : nextHit(1)
    case "N": nextHit(-1)
    case "p": previousChapter()
    case "]": nextChapter()
    case "[": previousChapter()
    case "g": goToBeginning()
    case "G": goToEnd()
    case "t": showContents()
    case ":", "%": mode = .prompt(Prompt(purpose: .goTo))
    case "/": mode = .prompt(Prompt(purpose: .search))
    case "b": toggleBookmark()
    case "B": showMarks()
    case "h": beginSelecting(.highlight)
    case "a": beginSelecting(.note)
    case "f": openLink()
    case "S": share(paragraphOnTop)
    case "c": goElsewhere()
    case "e": mode = .ending
    case "?": showHelp()
    case "q": errands.append(.leave)
    default: pressedTaste(letter)
    }
  }

  private mutating func pressedTaste(_ letter: Character) {
    switch letter {
    case "T":
      change { $0.theme = $0.theme.next }
      message = "Colors: \(taste.theme.rawValue)."
    case "+", "=": widen(by: 4)
    case "-": widen(by: -4)
    case "l": change { $0.spacing = ($0.spacing + 1) % 3 }
    case "J": change { $0.edge = $0.edge == .ragged ? .justified : .ragged }
    case "s":
      change { $0.manner = $0.manner == .pages ? .scroll : .pages }
      message = taste.manner == .scroll ? "Scrolling line by line." : "Turning pages."
    default: break
    }
  }

  private mutating func widen(by cells: Int) {
    let now = min(taste.width, window.columns)
    let widths = Taste.widths
    change { $0.width = max(widths.lowerBound, min(widths.upperBound, now + cells)) }
    message = "Lines of \(layout.setting.width) cells."
  }

  private mutating func pressedAtEnd(_ key: Key) {
    switch key {
    case .character("q"): errands.append(.leave)
    case .character("r"): errands.append(.giveBack)
    case .character(let digit) where ("1"..."5").contains(digit):
      guard let stars = digit.wholeNumberValue else { return }
      errands.append(.rate(stars))
      message = "Rated \(stars) of 5."
    case .character("g"): goToBeginning()
    case .character("p"), .left, .up, .pageUp, .escape, .backspace, .character("k"):
      mode = .reading
    default: break
    }
  }

  // MARK: - Lists, slips and lines to type

  private mutating func pressed(_ key: Key, in menu: Menu) {
    var menu = menu
    let rows = max(1, height - 2)
    switch key {
    case .down, .character("j"), .tab: menu.move(by: 1)
    case .up, .character("k"): menu.move(by: -1)
    case .pageDown, .character(" "): menu.move(by: rows)
    case .pageUp: menu.move(by: -rows)
    case .home, .character("g"): menu.move(by: -menu.entries.count)
    case .end, .character("G"): menu.move(by: menu.entries.count)
    case .enter, .right: return choose(menu)
    case .character("d") where menu.kind == .marks: return removeMark(menu)
    case .character("u") where menu.kind == .marks: return bringBackMark()
    case .escape, .backspace, .left, .character("q"), .character("t"), .character("B"):
      mode = .reading
      return
    default: return
    }
    mode = .menu(menu)
  }

  private mutating func choose(_ menu: Menu) {
    guard menu.entries.indices.contains(menu.chosen) else {
      mode = .reading
      return
    }
    switch menu.entries[menu.chosen].goal {
    case .spot(let spot): jump(to: spot)
    case .reference(let target): follow(target)
    case .link(let link): open(link)
    case nil: message = "That leads nowhere."
    }
  }

  private mutating func pressed(_ key: Key, on slip: Slip) {
    var slip = slip
    let last = max(0, slip.lines.count - slipHeight)
    switch key {
    case .down, .character("j"): slip.top = min(last, slip.top + 1)
    case .up, .character("k"): slip.top = max(0, slip.top - 1)
    case .pageDown, .character(" "):
      // At its end a footnote is put away as it was taken out: with one key.
      if slip.top == last {
        mode = .reading
        return
      }
      slip.top = min(last, slip.top + slipHeight)
    case .pageUp: slip.top = max(0, slip.top - slipHeight)
    default:
      mode = .reading
      return
    }
    mode = .slip(slip)
  }

  private mutating func pressed(_ key: Key, in prompt: Prompt) {
    var prompt = prompt
    switch key {
    case .character(let letter): if prompt.text.utf8.count < 4000 { prompt.text.append(letter) }
    case .backspace:
      if prompt.text.isEmpty {
        mode = .reading
        return
      }
      prompt.text.removeLast()
    case .escape:
      mode = .reading
      return
    case .enter:
      mode = .reading
      return answer(prompt)
    default: return
    }
    mode = .prompt(prompt)
  }

  private mutating func answer(_ prompt: Prompt) {
    let words = Taming.tamed(prompt.text).collapsed
    guard !words.isEmpty else { return }
    switch prompt.purpose {
    case .goTo: goTo(words)
    case .search: find(words)
    case .note(let range): keepMark(.note, range, note: words)
    }
  }
}
