// A row for each game: settings of a game that is soon over.
export const games: { game: string; options: Record<string, number> }[] = [
  { game: 'marbles', options: { spaces: 8 } },
  { game: 'cybo', options: {} },
  { game: 'cylinder', options: { turn_limit: 60 } },
];
