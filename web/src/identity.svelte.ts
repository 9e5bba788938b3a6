// Who is at this device. Nobody has to be anyone until they play.
import * as api from './protocol/api';
import type { Me } from './protocol/types';

/** undefined: not asked yet; null: nobody. */
export const identity = $state<{ me: Me | null | undefined }>({ me: undefined });

export async function learnMe(): Promise<Me | null> {
  try {
    identity.me = await api.me();
  } catch (error) {
    if (!(error instanceof api.ApiError) || error.status !== 401) throw error;
    identity.me = null;
  }
  return identity.me;
}

export async function becomeNamed(name: string): Promise<Me> {
  identity.me = await api.nameMe(name);
  return identity.me;
}

/** Somebody: as known, or a visitor with the given name. */
export async function somebody(name: string): Promise<Me> {
  return identity.me ?? (await learnMe()) ?? (await becomeNamed(name));
}
