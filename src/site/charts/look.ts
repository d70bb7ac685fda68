/** The colours of a chart. */
export interface Look {
  readonly ink: string;
  readonly quiet: string;
  readonly line: string;
  /** Colour behind it. */
  readonly paper: string;
  /** On the tones. */
  readonly tones: readonly string[];
}

/** Those of the style sheet, which follow light and dark. */
export const ON_PAGE: Look = {
  ink: 'var(--ink)',
  quiet: 'var(--quiet)',
  line: 'var(--line)',
  paper: 'var(--paper)',
  tones: [1, 2, 3, 4, 5, 6].map((tone) => `var(--tone-${tone})`),
};

/** Those of a file, which knows no style sheet: as pages are in light. */
export const IN_FILE: Look = {
  ink: '#16202b',
  quiet: '#4b5866',
  line: '#cbd3dc',
  paper: '#ffffff',
  tones: ['#0b5a9e', '#a34a00', '#0f6b3c', '#74379a', '#a8171d', '#4b5866'],
};

export const FONT = { fontFamily: 'system-ui, sans-serif', fontSize: 12 } as const;
/** The widths at which the server draws: pages show the one that fits. */
export const WIDTHS = { wide: 760, narrow: 340 } as const;

/** The points of lines, in the order of the tones. */
const SHAPES = ['circle', 'rect', 'triangle', 'diamond', 'roundRect', 'arrow'] as const;

export function shapeOf(index: number): (typeof SHAPES)[number] {
  return SHAPES[index % SHAPES.length]!;
}

/** The same as paths, 22 by 12, for the key of a chart. */
export const SHAPE_PATHS: Readonly<Record<(typeof SHAPES)[number], string>> = {
  circle: 'M6 6a5 5 0 1 0 10 0a5 5 0 1 0-10 0',
  rect: 'M6 1h10v10H6z',
  triangle: 'M11 0l6 11H5z',
  diamond: 'M11 0l6 6-6 6-6-6z',
  roundRect: 'M8 1h6q2 0 2 2v6q0 2-2 2H8q-2 0-2-2V3q0-2 2-2',
  arrow: 'M11 0l5 12-5-3-5 3z',
};

/** Pattern of a bar: a mark and the gap after it, across and down, in pixels, turned by so many degrees. */
export interface Decal {
  readonly symbol: 'rect' | 'circle';
  readonly across: readonly [number, number];
  readonly down: readonly [number, number];
  readonly turned: number;
}

/** The patterns of bars that stand on one another, in the order of the tones; the first is plain. */
const DECALS: readonly (Decal | null)[] = [
  null,
  { symbol: 'rect', across: [12, 0], down: [2, 4], turned: 45 },
  { symbol: 'circle', across: [3, 3], down: [3, 3], turned: 0 },
  { symbol: 'rect', across: [2, 4], down: [12, 0], turned: 0 },
  { symbol: 'rect', across: [12, 0], down: [2, 4], turned: -45 },
  { symbol: 'rect', across: [12, 0], down: [2, 4], turned: 0 },
];

export function decalOf(index: number): Decal | null {
  return DECALS[index % DECALS.length]!;
}

export function toneOf({ tones }: Look, index: number): string {
  return tones[index % tones.length]!;
}
