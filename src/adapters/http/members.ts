/** Reading answers of systems whose word on their own form is not to be relied on. */

/** The JSON of a body; null where it is none, such as the error page of a proxy. */
export function parseJson(body: string): unknown {
  try {
    return readJson(body.replace(/^\uFEFF/, ''));
  } catch {
    return null;
  }
}

/** Reads JSON. An integer that a number of JavaScript cannot hold is text, so that an id keeps its digits. */
export function readJson(text: string): unknown {
  return /\d{16}/.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
}

function keepDigits(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const digits = context?.source ?? '';
  return /^-?\d+$/.test(digits) ? digits : value;
}

/** A member of a JSON object, by its path; undefined where there is none. */
export function readMember(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

const MOST_TEXT = 1_000;

/** A member that is text or a number, as text; null where it is neither, or nothing that could be stored. */
export function readTextMember(value: unknown, ...path: readonly string[]): string | null {
  const found = readMember(value, ...path);
  if (
    typeof found === 'string' &&
    found !== '' &&
    found.length <= MOST_TEXT &&
    !found.includes('\0') &&
    found.isWellFormed()
  )
    return found;
  return typeof found === 'number' ? String(found) : null;
}

const SECRET = /token|secret|password|authorization|signature|credential|^pin$|^hash$|api_?key/i;
const PERSONAL = /msisdn|^partyid$|phone|email|customer_name|^full_?name$/i;
const ACCOUNT = /^(collection_?)?account(_?(number|no|id))?$|^iban$/i;

/** True if a member is the number of an account. */
export function isAccount(name: string, value: unknown): value is string | number | boolean {
  return ACCOUNT.test(name) && isScalar(value);
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/**
 * Part of a payload that may be kept: no credentials, the last three characters of a person's name, and the last four
 * of an account.
 */
export function redact(value: unknown, depth = 8): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed().slice(0, MOST_TEXT);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return '…';
  if (Array.isArray(value)) return value.slice(0, 200).map((entry) => redact(entry, depth - 1));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !SECRET.test(name))
      .map(([name, entry]) => [name, maskMember(name, entry) ?? redact(entry, depth - 1)]),
  );
}

/** Masked value of a member that is not kept whole; null for any other. */
function maskMember(name: string, value: unknown): string | null {
  if (isAccount(name, value)) return maskAccount(String(value));
  return PERSONAL.test(name) && isScalar(value) ? starAllBut(3, String(value)) : null;
}

/** An account as operators may see it. */
export function maskAccount(account: string): string {
  return starAllBut(4, account);
}

/** The same of a whole payload, which is an object. */
export function redactObject(value: unknown): Readonly<Record<string, unknown>> {
  const redacted = redact(value);
  return typeof redacted === 'object' && redacted !== null && !Array.isArray(redacted)
    ? (redacted as Record<string, unknown>)
    : { answer: redacted };
}

/** A value of which all but the last characters are starred, and all of them where there are hardly more. */
function starAllBut(shown: number, value: string): string {
  const kept = value.length > shown ? value.slice(-shown) : '';
  return '*'.repeat(value.length - kept.length) + kept;
}
