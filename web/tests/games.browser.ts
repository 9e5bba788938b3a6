// Each game, from its first roll to its end, by two people in two browsers.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { games } from './games';
import { clickWhatGlows } from './play';
import { host, join_, World } from './world';

const world = new World();
beforeAll(() => world.start());
afterAll(() => world.end());
afterEach(() => world.allWell());

describe.each(games)('$game', ({ game, options }) => {
  it('is played to its end by clicking what glows', async () => {
    const [ann, bob] = [await world.person(), await world.person()];
    const id = await host(ann, 'Ann', { game, options, seats: 2 });
    await ann.page.goto(`/t/${id}`);
    await join_(bob, 'Bob', id);
    const clicks = await clickWhatGlows([ann.page, bob.page]);
    expect(Math.min(...clicks)).toBeGreaterThan(3);
    await ann.page.locator('[data-over] h2').waitFor();

    // Afterwards everybody can check the dice.
    await ann.page.goto(`/t/${id}/after`);
    await ann.page.getByRole('button', { name: 'Verify the dice' }).click();
    const verdict = await ann.page.getByRole('status').filter({ hasText: 'recomputed' }).textContent();
    expect(verdict).toContain('every one fits');
    expect(verdict).toContain('noted before the game');
    // And go through the game again, to its first position and forth.
    const scrubber = ann.page.getByLabel('Moment of the game');
    const last = Number(await scrubber.getAttribute('max'));
    expect(last).toBeGreaterThan(5);
    await ann.page.getByRole('button', { name: 'To the beginning' }).click();
    await ann.page.locator('h1').click();
    await ann.page.keyboard.press('ArrowRight');
    expect(await scrubber.inputValue()).toBe('1');
  });
});

describe.each(games)('the lesson of $game', ({ game }) => {
  it('is what the engine says now', async () => {
    const source = join(import.meta.dirname, `../../src/games/${game}/lesson.jsonl`);
    const lesson = execFileSync(process.env.TESSERA_PROGRAM!, ['lesson', source], { encoding: 'utf8' });
    expect(lesson).toBe(readFileSync(join(import.meta.dirname, `../src/boards/${game}/lesson.json`), 'utf8'));
  });
  it('is played to its end', async () => {
    const { page } = await world.person();
    await page.goto(`/learn/${game}/lesson`);
    await page.locator('.board-svg').first().waitFor();
    expect((await clickWhatGlows([page]))[0]).toBeGreaterThan(5);
    expect(await page.locator('.board .glow').count(), 'nothing is left to choose').toBe(0);
  });
});
