import { afterEach, expect, it } from 'vitest';
import { setLanguage } from '../messages/messages.svelte';
import type { Table } from '../protocol/types';
import { namesOf } from './names';

const table = { seats: [{ person: 'ann' }, { person: 'gone' }, { bot: 'simple' }, {}, { person: 'gone~1', device: 'gone' }] } as unknown as Table;

afterEach(() => setLanguage('en'));

it('numbers those whose names nobody knows any more', async () => {
  const people = { ann: 'Ann' };
  expect(namesOf(table, people).filter((_, seat) => seat !== 2)).toEqual(['Ann', 'Player 2', 'free seat', 'Player 5']);
  await setLanguage('de');
  expect(namesOf(table, people).filter((_, seat) => seat !== 2)).toEqual(['Ann', 'Spieler 2', 'freier Platz', 'Spieler 5']);
});
