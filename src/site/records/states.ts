import { assessmentLifecycle } from '../../collection/assessments/lifecycle.ts';
import { intentLifecycle } from '../../collection/payments/lifecycle.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { TraceRow } from './history.ts';

/** The lifecycles that are drawn: what their trace rows are called, and the messages for their states. */
const DRAWN = {
  intent: { lifecycle: intentLifecycle, kind: 'payment_intent_update', family: 'intentStatus' },
  assessment: { lifecycle: assessmentLifecycle, kind: 'assessment_update', family: 'assessmentStatus' },
} as const satisfies Record<string, { lifecycle: Lifecycle<string>; kind: string; family: string }>;

interface Visited {
  readonly state: string;
  readonly at: string;
}

interface States {
  readonly svg: string;
  /** The states that were entered, in their order. */
  readonly path: readonly Visited[];
  readonly family: string;
}

const BOX = { width: 120, height: 40 } as const;
const GAP = { x: 60, y: 30 } as const;
const MARGIN = 8;
const BEND = 36;
/** For arrows that pass over the middle. */
const ROOM_ABOVE = 52;

interface Spot {
  readonly state: string;
  readonly column: number;
  readonly x: number;
  readonly y: number;
}

/** Draws a lifecycle by its own table, with the way that a record took through it. */
export function drawStates(
  of: keyof typeof DRAWN,
  rows: readonly Pick<TraceRow, 'at' | 'kind' | 'docId' | 'detail'>[],
  id: string,
  nameOf: (message: string) => string,
): States {
  const { lifecycle, kind, family } = DRAWN[of];
  const path = rows.filter((row) => row.kind === kind && row.docId === id).flatMap(visitedIn);
  const steps = Object.values<{ readonly from: readonly string[]; readonly to: string }>(lifecycle).flatMap(
    ({ from, to }) => from.map((state) => [state, to] as const),
  );
  const spots = place(steps);
  const spotOf = (state: string) => spots.find((spot) => spot.state === state)!;
  const taken = new Set(path.slice(1).map(({ state }, index) => `${path[index]!.state} ${state}`));
  const visited = new Set(path.map(({ state }) => state));
  const last = path.at(-1)?.state;
  const arrows = steps
    .map(([from, to]) => ({ line: drawArrow(spotOf(from), spotOf(to), spots), isTaken: taken.has(`${from} ${to}`) }))
    // Taken transitions are drawn above the others.
    .toSorted((a, b) => Number(a.isTaken) - Number(b.isTaken))
    .map(
      ({ line, isTaken }) =>
        `<path class="arrow${isTaken ? ' taken' : ''}" d="${line}" marker-end="url(#tip-${isTaken ? 'taken' : 'open'})"/>`,
    );
  const boxes = spots.map(({ state, x, y }) => {
    const look = state === last ? ' here' : visited.has(state) ? ' visited' : '';
    const [middleX, middleY] = [x + BOX.width / 2, y + BOX.height / 2];
    return `<g class="state${look}"><rect x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="6"/><text x="${middleX}" y="${middleY}" dy="0.35em" text-anchor="middle">${escape(nameOf(`${family}.${state}`))}</text></g>`;
  });
  const width = Math.max(...spots.map(({ x }) => x)) + BOX.width + MARGIN;
  const height = Math.max(...spots.map(({ y }) => y)) + BOX.height + MARGIN;
  // Readers who cannot see it find the same in the list next to it.
  const svg = `<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" aria-hidden="true"><defs>${drawTip('open')}${drawTip('taken')}</defs>${arrows.join('')}${boxes.join('')}</svg>`;
  return { svg, path, family };
}

function visitedIn({ at, detail }: Pick<TraceRow, 'at' | 'detail'>): Visited[] {
  const to = typeof detail === 'object' && detail !== null && 'to' in detail ? detail.to : null;
  return typeof to === 'string' ? [{ state: to, at }] : [];
}

/** Puts each state as far right as the longest way to it, and those of one column around the middle. */
function place(steps: readonly (readonly [string, string])[]): Spot[] {
  const states = [...new Set(steps.flat())];
  const columnOf = (state: string): number =>
    Math.max(0, ...steps.filter(([, to]) => to === state).map(([from]) => columnOf(from) + 1));
  const columns = Map.groupBy(states, columnOf);
  const pitch = BOX.height + GAP.y;
  const most = Math.max(...[...columns.values()].map(({ length }) => length));
  const top = MARGIN + Math.max(ROOM_ABOVE, ((most - 1) / 2) * pitch);
  return [...columns].flatMap(([column, inside]) =>
    inside.map((state, row) => ({
      state,
      column,
      x: MARGIN + column * (BOX.width + GAP.x),
      y: top + (row - (inside.length - 1) / 2) * pitch,
    })),
  );
}

/** Draws the way from one state to another around those that stand between them. */
function drawArrow(from: Spot, to: Spot, spots: readonly Spot[]): string {
  const far = to.column - from.column;
  const [startX, startY, endX, endY] = [from.x + BOX.width, from.y + BOX.height / 2, to.x, to.y + BOX.height / 2];
  const between = spots.some(({ column, y }) => column > from.column && column < to.column && y === from.y);
  if (far === 1 || !between)
    return `M${startX} ${startY}C${startX + BEND} ${startY} ${endX - BEND} ${endY} ${endX} ${endY}`;
  const middle = from.x + BOX.width / 2;
  if (from.y !== to.y) {
    const edge = to.y < from.y ? from.y : from.y + BOX.height;
    return `M${middle} ${edge}C${middle} ${endY} ${startX} ${endY} ${endX} ${endY}`;
  }
  const over = from.y - BOX.height * 0.55 * far;
  const end = to.x + BOX.width / 2;
  return `M${middle} ${from.y}C${middle} ${over} ${end} ${over} ${end} ${to.y}`;
}

const drawTip = (id: string) =>
  `<marker id="tip-${id}" class="tip ${id}" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z"/></marker>`;

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
