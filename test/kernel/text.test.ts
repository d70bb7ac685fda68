import { describe, expect, it } from 'vitest';
import { examplePhone, readPhone, writePhone } from '../../src/kernel/text/phone.ts';
import { pickGreeting, requireName } from '../../src/kernel/text/names.ts';

describe('a name', () => {
  it.each([
    'Jo Doe',
    'Ministère des Finances & Co.',
    'Nakato O’Brien-Ssali',
    '財務省',
    'أحمد علي',
    'नमिता शर्मा',
    'Counter 3',
    'علی\u200cرضا',
    'ശ്രീ\u200dരാമൻ',
    'क्\u200dष',
    'J. R. Okello',
    'Ångström, "Jo" <jo>',
    'Kampala (HQ) / Wing B: north',
  ])('may be %s', (name) => {
    expect(requireName('full_name', ` ${name} `)).toBe(name);
  });

  it.each(['Ruth   Nakato', 'Ruth\u00a0\u00a0Nakato', 'Ruth \u3000Nakato', '\u2003Ruth\u2009Nakato '])(
    'has one blank between words: %j',
    (name) => expect(requireName('full_name', name)).toBe('Ruth Nakato'),
  );

  it.each([
    ['a line break', 'Jo,\n\nyour account is blocked'],
    ['a carriage return', 'Jo\rDoe'],
    ['a tab', 'Jo\tDoe'],
    ['a line separator', 'Jo\u2028Doe'],
    ['a bell', '\u0007bell'],
    ['a C1 control', 'Jo\u0085Doe'],
    ['a bidi override', 'Jo\u202egnp.exe'],
    ['a bidi isolate', 'Jo\u2066Doe'],
    ['a joiner between letters that are not joined', 'Jo\u200cDoe'],
    ['a joiner at the beginning', '\u200dعلی'],
    ['zero width alone', '\u200b'],
    ['zero width within', 'Jo\u200bDoe'],
    ['a byte order mark', '\ufeffJo\u2060'],
    ['a soft hyphen', 'Jo\u00adDoe'],
    ['an invisible letter', '\u3164'],
    ['a tag character', 'Jo\u{e0041}'],
    ['private use', 'Jo\ue000'],
    ['a link', 'see https://evil.example/login'],
    ['a link of another scheme', 'hxxp://evil'],
    ['a link in full width', 'see https：／／evil.example'],
    ['a site', 'see WWW.evil.example'],
    ['nothing to read', '… – !'],
    ['nothing', '   '],
    ['too much', 'x'.repeat(201)],
  ])('holds no %s', (_what, name) => {
    expect(() => requireName('full_name', name)).toThrow(/^full_name: must /);
  });
});

describe('a greeting', () => {
  it('takes a short name of letters, and no other', () => {
    for (const name of ['Jo Doe', 'Nakato O’Brien-Ssali', 'J. R. Okello', 'أحمد علي'])
      expect(pickGreeting(name)).toBe(name);
    for (const name of [
      'Jo, your account is blocked',
      'You are asked to call this number',
      'Go to evil.example',
      'Ångström, "Jo" <jo>',
      'x'.repeat(41),
      'Jo\nDoe',
      '555 123',
      '',
    ])
      expect(pickGreeting(name)).toBeNull();
  });
});

describe('a phone number of a country', () => {
  it.each([
    ['0700010003', '+256700010003'],
    ['0700 010 003', '+256700010003'],
    ['0700-010-003', '+256700010003'],
    [' 700010003 ', '+256700010003'],
    ['256 700 010003', '+256700010003'],
    ['+256700010003', '+256700010003'],
    ['+256 (0) 700 010 003', '+256700010003'],
    ['+254 712 123456', '+254712123456'],
    ['+20 100 123 4567', '+201001234567'],
    ['+86 12305 4218 1002', null],
    ['07000', null],
    ['0700 010 03', null],
    ['+256 700 010 03', null],
    ['0700 010 003 ext. 4', null],
    ['call 0700 010 003', null],
    ['', null],
  ])('as Uganda writes it: %s is %s', (written, phone) => {
    expect(readPhone(written, 'UG')).toBe(phone);
  });

  it('is shown as people there write it, and with its country code elsewhere', () => {
    expect(writePhone('+256700010003', 'UG')).toBe('0700 010 003');
    expect(writePhone('+256700010003', 'KE')).toBe('+256 700 010 003');
    expect(writePhone('+254712123456', 'ke')).toBe('0712 123 456');
    expect([examplePhone('UG'), examplePhone('KE'), examplePhone('QQ')]).toEqual([
      '0712 345 678',
      '0712 123 456',
      '+256700000001',
    ]);
    expect(readPhone('0700 010 003', 'QQ')).toBeNull();
    expect(readPhone('+256 700 010 003', 'QQ')).toBe('+256700010003');
  });
});
