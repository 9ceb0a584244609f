extension WorkerRoute {
  /// The network always goes first; what is kept only answers where there is none.
  static let workerScript = #"""
    const own = `carrel${base}`, site = `${own}site ${version}`, shelf = `${own}shelf`;
    const offline = `${base}offline`, myBooks = `${base}my-books`;

    // A small shelf of values: whose device this is, what is kept, what is to be sent.
    const store = (mode, body) => new Promise((resolve, reject) => {
      const opening = indexedDB.open(own, 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore("kept");
      opening.onerror = () => reject(opening.error);
      opening.onsuccess = () => {
        const db = opening.result, turn = db.transaction("kept", mode);
        const asked = body(turn.objectStore("kept"));
        turn.oncomplete = () => { db.close(); resolve(asked.result); };
        turn.onabort = turn.onerror = () => { db.close(); reject(turn.error); };
      };
    });
    const get = (key) => store("readonly", (kept) => kept.get(key));
    const put = (key, value) => store("readwrite", (kept) => kept.put(value, key));
    const drop = (key) => store("readwrite", (kept) => kept.delete(key));
    const all = async (prefix) => {
      const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
      const keys = await store("readonly", (kept) => kept.getAllKeys(range));
      const values = await store("readonly", (kept) => kept.getAll(range));
      return keys.map((key, place) => [key.slice(prefix.length), values[place]]);
    };

    // Parts of a book stand under a ticket whose first part is the same for as long as the loan; the
    // others end with the session and the hour. Books that were kept before tickets had three parts
    // are found by the second rule.
    const key = (address) => new URL(address, location).pathname
      .replace(/(\/book\/[\w-]+)\.[\w-]+\.[\w-]+\//, "$1/")
      .replace(/(\/book\/[\w-]+?)[\w-]{18}\.[^/]+\//, "$1/");
    // Without the address it came from, so that the page has the one it was asked by.
    const plain = async (reply) => new Response(await reply.blob(),
      { status: reply.status, headers: reply.headers });
    const bookCache = (list) => `${own}book ${list}`;
    const whole = (list) => list.replace(/\/[^/]*$/, "");

    async function forgetBook(list) {
      await caches.delete(bookCache(list));
      await drop(`book ${list}`);
      await drop(`stop ${whole(list)}`);
    }

    // Whoever leaves is told nothing here any more.
    async function silence(seal) {
      const heard = await self.registration.pushManager?.getSubscription();
      if (!heard) return;
      if (seal) {
        const body = new URLSearchParams({ seal, do: "device-off", endpoint: heard.endpoint });
        await fetch(`${base}settings/notices`, { method: "POST", body, redirect: "manual" });
      }
      await heard.unsubscribe();
    }

    async function forget() {
      for (const name of await caches.keys()) {
        if (name === shelf || name.startsWith(`${own}book `)) await caches.delete(name);
      }
      await store("readwrite", (kept) => kept.clear());
    }

    // A session that was ended elsewhere takes along what was kept. That it has ended is seen by the page
    // for signing in, which signed-in patrons do not get.
    const isSignIn = (reply) => reply.ok && new URL(reply.url).pathname === `${base}sign-in`;
    let checking;
    const check = () => checking ??= (async () => {
      if (await get("owner") && isSignIn(await fetch(myBooks, { method: "HEAD" }))) await forget();
    })().catch(() => {}).finally(() => { checking = undefined; });
    const heard = async (request) => {
      const reply = await fetch(request);
      if (isSignIn(reply) && await get("owner")) await forget();
      // A part of a book that is refused may also be one of a loan that has ended.
      else if ([401, 403, 410].includes(reply.status)) await check();
      return reply;
    };

    // Places that could not be told. The gateway knows by their time which is the newer one.
    async function send(seal) {
      for (const [address, text] of await all("place ")) {
        const body = new URLSearchParams(text);
        if (seal) body.set("seal", seal);
        const reply = await fetch(address, {
          method: "POST", body, redirect: "manual", headers: { Accept: "application/json" },
        });
        // One with an old seal waits for a page with a new one.
        if (reply.ok || [400, 404, 409, 410, 422].includes(reply.status)) {
          await drop(`place ${address}`);
        }
      }
    }

    const deeds = {
      async hello({ reader, stays, seal, lang, isBack }) {
        if (isBack || !reader) await check();
        const owner = await get("owner");
        if (reader && owner && (owner.reader !== reader || !stays)) {
          await silence().catch(() => {});
          await forget();
        }
        if (reader && stays) await put("owner", { reader });
        if (seal) await send(seal).catch(() => {});
        // What stands in for a page speaks as the pages do that were seen last.
        if (lang && lang !== await get("lang")) {
          const cache = await caches.open(site);
          await cache.add(new Request(offline, { cache: "reload" })).catch(() => {});
          await put("lang", lang);
        }
        return { books: await all("book ") };
      },
      async shelf({ pictures, lists }) {
        if (!await get("owner")) return {};
        for (const [list] of await all("book ")) if (!lists.includes(list)) await forgetBook(list);
        const cache = await caches.open(shelf), page = await heard(myBooks);
        if (!page.ok || page.redirected) return {};
        const there = new Set((await cache.keys()).map((one) => new URL(one.url).pathname));
        const wanted = [...new Set(pictures.map(key))];
        for (const path of there) if (!wanted.includes(path)) await cache.delete(path);
        await cache.put(myBooks, await plain(page));
        await put("seen", Date.now());
        for (const path of wanted) if (!there.has(path)) await cache.add(path).catch(() => {});
        return {};
      },
      async keep({ list, title }, tell) {
        if (!await get("owner")) throw new Error("nobody stays here");
        const reply = await heard(new Request(list, { headers: { Accept: "application/json" } }));
        if (!reply.ok || reply.redirected) throw new Error(reply.status);
        const book = await reply.json(), rest = [...book.pages], of = rest.length;
        const cache = await caches.open(bookCache(list));
        let done = 0;
        const some = async () => {
          for (let page; page = rest.shift();) {
            const part = await heard(page);
            // What the file itself lacks is missed nowhere else either.
            if (part.status === 404 || part.status === 409) continue;
            if (!part.ok || part.redirected) throw new Error(part.status);
            await cache.put(key(page), await plain(part));
            tell({ done: ++done, of });
          }
        };
        try {
          await Promise.all([some(), some(), some(), some()]);
          await put(`book ${list}`, { title, start: book.start, until: book.until });
        } catch (error) {
          rest.length = 0;
          await forgetBook(list);
          throw error;
        }
        return { books: await all("book ") };
      },
      async drop({ list }) {
        await forgetBook(list);
        return { books: await all("book ") };
      },
    };

    // A loan that has ended is closed here as well.
    async function ofBooks(address) {
      for (const [list, book] of await all("book ")) {
        if (book.until && book.until < Date.now()) { await forgetBook(list); continue; }
        if (key(address) === whole(list)) {
          return Response.redirect(await get(`stop ${whole(list)}`) ?? book.start);
        }
        const cache = await caches.open(bookCache(list));
        const found = await cache.match(key(address), { ignoreVary: true });
        if (found) return found;
      }
    }

    async function ofShelf(request) {
      const path = key(request.url), cache = await caches.open(shelf);
      const found = await cache.match(path, { ignoreVary: true });
      if (!found || path !== myBooks) return found;
      const whole = await found.text(), [, lang] = whole.match(/<html lang="([\w-]+)"/) ?? [];
      const seen = new Date(await get("seen")).toLocaleString(lang);
      const text = whole.replace(/id="stale" hidden>([^<]*)/, `id="stale">$1 ${seen}`);
      return new Response(text, { headers: found.headers });
    }

    async function otherwise(request, error) {
      const found = await ofBooks(request.url) ?? await ofShelf(request);
      if (found) return found;
      if (request.mode !== "navigate") throw error;
      return await caches.match(offline, { cacheName: site }) ?? Response.error();
    }

    async function toldPlace(request) {
      const copy = request.clone(), address = key(request.url);
      const body = new URLSearchParams(await copy.text());
      const isKept = body.get("do") === "place" && await get("owner");
      // Told or not, from there a book that is kept here goes on.
      if (isKept) {
        await put(`stop ${address}`, `${address}/${body.get("section")}?shown=${body.get("start")}`);
      }
      try {
        const reply = await fetch(request);
        if (reply.ok) await drop(`place ${address}`);
        return reply;
      } catch (error) {
        if (!isKept) throw error;
        body.set("when", Date.now());
        await put(`place ${address}`, body.toString());
        self.registration.sync?.register("places").catch(() => {});
        return new Response("{}", { headers: { "Content-Type": "application/json" } });
      }
    }

    // Nothing of a reader stays when they leave; what is still to be told is told before.
    async function leave(request) {
      await send().catch(() => {});
      const form = new URLSearchParams(await request.clone().text());
      await silence(form.get("seal")).catch(() => {});
      const reply = await fetch(request);
      if (reply.ok || reply.type === "opaqueredirect") {
        await silence().catch(() => {});
        await forget();
      }
      return reply;
    }

    self.addEventListener("install", (event) => event.waitUntil(
      caches.open(site)
        .then((cache) => cache.addAll([...assets, new Request(offline, { cache: "reload" })]))
        .then(() => self.skipWaiting())));

    self.addEventListener("activate", (event) => event.waitUntil((async () => {
      for (const name of await caches.keys()) {
        if (name.startsWith(`${own}site `) && name !== site) await caches.delete(name);
      }
      await self.clients.claim();
    })()));

    self.addEventListener("message", (event) => {
      const port = event.ports[0], deed = deeds[event.data?.do];
      if (!port || !deed) return;
      event.waitUntil(deed(event.data, (news) => port.postMessage(news)).then(
        (news) => port.postMessage({ ...news, end: true }),
        () => port.postMessage({ end: true, failed: true })));
    });

    self.addEventListener("push", (event) => {
      const { id, title, body } = event.data?.json() ?? {};
      event.waitUntil(self.registration.showNotification(title ?? "Carrel", { body, tag: id }));
    });

    self.addEventListener("notificationclick", (event) => {
      event.notification.close();
      event.waitUntil(self.clients.openWindow(myBooks));
    });

    self.addEventListener("sync", (event) => {
      if (event.tag === "places") event.waitUntil(send());
    });

    self.addEventListener("fetch", (event) => {
      const { request } = event, { origin, pathname } = new URL(request.url);
      if (origin !== location.origin || !pathname.startsWith(base)) return;
      const inside = pathname.slice(base.length);
      if (request.method === "POST") {
        if (inside === "sign-out") event.respondWith(leave(request));
        else if (inside.startsWith("read/") && request.mode !== "navigate") {
          event.respondWith(toldPlace(request));
        }
      } else if (request.method === "GET" && assets.includes(pathname)) {
        event.respondWith(caches.match(request, { cacheName: site })
          .then((found) => found ?? fetch(request)));
      } else if (request.method === "GET"
        && (request.mode === "navigate" || /^(read|book|assets|opds\/covers)\//.test(inside))) {
        event.respondWith(heard(request).catch((error) => otherwise(request, error)));
      }
    });

    """#
}
