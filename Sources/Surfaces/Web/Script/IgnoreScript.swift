extension SiteScript {
  /// Books are left out without leaving the page: by their button, or lifted and swept upwards.
  static let ignoreScript = #"""
    const ignore = async (link) => {
      const item = link.closest("li");
      const dialog = $("#ignoring");
      const { done, undo, failed } = dialog.dataset;
      $("q", dialog).textContent = $(".title", item).textContent;
      if (!await confirmed(dialog)) return;
      const address = link.pathname.replace(/\/ignore$/, "");
      const next = item.nextElementSibling ?? item.previousElementSibling;
      if (!await post(address, { do: "ignore" })) return tell(failed);
      const [parent, after] = [item.parentElement, item.nextSibling];
      item.remove();
      $("a", next ?? document.body)?.focus();
      tell(done, make("button", {
        type: "button", className: "plain",
        onclick: async () => {
          if (!await post(address, { do: "unignore" })) return tell(failed);
          parent.insertBefore(item, after);
          told.remove();
          $("a", item).focus();
        },
      }, undo));
    };
    document.addEventListener("click", (event) => {
      const link = event.target.closest?.("a.ignore");
      if (!link?.closest("li") || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      ignore(link);
    });

    // A plain swipe is how one scrolls; a cover that was held for a moment is lifted, and goes along.
    let held;
    // By the times of the events: a busy page hears late of a swipe or a tap that was quick.
    const isLifted = (event) => held?.isUp && event.timeStamp - held.since >= 180;
    const drop = () => {
      if (!held) return;
      clearTimeout(held.timer);
      held.item.classList.remove("lifted");
      held.item.style.transform = "";
      held = undefined;
    };
    document.addEventListener("touchstart", (event) => {
      drop();
      const item = event.target.closest?.(".row li");
      const link = item && $("a.ignore", item);
      if (!link || event.touches.length > 1) return;
      const { clientX: x, clientY: y } = event.touches[0];
      held = { item, link, x, y, since: event.timeStamp, isUp: false };
      held.timer = setTimeout(() => {
        held.isUp = true;
        item.classList.add("lifted");
      }, 180);
    }, { passive: true });
    document.addEventListener("touchmove", (event) => {
      if (!held) return;
      const { clientX: x, clientY: y } = event.touches[0];
      if (!isLifted(event)) {
        if (Math.hypot(x - held.x, y - held.y) > 10) drop();
        return;
      }
      // The page scrolls already, and nothing stops it any more.
      if (!event.cancelable) return drop();
      event.preventDefault();
      held.dy = Math.min(0, y - held.y);
      held.item.style.transform = `translateY(${held.dy}px)`;
    }, { passive: false });
    document.addEventListener("touchend", (event) => {
      const { link, dy = 0 } = held ?? {};
      const wasLifted = isLifted(event);
      drop();
      if (!wasLifted) return;
      if (event.cancelable) event.preventDefault();
      if (dy < -60) ignore(link);
    });
    document.addEventListener("touchcancel", drop);
    document.addEventListener("contextmenu", (event) => { if (held?.isUp) event.preventDefault(); });

    """#
}
