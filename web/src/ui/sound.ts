// Short sounds, made in the browser. Off unless somebody wants them.
import type { Effect, TableEvent } from '../protocol/types';
import { preferences } from '../table/settings.svelte';

let context: AudioContext | null = null;

function tone(from: number, to: number, seconds: number, volume: number, type: OscillatorType = 'sine', delay = 0): void {
  context ??= new AudioContext();
  const start = context.currentTime + delay;
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  oscillator.type = type;
  oscillator.frequency.setValueAtTime(from, start);
  oscillator.frequency.exponentialRampToValueAtTime(to, start + seconds);
  gain.gain.setValueAtTime(volume, start);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + seconds);
}

export function sound(event: TableEvent, effect: Effect | null): void {
  if (!preferences.sound) return;
  if (!effect && event.chance) for (const delay of [0, 0.09, 0.17, 0.3]) tone(900 - delay * 900, 300, 0.05, 0.12, 'triangle', delay);
  else if (effect?.send_home !== undefined || effect?.sweep !== undefined) tone(500, 120, 0.28, 0.16, 'sawtooth');
  else if (effect?.score !== undefined || effect?.finish !== undefined) for (const [i, pitch] of [523, 659, 784].entries()) tone(pitch, pitch, 0.18, 0.1, 'sine', i * 0.08);
  else if (effect?.path) tone(320, 210, 0.08, 0.12, 'triangle');
}

export function soundOfTurn(): void {
  if (!preferences.sound) return;
  tone(660, 660, 0.14, 0.1);
  tone(880, 880, 0.22, 0.1, 'sine', 0.13);
}
