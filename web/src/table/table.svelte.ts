// One table as this device has it: the connection, what is known, and what is being shown.
import { Connection, type Status } from '../protocol/connection';
import type { Command, Effect, Message, Say, TableEvent } from '../protocol/types';
import { drawCommands, type Storage } from './draw';
import { awaited, fold, type TableState } from './fold';
import { Scene } from './scene.svelte';
import { preferences, still } from './settings.svelte';
import { onlyMove } from './tree';

/** After a lost connection so many events are shown one by one; more would take too long. */
const worthShowing = 24;

export class LiveTable {
  state = $state.raw<TableState | null>(null);
  status = $state<Status>('connecting');
  /** A refusal or an error. */
  complaint = $state.raw<Say | null>(null);
  /** Commands that are not answered yet. */
  underway = $state(0);
  /** When the last clocks came, by this device's time. */
  clocksAt = $state(0);
  /** Number of the last event that was there when the page was left or the connection was lost; null: nothing missed. */
  missedSince = $state<number | null>(null);
  readonly scene: Scene;

  private readonly connection: Connection;
  /** What was sent by itself, so that it is sent once. */
  private sentFor = '';

  constructor(
    readonly id: string,
    heard: (event: TableEvent, effect: Effect | null) => void,
    private readonly storage: Storage = localStorage,
  ) {
    this.scene = new Scene(still, heard);
    this.connection = new Connection(
      id,
      () => ({ seq: this.state?.seq ?? 0, chat: this.state?.chat.at(-1)?.n ?? 0 }),
      (message) => this.receive(message),
      (status) => (this.status = status),
      preferences.byHand,
    );
  }

  /** The seat to show the board for, and to act for: mine, and of several at one device the one that is awaited. */
  get seat(): number | null {
    const seats = this.state?.seats ?? [];
    const now = awaited(this.state?.turn ?? null);
    return now !== null && seats.includes(now) ? now : (seats[0] ?? null);
  }

  get myTurn(): boolean {
    const now = awaited(this.state?.turn ?? null);
    return now !== null && !this.state?.table.paused && (this.state?.seats.includes(now) ?? false);
  }

  async do(command: Command): Promise<boolean> {
    this.complaint = null;
    this.underway++;
    const refusal = await this.connection.send(command);
    this.underway--;
    if (refusal !== null) this.complaint = refusal;
    return refusal === null;
  }

  roll = () => this.do({ do: 'roll', seat: awaited(this.state?.turn ?? null)! });
  move = (choices: string[]) => this.do({ do: 'move', seat: awaited(this.state?.turn ?? null)!, move: choices });
  moveByNotation = (move: string) => this.do({ do: 'move', seat: awaited(this.state?.turn ?? null)!, move });
  check = () => this.connection.check();
  setByHand = (byHand: boolean) => this.connection.setByHand(byHand);
  reconnect = () => this.connection.reconnect();
  close = () => this.connection.close();

  private receive(message: Message): void {
    const before = this.state;
    const next = fold(before, message);
    if (message.error !== undefined) this.complaint = message.say ?? [message.error];
    if (!next || next === before) return;
    if (message.clocks) this.clocksAt = performance.now();
    this.state = next;
    this.show(before, next, message);
    this.actByItself(next);
  }

  private show(before: TableState | null, next: TableState, message: Message): void {
    const news = message.events ?? [];
    if (!before || news.length > worthShowing) {
      if (before && message.protocol !== undefined) this.missedSince = before.seq;
      const last = next.events.findLast((event) => event.move !== undefined || event.chance !== undefined) ?? null;
      this.scene.set(next.pieces, next.events.length, last);
      this.scene.die = lastDie(next.events);
    } else if (news.length > 0 || message.pieces) {
      this.scene.play(news, next.pieces);
    }
  }

  /** The draw, and what the settings say should happen without a tap. Sent once for each state that asks for it. */
  private actByItself(state: TableState): void {
    const commands = drawCommands(state, this.storage);
    const seat = awaited(state.turn);
    if (commands.length === 0 && seat !== null && state.seats.includes(seat) && !state.table.paused && state.table.stage === 'playing') {
      const rolls = state.table.seats[seat]?.auto_roll === true;
      if (preferences.autoRoll !== rolls) commands.push({ do: 'auto_roll', seat, on: preferences.autoRoll });
      if (preferences.autoPlay && state.legal) {
        const only = onlyMove(state.legal);
        if (only) commands.push({ do: 'move', seat, move: only });
      }
    }
    if (commands.length === 0) return;
    const what = JSON.stringify([state.table.draw?.number, state.table.draw ? 0 : state.seq, commands]);
    if (what === this.sentFor) return;
    this.sentFor = what;
    for (const command of commands) void this.do(command);
  }
}

function lastDie(events: readonly TableEvent[]) {
  const event = events.findLast((one) => one.chance?.startsWith('roll '));
  return event ? { seat: event.seat ?? -1, value: Number(event.chance!.slice(5)), rolling: false } : null;
}
