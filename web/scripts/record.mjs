// Records a game of random moves from a running server, as a board's page for trying it out reads it:
//   node scripts/record.mjs http://127.0.0.1:8080 GAME SEATS MOVES ['{"option":1}'] > src/boards/GAME/sample.json
// The result has the settings, the first position and, for each step, what happened, whose turn it was then and what was legal.
import { createHash, randomBytes } from 'node:crypto';

const [server, game, seats = '2', moves = '30', options = '{}'] = process.argv.slice(2);

let token = '';
async function ask(method, path, body) {
  const response = await fetch(server + path, {
    method,
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

token = (await ask('POST', '/api/bots', { name: 'Ann' })).token;
const settings = { game, seats: Number(seats), options: JSON.parse(options), first: 0, listed: false };
const { id } = await ask('POST', '/api/tables', settings);
let command = 0;
const tell = (what) => ask('POST', `/api/tables/${id}/commands`, { id: ++command, ...what });
const look = (after) => ask('GET', `/api/tables/${id}/check${after === undefined ? '' : `?after=${after}`}`);

await tell({ do: 'sit', seat: 0 });
await tell({ do: 'start', bot: 'random' });
const draw = (await look()).table.draw;
if (draw) {
  const contribution = randomBytes(32).toString('hex');
  const hash = createHash('sha256').update(`tessera/1\n${id}\n${draw.number}\n0\n${contribution}`).digest('hex');
  await tell({ do: 'commit', hash });
  await tell({ do: 'reveal', contribution });
}

let now = await look();
const recording = { game, seats: now.table.seats.length, options: now.table.settings.options, start: now.pieces, steps: [{ events: [], turn: now.turn, legal: now.legal }] };
let seq = now.seq;
for (let made = 0; made < Number(moves) && now.table.stage === 'playing'; ) {
  if (now.turn.roll === 0) await tell({ do: 'roll' });
  else if (now.legal) {
    let node = now.legal;
    const move = [];
    while (node.next) {
      const names = Object.keys(node.next);
      move.push(names[Math.floor(Math.random() * names.length)]);
      node = node.next[move.at(-1)];
    }
    await tell({ do: 'move', move });
    made++;
  } else await new Promise((resolve) => setTimeout(resolve, 50));
  now = await look(seq);
  for (const event of now.events ?? []) recording.steps.push({ events: [event] });
  Object.assign(recording.steps.at(-1), { turn: now.turn, legal: now.legal });
  seq = now.seq;
}
console.log(JSON.stringify(recording));
