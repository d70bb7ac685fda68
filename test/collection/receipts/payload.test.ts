import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ReceiptContents, readPayload, totalOf, writePayload } from '../../../src/collection/receipts/payload.ts';
import {
  type ReceiptKey,
  type SignedReceipt,
  addressOf,
  checkSignature,
  codeOf,
  readAddress,
  readCode,
  roomFor,
} from '../../../src/collection/receipts/signature.ts';
import type { PublicSigningKey } from '../../../src/platform/access/tokens/signing-keys.ts';
import { Decimal, zero } from '../../../src/kernel/money.ts';
import { initialsOf } from '../../../src/kernel/text/names.ts';

const ORIGIN = 'https://revenue-rail.example.go.ug';

/** The page reads receipts by a script of browsers, which has no types. */
const browser = (await import(new URL('../../../src/site/assets/receipt/read.js', import.meta.url).href)) as {
  readReceipt(payload: string): object | null;
};

/** Texts as people write them, and some that nobody does: lone surrogates are no text that the database has. */
const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
const docname = (prefix: string) =>
  fc
    .tuple(fc.integer({ min: 2020, max: 2099 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 10 ** 9 }))
    .map(([year, month, number]) =>
      [prefix, year, String(month).padStart(2, '0'), String(number).padStart(6, '0')].join('-'),
    );
const amount = fc.integer({ min: 1, max: 10 ** 12 }).map((cents) => new Decimal(cents).div(100));
const contents: fc.Arbitrary<ReceiptContents> = fc.record({
  name: docname('RCP'),
  assessment: docname('ASMT'),
  kind: fc.constantFrom('payment', 'duplicate', 'late'),
  paidAt: fc.integer({ min: 1_600_000_000, max: 4_000_000_000 }).map((seconds) => new Date(seconds * 1_000)),
  utcOffset: fc.integer({ min: -720, max: 840 }),
  channel: fc.constantFrom('mtn_momo', 'airtel_money', 'card', 'cash', 'bank', 'ussd'),
  currency: fc.constantFrom('UGX', 'KES', 'USD'),
  payerInitials: fc.constantFrom('JD', 'ŊÉ', '', 'A'),
  agencies: fc.array(fc.record({ mda: fc.stringMatching(/^[A-Z][A-Z0-9-]{1,31}$/), amount, event: docname('PEV') }), {
    minLength: 1,
    maxLength: 12,
  }),
  otherAgencies: fc.constant(null),
  services: fc.array(text, { maxLength: 8 }),
  otherServices: fc.constant(0),
});

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const x = publicKey.export({ format: 'jwk' }).x!;
const kid = createHash('sha256').update(x).digest('base64url');
const from = new Date('2026-01-01T00:00:00Z');
const jwk: PublicSigningKey = { kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA' };
const keys: ReceiptKey[] = [{ publicKey: jwk, from, until: null }];

const EXAMPLE: ReceiptContents = {
  name: 'RCP-2026-11-000123',
  assessment: 'ASMT-2026-11-000097',
  kind: 'payment',
  paidAt: new Date('2026-11-21T09:25:00Z'),
  utcOffset: 180,
  channel: 'mtn_momo',
  currency: 'UGX',
  payerInitials: 'JD',
  agencies: [
    { mda: 'URA', amount: new Decimal(450_000), event: 'PEV-2026-11-000245' },
    { mda: 'URSB', amount: new Decimal(135_000), event: 'PEV-2026-11-000246' },
  ],
  otherAgencies: null,
  services: ['PAYE (monthly)', 'Okuwandiisa kkampuni ŋ'],
  otherServices: 0,
};

function signReceipt(payload: string): SignedReceipt {
  return { payload, signature: sign(null, Buffer.from(payload), privateKey).toString('base64url'), kid };
}

describe('what is signed', () => {
  it('is a text that nothing encodes in an address, and says what was written', () => {
    const payload = writePayload(EXAMPLE, roomFor(ORIGIN));
    expect(payload).toBe(
      '1~202611.123~202611.97~p~toui5o*180~mtn_momo~UGX~JD~URA*450000*202611.245!URSB*135000*202611.246~PAYE_%28monthly%29!Okuwandiisa_kkampuni_%C5%8B',
    );
    expect(readPayload(payload)).toEqual(EXAMPLE);
    expect(new URL(`${ORIGIN}/verify#${payload}`).hash).toBe(`#${payload}`);
  });

  it('fits a QR code of 300 bytes, whatever it says, and adds up', () => {
    fc.assert(
      fc.property(contents, (whole) => {
        const signed = signReceipt(writePayload(whole, roomFor(ORIGIN)));
        expect(addressOf(ORIGIN, signed).length).toBeLessThanOrEqual(300);
        const read = readPayload(signed.payload)!;
        expect(totalOf(read)).toEqual(totalOf(whole));
        expect(read.agencies.length + (read.otherAgencies?.count ?? 0)).toBe(whole.agencies.length);
        expect(read.services.length + read.otherServices).toBe(whole.services.length);
        expect(read.agencies).toEqual(whole.agencies.slice(0, read.agencies.length));
        expect(readAddress(addressOf(ORIGIN, signed))).toEqual({ ...signed, kid: kid.slice(0, 8) });
        // The page in the browser reads the same.
        expect(JSON.parse(JSON.stringify(browser.readReceipt(signed.payload)))).toEqual(
          JSON.parse(JSON.stringify(read)),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('has names of at most 30 letters, cut behind a word', () => {
    const services = ['Motor vehicle transfer of ownership', 'Okuwandiisa', 'x'.repeat(31)];
    const read = readPayload(writePayload({ ...EXAMPLE, services }, 300))!;
    expect(read.services).toEqual(['Motor vehicle transfer of...', 'Okuwandiisa', `${'x'.repeat(30)}...`]);
  });

  it('leaves out services before agencies, the last and the smallest first', () => {
    const agencies = Array.from({ length: 9 }, (_, index) => ({
      mda: `AGENCY-${index}`,
      amount: new Decimal(900 - index),
      event: 'PEV-2026-11-000001',
    }));
    const read = readPayload(writePayload({ ...EXAMPLE, agencies }, roomFor(ORIGIN)))!;
    expect(read.services).toEqual([]);
    expect(read.otherServices).toBe(2);
    expect(read.otherAgencies!.count).toBeGreaterThan(0);
    const left = agencies.slice(read.agencies.length).reduce((sum, one) => sum.plus(one.amount), zero);
    expect(read.otherAgencies!.amount).toEqual(left);
  });
});

describe('a signature', () => {
  const signed = signReceipt(writePayload(EXAMPLE, roomFor(ORIGIN)));

  it('is of one text: none of 10,000 changed receipts is accepted', () => {
    expect(checkSignature(keys, signed)).toEqual(EXAMPLE);
    expect(checkSignature(keys, { ...signed, kid: kid.slice(0, 8) })).toEqual(EXAMPLE);
    const whole = `${signed.kid}.${signed.signature}.${signed.payload}`;
    const characters = [...new Set(Array.from(`${whole}0+ %~!*`))];
    const tried: string[] = [];
    for (let round = 0; tried.length < 10_000; round++) {
      const place = round % whole.length;
      const character = characters[(round * 7 + Math.floor(round / whole.length)) % characters.length]!;
      // A character is left out, put in, or replaced.
      const put = round % 3 === 0 ? '' : character;
      const changed = whole.slice(0, place) + put + whole.slice(place + (round % 3 === 1 ? 0 : 1));
      if (changed !== whole) tried.push(changed);
    }
    const accepted = tried.filter((changed) => {
      const read = readAddress(changed);
      return read !== null && checkSignature(keys, read) !== null;
    });
    // The name of a key may be cut.
    expect(accepted.filter((changed) => !whole.endsWith(changed.slice(changed.indexOf('.'))))).toEqual([]);
    expect(accepted.length).toBeLessThan(tried.length / 100);
  });

  it('is none by another key, without bits that stand for nothing, or of what was paid once its key signed no more', () => {
    const other = generateKeyPairSync('ed25519');
    const forged = sign(null, Buffer.from(signed.payload), other.privateKey).toString('base64url');
    expect(checkSignature(keys, { ...signed, signature: forged })).toBeNull();
    const last = signed.signature.at(-1)!;
    const twin = Buffer.from(`${signed.signature.slice(0, -1)}${String.fromCodePoint(last.codePointAt(0)! + 1)}`);
    expect(checkSignature(keys, { ...signed, signature: twin.toString() })).toBeNull();
    // A receipt that replaces another one is of what was paid before.
    expect(checkSignature([{ ...keys[0]!, from: new Date('2026-12-01') }], signed)).toEqual(EXAMPLE);
    expect(checkSignature([{ ...keys[0]!, until: new Date('2026-11-20') }], signed)).toBeNull();
    expect(checkSignature([{ ...keys[0]!, until: new Date('2026-11-22') }], signed)).toEqual(EXAMPLE);
    expect(checkSignature([], signed)).toBeNull();
    expect(checkSignature(keys, { ...signed, kid: kid.slice(0, 7) })).toBeNull();
    expect(checkSignature(keys, signReceipt('hello'))).toBeNull();
  });

  it('has a code, which is read as people type it', () => {
    const code = codeOf(signed.signature);
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
    expect(readCode(` ${code.toLowerCase().replace('-', '').replaceAll('0', 'o').replaceAll('1', 'l')} `)).toBe(code);
  });
});

it.each([
  ['Jo Anne Doe', 'JAD'],
  ['nakato', 'N'],
  ["Ng'ang'a wa Thiong’o", 'NWT'],
  ['Ŋŋamba Éric de la Tour Grand', 'ŊÉDL'],
  ['12 %', ''],
])('the initials of %s are %s', (name, initials) => expect(initialsOf(name)).toBe(initials));
