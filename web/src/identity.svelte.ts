// Who is at this device. Nobody has to be anyone until they play.
import * as api from './protocol/api';
import type { Me } from './protocol/types';

/** undefined: not asked yet; null: nobody. */
export const identity = $state<{ me: Me | null | undefined }>({ me: undefined });

function become(me: Me | null): Me | null {
  identity.me = me;
  return me;
}

export const learnMe = async () => become(await api.me());

/** A new visitor, or oneself under another name. */
export const becomeNamed = async (name: string) => become(await api.nameMe(name));
export const logIn = async (name: string, password: string) => become(await api.logIn(name, password));
export const comeBack = async (privateKey: string) => become(await api.comeBack(privateKey));
export const setPassword = async (password: string) => become(await api.setPassword(password));
export async function logOut(): Promise<void> {
  await api.logOut();
  become(null);
}

/** Somebody: as known, or a visitor with the given name. */
export async function somebody(name: string): Promise<void> {
  if (!identity.me && !(await learnMe())) await becomeNamed(name);
}
