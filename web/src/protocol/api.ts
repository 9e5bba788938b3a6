// Requests other than the socket. Every failure is an ApiError with what the server says; nothing: it cannot be reached.
import type { Command, Game, Hint, Me, Message, Opponent, Page, Review, Say, Settings } from './types';

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly said: Say | null,
  ) {
    super(said?.[0]);
  }
}

export async function request<T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
  } catch {
    throw new ApiError(0, null);
  }
  const answer: unknown = await response.json().catch(() => ({}));
  if (!response.ok) {
    const { error, say } = answer as { error?: string; say?: Say };
    throw new ApiError(response.status, say ?? [error ?? response.statusText]);
  }
  return answer as T;
}

/** What never changes while a server runs is asked for once. */
function once<T>(path: string): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => {
    answer ??= request<T>('GET', path).catch((error: unknown) => {
      answer = undefined;
      throw error;
    });
    return answer;
  };
}

export const games = once<{ games: Game[] }>('/api/games');
export const opponents = once<{ opponents: Opponent[] }>('/api/opponents');

export const me = () => request<Me | null>('GET', '/api/me');
export const nameMe = (name: string) => request<Me>('POST', '/api/me', { name });
export const setPassword = (password: string) => request<Me>('POST', '/api/me/password', { password });
export const logIn = (name: string, password: string) => request<Me>('POST', '/api/login', { name, password });
export const logOut = () => request<object>('POST', '/api/logout');
export const privateLink = () => request<{ key: string }>('POST', '/api/me/link');
export const comeBack = (key: string) => request<Me>('POST', '/api/back', { key });
export const feed = () => request<{ feed: string }>('POST', '/api/me/feed');
export const guest = (name: string) => request<{ id: string }>('POST', '/api/guests', { name });

export const newTable = (settings: Partial<Settings> & { game: string }) =>
  request<{ id: string; code: string }>('POST', '/api/tables', settings);
export const tableOfCode = (code: string) => request<{ id: string }>('GET', `/api/codes/${encodeURIComponent(code)}`);
export const listedTables = (stage: 'gathering' | 'playing' | 'over', limit = 20) =>
  request<Page>('GET', `/api/tables?stage=${stage}&limit=${limit}`);
export const myTables = (over: boolean, limit = 20) => request<Page>('GET', `/api/me/tables?over=${over}&limit=${limit}`);

/** A command for somebody who is not at the table yet. */
export const command = (table: string, what: Command) =>
  request('POST', `/api/tables/${table}/commands`, { ...what, id: Math.floor(Math.random() * 2 ** 52) });

/** Everything about a table from its first event on. */
export const wholeTable = (table: string) => request<Message>('GET', `/api/tables/${table}/check?after=0`);
/** What the strongest opponent would do in my place. */
export const hint = (table: string) => request<Hint>('GET', `/api/tables/${table}/hint`);
/** The review of a finished game, or how much of it is done. */
export const review = (table: string) => request<Review | { reviewed: number }>('GET', `/api/tables/${table}/review`);
export const recordPath = (table: string) => `/api/tables/${table}/record`;
export async function record(table: string): Promise<string> {
  const response = await fetch(recordPath(table)).catch(() => null);
  if (!response?.ok) throw new ApiError(response?.status ?? 0, null);
  return response.text();
}
