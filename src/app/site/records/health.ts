/** A day of a part of the service. */
interface HealthDay {
  readonly day: string;
  readonly health: 'up' | 'degraded' | 'down' | 'unknown';
  readonly share: number | null;
}

/** Days in words: of how many something is known, on how many all was well, and which were not, the last one first. */
export function sumUpHealth(days: readonly HealthDay[]): {
  readonly known: number;
  readonly well: number;
  readonly troubled: readonly HealthDay[];
} {
  const known = days.filter(({ health }) => health !== 'unknown');
  const troubled = known.filter(({ health }) => health !== 'up').toReversed();
  return { known: known.length, well: known.length - troubled.length, troubled };
}
