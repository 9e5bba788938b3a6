// Nothing that a player may not see reaches their browser: neither the page, nor its store, nor any message.
import { inflateSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { games } from './games';
import { clickWhatGlows } from './play';
import { host, join_, World, type Person } from './world';

const world = new World();
beforeAll(() => world.start());
afterAll(() => world.end());
afterEach(() => world.allWell());

/** Every message that a person's sockets receive. */
function overheard({ page }: Person): string[] {
  const messages: string[] = [];
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => messages.push(typeof payload === 'string' ? payload : inflateSync(payload).toString())),
  );
  return messages;
}

const cubed = games.find(({ game }) => game === 'cubed')!;
it('Cubed keeps hands from others', async () => {
  const [ann, bob] = [await world.person(), await world.person()];
  const [annHears, bobHears] = [overheard(ann), overheard(bob)];
  const id = await host(ann, 'Ann', { ...cubed, seats: 2 });
  await ann.page.goto(`/t/${id}`);
  await join_(bob, 'Bob', id);
  await ann.page.locator('.board-svg').first().waitFor();
  await clickWhatGlows([ann.page, bob.page], 4);
  const handOf = (messages: string[], seat: number) =>
    messages.map((text) => JSON.parse(text) as { pieces?: [number, string, string][] }).flatMap((message) => message.pieces ?? []).filter(([, kind, place]) => place === `hand ${seat}` && kind !== '?');
  expect(handOf(annHears, 0).length).toBeGreaterThan(5);
  expect(handOf(bobHears, 0)).toEqual([]);
  expect(handOf(annHears, 1)).toEqual([]);
  const kept = await bob.page.evaluate(() => JSON.stringify(localStorage) + JSON.stringify(sessionStorage) + document.documentElement.outerHTML);
  const inBobsMessages = bobHears.join();
  for (const [, kind] of handOf(annHears, 0).filter(([, kind]) => !inBobsMessages.includes(kind))) expect(kept).not.toContain(kind);
});
