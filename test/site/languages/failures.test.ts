import { describe, expect, it } from 'vitest';
import { wordFailure } from '../../../src/site/languages/failures.ts';
import { textsOf } from '../../../src/site/languages/texts.ts';
import { createSent, makeActor } from '../../harness/flow.ts';
import { openShift, sendInShift } from '../../harness/people/counter.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';

describe('why a payment failed', () => {
  const rail = testRail();

  it('is said in words, with what the provider said as a note', () => {
    const inFrench = (reason: string) => wordFailure(reason, textsOf('fr'));
    const declined = { text: 'Le payeur a refusé le paiement.', lang: null };
    expect(inFrench('PAYER_DECLINED')).toEqual({ ...declined, note: 'PAYER_DECLINED' });
    expect(inFrench('Transaction declined by the payer')).toMatchObject(declined);
    expect(wordFailure('Do not honor.', textsOf('en')).text).toBe('Do not honor.');
    expect(wordFailure('Do not honor', textsOf('en')).text).toBe('The card issuer declined the payment.');
  });

  it('is shown as it is where nobody knows what it means', () => {
    expect(wordFailure('SOMETHING_NEW', textsOf('fr'))).toEqual({ text: 'SOMETHING_NEW', lang: 'en', note: null });
    expect(wordFailure('constructor', textsOf('en'))).toMatchObject({ text: 'constructor', note: null });
  });

  it.each([
    ['en', 'The payer declined the payment.'],
    ['fr', 'Le payeur a refusé le paiement.'],
    ['sw', 'Mlipaji alikataa malipo.'],
    ['lg', 'Asasula yagaanye okusasula.'],
  ])('is on the pages of operators and clerks in %s', async (language, words) => {
    const actor = await makeActor(rail);
    const { intent } = await createSent(rail, actor, '+256700123001');
    expect((await actor.post(`/v1/payment-intents/${intent}:confirm`)).status).toBe(422);
    const admin = await makeStaff(rail, 'admin', 'clerk');
    const shift = await openShift(admin);
    const counter = await sendInShift(rail, admin, shift, 'mtn_momo', 'URA-TCC', '+256700123001');
    expect((await admin.post(`/v1/payment-intents/${counter.intent}:confirm`)).status).toBe(422);
    for (const address of [`/console/payments/${intent}`, `/counter/payments/${counter.intent}`]) {
      const page = await fetch(rail.origin + address, {
        headers: { cookie: `${admin.cookie}; language=${language}`, accept: 'text/html' },
      });
      expect((await page.text()).replaceAll(/\s+/g, ' '), address).toContain(
        `<bdi>${words}</bdi> <span class="quiet"><bdi>PAYER_DECLINED</bdi></span>`,
      );
    }
  });
});
