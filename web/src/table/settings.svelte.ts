// What a person sets for this device; kept in the browser.
import { setLanguage, type Language } from '../messages/messages.svelte';

export interface Preferences {
  language: Language;
  theme: 'auto' | 'light' | 'dark';
  sound: boolean;
  notify: boolean;
  motion: 'auto' | 'full' | 'none';
  autoRoll: boolean;
  autoPlay: boolean;
  confirm: boolean;
  byHand: boolean;
  notation: boolean;
  /** The computer to play against. */
  level: string;
}

const key = 'tessera.settings';
const usual: Preferences = {
  language: typeof navigator !== 'undefined' && navigator.language?.startsWith('de') ? 'de' : 'en',
  theme: 'auto',
  sound: false,
  notify: false,
  motion: 'auto',
  autoRoll: false,
  autoPlay: false,
  confirm: false,
  byHand: false,
  notation: false,
  level: '2',
};

function read(): Preferences {
  try {
    return { ...usual, ...(JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Preferences>) };
  } catch {
    return { ...usual };
  }
}

export const preferences = $state<Preferences>(read());

export function prefer<Name extends keyof Preferences>(name: Name, value: Preferences[Name]): void {
  preferences[name] = value;
  try {
    localStorage.setItem(key, JSON.stringify(preferences));
  } catch {
    // Without storage (private windows) it holds until the page is closed.
  }
  if (name === 'language') void setLanguage(preferences.language);
  if (name === 'theme') applyTheme();
}

export function applyTheme(): void {
  document.documentElement.dataset.theme = preferences.theme;
}

/** Whether things are shown without motion. */
export function still(): boolean {
  if (preferences.motion !== 'auto') return preferences.motion === 'none';
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}
