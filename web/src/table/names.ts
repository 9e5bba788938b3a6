// What to call those who sit at a table.
import { t } from '../messages/messages.svelte';
import type { Table } from '../protocol/types';

export const botName = (bot: string) => t(`opponent.${bot}`);

export function namesOf(table: Table, people: Record<string, string>): string[] {
  // Bots of the same name are numbered.
  const bots = table.seats.map((seat) => (seat.person === undefined && seat.bot !== undefined ? botName(seat.bot) : null));
  return table.seats.map((seat, index) => {
    if (seat.person !== undefined) return people[seat.person] ?? t('seat.guest', { n: index + 1 });
    const bot = bots[index];
    if (bot == null) return t('seat.empty');
    const alike = bots.flatMap((name, other) => (name === bot ? [other] : []));
    return alike.length > 1 ? `${bot} ${alike.indexOf(index) + 1}` : bot;
  });
}
