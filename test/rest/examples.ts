import type { Endpoint } from '../../rest/load.ts';
import type { Example } from '../../rest/openapi/examples.ts';

/** Examples of requests that were answered, with values of their form in place of those that differ from run to run. */
export class Examples {
  readonly #made = new Map<string, Example>();
  readonly #endpoints: readonly Endpoint[];

  constructor(endpoints: readonly Endpoint[]) {
    // Literal paths come before those with parameters: `/citizens/search` before `/citizens/{name}`.
    this.#endpoints = endpoints.toSorted((a, b) => a.path.split('{').length - b.path.split('{').length);
  }

  /** Keeps the first request of an operation that succeeded, and all events that these requests caused. */
  add(method: string, example: Example): void {
    const [pathname] = example.path.split('?');
    const found = this.#endpoints.find(
      (one) => one.method === method && new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/:]+')}$`).test(pathname!),
    );
    if (!found) throw new Error(`${method} ${example.path} is no endpoint`);
    const name = found.name.charAt(0).toLowerCase() + found.name.slice(1);
    const { events: before = [], ...first } = this.#made.get(name) ?? example;
    const events = [...new Set([...before, ...(example.events ?? [])])].toSorted();
    this.#made.set(name, { ...first, ...(events.length > 0 && { events }) });
  }

  /** All of them as JSON: lists by their first two items, and known values by samples of theirs. A schema stays whole. */
  write(known: ReadonlyMap<string, string>): string {
    const inOrder = Object.fromEntries([...this.#made].toSorted(([a], [b]) => (a < b ? -1 : 1)));
    const schemas: unknown[] = [];
    const text = JSON.stringify(
      inOrder,
      (name, value: unknown) => {
        if (name === 'schema') return schemas.push(value);
        return Array.isArray(value) ? value.slice(0, 2) : value;
      },
      1,
    );
    const settled = [...known]
      .toSorted(([a], [b]) => b.length - a.length)
      .reduce((result, [value, name]) => (SAMPLES[name] ? result.replaceAll(value, SAMPLES[name]) : result), text);
    const examples = SETTLED.reduce((result, [pattern, sample]) => result.replace(pattern, sample), settled);
    const whole = JSON.parse(examples, (name, value: unknown) =>
      name === 'schema' ? schemas.shift() : value,
    ) as object;
    // One operation a line.
    return `{\n${Object.entries(whole)
      .map(([name, example]) => `${JSON.stringify(name)}: ${JSON.stringify(example)}`)
      .join(',\n')}\n}\n`;
  }
}

/** Replacements in examples for values that a walk knows by name. */
const SAMPLES: Readonly<Record<string, string>> = {
  origin: 'https://rail.example',
  receiptKid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  receiptX: 'x'.repeat(43),
  integrator: 'MY-OFFICE-A2B3C4',
  otp: '123456',
  number: '4820917365135',
  token: 'T'.repeat(43),
  invitation: 'I'.repeat(43),
  reset: 'R'.repeat(43),
  recovery: 'ABCD-EFGH-JKLM-NPQR',
  totp: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  code: '123456',
  agencyToken: 'eyJhbGciOiJFZERTQSJ9.e30.c2lnbmF0dXJl',
  agencyKid: 'k'.repeat(43),
  agencyX: 'x'.repeat(43),
  nextKid: 'n'.repeat(43),
  nextX: 'y'.repeat(43),
  railKid: 'r'.repeat(43),
  railX: 'z'.repeat(43),
};

/** Forms of what differs from run to run, and a sample of each. */
const SIGNED = {
  payload: '1~202611.1~202611.1~p~toui5o*180~mtn_momo~UGX~TK~URA*20000*202611.1~Tax_clearance_certificate',
  signature: `${'A'.repeat(85)}g`,
  kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
};

const SETTLED: readonly (readonly [RegExp, string])[] = [
  [/"TransTime": "\d{14}"/g, '"TransTime": "20261122113000"'],
  [/#[\w-]{8}\.[\w-]{86}\.1~[^"]*/g, `#${SIGNED.kid.slice(0, 8)}.${SIGNED.signature}.${SIGNED.payload}`],
  [/"payload": "1~[^"]*"/g, `"payload": "${SIGNED.payload}"`],
  [/"signature": "[\w-]{86}"/g, `"signature": "${SIGNED.signature}"`],
  [/"code": "[0-9A-Z]{5}-[0-9A-Z]{5}"/g, '"code": "7M3QX-0ZK9T"'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '2026-11-22T08:30:00.000Z'],
  [/(?<![0-9A-F]-)\b([A-Z]+)-\d{4}-(\d{3,})\b/g, '$1-2026-$2'],
  [/(?<![0-9A-F]-)\b([A-Z]+)-\d{4}-\d\d-(\d{3,})\b/g, '$1-2026-11-$2'],
  [/(?<![0-9A-F]-)\b([A-Z]+)-\d{4}-\d\d-\d\d-(\d{3,})\b/g, '$1-2026-11-22-$2'],
  [/\b\d{4}-\d\d-\d\d(?!T)\b/g, '2026-11-22'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '6f1c9f9e-3b55-4c0e-9df3-0f4a3c6f2a11'],
  [/rail_(sandbox|live)_[0-9A-Za-z]{38}/g, `rail_$1_${'0'.repeat(38)}`],
  [/pay_[\w-]{43}/g, `pay_${'A'.repeat(43)}`],
  [/whsec_[A-Za-z0-9+/=]+/g, `whsec_${'A'.repeat(43)}=`],
  [/\b[0-9a-f]{64}\b/g, '5'.repeat(64)],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'eyJhbGciOiJFZERTQSJ9.e30.c2lnbmF0dXJl'],
  [/"(last4)": "[^"]*"/g, '"$1": "7k2Q"'],
  [/"(dev_otp)": "[^"]*"/g, '"$1": "123456"'],
  [/"(attempt)": "[^"]*"/g, '"$1": "an-attempt"'],
  [/\b([A-Z2-9]{4}-){3}[A-Z2-9]{4}\b/g, 'ABCD-EFGH-JKLM-NPQR'],
  [/"(last_probe_ms|duration_ms|mean_seconds|median_seconds|[a-z0-9_]*seconds|ms|cursor)": [\d.]+/g, '"$1": 12'],
  [/"requests_last_7_days": \d+/g, '"requests_last_7_days": 12'],
  [/"last_used_at": (null|"[^"]*")/g, '"last_used_at": null'],
];
