// A row for each game: settings of a game that is soon over.
export const games = [
  { game: 'marbles', options: { spaces: 8 } },
  { game: 'cybo', options: {} },
] as const;
