// A real server and a real browser, and people who use it.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { expect } from 'vitest';

const program = process.env.TESSERA_PROGRAM!;

export class Server {
  private process: ChildProcess | null = null;
  private readonly folder = mkdtempSync(join(tmpdir(), 'tessera-'));
  private readonly database = join(this.folder, 'tessera.db');
  port = 0;

  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const first = this.port === 0;
    this.port ||= await freePort();
    await this.run();
    if (!first) return;
    // Browsers under test ask more often than people do.
    execFileSync(program, ['admin', 'settings', 'requests-per-second=500', 'messages-per-second=500', '--database', this.database]);
    await this.kill();
    await this.run();
  }

  private async run(): Promise<void> {
    this.process = spawn(program, ['serve', '--port', String(this.port), '--database', this.database], { stdio: 'ignore' });
    for (let tries = 0; tries < 200; tries++) {
      if (await fetch(`${this.url}/api/health`).then((answer) => answer.ok, () => false)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('The server does not start.');
  }

  /** As when the power goes off. */
  async kill(): Promise<void> {
    const gone = new Promise((resolve) => this.process?.once('exit', resolve));
    this.process?.kill('SIGKILL');
    await gone;
  }

  async end(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true });
  }
}

async function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

export interface Person {
  page: Page;
  context: BrowserContext;
  /** Errors of the page and requests to other hosts. */
  faults: string[];
}

export const phone: BrowserContextOptions = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
export const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };

export class World {
  readonly server = new Server();
  private browser!: Browser;
  private readonly people: Person[] = [];

  async start(): Promise<void> {
    await this.server.start();
    this.browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  }

  async end(): Promise<void> {
    await this.browser?.close();
    await this.server.end();
  }

  /** Somebody with a browser of their own. Without motion, unless they want it: games are over sooner. */
  async person(options: BrowserContextOptions = desktop): Promise<Person> {
    const context = await this.browser.newContext({ reducedMotion: 'reduce', baseURL: this.server.url, ...options });
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    // A server that is down makes the browser complain about the network; that is not the page's fault.
    page.on('console', (message) => message.type() === 'error' && !/ERR_CONNECTION|WebSocket connection/.test(message.text()) && faults.push(message.text()));
    page.on('request', (request) => !request.url().startsWith(this.server.url) && !request.url().startsWith('data:') && faults.push(`asked ${request.url()}`));
    const person = { page, context, faults };
    this.people.push(person);
    return person;
  }

  /** Nobody's page had an error or asked another host; they all go home. */
  async allWell(): Promise<void> {
    const people = this.people.splice(0);
    const faults = people.flatMap((person) => person.faults);
    await Promise.all(people.map((person) => person.context.close()));
    expect(faults).toEqual([]);
  }
}

/** Tries again and again until it is so. */
export async function until(so: () => Promise<boolean>, patience = 120_000): Promise<void> {
  for (const end = Date.now() + patience; !(await so()); await new Promise((resolve) => setTimeout(resolve, 20)))
    if (Date.now() > end) throw new Error(`not within ${patience / 1000} s: ${so}`);
}

/** Names somebody and gives them a seat at a new table, without the forms. */
export async function host(person: Person, name: string, settings: object): Promise<string> {
  await person.page.goto('/');
  return person.page.evaluate(
    async ([name, settings]) => {
      const post = async (path: string, body: object) => (await fetch(path, { method: 'POST', body: JSON.stringify(body) })).json() as Promise<{ id: string }>;
      await post('/api/me', { name });
      const { id } = await post('/api/tables', settings);
      await post(`/api/tables/${id}/commands`, { id: 1, do: 'sit', seat: 0 });
      return id;
    },
    [name, settings] as const,
  );
}

/** Comes by the link, says a name and takes the first free seat. */
export async function join_(person: Person, name: string, id: string): Promise<void> {
  await person.page.goto(`/t/${id}`);
  await person.page.getByLabel('Your name').fill(name);
  await person.page.getByRole('button', { name: 'Sit here' }).first().click();
}
