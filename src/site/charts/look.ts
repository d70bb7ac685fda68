/** The colours of a chart. */
export interface Look {
  readonly ink: string;
  readonly quiet: string;
  readonly line: string;
  /** On the tones. */
  readonly tones: readonly string[];
}

/** Those of the style sheet, which follow light and dark. */
export const ON_PAGE: Look = {
  ink: 'var(--ink)',
  quiet: 'var(--quiet)',
  line: 'var(--line)',
  tones: [1, 2, 3, 4, 5, 6].map((tone) => `var(--tone-${tone})`),
};

/** Those of a file, which knows no style sheet: as pages are in light. */
export const IN_FILE: Look = {
  ink: '#16202b',
  quiet: '#4b5866',
  line: '#cbd3dc',
  tones: ['#0b5a9e', '#a34a00', '#0f6b3c', '#74379a', '#a8171d', '#4b5866'],
};

export const FONT = { fontFamily: 'system-ui, sans-serif', fontSize: 12 } as const;
/** The widths at which the server draws: pages show the one that fits. */
export const WIDTHS = { wide: 760, narrow: 340 } as const;

export function toneOf({ tones }: Look, index: number): string {
  return tones[index % tones.length]!;
}
