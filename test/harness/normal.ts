/**
 * Replaces what differs from run to run in recorded text: moments, days, random ids and secrets. Known values get their
 * names.
 */
export function normalise(text: string, known: ReadonlyMap<string, string> = new Map()): string {
  const normal = PATTERNS.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text);
  // Longest first, so that a value that is a part of another one does not break it.
  return [...known]
    .toSorted(([a], [b]) => b.length - a.length)
    .reduce((result, [value, name]) => result.replaceAll(value, `<${name}>`), normal);
}

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // Receipts, whose texts have docnames and moments of their own form.
  [/#[\w-]{8}\.[\w-]{86}\.1~[^"]*/g, '#<signed>'],
  [/"payload":"1~[^"]*","signature":"[\w-]{86}"/g, '"payload":"<payload>","signature":"<signature>"'],
  [/"payload":"\{(?:[^"\\]|\\.)*","signature":"[\w-]{86}"/g, '"payload":"<day>","signature":"<signature>"'],
  [/"code":"[0-9A-Z]{5}-[0-9A-Z]{5}"/g, '"code":"<code>"'],
  [/\d{4}-\d\d-\d\dT\d\d(:|%3A)\d\d(:|%3A)\d\d(\.\d+)?Z/g, '<moment>'],
  // Before docnames: a group of such a code may be digits alone.
  [/\b([A-Z2-9]{4}-){3}[A-Z2-9]{4}\b/g, '<recovery code>'],
  // But no groups of an account's code, which may look like one.
  [/(?<![0-9A-F]-)\b([A-Z]+)-\d{4}(-\d\d){0,2}-(\d{3,})\b/g, '$1-<period>-$3'],
  [/\b\d{4}-\d\d-\d\d\b/g, '<day>'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>'],
  [/rail_(sandbox|live)_[0-9A-Za-z]{38}/g, '<key>'],
  [/pay_[\w-]{43}/g, '<token>'],
  [/whsec_[A-Za-z0-9+/=]+/g, '<secret>'],
  [/\b[0-9a-f]{64}\b/g, '<hash>'],
  [/"(last4|dev_otp|attempt)":"[^"]*"/g, '"$1":"<random>"'],
  [/"(last_probe_ms|duration_ms|mean_seconds|median_seconds|[a-z0-9_]*seconds|ms|cursor)":[\d.]+/g, '"$1":<number>'],
  [/[A-Z0-9-]{3,64}\.[A-Z2-9]{32}/g, '<token>'],
  [/(service_session|sid|known|log_in)=[\w.-]+/g, '$1=<token>'],
  [/^etag: ".+"$/g, 'etag: <tag>'],
  [/\r/g, '\\r'],
  // Booked a moment after the answer.
  [/"requests_last_7_days":\d+/g, '"requests_last_7_days":<number>'],
  [/"last_used_at":(null|"<moment>")/g, '"last_used_at":<moment or null>'],
  [/;r=\d+;t=\d+/g, ';r=<number>;t=<number>'],
];
