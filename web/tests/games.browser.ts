// Each game, from its first roll to its end, by two people in two browsers.
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
    const clicks = await Promise.all([clickWhatGlows(ann.page), clickWhatGlows(bob.page)]);
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
