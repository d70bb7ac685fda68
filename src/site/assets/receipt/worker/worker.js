// The service worker of `/verify`: the page as it was last, where the network is away.

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  const { pathname } = new URL(event.request.url);
  if (event.request.method === 'GET' && (pathname === '/verify' || pathname.startsWith('/assets/')))
    event.respondWith(answer(event.request));
});

async function answer(request) {
  const kept = await caches.open('verify');
  try {
    const fresh = await fetch(request);
    if (fresh.ok) await kept.put(request, fresh.clone());
    return fresh;
  } catch (error) {
    const last = await kept.match(request, { ignoreVary: true });
    if (last) return last;
    throw error;
  }
}
