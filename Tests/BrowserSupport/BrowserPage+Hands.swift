import Foundation
import JSON
import TestSupport

/// What people do at a page.
extension BrowserPage {
  /// A key by its name in the standard (`Tab`, `Enter`, `ArrowRight`, `Escape`), or a letter.
  package func press(_ key: String, shift: Bool = false) async throws {
    let codes: [String: Int] = [
      "Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "PageUp": 33, "PageDown": 34, "End": 35,
      "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40,
      "Backspace": 8, "Delete": 46,
    ]
    var event: JSONObject = ["key": .string(key), "modifiers": .integer(shift ? 8 : 0)]
    if let code = codes[key] {
      event["windowsVirtualKeyCode"] = .integer(code)
      event["code"] = .string(key == " " ? "Space" : key)
    }
    if key == "Enter" {
      event["text"] = "\r"
    } else if key.count == 1 {
      event["text"] = .string(key)
    }
    event["type"] = event["text"] == nil ? "rawKeyDown" : "keyDown"
    try await ask("Input.dispatchKeyEvent", event)
    event["type"] = "keyUp"
    event["text"] = nil
    try await ask("Input.dispatchKeyEvent", event)
  }

  /// Into whatever has the focus.
  package func type(_ text: String) async throws {
    try await ask("Input.insertText", ["text": .string(text)])
  }

  /// Goes on with Tab until the focus is on what the selector names.
  package func tab(to selector: String, most: Int = 200) async throws {
    for _ in 0..<most {
      try await press("Tab")
      if try await evaluate("document.activeElement?.matches(\(Self.quoted(selector))) === true")
        == .bool(true)
      {
        return
      }
    }
    throw TestSupportError("Tab never reaches \(selector)")
  }

  package func click(_ selector: String) async throws {
    let point = try await evaluate(
      """
      (() => { const e = document.querySelector(\(Self.quoted(selector))); if (!e) return null;
        e.scrollIntoView({block: "center", behavior: "instant"});
        const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()
      """)
    guard let x = point[0]?.double, let y = point[1]?.double else {
      throw TestSupportError("nothing to press at \(selector)")
    }
    try await press(at: x, y)
  }

  package func press(at x: Double, _ y: Double) async throws {
    var event: JSONObject = [
      "type": "mousePressed", "x": JSONValue(x), "y": JSONValue(y), "button": "left",
      "clickCount": 1,
    ]
    try await ask("Input.dispatchMouseEvent", event)
    event["type"] = "mouseReleased"
    try await ask("Input.dispatchMouseEvent", event)
  }

  /// A finger that goes from one point to another in 80 ms by the times of its events, however long the
  /// page takes to see them. `afterStart` runs between the first event and the second.
  package func swipe(
    from start: (x: Double, y: Double), to end: (x: Double, y: Double),
    afterStart: () async throws -> Void = {}
  ) async throws {
    let began = Date().timeIntervalSince1970
    for step in 0...5 {
      let part = Double(step) / 5
      try await touch(
        step == 0 ? "touchStart" : "touchMove", start.x + (end.x - start.x) * part,
        start.y + (end.y - start.y) * part, at: began + 0.016 * Double(step))
      if step == 0 { try await afterStart() }
    }
    try await touch("touchEnd", end.x, end.y, at: began + 0.08)
  }

  /// One event of a finger, now or at `time`, in seconds since 1970.
  package func touch(_ kind: String, _ x: Double, _ y: Double, at time: Double? = nil)
    async throws
  {
    var event: JSONObject = [
      "type": .string(kind),
      "touchPoints": kind == "touchEnd" ? [] : [["x": JSONValue(x), "y": JSONValue(y)]],
    ]
    if let time { event["timestamp"] = JSONValue(time) }
    try await ask("Input.dispatchTouchEvent", event)
  }

  /// Chooses a file, as if a person had picked it.
  package func choose(_ path: String, in selector: String) async throws {
    let document = try await ask("DOM.getDocument")
    let root = document["root"]?["nodeId"] ?? .null
    let node = try await ask(
      "DOM.querySelector", ["nodeId": root, "selector": .string(selector)])
    try await ask(
      "DOM.setFileInputFiles",
      ["files": [.string(path)], "nodeId": node["nodeId"] ?? .null])
  }

  package func goOffline(_ isOffline: Bool = true) async throws {
    try await ask(
      "Network.emulateNetworkConditions",
      [
        "offline": .bool(isOffline), "latency": 0, "downloadThroughput": -1,
        "uploadThroughput": -1,
      ])
  }

  // MARK: - Looking

  /// As PNG; the whole page, however long, or what the screen shows.
  package func screenshot(whole: Bool = true) async throws -> [UInt8] {
    let answer = try await ask(
      "Page.captureScreenshot", ["format": "png", "captureBeyondViewport": .bool(whole)])
    guard let data = Data(base64Encoded: try Self.text(answer, "data")) else {
      throw TestSupportError("the browser made no picture")
    }
    return [UInt8](data)
  }

  /// Whether anything sticks out sideways.
  package func overflow() async throws -> Double {
    try await evaluate(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    ).double ?? 0
  }

  /// What of WCAG 2.2 A and AA the page breaks, by axe-core: a line for each place.
  package func violations() async throws -> [String] {
    // A page without script stands as it is by now; the judge itself needs some.
    try await ask("Emulation.setScriptExecutionDisabled", ["value": false])
    try await evaluate(try AxeCore.script() + "; void 0")
    // What is still fading in has no colors to judge.
    let found = try await evaluate(
      """
      Promise.allSettled(document.getAnimations().filter(a => a.effect?.getComputedTiming().endTime < 5000)
        .map(a => a.finished)).then(() => axe.run(document, {resultTypes: ["violations"], runOnly: {type: "tag",
        values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}})
        .then(r => r.violations.flatMap(v => v.nodes.map(n =>
          v.id + ": " + n.html.slice(0, 160) + " " + (n.any[0] || n.all[0] || n.none[0] || {}).message))))
      """)
    try await ask("Emulation.setScriptExecutionDisabled", ["value": .bool(!screen.runsScript)])
    return found.array?.compactMap(\.string) ?? ["axe told nothing"]
  }

  /// Fails with a line for each rule that is broken.
  package func breaksNoRule() async throws {
    let found = try await violations()
    guard found.isEmpty else { throw TestSupportError(found.joined(separator: "\n")) }
  }

  package static func quoted(_ text: String) -> String { JSONValue.string(text).text() }
}

/// The judge of accessibility, fetched by `scripts/setup test`.
enum AxeCore {
  static func script() throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let file = root.appending(path: ".build/home/axe/axe_playwright_python/axe.min.js")
    do { return try String(contentsOf: file, encoding: .utf8) } catch {
      throw TestSupportError("axe-core is missing; try: scripts/setup test")
    }
  }
}
