import Phrasebook

extension SiteScript {
  /// What pages say to the service worker; where there is none, nothing is said.
  static let keepScript = #"""
    if (navigator.serviceWorker && $("link[rel=manifest]")) {
      const site = $("link[rel=manifest]").href.replace(/[^/]*$/, "");
      const workers = navigator.serviceWorker, me = document.body.dataset;
      workers.register(`${site}sw.js`, { scope: site, updateViaCache: "none" }).catch(() => {});
      const ask = (message, hear) => workers.ready.then((known) => new Promise((resolve) => {
        const line = new MessageChannel();
        line.port1.onmessage = ({ data }) => data.end ? resolve(data) : hear?.(data);
        known.active.postMessage(message, [line.port2]);
      }));

      const buttons = all("[data-keep]");
      let books = new Map();
      const list = (button) => new URL(button.dataset.keep, location).pathname;
      const show = (reply) => {
        if (reply.books) books = new Map(reply.books);
        for (const button of buttons) {
          button.hidden = false;
          button.textContent = books.has(list(button))
            ? button.dataset.wordKept : button.dataset.wordKeep;
          button.setAttribute("aria-label", `${button.textContent}: ${button.dataset.title}`);
        }
        const shown = $("#kept");
        if (!shown) return;
        $("ul", shown).replaceChildren(...[...books].map(([list, book]) => make("li", {},
          make("a", { href: list.replace(/\/[^/]*$/, ""), className: "title" }, book.title))));
        shown.hidden = !books.size;
      };
      for (const button of buttons) {
        button.addEventListener("click", async () => {
          if (button.getAttribute("aria-disabled")) return;
          button.setAttribute("aria-disabled", "true");
          const [name, title] = [list(button), button.dataset.title];
          const isKept = books.has(name);
          const reply = await ask({ do: isKept ? "drop" : "keep", list: name, title }, (news) => {
            button.textContent =
              `${button.dataset.wordGoing} ${Math.round(news.done * 100 / news.of)} %`;
          });
          button.removeAttribute("aria-disabled");
          show(reply);
          if (reply.failed) tell(button.dataset.wordFailed);
        });
      }

      const hello = (isBack) => ask(
        { do: "hello", reader: me.reader, stays: "stays" in me, seal: seal(), isBack,
        lang: document.documentElement.lang }).then(show);
      hello().then(() => {
        const shelf = $("[data-shelf]");
        if (!shelf || !("stays" in me) || !$("#stale").hidden) return;
        ask({
          do: "shelf", pictures: all("img", shelf).map((one) => one.src), lists: buttons.map(list),
        });
      });
      addEventListener("online", () => hello(true));
    }

    """#
}
