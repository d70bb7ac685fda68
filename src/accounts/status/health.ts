/** Health of a part of the service. */
export const HEALTHS = {
  up: 'It works as it should.',
  degraded: 'It works in part.',
  down: 'It does not work.',
  unknown: 'Too little is known to say.',
} as const;

export type Health = keyof typeof HEALTHS;

/** Tries, and how many of them went well. */
export interface Tries {
  readonly tries: number;
  readonly well: number;
}

/** Tries of fewer say nothing, and could be one person's. */
export const LEAST_TRIES = 5;
/** Payers who never answer, and so leave their provider without anything to say, are as many as one of ten. */
const UP = 0.85;
const DOWN = 0.5;
/** One or two of the probes of a day may be lost on the way. */
const CONNECTION_UP = 0.99;

/** Health of a channel, by the payers for whom its provider reported an outcome. */
export function healthOfChannel({ tries, well }: Tries): Health {
  if (tries < LEAST_TRIES) return 'unknown';
  if (well < tries * DOWN) return 'down';
  return well < tries * UP ? 'degraded' : 'up';
}

/** Health of a connection, by the probes of its endpoints: each of them should succeed, with rare exceptions. */
export function healthOfConnection({ tries, well }: Tries): Health {
  if (tries === 0) return 'unknown';
  if (well < tries * DOWN) return 'down';
  return well < tries * CONNECTION_UP ? 'degraded' : 'up';
}
