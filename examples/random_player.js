#!/usr/bin/env node
// Plays random legal moves at a Tessera table. Needs Node 18 and Debian's node-ws (NODE_PATH=/usr/share/nodejs).
//     random_player.js http://127.0.0.1:8080 --host marbles '{"seats":2}'
//     random_player.js http://127.0.0.1:8080 TABLE
const { createHash, randomBytes, randomInt } = require("crypto");
const { inflateSync } = require("zlib"), WebSocket = require("ws");

const [server, wanted, game, settings = "{}"] = process.argv.slice(2);
const headers = {}, contributions = {}; // contributions to the fair dice, by the number of the draw

const post = async (path, body) =>
  (await fetch(server + path, { method: "POST", body: JSON.stringify(body), headers })).json();

function choose({ table, seats: ours, turn, legal }) { // the command to send as things stand, if any
  if (table.stage === "gathering" && !ours.length)
    return { do: "sit", seat: table.seats.findIndex((seat) => !seat.person && !seat.bot) };
  if (table.stage === "drawing" && ours.length) { // first the hash of our contribution, then the contribution
    const { number, hashes, contributions: revealed } = table.draw, seat = ours[0];
    const mine = (contributions[number] ??= randomBytes(32).toString("hex"));
    const text = `tessera/1\n${table.id}\n${number}\n${seat}\n${mine}`;
    if (!hashes[seat]) return { do: "commit", hash: createHash("sha256").update(text).digest("hex") };
    if (table.seats.every((taken, i) => hashes[i] || !taken.person) && !revealed[seat])
      return { do: "reveal", contribution: mine };
  }
  if (ours.includes(turn?.roll)) return { do: "roll" };
  if (!legal) return undefined;
  const move = []; // down the tree of choices to a leaf
  for (let node = legal; node.next; node = node.next[move.at(-1)])
    move.push(Object.keys(node.next)[randomInt(Object.keys(node.next).length)]);
  return { do: "move", move };
}

let known = {}, number = randomInt(2 ** 40);
function play(url) {
  let awaited, chosen_at; // one command at a time, and one to the same state of things
  const socket = new WebSocket(`${url}?after=${known.seq ?? ""}`, { headers });
  socket.on("message", (frame, compressed) => {
    const told = JSON.parse(compressed ? inflateSync(frame) : frame);
    known = { ...known, ...("events" in told && { legal: null }), ...told };
    if (!known.table) throw new Error(told.error);
    if (known.table.stage === "over") return socket.close();
    if ([told.ack, told.refused].includes(awaited) || told.protocol) awaited = undefined;
    const command = awaited === undefined && chosen_at !== known.seq && choose(known);
    if (!command) return;
    [awaited, chosen_at] = [++number, known.seq];
    socket.send(JSON.stringify({ id: number, ...command }));
  });
  socket.on("error", () => {}); // "close" follows: it is opened again, after the last event that we have
  socket.on("close", () => {
    if (known.table?.stage === "over") console.log(JSON.stringify(known.table.over));
    else setTimeout(play, 200, url);
  });
}

(async () => {
  headers.Authorization = "Bearer " + (await post("/api/bots", { name: "Random player" })).token;
  const made = wanted === "--host" && (await post("/api/tables", { game, ...JSON.parse(settings) }));
  console.log(made ? made.id : wanted);
  play(`${server.replace("http", "ws")}/api/tables/${made ? made.id : wanted}/live`);
})();
