import { globSync, readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Said, type Words, say } from '../../../src/kernel/text/said.ts';
import { mistakesOf } from '../../../src/site/answers/mistakes.ts';
import { translate } from '../../../src/site/languages/said.ts';
import { textsOf } from '../../../src/site/languages/texts.ts';
import { REASONS } from '../../../src/kernel/reasons.ts';
import { openShift } from '../../harness/people/counter.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';
import { Refusal, refuseBecause, refuseValue, refuseValues } from '../../../src/kernel/refusal.ts';
import { sendForm } from '../forms/sending.ts';

const SRC = new URL('../../../src/', import.meta.url);
const french = textsOf('fr');

/** Files whose refusals no form of a page can cause: programs and commands do, or they are no refusals. */
const OF_PROGRAMS = [
  'collection/agencies/registries.ts',
  'collection/callbacks/**',
  'collection/citizens/messages/receive.ts',
  'collection/payments/splits.ts',
  'graphql/operations/named.ts',
  'oversight/events/stream.ts',
  'oversight/seals/**',
  'oversight/targets/**',
];
/** Files that read a catalogue as its operators load it. Their refusals are shown in English. */
const OF_FILES = ['collection/catalogue/loading/**', 'kernel/zod.ts'];
/** Each with its reason, some way behind it. */
const OF_REASONS = ['identity/passwords/rules.ts'];
const REASONS_OF_PROGRAMS = [
  'event_reused',
  'invalid_grant',
  'unsupported_grant_type',
  'invalid_scope',
  'origin_not_allowed',
];

/** Beginnings of refusals of a value, if no reason code follows. */
const PLAIN =
  /(?<!say)(['"`])((?:must|is|has|could not|belongs|looks|cannot|names|there is|the statement|the file|the agency|line|already has|does not|add up) (?:\\.|(?!\1).)+)\1(?!,\s*'[a-z_]+',?\s*\))/g;
const SAID = /say`((?:\$\{[^}]*\}|\\.|[^`\\])*)`/g;

const sources = globSync('**/*.ts', { cwd: SRC, exclude: ['generated/**', 'kernel/text/said.ts'] }).map((file) => ({
  file,
  text: readFileSync(new URL(file, SRC), 'utf8'),
}));
const CHECKED = /^(accounts|collection|console|counter|graphql|identity|kernel|oversight|platform\/reading)\//;
const plain = sources
  .filter(
    ({ file }) =>
      CHECKED.test(file) && ![...OF_PROGRAMS, ...OF_FILES, ...OF_REASONS].some((glob) => matchesGlob(file, glob)),
  )
  .flatMap(({ file, text }) => [...text.matchAll(PLAIN)].map(([, , words]) => `${file}: ${words}`));

/** The form of what is written after `say`. */
function formOf(written: string): string {
  let index = 0;
  return written.replaceAll(/\$\{[^}]*\}/g, () => `{${index++}}`).replaceAll(/\\(.)/g, '$1');
}
const forms = [
  ...new Set(sources.flatMap(({ text }) => [...text.matchAll(SAID)].map(([, words]) => formOf(words!)))),
].toSorted();
const holesOf = (text: string) => [...new Set(text.match(/\{\d(, number)?\}/g))].toSorted();
const translationsTo = (language: string) =>
  JSON.parse(readFileSync(new URL(`site/languages/messages/said/${language}.json`, SRC), 'utf8')) as Readonly<
    Record<string, string>
  >;
const english = translationsTo('en');

describe('what code says, on a page', () => {
  it('is known by its reason where it is a refusal, or is a sentence that pages translate', () => {
    const reasons = Object.keys(REASONS).filter(
      (code) => code !== 'not_found' && !REASONS_OF_PROGRAMS.includes(code) && !french.has(`refusal.${code}`),
    );
    expect([reasons, plain]).toEqual([[], []]);
  });

  it.each(['fr', 'sw', 'lg'])('is translated, with all that fills it in, and nothing else is: %s', (language) => {
    const translations = translationsTo(language);
    expect(forms.length).toBeGreaterThan(150);
    expect(Object.keys(translations).toSorted()).toEqual(forms);
    for (const [form, translation] of Object.entries(translations))
      expect(holesOf(translation), form).toEqual(holesOf(english[form] ?? form));
  });

  it('is its own form in English, but for numbers', () => {
    for (const [form, sentence] of Object.entries(english)) {
      expect(forms).toContain(form);
      expect(sentence).toContain(', number}');
      expect(sentence.replaceAll(', number}', '}')).toBe(form);
    }
  });

  it.each([
    [say`must be at most ${255} characters`, 'doit compter au plus 255 caractères'],
    [say`must be at most ${255}`, 'doit être d’au plus 255'],
    [say`must be between ${1} and ${365}`, 'doit être compris entre 1 et 365'],
    [say`must not be before ${'fromDate'}`, 'ne peut pas précéder « Premier jour »'],
    [say`must not be before ${'2026'}`, 'ne peut pas précéder « 2026 »'],
    [say`The shift does not exist`, 'Le service de guichet n’existe pas'],
    [say`${'Sent'} → ${'Confirmed'}`, 'En attente → Payé'],
    [say`${'airtel_money'} accepted the collection`, 'Airtel Money a accepté l’encaissement'],
    [say`Payment of ${450_000} ${'UGX'} recorded for ${'URA'}`, 'Paiement de 450\u202f000 UGX inscrit pour URA'],
    [say`${'URA'} was told of the reversal`, 'URA a été informé de l’annulation'],
    [say`${'URA'} issued the fiscal document ${'450000'}`, 'URA a délivré le document fiscal 450000'],
  ])('%s', (said, translated) => {
    const { text, lang } = translate(said, french);
    expect(text).toContain(translated);
    expect(lang).toBeNull();
  });

  it('has its amounts and its words in English too', () => {
    const inEnglish = (said: Words) => translate(said, textsOf('en')).text;
    expect(inEnglish(say`Payment of ${450_000} ${'UGX'} recorded for ${'URA'}`)).toBe(
      'Payment of 450,000 UGX recorded for URA',
    );
    expect(inEnglish(say`${'airtel_money'} accepted the collection`)).toBe('Airtel Money accepted the collection');
  });

  it('is the English that it is where nobody translated it, as in a trace of an earlier version', () => {
    expect(translate(say`Something ${'else'}`, french)).toEqual({ text: 'Something else', lang: 'en' });
    expect(translate(new Said('Sent → Confirmed', []), french)).toEqual({ text: 'Sent → Confirmed', lang: 'en' });
  });

  it('is said of its field, whole where it has a reason, and else as the English that it is', () => {
    const tell = (refusal: Refusal) => mistakesOf(refusal, french);
    expect(tell(refuseValue('nin', say`is already registered`))).toEqual([
      { field: 'nin', text: 'Numéro national d’identification (NIN) : est déjà enregistré', lang: null },
    ]);
    expect(tell(refuseBecause('shift_closed', 'SHIFT-1 is Closed'))).toEqual([
      { field: 'name', text: french.t('refusal.shift_closed'), lang: null },
    ]);
    expect(tell(refuseBecause('collection_refused', 'PAYER_NOT_FOUND'))).toMatchObject([
      { text: expect.stringMatching(/a refusé la demande : Aucun compte .* téléphone\. \(PAYER_NOT_FOUND\)$/) },
    ]);
    expect(tell(refuseBecause('collection_refused', 'SOMETHING_NEW'))).toMatchObject([
      { text: 'L’opérateur de paiement a refusé la demande : SOMETHING_NEW' },
    ]);
    expect(tell(new Refusal('validation_failed', 'Nobody knows why'))).toEqual([
      { field: null, text: 'Nobody knows why', lang: 'en' },
    ]);
    expect(mistakesOf(new Refusal('validation_failed', 'Nobody knows why'), textsOf('en'))).toMatchObject([
      { lang: null },
    ]);
    const several = refuseValues([{ path: 'lines[0].quantity', message: say`must be at least ${1}` }]);
    expect(tell(several)).toMatchObject([{ field: null, text: 'lines[0].quantity : doit être d’au moins 1' }]);
  });
});

describe('a form in another language', () => {
  const rail = testRail();

  it.each([
    ['fr', 'NIN) : doit compter de 6 à 20 lettres (A à Z) et chiffres'],
    ['sw', 'NIN): lazima iwe herufi (A hadi Z) na tarakimu 6 hadi 20'],
    ['lg', 'NIN): kiteekwa kuba ennukuta (A okutuuka ku Z) n’ennamba 6 okutuuka ku 20'],
  ])('says in %s what is wrong with a field', async (language, text) => {
    const clerk = await makeStaff(rail, 'clerk');
    const shift = await openShift(clerk);
    const address = `/counter/shifts/${shift}/people`;
    const form = { nin: '!', fullName: 'Somebody', _page: address };
    const answer = await sendForm(rail, address, `${clerk.cookie}; language=${language}`, form);
    const page = await answer.text();
    // In the list of problems, and beside the field.
    expect([answer.status, page.split(text).length - 1, page.includes('must be')]).toEqual([422, 2, false]);
    expect(page).toContain('<a href="#nin">');
  });

  it('leads to no field where the page has several of its name', async () => {
    const admin = await makeStaff(rail, 'admin');
    const { email } = await makeStaff(rail, 'clerk');
    const address = `/console/staff/${encodeURIComponent(email)}`;
    const send = { reason: '', _page: address };
    const page = await (await sendForm(rail, `${address}/deactivate`, admin.cookie, send)).text();
    const problem = page.split('role="alert"')[1]!.split('</div>')[0]!;
    // Each of its forms has such a field.
    expect(problem).toContain(textsOf('en').t('refusal.missing', { field: textsOf('en').t('field.reason') }));
    expect(problem).not.toContain('href');
  });

  it('shows what nobody translated as English', async () => {
    const admin = await makeStaff(rail, 'admin');
    const answer = await sendForm(rail, '/console/catalogue', `${admin.cookie}; language=fr`, {
      profile: new Blob(['{"country": "UG", "name": "Uganda", "currency": "QQQ", "agencies": []}']),
    });
    expect(await answer.text()).toMatch(/<span lang="en">profile.currency : is no ISO 4217 currency</);
  });
});
