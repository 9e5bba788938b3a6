// What to call those who sit at a table.
import { SvelteMap } from 'svelte/reactivity';
import { t } from '../messages/messages.svelte';
import { opponents } from '../protocol/api';
import type { Table } from '../protocol/types';

/** Bots have proper names, which the server knows. */
const titles = new SvelteMap<string, string>();

export async function learnBots(): Promise<void> {
  for (const bot of (await opponents()).opponents) titles.set(bot.name, bot.title);
}

export const botName = (bot: string) => titles.get(bot) ?? bot;

export function namesOf(table: Table, people: Record<string, string>): string[] {
  return table.seats.map((seat, index) => {
    if (seat.person !== undefined) return people[seat.person] ?? t('seat.guest', { n: index + 1 });
    return seat.bot === undefined ? t('seat.empty') : botName(seat.bot);
  });
}
