import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { schema } from '../../../src/app/schema.ts';
import { readDocuments } from '../../../src/site/operations/documents.ts';
import { readFields } from '../../../src/site/operations/fields.ts';
import { LANGUAGES, languageOf } from '../../../src/site/languages/language.ts';
import { textsOf } from '../../../src/site/languages/texts.ts';

const SITE = new URL('../../../src/site/', import.meta.url);

type Messages = { readonly [name: string]: string | Messages };

/** Messages by their whole names. */
function flatten(messages: Messages, before = ''): Map<string, string> {
  return new Map(
    Object.entries(messages).flatMap(([name, message]) =>
      typeof message === 'string' ? [[before + name, message] as const] : [...flatten(message, `${before}${name}.`)],
    ),
  );
}

/** The messages of a language; one name in two files fails. */
function messagesOf(language: string): Map<string, string> {
  const cwd = new URL(`languages/messages/${language}/`, SITE);
  const all = globSync('*.json', { cwd }).flatMap((file) => [
    ...flatten(JSON.parse(readFileSync(new URL(file, cwd), 'utf8')) as Messages),
  ]);
  const names = all.map(([name]) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  return new Map(all);
}

const english = messagesOf('en');
const holes = (message: string) => [...message.matchAll(/\{\{\w+\}\}/g)].map(([hole]) => hole).toSorted();

describe('messages of pages', () => {
  it.each(Object.keys(LANGUAGES))('are whole in %s', (language) => {
    const messages = messagesOf(language);
    expect([...messages.keys()].toSorted()).toEqual([...english.keys()].toSorted());
    for (const [name, message] of messages) {
      expect(holes(message), name).toEqual(holes(english.get(name)!));
      // Braces that are left would be shown.
      expect(message.replaceAll(/\{\{\w+\}\}/g, ''), name).not.toMatch(/[{}]/);
    }
    if (language === 'en') return;
    const same = [...messages].filter(
      ([name, message]) => message === english.get(name) && /[a-z]{3} [a-z]{3}/.test(message),
    );
    expect(same).toEqual([]);
  });

  it('are those that templates and documents ask for', () => {
    const { pages, actions } = readDocuments(schema);
    const asked = new Set(pages.map(({ title }) => title));
    for (const { to } of actions)
      for (const [, done] of (to ?? '').matchAll(/[?&]done=(\w+)/g)) asked.add(`done.${done}`);
    for (const file of globSync('**/*.eta', { cwd: SITE })) {
      const template = readFileSync(new URL(file, SITE), 'utf8');
      for (const [, name] of template.matchAll(/it\.t\('([\w.]+)'[,)]/g)) asked.add(name!);
      // Text that a template writes itself has no translation.
      const written = template.replaceAll(/<%[\s\S]*?%>/g, '').replaceAll(/<[^>]*>/g, '');
      expect(written.replaceAll('Revenue Rail', ''), file).not.toMatch(/[a-z]{3}/i);
    }
    for (const name of asked) expect(english.has(name) || english.has(`${name}_other`), name).toBe(true);
  });

  it('write amounts, numbers and moments as their language does', () => {
    expect(textsOf('en').money('25000', 'UGX')).toBe('UGX\u00a025,000');
    expect(textsOf('fr').money('1250.5', 'KES')).toBe('KES\u00a01\u202f250,50');
    expect(textsOf('en').t('counter.payments', { count: 1 })).toBe('1 payment');
    expect(textsOf('fr').t('counter.payments', { count: 2 })).toBe('2 paiements');
    expect(textsOf('en').time('2026-11-22T21:30:00.000Z', 'Africa/Kampala')).toBe('00:30');
  });

  it('are those of the cookie, or else of the browser, or else English', () => {
    const of = (headers: Record<string, string>) => languageOf({ origin: 'http://localhost' }, { headers });
    expect(of({ cookie: 'language=sw', 'accept-language': 'fr' })).toBe('sw');
    expect(of({ cookie: 'language=xx', 'accept-language': 'fr-CA, en;q=0.5' })).toBe('fr');
    expect(of({ 'accept-language': 'de, zh;q=0.5' })).toBe('en');
    expect(of({})).toBe('en');
  });
});

describe('forms', () => {
  const { actions } = readDocuments(schema);
  const fieldsOf = (path: string) => actions.find((action) => action.path === path)!.steps[0]!.fields;

  it('are read as their variables are typed, without what is blank', () => {
    const opened = { agency: 'URA', counterLabel: '  ', openingFloat: '25,000.50', currency: 'UGX', other: 'x' };
    expect(readFields(fieldsOf('/counter/shifts'), opened)).toEqual({
      agency: 'URA',
      openingFloat: 25_000.5,
      currency: 'UGX',
    });
    for (const [text, amount] of [
      ['1 000 000', 1_000_000],
      ['25000,50', 25_000.5],
    ] as const)
      expect(readFields(fieldsOf('/counter/shifts'), { openingFloat: text })['openingFloat']).toBe(amount);
    for (const text of ['25.000,50', '1,00,000', 'ten'])
      expect(() => readFields(fieldsOf('/counter/shifts'), { openingFloat: text })).toThrow('must be a number');
  });

  it('leave out rows without their number, and what else is blank of others', () => {
    const lines = [
      { service: 'SVC-1', quantity: '' },
      { service: 'SVC-2', quantity: '3' },
    ];
    const fields = fieldsOf('/counter/shifts/{id}/basket/{citizen}');
    expect(readFields(fields, { lines })).toEqual({ lines: [{ service: 'SVC-2', quantity: 3 }] });
    expect(readFields(fields, { lines: Object.fromEntries(Object.entries(lines)) })).toEqual({
      lines: [{ service: 'SVC-2', quantity: 3 }],
    });
    expect(readFields(fields, { lines: [lines[0]] })).toEqual({});
    const computed = { service: 'SVC-3', category: 'standard', baseAmount: '', period: '2026' };
    expect(readFields(fields, { lines: { 'SVC-1': lines[0], 0: computed } })).toEqual({
      lines: [{ service: 'SVC-3', category: 'standard', period: '2026' }],
    });
    expect(() => readFields(fields, { lines: [{ service: 'SVC-1', quantity: '1.5' }] })).toThrow(
      'lines[0].quantity: must be a whole number',
    );
    expect(() => readFields(fields, { id: 'a\u0000b' })).toThrow(/id/);
  });
});
