extension SiteScript {
  /// Subscribes this browser to what its reader is told, where it was not yet.
  static let pushScript = #"""
    if ($("[data-push]") && navigator.serviceWorker && self.PushManager && self.Notification) {
      const device = $("[data-push]"), form = $("form", device);
      navigator.serviceWorker.ready.then(async ({ pushManager }) => {
        device.hidden = Boolean(await pushManager.getSubscription());
        form.addEventListener("submit", async (event) => {
          event.preventDefault();
          try {
            const made = (await pushManager.subscribe(
              { userVisibleOnly: true, applicationServerKey: device.dataset.push })).toJSON();
            const fields = { endpoint: made.endpoint, ...made.keys };
            for (const [name, value] of Object.entries(fields)) form.elements[name].value = value;
            form.submit();
          } catch { tell(device.dataset.failed); }
        });
      });
    }

    """#
}
