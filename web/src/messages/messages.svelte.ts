// All visible text. A message file is flat: key to text, with {arguments}. A key may have variants: `key_you` when the
// argument `you` is true, `key_one` and `key_other` by the argument `n` (and what else the language's plurals need). What the
// server says has its English template as key, so English needs no entry for it.
import type { Say } from '../protocol/types';
import english from './en.json';

export type Language = 'en' | 'de';
export const languages: Record<Language, string> = { en: 'English', de: 'Deutsch' };

export type Argument = string | number | boolean | Text;
/** A message that is not put in words yet: its key, and what to put in. */
export type Text = readonly [key: string, args?: Readonly<Record<string, Argument>>];
export type Translate = (key: string, args?: Readonly<Record<string, Argument>>) => string;

type File = Record<string, string>;
const common = import.meta.glob<File>('./*.json', { import: 'default' });
const ofGames = import.meta.glob<File>('../boards/*/messages/*.json', { import: 'default' });

const state = $state<{ language: Language; files: Record<string, File> }>({ language: 'en', files: { en: english } });

export const language = () => state.language;

export async function setLanguage(language: Language): Promise<void> {
  const games = Object.keys(state.files).flatMap((name) => (name.includes('/') ? [name.split('/')[0]!] : []));
  state.files[language] ??= (await common[`./${language}.json`]?.()) ?? {};
  await Promise.all(games.map((game) => loadFile(game, language)));
  state.language = language;
  if (typeof document !== 'undefined') document.documentElement.lang = language;
}

/** Makes a game's messages ready in the present language (and in English, to fall back on). */
export async function loadMessages(game: string): Promise<void> {
  await Promise.all([loadFile(game, 'en'), loadFile(game, state.language)]);
}

async function loadFile(game: string, language: Language): Promise<void> {
  const name = `${game}/${language}`;
  if (state.files[name]) return;
  state.files[name] = (await ofGames[`../boards/${game}/messages/${language}.json`]?.()) ?? {};
}

function find(game: string | null, key: string, args: Readonly<Record<string, Argument>>): string | undefined {
  for (const language of [state.language, 'en'] as const) {
    for (const name of game ? [`${game}/${language}`, language] : [language]) {
      const file = state.files[name];
      if (!file) continue;
      const variants: string[] = [];
      if (args.you === true) variants.push(`${key}_you`);
      if (typeof args.n === 'number') variants.push(`${key}_${new Intl.PluralRules(language).select(args.n)}`, `${key}_other`);
      for (const variant of [...variants, key]) if (file[variant] !== undefined) return file[variant];
    }
  }
  return undefined;
}

/** Puts messages in words: those of a game first, then those that all share. */
export function translator(game: string | null = null): Translate {
  const translate: Translate = (key, args = {}) => {
    const text = find(game, key, args);
    if (text === undefined) return key;
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = args[name];
      if (value === undefined) return whole;
      if (Array.isArray(value)) return translate(value[0] as string, value[1] as Record<string, Argument>);
      return typeof value === 'number' ? value.toLocaleString(state.language) : String(value);
    });
  };
  return translate;
}

/** What the server says, in the reader's language. In a template {} is the next argument, and in a translation {1} the second. */
export function spoken([template, ...args]: Say, game: string | null = null): string {
  const text = find(game, template, {}) ?? template;
  if (args.length === 0) return text;
  let next = 0;
  return text.replace(/\{(\d*)\}/g, (_, index: string) => {
    const value = args[index === '' ? next++ : Number(index)]!;
    return Array.isArray(value) ? spoken(value, game) : typeof value === 'number' ? value.toLocaleString(state.language) : value;
  });
}

export const hasMessage = (game: string, key: string) => state.files[`${game}/en`]?.[key] !== undefined;

/** For what belongs to no game. */
export const t = translator();
