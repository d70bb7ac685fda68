import { describe, expect, it } from 'vitest';
import { readNumber, drawNumber } from '../../src/collection/references/number.ts';
import { readCode } from '../../src/collection/receipts/signature.ts';
import { readAmount } from '../../src/kernel/money.ts';
import { requireEmail } from '../../src/kernel/text/email.ts';
import { PHONE, requirePayerPhone, requirePhone } from '../../src/kernel/text/phone.ts';
import { readCopied, readDigits } from '../../src/kernel/text/typed.ts';
import { readDocname } from '../../src/platform/database/docnames.ts';
import { Chance } from '../harness/chaos/fuzz/requests.ts';
import { sizeOf } from '../harness/chaos/size.ts';

/** Characters that are pasted around a number and between its digits. */
const AROUND = ['\u200e', '\u202a', '\u202c', '\u2066', '\u2069', '\u200b', '\ufeff', '\ufe0f', ' ', '\u00a0', '\t'];

describe('digits', () => {
  it('of each script are those of ASCII', () => {
    for (const system of Intl.supportedValuesOf('numberingSystem')) {
      const written = new Intl.NumberFormat('en', { numberingSystem: system, useGrouping: false }).format(
        1_234_567_890,
      );
      if (/^\p{Nd}+$/u.test(written)) expect([system, readDigits(written)]).toEqual([system, '1234567890']);
    }
  });
});

describe('a payment reference', () => {
  const number = '4820917365135';

  it.each([
    '4820 9173 65135',
    '4820-9173-65135',
    '4820–9173–65135',
    '4820\u00a09173\u202f65135',
    '４８２０９１７３６５１３５',
    '٤٨٢٠٩١٧٣٦٥١٣٥',
    '४८२०९१७३६५१३५',
    '4820\u22129173\u201165135',
  ])('is found as %s', (typed) => {
    expect(readNumber(typed)).toBe(readNumber(number));
    for (const mark of AROUND) expect(readNumber(`${mark}${typed}${mark}`)).toBe(readNumber(number));
  });

  it('is found without the zero that it begins with', () => {
    expect(readNumber('126487825595')).toBe('0126487825595');
    expect(readNumber('1264 8782 5595')).toBe('0126487825595');
  });

  it.each(['126487825596', '0126487825596', '48209173651', '48209173651355', 'abc', '', '-', '482O917365135'])(
    'is none with %j',
    (typed) => expect(readNumber(typed)).toBe(null),
  );

  it('never begins with a zero', () => {
    const drawn = Array.from({ length: 2_000 }, drawNumber);
    expect(drawn.filter((one) => one.startsWith('0'))).toEqual([]);
    expect(drawn.map(readNumber)).toEqual(drawn);
  });
});

describe('a docname and a code', () => {
  it.each([
    'RCP-2026-11-000082',
    'RCP–2026–11–000082',
    'rcp 2026 11 000082',
    'RCP2026 11000082',
    '\u202aRCP—2026—11—000082\u202c',
    'ＲＣＰ-2026-11-000082',
  ])('is found as %s', (typed) => expect(readDocname(typed)).toBe('RCP-2026-11-000082'));

  it.each(['0123A-BCDEF', '0123a bcdef', 'O123ABCDEF', '0123A–BCDEF', '\u200e0l23A-BCDEF\u200e'])('is %s', (typed) =>
    expect(readCode(typed)).toBe('0123A-BCDEF'),
  );

  it.each(['123456', '123 456', '123-456', '\u200e123\u00a0456', '１２３ ４５６', '١٢٣٤٥٦'])(
    'of six digits is %s',
    (typed) => expect(readCopied(typed)).toBe('123456'),
  );
});

describe('a phone number', () => {
  it.each([
    '+256772123456',
    '+2560772123456',
    '+256 772 123456',
    '00256772123456',
    '000256772123456',
    '\u202a+256 772 123 456\u202c',
    '\u2066+256\u2011772\u2011123\u2011456',
    '٢٥٦٧٧٢١٢٣٤٥٦+'.replace(/(.+)\+/, '+$1'),
  ])('is stored in its own form from %s', (typed) => {
    for (const country of [null, 'UG'])
      expect([country, requirePhone('phone', typed, country)]).toEqual([country, '+256772123456']);
    expect(requirePayerPhone('payer_msisdn', typed)).toBe('+256772123456');
  });

  it.each([
    '+25677212345',
    '+256',
    '772123456',
    '+772123456',
    '+25677212345678901',
    '+1234567',
    '+861230542181002',
    'phone',
  ])('is none: %s', (typed) => {
    expect(() => requirePhone('phone', typed)).toThrow();
    expect(() => requirePayerPhone('payer_msisdn', typed)).toThrow();
  });
});

describe('an e-mail address', () => {
  it.each(['\u200bjo@example.com', 'jo@example.com\u202c', '\ufeffJo@Example.com ', '\u2066jo@example.com\u2069'])(
    'is taken out of %j',
    (typed) => expect(requireEmail('email', typed)).toBe('jo@example.com'),
  );
});

describe('an amount', () => {
  it.each([
    ['585000', 585_000, null],
    ['585,000.00', 585_000, null],
    ['-5,000', -5_000, null],
    ['(5,000)', -5_000, null],
    ['5,000-', -5_000, null],
    ['\u22125000', -5_000, null],
    ['UGX 143,000', 143_000, 'UGX'],
    ['-143 000.50 KES', -143_000.5, 'KES'],
    ['KES (5,000)', -5_000, 'KES'],
    ['٥٠٠٠', 5_000, null],
  ])('is %s', (typed, amount, currency) => {
    const written = readAmount(typed);
    expect([written?.amount.toNumber(), written?.currency]).toEqual([amount, currency]);
  });

  it.each([
    '',
    '1.43E+05',
    '1,43,000',
    '143.000,00',
    'ABC 5',
    '5 000 00',
    '--5',
    '-5-',
    '-(5)',
    '(5',
    '1234567890123456',
    '5.12345',
    'much',
  ])('is none: %j', (typed) => expect(readAmount(typed)).toBe(null));
});

describe('numbers of chance', () => {
  const PIECES = [
    ...Array.from('0123456789 -–.,+()'),
    '\u00a0',
    '\u200e',
    '\u2212',
    '٤',
    '९',
    '７',
    '00',
    '000',
    'UGX',
    'O',
    'E',
  ];
  const digitsOf = (text: string) => readDigits(text).replaceAll(/\D/g, '');
  const withoutZeros = (digits: string) => digits.replace(/^0+/, '');
  const phoneOf = (read: () => string): string | null => {
    try {
      return read();
    } catch {
      return null;
    }
  };

  /** True if a number has the typed digits, except for leading zeros and a trunk prefix after the country code. */
  const isOf = (phone: string, digits: string) => {
    const typed = withoutZeros(digits);
    return [1, 2, 3].some(
      (code) =>
        typed.slice(0, code) === phone.slice(1, code + 1) &&
        typed.endsWith(phone.slice(code + 1)) &&
        typed.length - phone.length < 2,
    );
  };

  it('are refused, or read as the digits that were typed', () => {
    const found = { reference: 0, amount: 0, phone: 0, local: 0 };
    for (let seed = 1; seed <= sizeOf({ fast: 2_000, long: 100_000 }); seed++) {
      const chance = new Chance(seed * 104_729);
      const start = chance.of([
        '',
        '0126487825595',
        '0772123456',
        '+256772123456',
        '00256772123456',
        '143,000.50',
        '1 775 000',
      ]);
      const characters = Array.from(start);
      for (let times = chance.below(start === '' ? 16 : 3); times > 0; times--)
        characters.splice(chance.below(characters.length + 1), chance.below(2), chance.of(PIECES));
      const typed = characters.join('');
      const digits = digitsOf(typed);

      const reference = readNumber(typed);
      if (reference !== null) {
        found.reference++;
        expect([typed, withoutZeros(reference)]).toEqual([typed, withoutZeros(digits)]);
      }
      const amount = readAmount(typed)?.amount.abs();
      if (amount) {
        found.amount++;
        const written = readDigits(typed).replaceAll(/[^\d.]/g, '');
        expect([typed, amount.toNumber()]).toEqual([typed, Number(written)]);
      }
      const phone = phoneOf(() => requirePayerPhone('phone', typed));
      if (phone !== null) {
        found.phone++;
        expect(phone).toMatch(PHONE);
        expect([typed, phone, isOf(phone, digits)]).toEqual([typed, phone, true]);
      }
      const local = phoneOf(() => requirePayerPhone('phone', typed, 'UG'));
      if (local !== null) {
        found.local++;
        expect([typed, local, isOf(local, digits) || local === `+256${withoutZeros(digits)}`]).toEqual([
          typed,
          local,
          true,
        ]);
      }
    }
    for (const [kind, count] of Object.entries(found)) expect([kind, count > 50]).toEqual([kind, true]);
  });
});
