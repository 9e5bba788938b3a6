// The connection against a socket that the test plays.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Connection, type Status } from './connection';
import type { Message } from './types';

class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 1;
  binaryType = '';
  sent: { id: number; do: string }[] = [];
  onmessage: (event: { data: string }) => void = () => {};
  onclose: (event: { code: number }) => void = () => {};
  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }
  send(text: string) {
    this.sent.push(JSON.parse(text) as { id: number; do: string });
  }
  close() {}
  says(message: Message) {
    this.onmessage({ data: JSON.stringify(message) });
  }
}
const socket = () => FakeSocket.all.at(-1)!;
const greeting = (seq: number): Message => ({ protocol: 1, seq });

let seq = 0;
let statuses: Status[] = [];
let connection: Connection;
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal('location', { protocol: 'http:', host: 'tessera.test' });
  FakeSocket.all = [];
  [seq, statuses] = [0, []];
  connection = new Connection('tab', () => ({ seq, chat: 0 }), (message) => (seq = message.seq ?? seq), (status) => statuses.push(status));
});
afterEach(() => {
  connection.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('commands', () => {
  it('wait for the greeting, and for each other', async () => {
    const [roll, move] = [connection.send({ do: 'roll' }), connection.send({ do: 'move' })];
    expect(socket().sent).toEqual([]);
    socket().says(greeting(1));
    expect(socket().sent.map((command) => command.do)).toEqual(['roll']);
    socket().says({ seq: 2, ack: socket().sent[0]!.id, events: [] });
    expect(await roll).toBeNull();
    expect(socket().sent.map((command) => command.do)).toEqual(['roll', 'move']);
    socket().says({ refused: socket().sent[1]!.id, why: 'No.' });
    expect(await move).toEqual(['No.']);
  });
  it('are repeated with the same number after a lost connection', async () => {
    socket().says(greeting(4));
    const roll = connection.send({ do: 'roll' });
    const number = socket().sent[0]!.id;
    socket().onclose({ code: 1006 });
    await vi.advanceTimersByTimeAsync(1000);
    expect(socket().url).toContain('after=4');
    socket().says(greeting(5));
    expect(socket().sent).toEqual([{ do: 'roll', id: number }]);
    socket().says({ seq: 5, ack: number });
    expect(await roll).toBeNull();
    expect(statuses).toEqual(['live', 'lost', 'live']);
  });
});

it('says when there is no such table', () => {
  socket().says({ error: 'There is no such table.' });
  socket().onclose({ code: 1008 });
  expect(statuses).toEqual(['gone']);
});

it('comes again when the server could not look', async () => {
  socket().says({ error: 'The server cannot do this just now. Try again in a moment.' });
  socket().onclose({ code: 1012 });
  expect(statuses).toEqual(['lost']);
  const first = socket();
  await vi.advanceTimersByTimeAsync(1000);
  expect(socket()).not.toBe(first);
});

it('asks by long polls when sockets do not get through', async () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path);
    return asked.length > 1 ? new Promise(() => {}) : Promise.resolve(new Response(JSON.stringify(greeting(7))));
  });
  for (let tries = 0; tries < 3; tries++) {
    socket().onclose({ code: 1006 });
    await vi.advanceTimersByTimeAsync(9000);
  }
  expect(statuses.at(-1)).toBe('polling');
  expect(asked).toEqual(['/api/tables/tab/check?after=0', '/api/tables/tab/check?after=7&wait=25']);
});

describe('by hand', () => {
  it('answers at once what the first look asks for', async () => {
    const posted: string[] = [];
    vi.stubGlobal('fetch', async (path: string, { method, body }: RequestInit) => {
      if (method === 'POST') posted.push((JSON.parse(body as string) as { do: string }).do);
      return { ok: true, json: async () => (path.includes('/check') ? greeting(1) : {}) };
    });
    let asked = false;
    const slow = new Connection('tab', () => ({ seq: 0, chat: 0 }), () => {
      if (!asked) void slow.send({ do: 'commit' });
      asked = true;
    }, () => {}, true);
    await vi.waitFor(() => expect(posted).toEqual(['commit']));
    slow.close();
  });
});
