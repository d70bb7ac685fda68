import { DAY_MS } from '../../../kernel/time.ts';
import type { Texts } from '../../languages/texts.ts';
import { nameStep } from '../days.ts';

/** A row of figures as the page asks for it: dimensions and measures by the names of the graph. */
export type FigureRow = Readonly<Record<string, string | number | null>>;

/** The field of a row that has the value of a dimension. */
export function fieldOf(dimension: string): string {
  return dimension.replaceAll(/_(\w)/g, (_whole, letter: string) => letter.toUpperCase());
}

/** Name of a measure. */
export const nameMeasure = (measure: string, { t }: Pick<Texts, 't'>): string => t(`explore.measure.${measure}`);

/** Name of a dimension. */
export const nameDimension = (name: string, { t }: Pick<Texts, 't'>): string => t(`explore.dimension.${name}`);

/** The fields of a row that name the value of a dimension, in addition to it. */
export function namingOf(dimension: string): readonly string[] {
  if (dimension === 'agency') return ['agencyName'];
  return dimension === 'service' ? ['serviceCode', 'serviceName'] : [];
}

/** A Monday. */
const MONDAY = Date.UTC(2024, 0, 1);

/** Name of a dimension's value in a row. */
export function nameIn(row: FigureRow, dimension: string, texts: Texts): string {
  const value = row[fieldOf(dimension)] ?? null;
  const name = dimension === 'agency' ? row['agencyName'] : dimension === 'service' ? row['serviceName'] : null;
  return name ? String(name) : nameValue(dimension, value, texts);
}

/** The families of messages with a word for each value of a dimension. */
const FAMILIES: Readonly<Record<string, string>> = {
  channel: 'channel',
  sector: 'sector',
  family: 'family',
  anomaly: 'anomaly',
  severity: 'severity',
  station: 'oversight.station',
  kind: 'paymentEventKind',
  proof: 'paymentProof',
  status: 'anomalyStatus',
  age: 'ageBand',
  cause: 'failureCause',
  source: 'oversight.source',
  refund_reason: 'refundReason',
  ground: 'exemptionGround',
  refund_method: 'refundMethod',
};

/** Name of a dimension's value. */
export function nameValue(dimension: string, value: string | number | null, texts: Texts): string {
  const { t, has, language } = texts;
  if (value === null) return t('oversight.none');
  const word = `${FAMILIES[dimension]}.${value}`;
  if (dimension in FAMILIES) return has(word) ? t(word) : String(value);
  switch (dimension) {
    case 'country':
      return nameCountry(String(value), language);
    case 'weekday':
      return new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(
        MONDAY + (Number(value) - 1) * DAY_MS,
      );
    case 'hour':
      return `${String(value).padStart(2, '0')}:00`;
    case 'day':
      return texts.date(value);
    case 'month':
      return texts.month(value);
    case 'week':
      return nameStep(String(value), 'week', language);
    default:
      return String(value);
  }
}

/** The name of a country; its code, where that is none. */
export function nameCountry(code: string, language: string): string {
  return /^[A-Z]{2}$/.test(code) ? (new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code) : code;
}

/** Order of values of time; values without a time come last. */
export function compareTimes(a: string | number | null, b: string | number | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  return b === null || a < b ? -1 : 1;
}
