import { ANOMALIES, type AnomalyKind } from '../../../collection/anomalies/kinds.ts';
import type { AnomaliesLetter } from '../../../platform/mail/letters.ts';
import { formatDay } from '../../../kernel/time.ts';

/** Anomalies of a kind at the same agencies: all their names in the order in which they were raised, and when the first were. */
export interface Alerted {
  readonly kind: string;
  readonly severity: string;
  readonly mdas: readonly string[];
  readonly names: readonly string[];
  readonly raisedAt: readonly Date[];
}

/** An anomaly as letters and messages have it. */
interface One extends Pick<Alerted, 'kind' | 'severity' | 'mdas'> {
  readonly name: string;
  readonly raisedAt: Date;
}

export const countAlerted = (alerted: readonly Alerted[]): number =>
  alerted.reduce((sum, { names }) => sum + names.length, 0);

/** Those that were raised first. */
export function firstOf(alerted: readonly Alerted[], most: number): readonly One[] {
  return alerted
    .flatMap(({ names, raisedAt, ...rest }) =>
      raisedAt.map((at, index) => ({ ...rest, name: names[index]!, raisedAt: at })),
    )
    .toSorted((a, b) => a.raisedAt.getTime() - b.raisedAt.getTime() || (a.name < b.name ? -1 : 1))
    .slice(0, most);
}

/** Most anomalies of a kind that a letter names; it counts the others. */
const MOST_NAMED = 3;

/** The letter about what was raised, to somebody who may open a page. */
export function writeAlert(alerted: readonly Alerted[], rule: string, address: string): AnomaliesLetter {
  const kinds = [...Map.groupBy(alerted, ({ kind }) => kind)];
  const [[first]] = kinds as [[string, Alerted[]]];
  const many = countAlerted(alerted);
  return {
    subject: kinds.length === 1 ? titleOf(first) : `${many} anomalies of ${kinds.length} kinds`,
    about: many === 1 ? 'An anomaly was detected:' : `${many} anomalies were detected:`,
    groups: kinds.map(([kind, all]) => ({
      title: `${titleOf(kind)} (${all[0]!.severity})`,
      lines: firstOf(all, MOST_NAMED).map(lineOf),
      more: countAlerted(all) > MOST_NAMED ? `${countAlerted(all) - MOST_NAMED} more of this kind` : null,
    })),
    address,
    why: `Rule ${rule} alerts you. Of one kind you get at most one letter an hour.`,
  };
}

/** Open anomalies of a kind at an agency. */
export interface StillOpen {
  readonly mda: string;
  readonly severity: string;
  readonly kind: string;
  readonly many: number;
  readonly oldest: Date;
}

/** The letter of a morning about what is open at agencies. */
export function writeDigest(open: readonly StillOpen[]): AnomaliesLetter {
  const many = open.reduce((sum, one) => sum + one.many, 0);
  return {
    subject: `Open anomalies: ${many}`,
    about: `Anomalies of your agency that nobody has resolved, the most severe first: ${many}.`,
    groups: [...Map.groupBy(open, ({ mda }) => mda)].map(([mda, all]) => ({
      title: mda,
      lines: all.map(
        ({ many: count, severity, kind, oldest }) =>
          `${severity}: ${titleOf(kind)}. Open: ${count}, the oldest since ${formatDay(oldest)}`,
      ),
      more: null,
    })),
    address: '/agency',
    why: 'Supervisors and finance officers of agencies get this each morning while something is open.',
  };
}

const titleOf = (kind: string): string => ANOMALIES[kind as AnomalyKind]?.title ?? kind;

function lineOf({ name, mdas, raisedAt }: One): string {
  const at = `${raisedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return [name, mdas.join(', '), at].filter((part) => part !== '').join(', ');
}
