// What happens around a game: inviting, losing the connection, touch, keyboard.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { clickWhatGlows } from './play';
import { desktop, host, join_, phone, until, World } from './world';

const world = new World();
beforeAll(() => world.start());
afterAll(() => world.end());
afterEach(() => world.allWell());

const short = { game: 'marbles', options: { spaces: 8 }, seats: 2 };

it('is playing the computer within one click', async () => {
  const { page } = await world.person();
  await page.goto('/');
  await page.locator('[data-game=marbles] [data-play]').click();
  await page.locator('.board-svg').first().waitFor();
  expect(await clickWhatGlows([page], 5)).toEqual([5]);
});

it('goes from hosting over the invite link to a rematch', async () => {
  const [ann, bob] = [await world.person(), await world.person(phone)];
  await ann.page.goto('/host/marbles');
  await ann.page.getByLabel('Your name').fill('Ann');
  await ann.page.getByLabel('Spaces of an arm').fill('8');
  await ann.page.getByRole('button', { name: 'Open the table' }).click();
  const link = await ann.page.getByRole('textbox', { name: 'Link to this table' }).inputValue();
  expect(new URL(link).pathname).toMatch(/^\/t\/\w+$/);
  await join_(bob, 'Bob', link.split('/').at(-1)!);
  await clickWhatGlows([ann.page, bob.page]);
  await ann.page.getByRole('button', { name: 'Rematch' }).click();
  for (const { page } of [ann, bob]) await page.getByRole('link', { name: 'To the rematch' }).click();
  await clickWhatGlows([ann.page, bob.page], 6);
});

it('goes on after a reload and after the server was killed', async () => {
  const [ann, bob] = [await world.person(), await world.person()];
  const id = await host(ann, 'Ann', short);
  await ann.page.goto(`/t/${id}`);
  await join_(bob, 'Bob', id);
  await clickWhatGlows([ann.page, bob.page], 8);
  await ann.page.reload();
  await clickWhatGlows([ann.page, bob.page], 8);
  const before = await ann.page.locator('.panel ol li').count();

  await world.server.kill();
  await ann.page.locator('.light[data-status=lost]').waitFor();
  await world.server.start();
  for (const { page } of [ann, bob]) await page.locator('.light[data-status=live]').waitFor({ timeout: 30_000 });
  expect(await ann.page.locator('.panel ol li').count()).toBeGreaterThanOrEqual(before);
  await clickWhatGlows([ann.page, bob.page]);
});

it('says when there is no such table', async () => {
  const { page } = await world.person();
  await page.goto('/t/nosuchtable');
  await page.getByText('There is no such table').waitFor();
  expect(await page.locator('h1').innerText()).toBe('Tessera');
  expect(await page.title()).toBe('Tessera');
});

it('points at what the strongest opponent would do', async () => {
  const { page } = await world.person();
  await page.goto('/');
  await page.locator('[data-game=cyclone] [data-play]').click();
  await page.locator('button.roll').click();
  await page.getByRole('button', { name: 'Hint' }).click();
  await page.locator('.hint', { hasText: /chance of \d+ % to win/ }).waitFor();
  expect(await page.locator('.board .glow.focus').count()).toBeGreaterThan(0);
  await page.locator('.board .glow.focus').first().click({ force: true });
});

it('says in German what the server refuses', async () => {
  const { page } = await world.person({ ...desktop, locale: 'de-DE' });
  await page.goto('/');
  await page.locator('[data-game=cyclone] [data-play]').click();
  await page.locator('button.roll').click();
  await page.getByLabel('Zug eintippen').fill('a5>z1');
  await page.getByRole('button', { name: 'Senden' }).click();
  const said = page.getByRole('alert');
  await said.waitFor();
  expect(await said.innerText()).toMatch(/^Das Brett hat die Felder a0 bis b\d+; 'a5>z1' ist hier kein erlaubter Zug; erlaubt: /);
});

it('seats the computer from the form, at the level that was chosen', async () => {
  const { page } = await world.person();
  await page.goto('/host/cyclone');
  await page.getByLabel('Your name').fill('Ann');
  // Turning back means something from three players on.
  expect(await page.getByLabel('Turning back').count()).toBe(0);
  await page.locator('.count', { hasText: '3' }).click();
  await page.getByLabel('Turning back').waitFor();
  await page.getByLabel('The computer plays the empty seats').check();
  await page.getByRole('combobox', { name: 'Which computer' }).selectOption('1');
  await page.getByRole('button', { name: 'Open the table' }).click();
  await page.locator('.board-svg').first().waitFor();
  expect(await page.getByText('Dandelion 2').count()).toBeGreaterThan(0);
});

it('shows all ways to a table without scrolling on a phone', async () => {
  const ann = await world.person(phone);
  const id = await host(ann, 'Ann', { game: 'marbles', seats: 6 });
  await ann.page.goto(`/t/${id}`);
  for (const way of [ann.page.getByLabel('Link to this table'), ann.page.locator('.invite strong'), ann.page.getByLabel('QR code')]) {
    const box = (await way.first().boundingBox())!;
    expect(box.y + box.height).toBeLessThan(740);
  }
});

it('begins by itself when one plays alone', async () => {
  const { page } = await world.person();
  await page.goto('/host/cubed');
  await page.getByLabel('Your name').fill('Ann');
  await page.locator('.count', { hasText: '1' }).click();
  await page.getByRole('button', { name: 'Open the table' }).click();
  await page.locator('.board-svg').first().waitFor();
  expect(await clickWhatGlows([page], 12)).toEqual([12]);
});

it('keeps what was chosen when somebody comes or goes', async () => {
  const [ann, bob] = [await world.person(), await world.person()];
  await ann.page.addInitScript(() => localStorage.setItem('tessera.settings', JSON.stringify({ confirm: true })));
  const id = await host(ann, 'Ann', { game: 'cyclone', seats: 2, first: 0 });
  await ann.page.goto(`/t/${id}`);
  await join_(bob, 'Bob', id);
  await ann.page.locator('button.roll:enabled').click();
  await until(async () => (await clickWhatGlows([ann.page], 1)) && (await ann.page.getByRole('button', { name: 'Confirm' }).isVisible()));
  await bob.page.close();
  await ann.page.locator('li.away').waitFor();
  await ann.page.getByRole('button', { name: 'Confirm' }).click();
  await ann.page.locator('.panel ol').getByText('Ann: a').waitFor();
});

it('is played with a thumb', async () => {
  const { page } = await world.person(phone);
  await page.goto('/');
  await page.locator('[data-game=marbles] [data-play]').tap();
  await page.locator('.board-svg').first().waitFor();
  for (let moves = 0; moves < 2; ) {
    await page.locator('button.roll:enabled, .board .glow').first().waitFor({ timeout: 30_000 });
    const glowing = page.locator('.board .glow');
    if ((await glowing.count()) > 0) {
      await glowing.first().tap({ force: true });
      moves++;
    } else await page.locator('button.roll').tap();
  }
  // Nothing is wider than the screen, and the button is on it.
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(740);
});

it('is played with the keyboard alone', async () => {
  const { page } = await world.person();
  await page.goto('/');
  await page.locator('[data-game=marbles] [data-play]').focus();
  await page.keyboard.press('Enter');
  await page.locator('.board-svg').first().waitFor();
  const said = page.locator('.panel ol');
  await until(async () => {
    if ((await page.locator('button.roll:enabled').count()) > 0) {
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      await page.keyboard.press('Enter');
    } else if ((await page.locator('.board .glow').count()) > 0) {
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
    }
    return /Visitor: the base to space/.test(await said.innerText());
  });
});

it('shows what happened to who checks by hand', async () => {
  const { page } = await world.person();
  await page.addInitScript(() => localStorage.setItem('tessera.settings', JSON.stringify({ byHand: true })));
  await page.goto('/');
  await page.locator('[data-game=marbles] [data-play]').click();
  await page.locator('.light[data-status=byHand]').waitFor();
  const [roll, check] = [page.locator('button.roll'), page.getByRole('button', { name: 'Check once' })];
  await until(async () => {
    await roll.or(check).waitFor();
    if ((await roll.count()) > 0) return true;
    // It may be our turn meanwhile.
    await check.click({ timeout: 1000 }).catch(() => {});
    return false;
  });
  await roll.click();
  await page.locator('.panel ol').getByText('You rolled').waitFor();
});
