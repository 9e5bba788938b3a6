// A row for each game: settings of a game that is soon over.
export const games: { game: string; options: Record<string, number> }[] = [
  { game: 'cubed', options: { rounds: 1 } },
  { game: 'cybo', options: {} },
  { game: 'cyclone', options: {} },
  { game: 'cylinder', options: { turn_limit: 60 } },
  { game: 'marbles', options: { spaces: 8 } },
];
