import type { Context } from './scenario.ts';

const EVERY_MS = 5_000;

interface Of {
  readonly name: string;
  readonly unit: string;
  readonly full: number;
  readonly until: number;
}

/** Says every few seconds how far a scenario is. */
export class Progress {
  readonly #timer: NodeJS.Timeout;

  private constructor(timer: NodeJS.Timeout) {
    this.#timer = timer;
  }

  static start(of: Of, context: Pick<Context, 'tried' | 'counts' | 'losses'>, say: (line: string) => void): Progress {
    const began = performance.now();
    const timer = setInterval(() => say(describe(of, context, began)), EVERY_MS);
    return new Progress(timer);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

export function describe(
  { name, unit, full, until }: Of,
  { tried, counts, losses }: Pick<Context, 'tried' | 'counts' | 'losses'>,
  began: number,
  now = performance.now(),
): string {
  const rate = tried / ((now - began) / 1_000);
  const left = Math.min((full - tried) / rate, (until - now) / 1_000);
  return [
    `${name}: ${tried.toLocaleString('en')} of ${full.toLocaleString('en')} ${unit}`,
    `${rate.toFixed(1)} a second`,
    Number.isFinite(left) && `${Math.max(0, Math.round(left))} s left at most`,
    ...Object.entries(counts).map(([label, count]) => `${label} ${count.toLocaleString('en')}`),
    losses.length > 0 && `LOST ${losses.length}`,
  ]
    .filter(Boolean)
    .join(', ');
}
