import { Decimal, sum } from '../../kernel/money.ts';

/** Kind of payment: of the debt, of a debt that was paid already, or too late to pay anything. */
export type ReceiptKind = 'payment' | 'duplicate' | 'late';

/** Amount that an agency received. */
export interface ReceivedPart {
  readonly mda: string;
  readonly amount: Decimal;
  /** The docname of the payment event that proves it. */
  readonly event: string;
}

/** Content of a receipt, all of it in the signed text. */
export interface ReceiptContents {
  /** Its docname. */
  readonly name: string;
  readonly assessment: string;
  readonly kind: ReceiptKind;
  /** To the second. */
  readonly paidAt: Date;
  /** The clock of the agency with the largest share, in minutes ahead of UTC. */
  readonly utcOffset: number;
  readonly channel: string;
  readonly currency: string;
  readonly payerInitials: string;
  /** The agency with the largest share first. */
  readonly agencies: readonly ReceivedPart[];
  /** The agencies with the smallest shares, as far as they found no room; null where all did. */
  readonly otherAgencies: { readonly count: number; readonly amount: Decimal } | null;
  readonly services: readonly string[];
  /** Number of further services that found no room. */
  readonly otherServices: number;
}

/** The amount of a receipt. */
export function totalOf({ agencies, otherAgencies }: Pick<ReceiptContents, 'agencies' | 'otherAgencies'>): Decimal {
  return sum([...agencies.map(({ amount }) => amount), ...(otherAgencies ? [otherAgencies.amount] : [])]);
}

const VERSION = '1';
const KINDS = { p: 'payment', d: 'duplicate', l: 'late' } as const satisfies Record<string, ReceiptKind>;
const letterOf = (kind: ReceiptKind) => kind[0]!;

/** A service's name is cut after so many letters, behind a word where it has one. */
const LONGEST_SERVICE = 30;

function shorten(name: string): string {
  if (Array.from(name).length <= LONGEST_SERVICE) return name;
  const cut = Array.from(name).slice(0, LONGEST_SERVICE).join('');
  return `${/^(.+)\s/u.exec(cut)?.[1] ?? cut}...`;
}

/**
 * The text that is signed, of at most so many characters. It has only characters that nothing encodes in an address:
 * fields after `~`, entries after `!`, their parts after `*`. What finds no room is left out by this rule: first
 * services, the last ones first; then agencies, those with the smallest shares first, whose amounts are added up.
 */
export function writePayload(whole: ReceiptContents, most: number): string {
  let contents: ReceiptContents = {
    ...whole,
    services: whole.services.map(shorten),
  };
  for (;;) {
    const text = encode(contents);
    const { services, agencies } = contents;
    if (text.length <= most || (services.length === 0 && agencies.length <= 1)) return text;
    contents =
      services.length > 0
        ? { ...contents, services: services.slice(0, -1), otherServices: contents.otherServices + 1 }
        : { ...contents, ...addUpLast(contents) };
  }
}

function addUpLast({ agencies, otherAgencies }: ReceiptContents): Pick<ReceiptContents, 'agencies' | 'otherAgencies'> {
  const { count, amount } = otherAgencies ?? { count: 0, amount: new Decimal(0) };
  const last = agencies.at(-1)!;
  return { agencies: agencies.slice(0, -1), otherAgencies: { count: count + 1, amount: amount.plus(last.amount) } };
}

function encode(contents: ReceiptContents): string {
  const { otherAgencies, otherServices } = contents;
  const seconds = Math.floor(contents.paidAt.getTime() / 1_000);
  const agencies = contents.agencies.map(
    ({ mda, amount, event }) => `${escape(mda)}*${amount.toFixed()}*${shortOf(event)}`,
  );
  const services = contents.services.map(escape);
  return [
    VERSION,
    shortOf(contents.name),
    shortOf(contents.assessment),
    letterOf(contents.kind),
    `${seconds.toString(36)}*${contents.utcOffset}`,
    contents.channel,
    contents.currency,
    escape(contents.payerInitials),
    [...agencies, ...(otherAgencies ? [`+${otherAgencies.count}*${otherAgencies.amount.toFixed()}`] : [])].join('!'),
    [...services, ...(otherServices > 0 ? [`+${otherServices}`] : [])].join('!'),
  ].join('~');
}

const AMOUNT = String.raw`\d+(?:\.\d+)?`;
const SHORT = String.raw`\d{6}\.\d{1,18}`;
const PART = new RegExp(`^([^*+]+)\\*(${AMOUNT})\\*(${SHORT})$`);
const OTHERS = new RegExp(`^\\+(\\d{1,3})\\*(${AMOUNT})$`);
const FORM = new RegExp(
  `^1~(${SHORT})~(${SHORT})~([pdl])~([0-9a-z]{1,8})\\*(-?\\d{1,4})~(\\w+)~([A-Z]{3})~([^~]*)~([^~]+)~([^~]*)$`,
);

/** Content of a signed text; null if no rail wrote it. */
export function readPayload(text: string): ReceiptContents | null {
  const [, name, assessment, letter, seconds, offset, channel, currency, initials, parts, services] =
    FORM.exec(text) ?? [];
  if (services === undefined) return null;
  try {
    const entries = parts!.split('!');
    const others = OTHERS.exec(entries.at(-1)!);
    const names = services === '' ? [] : services.split('!');
    const more = /^\+(\d{1,3})$/.exec(names.at(-1) ?? '');
    const agencies = (others ? entries.slice(0, -1) : entries).map(readPart);
    if (agencies.includes(null)) return null;
    return {
      name: longOf('RCP', name!),
      assessment: longOf('ASMT', assessment!),
      kind: KINDS[letter as keyof typeof KINDS],
      paidAt: new Date(Number.parseInt(seconds!, 36) * 1_000),
      utcOffset: Number(offset),
      channel: channel!,
      currency: currency!,
      payerInitials: unescape(initials!),
      agencies: agencies as ReceivedPart[],
      otherAgencies: others && { count: Number(others[1]), amount: new Decimal(others[2]!) },
      services: (more ? names.slice(0, -1) : names).map(unescape),
      otherServices: Number(more?.[1] ?? 0),
    };
  } catch (error) {
    // Text that cannot be decoded was not written by a signer.
    if (error instanceof URIError) return null;
    throw error;
  }
}

function readPart(text: string): ReceivedPart | null {
  const [, mda, amount, event] = PART.exec(text) ?? [];
  return event === undefined
    ? null
    : { mda: unescape(mda!), amount: new Decimal(amount!), event: longOf('PEV', event) };
}

/** `RCP-2026-11-000123` as `202611.123`: the prefix is known. */
function shortOf(docname: string): string {
  const [, year, month, number] = docname.split('-');
  return `${year}${month}.${number!.replace(/^0+(?=\d)/, '')}`;
}

function longOf(prefix: string, short: string): string {
  const [month, number] = short.split('.');
  return `${prefix}-${month!.slice(0, 4)}-${month!.slice(4)}-${number!.padStart(6, '0')}`;
}

/** Text in characters that addresses have as they are, with `_` for a space. */
function escape(text: string): string {
  return encodeURIComponent(text)
    .replaceAll(/[_~!*'()]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '_');
}

function unescape(text: string): string {
  return decodeURIComponent(text.replaceAll('_', ' '));
}
