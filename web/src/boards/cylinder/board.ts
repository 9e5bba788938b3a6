import type { BoardModule } from '../contract';
import type { Text } from '../../messages/messages.svelte';
import type { Placed } from '../../table/pieces';
import Board from './Board.svelte';
import { homeOf, homeView, parse, planOf, pointOf, zoneOf, type Zone } from './geometry';
import { firstPath } from './offers';

const module: BoardModule = {
  Board,
  die: 6,
  aspect: (setting) => (setting.seats === 2 ? 1 : 1.25),

  spot({ name, node }) {
    if (parse(name)) return name;
    if (name === 'in') return firstPath(node)?.[0] ?? null;
    // Steps, attacks, what comes after them and passing have buttons on the board: one below it would make it smaller.
    return /^\d$/.test(name) ? `steps:${name}` : name;
  },

  point(place, setting) {
    const plan = planOf(setting);
    const hole = pointOf(plan, place);
    if (hole) return [hole.x, hole.y];
    return homeOf(place) === setting.view ? [homeView(plan).x, plan.rows] : null;
  },

  place(place, setting): Text {
    const hole = parse(place);
    return hole ? [`place.${zoneOf(planOf(setting), hole.row)}`, { hole: place }] : ['place.home'];
  },

  label({ name, effects }, picked) {
    if (name === 'pass') return ['choice.pass'];
    if (/^\d$/.test(name)) return name === '6' ? ['choice.whole'] : ['choice.part', { n: Number(name), rest: 6 - Number(name) }];
    // Where several things may follow, the effects do not say yet what it is about.
    if (picked.length > 0 || effects.length > 0) return null;
    return ['in', 'hit', 'flank'].includes(name) ? [`choice.${name}`] : ['choice.marble', { hole: name }];
  },

  tell(event, setting) {
    return event.move === 'pass' ? [['event.passed', { who: setting.names[event.seat!] ?? '' }]] : null;
  },

  describe(pieces, setting) {
    const plan = planOf(setting);
    return setting.names.map((who, seat): Text => {
      const own = pieces.filter((piece) => piece.seat === seat);
      const zone = (wanted: Zone) => list(own.filter(({ place }) => parse(place) && zoneOf(plan, parse(place)!.row) === wanted));
      const home = own.filter(({ place }) => homeOf(place) !== null).length;
      return ['describe.seat', { who, home, green: zone('green'), red: zone('red'), goal: zone('goal') }];
    });
  },

  why(place, pieces, setting) {
    if (homeOf(place) !== null) return [homeOf(place) === setting.view ? 'why.home' : 'why.other_home'];
    const hole = parse(place);
    if (!hole) return null;
    const piece = pieces.find((one) => one.place === place);
    if (piece && piece.seat !== setting.view) return ['why.other', { who: setting.names[piece.seat] ?? '' }];
    if (zoneOf(planOf(setting), hole.row) === 'goal') return [piece ? 'why.goal_marble' : 'why.goal'];
    return [piece ? 'why.marble' : 'why.empty'];
  },
};

function list(pieces: readonly Placed[]): string {
  return pieces.length === 0 ? '–' : pieces.map((piece) => piece.place).join(' · ');
}

export default module;
