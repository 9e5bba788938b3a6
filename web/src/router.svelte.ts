// Pages by path. Links are ordinary <a href>; clicks on them are taken here.

export const route = $state({ path: typeof location === 'undefined' ? '/' : location.pathname });

export function go(path: string, replace = false): void {
  if (replace) history.replaceState(null, '', path);
  else history.pushState(null, '', path);
  arrive();
}

function arrive(): void {
  route.path = location.pathname;
  scrollTo(0, 0);
}

export function listen(): void {
  addEventListener('popstate', arrive);
  addEventListener('click', (event) => {
    const link = (event.target as Element).closest('a');
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (link.origin !== location.origin || link.hasAttribute('download') || link.target || link.pathname.startsWith('/api')) return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  });
}
