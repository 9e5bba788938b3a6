// Every page in both themes: no violation that axe finds, a picture for people to look at; and how large it all is.
import AxeBuilder from '@axe-core/playwright';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { games } from './games';
import { clickWhatGlows } from './play';
import { desktop, host, phone, World, type Person } from './world';

const pictures = join(import.meta.dirname, '../../build/screenshots');
mkdirSync(pictures, { recursive: true });

const world = new World();
beforeAll(() => world.start());
afterAll(() => world.end());
afterEach(() => world.allWell());

const looks = [
  { size: 'phone', colorScheme: 'light', viewport: phone.viewport!, axe: true },
  { size: 'phone', colorScheme: 'dark', viewport: phone.viewport!, axe: false },
  { size: 'desktop', colorScheme: 'light', viewport: desktop.viewport!, axe: false },
  { size: 'desktop', colorScheme: 'dark', viewport: desktop.viewport!, axe: true },
] as const;

/** A page in both sizes and both themes: pictures of all four, and axe in each size and each theme. */
async function look({ page }: Person, name: string): Promise<void> {
  for (const { size, colorScheme, viewport, axe } of looks) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await page.evaluate(async () => {
      const frame = () => new Promise(requestAnimationFrame);
      await document.fonts.ready;
      await frame().then(frame);
      for (const one of document.getAnimations()) if (one.effect?.getComputedTiming().endTime !== Infinity) one.finish();
    });
    await page.screenshot({ path: join(pictures, `${name}-${size}-${colorScheme}.png`) });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `${name}: wider than a ${size}`).toBeLessThanOrEqual(viewport.width);
    if (!axe) continue;
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => `${name} (${size}, ${colorScheme}): ${id} ${nodes.map((node) => node.html).join(' ').slice(0, 200)}`)).toEqual([]);
  }
}

it('the pages around games', async () => {
  const ann = await world.person();
  for (const [path, title] of [['/', 'lobby'], ['/host/marbles', 'host'], ['/me', 'me'], ['/learn', 'learn']] as const) {
    await ann.page.goto(path);
    await ann.page.locator('[data-game], main form, main h3, li h2').first().waitFor();
    await look(ann, title);
  }
  const id = await host(ann, 'Ann', { game: 'marbles', seats: 4 });
  await ann.page.goto(`/t/${id}`);
  await ann.page.getByRole('textbox', { name: 'Link to this table' }).waitFor();
  await look(ann, 'gathering');
});

it.each(games)('the pages of $game', async ({ game, options }) => {
  const ann = await world.person();
  for (const [path, title] of [[`/learn/${game}`, 'rules'], [`/learn/${game}/lesson`, 'lesson']] as const) {
    await ann.page.goto(path);
    await ann.page.locator('.board-svg').first().waitFor();
    await look(ann, `${game}-${title}`);
  }
  const id = await host(ann, 'Ann', { game, options, seats: 2 });
  await ann.page.evaluate((id) => fetch(`/api/tables/${id}/commands`, { method: 'POST', body: '{"id":2,"do":"start"}' }), id);
  await ann.page.goto(`/t/${id}`);
  await ann.page.locator('.board-svg').first().waitFor();
  await clickWhatGlows([ann.page], 24);
  await ann.page.locator('button.roll:enabled, .board .glow').first().waitFor({ state: 'attached' });
  await look(ann, game);
  await clickWhatGlows([ann.page]);
  await look(ann, `${game}-over`);
  await ann.page.goto(`/t/${id}/after`);
  await ann.page.locator('.board-svg').first().waitFor();
  await ann.page.getByRole('button', { name: 'Review this game' }).click();
  await ann.page.getByRole('img', { name: /chance of winning/ }).waitFor({ timeout: 120_000 });
  await look(ann, `${game}-after`);
});

it.each(['en-GB', 'de-DE'])('is small: the lobby and a board in less than 150 kB (%s)', async (locale) => {
  const { page } = await world.person({ ...desktop, locale });
  await page.goto('/');
  await page.locator('[data-game=marbles] [data-play]').click();
  await page.locator('.board-svg').first().waitFor();
  const bytes = await page.evaluate(() =>
    [...performance.getEntriesByType('resource'), ...performance.getEntriesByType('navigation')].reduce((sum, one) => sum + (one as PerformanceResourceTiming).encodedBodySize, 0),
  );
  console.log(`lobby and one board (${locale}): ${(bytes / 1000).toFixed(1)} kB compressed`);
  expect(bytes).toBeGreaterThan(20_000);
  expect(bytes).toBeLessThan(150_000);
});

it('can be installed', async () => {
  const { page, context } = await world.person();
  await page.goto('/');
  const devtools = await context.newCDPSession(page);
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
  // Everybody here has a private window.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((error) => error !== 'in-incognito')).toEqual([]);
  const { errors } = await devtools.send('Page.getAppManifest');
  expect(errors).toEqual([]);
});
