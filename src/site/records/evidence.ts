import { isCurrency } from '../../kernel/money.ts';
import type { Texts } from '../languages/texts.ts';

/** A finding of an anomaly, in words. */
interface Fact {
  readonly name: string;
  readonly value: string;
  readonly link: string | null;
}

interface Wording {
  readonly texts: Texts;
  readonly timeZone: string;
  readonly linkToRecord: (id: unknown) => string | null;
}

const AMOUNTS = /(^|_)(amount|expected|counted|variance|owed|given|usual|net)(_|$)/;
const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Facts of an anomaly's evidence, one line a finding, in any shape. */
export function listEvidence(evidence: unknown, wording: Wording): Fact[] {
  return list([], evidence, isObject(evidence) ? currencyOf(evidence['currency']) : null, wording);
}

function list(path: readonly string[], value: unknown, currency: string | null, wording: Wording): Fact[] {
  if (value === null || value === undefined || value === '') return [];
  if (isObject(value))
    return Object.entries(value).flatMap(([name, member]) => {
      // Amounts of two sides have a currency each.
      const own = name.endsWith('_amount') ? currencyOf(value[name.replace(/amount$/, 'currency')]) : null;
      return list([...path, name], member, own ?? currency, wording);
    });
  if (Array.isArray(value))
    return value.flatMap((member, index) => list([...path, String(index + 1)], member, currency, wording));
  const { texts, timeZone, linkToRecord } = wording;
  const name = path.map((part) => nameOf(part, texts)).join(', ');
  return [
    {
      name,
      value: say(path, value as string | number | boolean, currency, texts, timeZone),
      link: linkToRecord(value),
    },
  ];
}

function nameOf(part: string, { t, has }: Texts): string {
  return has(`evidence.${part}`) ? t(`evidence.${part}`) : part.replaceAll('_', ' ');
}

function say(
  path: readonly string[],
  value: string | number | boolean,
  currency: string | null,
  { money, moment, number }: Texts,
  timeZone: string,
): string {
  const isAmount = currency !== null && path.some((part) => AMOUNTS.test(part)) && Number.isFinite(Number(value));
  if (isAmount && !path.at(-1)!.endsWith('currency')) return money(value, currency);
  if (typeof value === 'number') return number(value);
  return typeof value === 'string' && MOMENT.test(value) ? moment(value, timeZone) : String(value);
}

/** A currency, if it is one: statements have what their providers write. */
function currencyOf(value: unknown): string | null {
  return typeof value === 'string' && isCurrency(value) ? value : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
