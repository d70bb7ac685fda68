type Health = 'up' | 'degraded' | 'down' | 'unknown';

/** A day of a part of the service. */
interface HealthDay {
  readonly day: string;
  readonly health: Health;
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

/** Effect of an open incident on the whole. */
const HEALTH_BY_SEVERITY: Readonly<Record<string, Health>> = { critical: 'down', warning: 'degraded' };

/** Health of the whole: that of its worst part, or of the worst open incident. */
export function overallHealth(
  parts: readonly { readonly health: Health }[],
  incidents: readonly { readonly severity: string; readonly open: boolean }[],
): Health {
  const seen = new Set<Health | undefined>(parts.map(({ health }) => health));
  for (const { severity, open } of incidents) if (open) seen.add(HEALTH_BY_SEVERITY[severity]);
  return (['down', 'degraded', 'up'] as const).find((health) => seen.has(health)) ?? 'unknown';
}
