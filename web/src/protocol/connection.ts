// The way to one table: a socket that comes back by itself, long polling where sockets do not get through, or checking by
// hand. Commands wait their turn, and are repeated after a lost connection until the server has answered them.
import { request, ApiError } from './api';
import type { Command, Message, Say } from './types';

/** live: told at once; polling: the same by long polls; byHand: only when asked; lost: coming back; gone: no such table. */
export type Status = 'connecting' | 'live' | 'polling' | 'byHand' | 'lost' | 'gone';

export interface Known {
  /** Number of the last event, or 0. */
  seq: number;
  /** Number of the last line of chat, or 0. */
  chat: number;
}

interface Waiting {
  command: Command & { id: number };
  sent: boolean;
  done: (refusal: Say | null) => void;
}

const firstDelay = 400;
const longestDelay = 8000;
/** So many sockets that end before a greeting, and long polls take over. */
const triesBeforePolling = 3;

export class Connection {
  status: Status = 'connecting';
  private socket: WebSocket | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private delay = firstDelay;
  private failures = 0;
  private waiting: Waiting[] = [];
  private nextId = Math.floor(Math.random() * 2 ** 48);
  private closed = false;
  private poll: AbortController | null = null;

  constructor(
    private readonly table: string,
    private readonly known: () => Known,
    private readonly onMessage: (message: Message) => void,
    private readonly onStatus: (status: Status) => void,
    private byHand = false,
  ) {
    if (typeof addEventListener === 'function') addEventListener('online', this.atOnce);
    if (byHand) void this.check();
    else this.open();
  }

  /** Carries out a command; gives null, or what the server says when it is refused. */
  send(command: Command): Promise<Say | null> {
    return new Promise((done) => {
      this.waiting.push({ command: { ...command, id: ++this.nextId }, sent: false, done });
      this.pump();
    });
  }

  /** Asks once for what is new. */
  async check(): Promise<void> {
    try {
      const message = await request<Message>('GET', this.checkPath(0));
      // First, as what is received may be answered at once.
      if (this.byHand) this.setStatus('byHand');
      this.receive(message);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) this.setStatus('gone');
      else this.setStatus('lost');
    }
  }

  setByHand(byHand: boolean): void {
    if (this.byHand === byHand) return;
    this.byHand = byHand;
    this.drop();
    if (byHand) this.setStatus('byHand');
    else this.open();
  }

  /** Comes anew, as who has since got a name. */
  reconnect(): void {
    this.drop();
    if (this.byHand) void this.check();
    else this.open();
  }

  close(): void {
    this.closed = true;
    if (typeof removeEventListener === 'function') removeEventListener('online', this.atOnce);
    this.drop();
  }

  private readonly atOnce = () => {
    if (this.status !== 'lost') return;
    this.delay = firstDelay;
    this.drop();
    this.open();
  };

  private setStatus(status: Status): void {
    if (this.closed || status === this.status) return;
    this.status = status;
    this.onStatus(status);
  }

  private query(): string {
    const { seq, chat } = this.known();
    return `after=${seq}${chat > 0 ? `&chat=${chat}` : ''}`;
  }

  private checkPath(wait: number): string {
    return `/api/tables/${this.table}/check?${this.query()}${wait > 0 ? `&wait=${wait}` : ''}`;
  }

  private open(): void {
    if (this.closed || this.byHand) return;
    if (this.failures >= triesBeforePolling) return void this.pollOnce();
    // Without DecompressionStream (old browsers) the server is asked not to compress.
    const plain = typeof DecompressionStream === 'undefined' ? '&plain=1' : '';
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${this.table}/live?${this.query()}${plain}`);
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    let greeted = false;
    // Messages are handed on in the order in which they came, though some need time to be inflated.
    let order: Promise<void> = Promise.resolve();
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      const take = (message: Message) => {
        if (this.socket !== socket) return;
        if (message.protocol !== undefined) {
          greeted = true;
          this.failures = 0;
          this.delay = firstDelay;
          this.setStatus('live');
        }
        this.receive(message);
      };
      if (typeof data === 'string' && this.inflating === 0) return take(JSON.parse(data) as Message);
      this.inflating++;
      order = order
        .then(async () => take(JSON.parse(typeof data === 'string' ? data : await inflate(data)) as Message))
        .finally(() => this.inflating--);
    };
    socket.onclose = ({ code }) => {
      if (this.socket !== socket) return;
      this.socket = null;
      if (this.closed) return;
      if (code === 1008) return this.setStatus('gone'); // there is no such table
      if (!greeted) this.failures++;
      this.setStatus('lost');
      // A server that restarts says so (1012) and is back in a moment.
      this.timer = setTimeout(() => this.open(), code === 1012 ? firstDelay : this.delay * (0.75 + Math.random() / 2));
      this.delay = Math.min(longestDelay, this.delay * 2);
    };
  }
  private inflating = 0;

  private async pollOnce(): Promise<void> {
    this.poll = new AbortController();
    const poll = this.poll;
    try {
      const first = this.status !== 'polling';
      const response = await fetch(this.checkPath(first ? 0 : 25), { signal: poll.signal });
      if (response.status === 404) return this.setStatus('gone');
      if (!response.ok) throw new Error(String(response.status));
      const message = (await response.json()) as Message;
      if (this.poll !== poll) return;
      this.delay = firstDelay;
      this.setStatus('polling');
      this.receive(message);
      void this.pollOnce();
    } catch {
      if (this.closed || this.poll !== poll) return;
      this.setStatus('lost');
      // The line is back for sockets as often as for polls: try those again first.
      this.failures = 0;
      this.timer = setTimeout(() => this.open(), this.delay);
      this.delay = Math.min(longestDelay, this.delay * 2);
    }
  }

  private receive(message: Message): void {
    if (message.protocol !== undefined) for (const one of this.waiting) one.sent = false;
    this.onMessage(message);
    const answered = message.ack ?? message.refused;
    if (answered !== undefined) {
      const index = this.waiting.findIndex((one) => one.command.id === answered);
      const [one] = index < 0 ? [] : this.waiting.splice(index, 1);
      one?.done(message.refused === undefined ? null : (message.say ?? [message.why ?? '']));
    }
    this.pump();
  }

  /** Sends the first command that waits; one at a time is on its way. */
  private pump(): void {
    const first = this.waiting[0];
    if (!first || first.sent) return;
    if (this.socket?.readyState === WebSocket.OPEN && this.status === 'live') {
      first.sent = true;
      this.socket.send(JSON.stringify(first.command));
    } else if (this.status === 'polling' || this.status === 'byHand') {
      first.sent = true;
      void this.post(first);
    }
  }

  private async post(one: Waiting): Promise<void> {
    const settle = (refusal: Say | null) => {
      this.waiting = this.waiting.filter((other) => other !== one);
      one.done(refusal);
    };
    try {
      await request('POST', `/api/tables/${this.table}/commands`, one.command);
      settle(null);
      if (this.byHand) await this.check();
      this.pump();
    } catch (error) {
      if (error instanceof ApiError && error.status !== 0 && error.status !== 503) {
        settle(error.said);
        this.pump();
      } else {
        one.sent = false;
        this.timer = setTimeout(() => this.pump(), this.delay);
      }
    }
  }

  private drop(): void {
    clearTimeout(this.timer);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    const poll = this.poll;
    this.poll = null;
    poll?.abort();
    for (const one of this.waiting) one.sent = false;
  }
}

async function inflate(data: ArrayBuffer): Promise<string> {
  return new Response(new Blob([data]).stream().pipeThrough(new DecompressionStream('deflate'))).text();
}
