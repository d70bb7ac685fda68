import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { translateTrace } from '../../../src/site/languages/traces.ts';
import { textsOf } from '../../../src/site/languages/texts.ts';

const SRC = new URL('../../../src/', import.meta.url);
const french = textsOf('fr');

/** What is written into the trace of a payment: the summary of a row. */
const SUMMARY = /(?:summary(?: =|:)|traceNotice\(\w+,|\? (?=`\$\{claimed)|: (?=`Unknown))\s*(['`])((?:(?!\1).)+)\1/g;

const written = globSync('{collection,counter,platform/change}/**/*.ts', { cwd: SRC }).flatMap((file) =>
  [...readFileSync(new URL(file, SRC), 'utf8').replaceAll("'Payment' : 'Reversal'", '').matchAll(SUMMARY)].map(
    ([, , words]) =>
      words!
        .replace('${kind}', 'payment')
        .replaceAll(/\$\{[^}]*\? \}/g, 'Payment')
        .replaceAll(/\$\{[^}]*\}/g, '5'),
  ),
);

describe('what the trace of a payment says', () => {
  it('is said in the languages of pages, whatever is written into it', () => {
    expect(written.length).toBeGreaterThan(12);
    expect(written.filter((words) => translateTrace(words, french) === null)).toEqual([]);
  });

  it.each([
    ['Sent → Confirmed', 'En attente → Payé'],
    ['airtel_money accepted the collection', 'Airtel Money a accepté l’encaissement'],
    ['Payment of 450000 UGX recorded for URA', 'Paiement de 450\u202f000 UGX inscrit pour URA'],
    ['URA was told of the reversal', 'URA a été informé de l’annulation'],
  ])('%s', (english, said) => {
    expect(translateTrace(english, french)).toBe(said);
  });

  it('is left to whoever asks where no message says it', () => {
    expect(translateTrace('Something else', french)).toBeNull();
  });
});
