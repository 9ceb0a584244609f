extension SiteScript {
  /// Keys for those who have a keyboard and want them. They never mean anything while somebody types,
  /// nor together with keys that the browser takes.
  static let keyScript = #"""
    const keys = {
      get areOn() { try { return localStorage.getItem("keys") !== "off"; } catch { return true; } },
      set areOn(on) { try { localStorage.setItem("keys", on ? "on" : "off"); } catch {} },
    };
    const move = (step) => {
      const places = all("main a.book, main a.line").filter((link) => link.offsetParent);
      if (!places.length) return;
      const at = places.findIndex((link) =>
        link === document.activeElement || link.closest("li")?.contains(document.activeElement));
      places[Math.min(places.length - 1, Math.max(0, at < 0 ? 0 : at + step))].focus();
    };
    const borrow = () => {
      const link = document.activeElement?.closest?.("li")?.querySelector("a.book, a.line");
      if (link) return link.click();
      ($("main button[data-key=b]") ?? $("main a[data-key=b]"))?.click();
    };
    const help = () => {
      const dialog = $("#keys");
      const box = $("input", dialog);
      box.checked = keys.areOn;
      box.onchange = () => { keys.areOn = box.checked; };
      dialog.showModal();
    };
    const meaning = {
      "/": () => { field?.focus(); field?.select(); }, j: () => move(1), k: () => move(-1),
      b: borrow, "?": help,
    };
    document.addEventListener("keydown", (event) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey
        || event.isComposing || event.repeat && !"jk".includes(event.key)
        || event.target.closest?.("input, textarea, select, [contenteditable], dialog")
        || $("dialog[open]") || !Object.hasOwn(meaning, event.key)) return;
      if (!keys.areOn) return;
      event.preventDefault();
      meaning[event.key]();
    });
    all("[data-help]").forEach((button) => {
      button.hidden = false;
      button.addEventListener("click", help);
    });

    """#
}
