import { spoken, t } from '../messages/messages.svelte';
import { ApiError } from '../protocol/api';

/** Why something failed: what the server says, that it cannot be reached, or what this client says itself. */
export function reasonOf(error: unknown, game: string | null = null): string {
  if (!(error instanceof ApiError)) return (error as Error).message;
  return error.said ? spoken(error.said, game) : t('lobby.offline');
}
