// The games that can be played here: those that the server has and this client has a board for.
import type { Component } from 'svelte';
import { hasBoard, loadPicture } from '../boards/boards';
import { loadMessages, translator, type Translate } from '../messages/messages.svelte';
import { games } from '../protocol/api';
import type { Game } from '../protocol/types';

export interface GameCard {
  name: string;
  game: Game;
  Picture: Component | null;
  words: Translate;
}

export async function catalogue(): Promise<GameCard[]> {
  const known = (await games()).games.filter((game) => hasBoard(game.name));
  return Promise.all(
    known.map(async (game) => {
      const [Picture] = await Promise.all([loadPicture(game.name), loadMessages(game.name)]);
      return { name: game.name, game, Picture, words: translator(game.name) };
    }),
  );
}
