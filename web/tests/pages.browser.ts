// Every page in both themes: no violation that axe finds, a picture for people to look at; and how large it all is.
import AxeBuilder from '@axe-core/playwright';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { games } from './games';
import { clickWhatGlows } from './play';
import { desktop, host, phone, World, type Person } from './world';

const pictures = join(import.meta.dirname, '../../build/screenshots');
mkdirSync(pictures, { recursive: true });

const world = new World();
beforeAll(() => world.start());
afterAll(() => world.end());
afterEach(() => world.allWell());

async function look({ page }: Person, name: string): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    const ending = document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.all(ending.map((one) => one.finished.catch(() => {})));
  });
  await page.screenshot({ path: join(pictures, `${name}.png`) });
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${name}: ${id} ${nodes.map((node) => node.html).join(' ').slice(0, 200)}`)).toEqual([]);
}

describe.each([
  ['phone', 'light', phone],
  ['phone', 'dark', phone],
  ['desktop', 'light', desktop],
  ['desktop', 'dark', desktop],
] as const)('on a %s, %s', (size, colorScheme, options) => {
  const name = (page: string) => `${page}-${size}-${colorScheme}`;

  it('the pages around games', async () => {
    const ann = await world.person({ ...options, colorScheme });
    for (const [path, title] of [['/', 'lobby'], ['/host/marbles', 'host'], ['/me', 'me'], ['/learn', 'learn'], ['/learn/marbles', 'rules']] as const) {
      await ann.page.goto(path);
      await ann.page.locator('main h2, main form, main h3').first().waitFor();
      await look(ann, name(title));
    }
    const id = await host(ann, 'Ann', { game: 'marbles', seats: 4 });
    await ann.page.goto(`/t/${id}`);
    await ann.page.getByRole('textbox', { name: 'Link to this table' }).waitFor();
    await look(ann, name('gathering'));
  });

  it.each(games)('$game', async ({ game, options: of }) => {
    const ann = await world.person({ ...options, colorScheme });
    const id = await host(ann, 'Ann', { game, options: of, seats: 2 });
    await ann.page.evaluate((id) => fetch(`/api/tables/${id}/commands`, { method: 'POST', body: '{"id":2,"do":"start"}' }), id);
    await ann.page.goto(`/t/${id}`);
    await ann.page.locator('.board-svg').first().waitFor();
    await clickWhatGlows([ann.page], 24);
    await look(ann, name(game));
    await clickWhatGlows([ann.page]);
    await look(ann, name(`${game}-over`));
    await ann.page.goto(`/t/${id}/after`);
    await ann.page.locator('.board-svg').first().waitFor();
    await look(ann, name(`${game}-after`));
  });
});

it('is small: the lobby and a board in less than 150 kB', async () => {
  const { page } = await world.person();
  await page.goto('/');
  await page.locator('[data-game=marbles] [data-play]').click();
  await page.locator('.board-svg').first().waitFor();
  const bytes = await page.evaluate(() =>
    [...performance.getEntriesByType('resource'), ...performance.getEntriesByType('navigation')].reduce((sum, one) => sum + (one as PerformanceResourceTiming).encodedBodySize, 0),
  );
  console.log(`lobby and one board: ${(bytes / 1000).toFixed(1)} kB compressed`);
  expect(bytes).toBeGreaterThan(20_000);
  expect(bytes).toBeLessThan(150_000);
});
