// How soon an update is to be seen: from the arrival of the message to the change of the page, as a benchmark.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { clickWhatGlows } from './play';
import { host, join_, World } from './world';

const world = new World();
beforeAll(() => world.start());
afterAll(() => world.end());
afterEach(() => world.allWell());

it('shows an update within a frame of its arrival', async () => {
  const [ann, bob] = [await world.person(), await world.person({ reducedMotion: 'no-preference' })];
  await bob.page.addInitScript(() => {
    const delays: number[] = [];
    let arrived = 0;
    Object.assign(window, { delays });
    const Native = WebSocket;
    window.WebSocket = class extends Native {
      constructor(...args: ConstructorParameters<typeof WebSocket>) {
        super(...args);
        this.addEventListener('message', () => (arrived = performance.now()));
      }
    };
    new MutationObserver(() => {
      if (arrived > 0) delays.push(performance.now() - arrived);
      arrived = 0;
    }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  });
  const id = await host(ann, 'Ann', { game: 'marbles', seats: 2 });
  await ann.page.goto(`/t/${id}`);
  await join_(bob, 'Bob', id);
  await clickWhatGlows([ann.page, bob.page], 60);
  const delays = (await bob.page.evaluate(() => (window as unknown as { delays: number[] }).delays)).sort((a, b) => a - b);
  const median = delays[Math.floor(delays.length / 2)]!;
  console.log(`from message to page: median ${median.toFixed(1)} ms, slowest ${delays.at(-1)!.toFixed(1)} ms of ${delays.length}`);
  expect(delays.length).toBeGreaterThan(20);
});
