import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * The files between the proof of an amount and its row, in events or in money received. A catch or a throw may
 * keep money from being booked: each such line, and why it does not.
 */
const PATH: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'src/collection/callbacks/receive.ts': {
    "throw new Refusal('invalid_signature', 'The callback is not signed');": 'nothing is proved yet',
    "if (notice.proof === 'forged') throw new Refusal('invalid_signature', 'The signature does not match');":
      'nothing is proved yet',
    'throw refuseReused();':
      'it names no intent, so that nobody can be asked what was collected, or it is a dispute, and nothing was',
    'if (known && resolution) throw refuseReused();': 'what was collected is booked',
  },
  'src/collection/callbacks/billers/pay.ts': {
    'if (reused) throw refuseReused();': 'the money is booked',
    "throw refuseValue('txn_id', 'was told before with another reference, amount or currency; that decision stays');":
      'the transaction is booked',
    '} catch (error) {': 'for the next line alone',
    "if (violatedUniqueOf(error) !== 'payment_intent_aggregator_reference_aggregator_key') throw error;":
      'the transaction was booked meanwhile; anything else is booked by applyOrBook',
  },
  'src/collection/callbacks/claims/approve.ts': {
    "if (!(await hasClaim(call, provider, txn_id))) throw new Refusal('not_found', GONE);":
      'it was decided on already, or is too old to be looked for',
  },
  'src/collection/callbacks/billers/prove.ts': {
    '} catch (error) {': 'for the next line alone',
    'if (!(error instanceof AdapterFailure)) throw error;':
      'an enquiry that is not answered proves nothing, and is made again; so is one that ended in another error',
  },
  'src/collection/money/receive.ts': {
    '} catch (error) {': 'it books what could not be applied',
    'if (isPassing(error)) throw error;': 'it is reported, or asked about, again',
  },
  'src/collection/payments/enquiries/enquire.ts': {
    '} catch (error) {': 'for the next line alone',
    'if (!(error instanceof AdapterFailure)) throw error;':
      'an enquiry that is not answered proves nothing, and is made again; so is one that ended in another error',
  },
  'src/collection/payments/settlement/resolve.ts': {},
  'src/collection/payments/settlement/settle.ts': {},
};

it.each(Object.entries(PATH))('%s refuses and catches nothing on the way of money that was proved', (file, stated) => {
  const lines = readFileSync(ROOT + file, 'utf8').split('\n');
  const found = lines.filter((line) => /^(?!\s*(?:\/\/|\*|\/\*)).*\b(?:catch|throw)\b/.test(line));
  expect(found.map((line) => line.trim())).toEqual(Object.keys(stated));
});
