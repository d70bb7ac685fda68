/** A value at a moment, in minutes since the first sample. */
export interface Point {
  readonly minute: number;
  readonly value: number;
}

/** Growth without a leak: once in a run, as caches fill, and each minute. */
export interface Bound {
  readonly once: number;
  readonly perMinute: number;
}

export interface Slope {
  readonly mean: number;
  /** Growth per minute. */
  readonly slope: number;
  /** The standard error of that; infinite for fewer than three points, or where all are of one moment. */
  readonly error: number;
}

/** The straight line that is nearest to some points, by least squares. */
export function slopeOf(points: readonly Point[]): Slope {
  const count = points.length;
  const meanOf = (of: (point: Point) => number) => points.reduce((sum, point) => sum + of(point), 0) / count;
  const [middle, mean] = [meanOf(({ minute }) => minute), meanOf(({ value }) => value)];
  const spread = count * meanOf(({ minute }) => (minute - middle) ** 2);
  if (count < 3 || spread === 0) return { mean, slope: 0, error: Infinity };
  const slope = (count * meanOf(({ minute, value }) => (minute - middle) * (value - mean))) / spread;
  const squares = count * meanOf(({ minute, value }) => (value - mean - slope * (minute - middle)) ** 2);
  return { mean, slope, error: Math.sqrt(squares / (count - 2) / spread) };
}

export interface Verdict extends Slope {
  /** The most that it may grow a minute. */
  readonly most: number;
  /** True if it grows beyond its bound by more than two standard errors, which seldom happens by chance. */
  readonly grows: boolean;
}

/** Judges a series; its points are those after the process has warmed up. */
export function judge(points: readonly Point[], { once, perMinute }: Bound): Verdict {
  const minutes = points.length === 0 ? 0 : points.at(-1)!.minute - points[0]!.minute;
  const most = minutes > 0 ? perMinute + once / minutes : Infinity;
  const fitted = slopeOf(points);
  return { ...fitted, most, grows: fitted.slope - 2 * fitted.error > most };
}
