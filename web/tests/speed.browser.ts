// How soon an update is to be seen: from the arrival of the message to the change of the page, as a benchmark.
// What has changed before the next frame is on the screen with it.
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
    const delays: { milliseconds: number; frames: number }[] = [];
    let arrived: { at: number; frame: number } | null = null;
    let frame = 0;
    Object.assign(window, { delays });
    const count = () => (frame++, requestAnimationFrame(count));
    requestAnimationFrame(count);
    const Native = WebSocket;
    window.WebSocket = class extends Native {
      constructor(...args: ConstructorParameters<typeof WebSocket>) {
        super(...args);
        this.addEventListener('message', () => (arrived = { at: performance.now(), frame }));
      }
    };
    new MutationObserver(() => {
      if (arrived) delays.push({ milliseconds: performance.now() - arrived.at, frames: frame - arrived.frame });
      arrived = null;
    }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  });
  const id = await host(ann, 'Ann', { game: 'marbles', seats: 2 });
  await ann.page.goto(`/t/${id}`);
  await join_(bob, 'Bob', id);
  await clickWhatGlows([ann.page, bob.page], 40);
  const delays = await bob.page.evaluate(() => (window as unknown as { delays: { milliseconds: number; frames: number }[] }).delays);
  delays.sort((a, b) => a.milliseconds - b.milliseconds);
  const median = delays[Math.floor(delays.length / 2)]!;
  const next = delays.filter(({ frames }) => frames === 0).length;
  console.log(
    `from message to page: median ${median.milliseconds.toFixed(1)} ms, slowest ${delays.at(-1)!.milliseconds.toFixed(1)} ms; ` +
      `in the very next frame ${next} of ${delays.length}`,
  );
  expect(delays.length).toBeGreaterThan(20);
  expect(median.frames).toBe(0);
});
