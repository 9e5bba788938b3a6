// Finds the boards' folders; each is loaded when it is needed.
import type { Component } from 'svelte';
import { loadMessages } from '../messages/messages.svelte';
import { diceOf, type MakeRecompute } from '../protocol/verify';
import type { Recording } from '../table/recording';
import type { BoardModule } from './contract';

const modules = import.meta.glob<{ default: BoardModule }>('./*/board.ts');
const lessons = import.meta.glob<Recording>('./*/lesson.json', { import: 'default' });
const samples = import.meta.glob<Recording>('./*/sample.json', { import: 'default' });
const germanRules = import.meta.glob<string>('./*/rules.de.md', { import: 'default', query: '?raw' });
const recomputes = import.meta.glob<{ default: MakeRecompute }>('./*/recompute.ts');
const pictures = import.meta.glob<{ default: Component }>('./*/Picture.svelte');

export const hasBoard = (game: string) => `./${game}/board.ts` in modules;

/** The board of a game with its messages, or null when there is none. */
export async function loadBoard(game: string): Promise<BoardModule | null> {
  const load = modules[`./${game}/board.ts`];
  if (!load) return null;
  const [module] = await Promise.all([load(), loadMessages(game)]);
  return module.default;
}

export async function loadPicture(game: string): Promise<Component | null> {
  const picture = await pictures[`./${game}/Picture.svelte`]?.();
  return picture?.default ?? null;
}

/** How a game's chance events are recomputed: its own way, or a die for each roll. */
export async function loadRecompute(game: string, module: BoardModule): Promise<MakeRecompute> {
  const own = await recomputes[`./${game}/recompute.ts`]?.();
  return own?.default ?? diceOf(module.die);
}

export const hasLesson = (game: string) => `./${game}/lesson.json` in lessons;
export const loadLesson = async (game: string) => (await lessons[`./${game}/lesson.json`]?.()) ?? null;
export const loadSample = async (game: string) => (await samples[`./${game}/sample.json`]?.()) ?? null;
/** English rules come from the server. */
export const loadGermanRules = async (game: string) => (await germanRules[`./${game}/rules.de.md`]?.()) ?? null;
