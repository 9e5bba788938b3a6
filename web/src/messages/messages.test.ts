// Every text is there in every language, and none is left over.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { languages, setLanguage, spoken, translator } from './messages.svelte';

const src = join(import.meta.dirname, '..');
const codes = Object.keys(languages);
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;
const bare = (key: string) => key.replace(/_(you|one|other|few|many|two|zero)$/, '');
const holes = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();

/** The sources below a folder, as one text. */
function sources(folder: string, without = /^$/): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|svelte)$/.test(name) && !name.endsWith('.test.ts') && !without.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}

/** Templates of what the server says are sentences; all other keys are single words. */
const isSaid = (key: string) => /[ {]/.test(key);

const boards = readdirSync(join(src, 'boards'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && readdirSync(join(src, 'boards', entry.name)).includes('messages'))
  .map((entry) => entry.name);

describe.each(['', ...boards])('the messages of "%s"', (board) => {
  const folder = board ? join(src, 'boards', board, 'messages') : join(src, 'messages');
  const files = Object.fromEntries(codes.map((code) => [code, read(join(folder, `${code}.json`))]));
  const english = files.en!;
  for (const code of codes) for (const key of Object.keys(files[code]!)) if (isSaid(key)) delete files[code]![key];
  // What the frame looks up in every game's messages by itself.
  const framed = board ? ['title', 'summary', 'effect.', 'choice.', 'option.', 'event.', 'lesson.'] : [];
  const code = board ? sources(join(src, 'boards', board)) : sources(src, /^boards.\w+.\w/);
  const prefixes = [...code.matchAll(/`([a-z][\w.]*[._])\$\{/g)].map((match) => match[1]!).concat(framed);

  it.each(codes)('are complete in %s', (language) => {
    const stems = (file: Record<string, string>) => [...new Set(Object.keys(file).map(bare))].sort();
    expect(stems(files[language]!)).toEqual(stems(english));
    const known = new Set(Object.entries(english).flatMap(([key, text]) => holes(text).map((hole) => `${bare(key)} {${hole}}`)));
    const holesHere = Object.entries(files[language]!).flatMap(([key, text]) => holes(text).map((hole) => `${bare(key)} {${hole}}`));
    expect(holesHere.filter((hole) => !known.has(hole))).toEqual([]);
  });
  it('are all used', () => {
    const unused = Object.keys(english).filter((key) => {
      const stem = bare(key);
      return !code.includes(`'${stem}'`) && !prefixes.some((prefix) => key === prefix || (/[._]$/.test(prefix) && key.startsWith(prefix)));
    });
    expect(unused).toEqual([]);
  });
  it('are there when they are asked for', () => {
    const shared = read(join(src, 'messages', 'en.json'));
    const known = new Set([...Object.keys(english), ...Object.keys(shared)].flatMap((key) => [key, bare(key)]));
    const spaces = new Set([...known].filter((key) => key.includes('.')).map((key) => key.split('.')[0]));
    const asked = [...code.matchAll(/'([a-z]+\.[\w.]*\w)'/g)].map((match) => match[1]!).filter((key) => spaces.has(key.split('.')[0]!));
    // Shared code names keys that only games have; those are checked with each game.
    const missing = asked.filter((key) => !known.has(key) && !/^(effect|choice|event|place|describe|lesson)\./.test(key));
    expect([...new Set(missing)]).toEqual([]);
  });
});

/** The templates that C++ sources below a folder tell players: the literal after `Error::of(` or `Phrase::of(`. */
function templates(folder: string, without = /^$/): string[] {
  const text = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[ch]pp$/.test(name) && !name.endsWith('_test.cpp') && !without.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  return [...text.matchAll(/(?:Error|Phrase)::of\(\s*((?:R"\(.*?\)"|"(?:[^"\\]|\\.)*")(?:\s*"(?:[^"\\]|\\.)*")*)/g)].map(([, literal]) =>
    literal!.startsWith('R') ? literal!.slice(3, -2) : literal!.split(/"\s*\n\s*"/).join('').slice(1, -1).replaceAll(/\\(.)/g, '$1'),
  );
}

describe('what the server says', () => {
  const cpp = join(src, '../../src');
  const shared = new Set(templates(cpp, /^games./));
  const others = codes.filter((code) => code !== 'en');
  const said = (path: string) => Object.entries(read(path)).filter(([key]) => isSaid(key));
  const count = (text: string) => holes(text.replaceAll('{}', '{0}')).length;

  it.each(['', ...boards].flatMap((board) => others.map((code) => [board, code])))('is complete in "%s", %s', (board, code) => {
    const folder = board ? join(src, 'boards', board!, 'messages') : join(src, 'messages');
    const own = board ? templates(join(cpp, 'games', board!)).filter((template) => !shared.has(template)) : [...shared];
    const known = said(join(folder, `${code}.json`));
    expect(known.map(([key]) => key).sort()).toEqual([...new Set(own)].sort());
    expect(known.filter(([key, text]) => key.includes('{}') && count(key) !== count(text))).toEqual([]);
  });
  it('has a template wherever players are told of it', () => {
    const plain = ['match/command.cpp', 'match/commands.cpp', 'match/settings.cpp', 'rules/notation.cpp', 'server/api.cpp', 'server/api_lists.cpp', 'server/api_people.cpp', 'server/table.cpp', 'server/words.cpp'];
    expect(plain.filter((name) => /\bError\s*\w*\{/.test(readFileSync(join(cpp, name), 'utf8')))).toEqual([]);
  });
  it('is put in words with its arguments', async () => {
    await setLanguage('de');
    expect(spoken(["It is seat {}'s turn.", 1])).toBe('Platz 1 ist an der Reihe.');
    expect(spoken(['option {} takes {}, not {}', 'arm', ['{} to {}', 6, 12], "'5'"])).toBe("Die Option arm nimmt 6 bis 12, nicht '5'.");
    expect(spoken(['What a newer server says of {}.', 2])).toBe('What a newer server says of 2.');
    await setLanguage('en');
    expect(spoken(["It is seat {}'s turn.", 1])).toBe("It is seat 1's turn.");
    expect(spoken(['Say which seat: {"seat":0}, for example.'])).toBe('Say which seat: {"seat":0}, for example.');
  });
});

describe('what the server describes', () => {
  type Described = { name: string; options: Record<string, { name: string; choices?: string[] }[]> };
  const answer = (name: string) => (JSON.parse(readFileSync(join(src, '../../docs/fixtures', `rest_${name}.json`), 'utf8')) as { answer: unknown }).answer;
  const { games } = answer('games') as { games: Described[] };
  const { opponents } = answer('opponents') as { opponents: { name: string }[] };

  it.each(games.flatMap((game) => codes.map((code) => [game, code] as const)))('has words for $name', ({ name, options }, code) => {
    const words = read(join(src, 'boards', name, 'messages', `${code}.json`));
    const asked = Object.values(options).flat().flatMap((option) => [`option.${option.name}`, `option.${option.name}.help`, ...(option.choices ?? []).map((choice) => `option.${option.name}.${choice}`)]);
    const shared = read(join(src, 'messages', `${code}.json`));
    expect(['title', 'summary', ...asked].filter((key) => !(key in words) && !(key in shared))).toEqual([]);
    // And no words for options that are gone.
    expect(Object.keys(words).filter((key) => key.startsWith('option.') && !asked.includes(key))).toEqual([]);
  });
  it.each(codes)('has words for opponents in %s', (code) => {
    const words = read(join(src, 'messages', `${code}.json`));
    expect(opponents.flatMap(({ name }) => [`opponent.${name}`, `opponent.${name}.line`]).filter((key) => !(key in words))).toEqual([]);
  });
});

describe('translating', () => {
  const t = translator();
  it('puts arguments in', () => expect(t('table.turn_of', { who: 'Ann' })).toBe('Ann is on move'));
  it('chooses by number', () => expect([t('lobby.free', { n: 1 }), t('lobby.free', { n: 2 })]).toEqual(['1 seat free', '2 seats free']));
  it('speaks to who is meant', () => expect(t('event.roll', { who: 'Ann', you: true, face: 4 })).toBe('You rolled 4.'));
  it('shows the key of what is not there', () => expect(t('no.such_key')).toBe('no.such_key'));
});
