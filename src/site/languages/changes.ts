import { LANGUAGES, isLanguage } from './language.ts';
import type { Texts } from './texts.ts';

/** A part of a record that somebody changed, in words; null where there was, or is, nothing. */
export interface Change {
  readonly name: string;
  readonly was: string | null;
  readonly is: string | null;
}

/** A record as an audit has it: JSON. */
type State = Readonly<Record<string, unknown>> | null | undefined;

const DAY = /^\d{4}-\d\d-\d\d$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** The families of messages that have a word for what a part of a record holds. */
const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  status: [
    'assessmentStatus',
    'shiftStatus',
    'integratorStatus',
    'staffStatus',
    'keyStatus',
    'liveRequestStatus',
    'anomalyStatus',
    'deliveryStatus',
    'propagationStatus',
    'refundStatus',
  ],
  variance_status: ['varianceStatus'],
  last_probe_status: ['probeStatus'],
  tier: ['tier'],
  pricing_tier: ['pricingTier'],
  severity: ['noticeSeverity'],
  roles: ['role'],
  asks: ['role'],
  scopes: ['scope'],
  channels: ['channel'],
  allowed_channels: ['channel'],
  rooms: ['noticeRoom'],
};

/** Changes in an entry of an audit, part by part: each by its message, `audited.<name>`. */
export function changesOf(
  texts: Texts,
  entry: { readonly before?: unknown; readonly after?: unknown },
  timeZone: string,
): Change[] {
  const [before, after] = [entry.before, entry.after] as [State, State];
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names.flatMap((name): Change[] => {
    const [was, is] = [before, after].map((state) => inWords(texts, name, state?.[name], timeZone)) as [
      string | null,
      string | null,
    ];
    const message = `audited.${name}`;
    return was === is ? [] : [{ name: texts.has(message) ? texts.t(message) : name.replaceAll('_', ' '), was, is }];
  });
}

function inWords(texts: Texts, name: string, value: unknown, timeZone: string): string | null {
  if (value === null || value === undefined || value === '') return null;
  // Amounts that were not written down yet are text.
  if (typeof value === 'number' || (name.endsWith('_amount') && Number.isFinite(Number(value))))
    return texts.number(value);
  if (typeof value === 'boolean') return texts.t(value ? 'yes' : 'no');
  if (Array.isArray(value)) return value.map((one) => inWords(texts, name, one, timeZone)).join(', ') || null;
  if (typeof value === 'object') {
    const parts = Object.entries(value).map(
      ([part, one]) => `${isLanguage(part) ? LANGUAGES[part] : part}: ${inWords(texts, part, one, timeZone)}`,
    );
    return parts.join(', ') || null;
  }
  if (typeof value !== 'string') return JSON.stringify(value);
  if (DAY.test(value)) return texts.date(value);
  if (MOMENT.test(value)) return texts.moment(value, timeZone);
  if (!/^\w{1,40}$/.test(value)) return value;
  // A word that the rail knows in this place: a status, a mode.
  const families = [`auditedValue.${name}`, ...(FAMILIES[name] ?? [])];
  const known = families.map((family) => `${family}.${value}`).find(texts.has);
  return known === undefined ? value : texts.t(known);
}
