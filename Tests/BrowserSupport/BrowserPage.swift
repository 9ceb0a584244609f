import Foundation
package import JSON
import Synchronization
import TestSupport

/// One tab with cookies of its own.
package final class BrowserPage: Sendable {
  private struct Seen {
    var loads = 0
    var requests: [String] = []
    var faults: [String] = []
    /// What each frame shows, and what of that has gone quiet.
    var shown: [String: String] = [:]
    var quiet: Set<String> = []
  }

  let browser: Browser
  let session: String
  package let screen: Screen
  private let context: String
  private let seen = Mutex(Seen())

  init(_ browser: Browser, _ screen: Screen) async throws {
    (self.browser, self.screen) = (browser, screen)
    context = try Self.text(
      try await browser.ask("Target.createBrowserContext"), "browserContextId")
    let target = try Self.text(
      try await browser.ask(
        "Target.createTarget", ["url": "about:blank", "browserContextId": .string(context)]),
      "targetId")
    session = try Self.text(
      try await browser.ask(
        "Target.attachToTarget", ["targetId": .string(target), "flatten": true]), "sessionId")
    browser.hear(session) { [weak self] method, event in
      self?.seen.withLock { Self.note(method, event, in: &$0) }
    }
    for domain in ["Page", "Network", "Runtime", "Log"] { try await ask("\(domain).enable") }
    try await ask("Page.setLifecycleEventsEnabled", ["enabled": true])
    try await ask(
      "Emulation.setDeviceMetricsOverride",
      [
        "width": .integer(screen.width), "height": .integer(screen.height),
        "deviceScaleFactor": 1, "mobile": .bool(screen.isTouched),
      ])
    try await ask("Emulation.setTouchEmulationEnabled", ["enabled": .bool(screen.isTouched)])
    try await ask("Emulation.setScriptExecutionDisabled", ["value": .bool(!screen.runsScript)])
    try await ask(
      "Emulation.setEmulatedMedia",
      [
        "features": [
          ["name": "prefers-color-scheme", "value": .string(screen.isDark ? "dark" : "light")],
          [
            "name": "prefers-reduced-motion",
            "value": .string(screen.wantsLessMotion ? "reduce" : "no-preference"),
          ],
        ]
      ])
  }

  package func close() async throws {
    browser.hear(session, nil)
    try await browser.ask("Target.disposeBrowserContext", ["browserContextId": .string(context)])
  }

  private static func note(_ method: String, _ event: JSONValue, in seen: inout Seen) {
    switch method {
    case "Page.loadEventFired": seen.loads += 1
    case "Page.frameNavigated":
      if let frame = event["frame"]?["id"]?.string, let loader = event["frame"]?["loaderId"]?.string
      {
        // A page that came anew has frames of its own.
        if event["frame"]?["parentId"] == nil { seen.shown = [:] }
        seen.shown[frame] = loader
      }
    case "Page.frameDetached":
      if let frame = event["frameId"]?.string { seen.shown[frame] = nil }
    case "Page.lifecycleEvent" where event["name"]?.string == "networkIdle":
      if let loader = event["loaderId"]?.string { seen.quiet.insert(loader) }
    case "Network.requestWillBeSent":
      if let address = event["request"]?["url"]?.string { seen.requests.append(address) }
    case "Runtime.exceptionThrown":
      let details = event["exceptionDetails"]
      seen.faults.append(
        details?["exception"]?["description"]?.string ?? details?["text"]?.string ?? "?")
    case "Log.entryAdded":
      // A refusal by the content policy is told here and nowhere else.
      if event["entry"]?["level"]?.string == "error",
        event["entry"]?["source"]?.string != "network",
        let text = event["entry"]?["text"]?.string
      {
        seen.faults.append(text)
      }
    default: break
    }
  }

  // MARK: - What was seen

  /// Each address that was asked for since the last `open`, pictures and data addresses included.
  package var requests: [String] { seen.withLock { $0.requests } }
  /// Scripts that failed and what the content policy refused since the last `open`.
  package var faults: [String] { seen.withLock { $0.faults } }

  // MARK: - Going somewhere

  /// Until the page with all it needs is there.
  package func open(_ address: String) async throws {
    let loads = seen.withLock { seen in
      seen.requests = []
      seen.faults = []
      return seen.loads
    }
    let answer = try await ask("Page.navigate", ["url": .string(address)])
    if let trouble = answer["errorText"]?.string, !trouble.isEmpty {
      throw TestSupportError("\(address) did not open: \(trouble)")
    }
    // Another part of the same document is no new one.
    if answer["loaderId"] != nil { try await loaded(after: loads) }
  }

  /// Does something that leads to another page, and waits until that is there.
  package func following(_ step: () async throws -> Void) async throws {
    let loads = seen.withLock { $0.loads }
    try await step()
    try await loaded(after: loads)
  }

  private func loaded(after loads: Int) async throws {
    try await eventually("a page was to be loaded") { self.seen.withLock { $0.loads > loads } }
  }

  /// Until nothing was asked for in any of its frames for half a second, by the browser's own word.
  package func rests() async throws {
    try await eventually("the page was to come to rest") {
      self.seen.withLock { $0.quiet.isSuperset(of: $0.shown.values) }
    }
  }

  package func address() async throws -> String {
    try await evaluate("location.href").string ?? ""
  }

  // MARK: - Asking the page

  /// The value of an expression; a promise is waited for. Works where the page itself runs no script.
  @discardableResult
  package func evaluate(_ expression: String) async throws -> JSONValue {
    let answer = try await ask(
      "Runtime.evaluate",
      ["expression": .string(expression), "awaitPromise": true, "returnByValue": true])
    if let trouble = answer["exceptionDetails"] {
      throw TestSupportError("'\(expression)' failed: \(trouble.text())")
    }
    return answer["result"]?["value"] ?? .null
  }

  /// Waits until the expression is true.
  package func holds(_ expression: String, within limit: Duration = .seconds(20)) async throws {
    try await eventually("'\(expression)' was to hold", within: limit) {
      try await self.evaluate("Boolean(\(expression))") == .bool(true)
    }
  }

  package func eventually(
    _ what: String, within limit: Duration = .seconds(30), _ isSo: () async throws -> Bool
  ) async throws {
    let end = ContinuousClock.now + limit
    while try await !isSo() {
      guard ContinuousClock.now < end else { throw TestSupportError("\(what); faults: \(faults)") }
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  @discardableResult
  package func ask(_ method: String, _ parameters: JSONObject = [:]) async throws -> JSONValue {
    try await browser.ask(method, parameters, in: session)
  }

  static func text(_ answer: JSONValue, _ name: String) throws -> String {
    guard let text = answer[name]?.string else {
      throw TestSupportError("the browser told no \(name): \(answer.text())")
    }
    return text
  }
}

extension Browser {
  /// A new tab, for as long as `body` runs.
  package func page<R: Sendable>(
    _ screen: Screen, _ body: (BrowserPage) async throws -> R
  ) async throws -> R {
    let page = try await BrowserPage(self, screen)
    let result = try await body(page)
    try await page.close()
    return result
  }
}
