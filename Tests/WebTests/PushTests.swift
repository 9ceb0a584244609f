import BrowserSupport
import Crypto
import JSON
import Notices
import Registry
import TestSupport
import Testing

@testable import Web

@Suite(.timeLimit(.minutes(3))) struct `Notices on a device` {
  /// What a push service gives a browser, without one.
  private static func service(_ point: String) -> String {
    """
    PushManager.prototype.getSubscription = async () => null;
    PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
      if (!userVisibleOnly || applicationServerKey.length !== 87) throw new Error("unsound");
      return { toJSON: () => ({ endpoint: "https://push.example/one", expirationTime: null,
        keys: { p256dh: "\(point)", auth: "AAAAAAAAAAAAAAAAAAAAAA" } }) };
    };
    """
  }

  @Test func `Notices on a device come after one button, in a browser that is the reader's own`()
    async throws
  {
    try await LobbyRoom.open { room in
      try await room.signIn(stay: true)
      let point = Base64.urlSafe.encode(try ES256.PrivateKey().publicKey().point, padded: false)
      let screens = [Screen.phone]
      try await room.show("/settings/notices", on: screens, before: Self.service(point)) { page in
        try await page.holds("document.querySelector('[data-push]')?.hidden === false")
        try await page.breaksNoRule()
        try await page.tab(to: "[data-push] button")
        try await page.following { try await page.press("Enter") }
        #expect(
          try await page.evaluate("document.querySelector('main').textContent").string?
            .contains("This browser: https://push.example") == true)
        #expect(page.faults == [])
      }
      let channels = try await room.lobby.own?.notices.channels(of: room.ada.patron) ?? []
      #expect(channels.map(\.medium) == [.push])
    }
  }

  @Test func `Notices on a device are not offered where they cannot come`() async throws {
    try await LobbyRoom.open { room in
      try await room.signIn(stay: true)
      try await room.show(
        "/settings/notices", on: [.phone.plain, .phone], before: "delete self.PushManager"
      ) { page in
        try await page.rests()
        #expect(try await page.evaluate("document.querySelector('[data-push]').hidden") == true)
        #expect(page.faults == [])
      }
    }
  }
}
