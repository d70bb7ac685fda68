import { createHmac } from 'node:crypto';
import type { ServerOptions } from 'node:https';
import {
  ProviderBooks,
  type Entry,
  type Plan,
  SLOW_MS,
  type Slip,
  areWhole,
  chargedAmountOf,
  planByNumber,
  writeStatement,
} from './books.ts';
import { callBack, deliverCallback } from './callbacks.ts';
import { IssuedTokens, answerRefund, createApplication, cutOff, serveApplication, createTrouble } from './web.ts';

const CREDENTIALS = { client_id: '5ad5b3f0-sim', client_secret: 'sim-client-secret' };
const IN_PROCESS = 'DP00800001006';
const SUCCESS = 'DP00800001001';
const DUPLICATE = 'DP00800001026';
const NOT_FOUND = 'DP00800001025';
const REFUND_REFUSED = 'DP00800001005';
const INVALID = 'DP00800001004';

const makeStatusBlock = (response_code: string, message: string, success: boolean) => ({
  status: { code: '200', message, result_code: success ? 'ESB000010' : 'ESB000004', response_code, success },
});

/**
 * Airtel Money collections as its public documentation has it, with books of its own. `callback` is where it was told
 * to call back.
 */
export async function simulateAirtelMoney(
  { callback, secret }: { callback: () => string; secret: string },
  tls?: ServerOptions,
) {
  const trouble = createTrouble();
  const books = new ProviderBooks();
  const tokens = new IssuedTokens(180);
  const control: { plan: (asked: { readonly payer: string | null }) => Plan; ambiguous: boolean } = {
    plan: planByNumber,
    ambiguous: false,
  };
  const app = createApplication(trouble);

  app.post('/auth/oauth2/token', (req, res) => {
    const { client_id, client_secret, grant_type } = req.body as Record<string, string>;
    if (
      client_id !== CREDENTIALS.client_id ||
      client_secret !== CREDENTIALS.client_secret ||
      grant_type !== 'client_credentials'
    ) {
      return void res.status(401).json({ error: 'invalid_client', error_description: 'Invalid client authentication' });
    }
    res.json({ token_type: 'bearer', access_token: tokens.issue(), expires_in: String(tokens.lifeSeconds) });
  });

  app.use(['/merchant', '/standard'], (req, res, next) => {
    if (!tokens.accepts(req))
      return void res
        .status(401)
        .json({ error_description: 'The access token is invalid or has expired', error: 'invalid_token' });
    if (req.headers['x-country'] !== 'UG' || typeof req.headers['x-currency'] !== 'string')
      return void res.status(400).json(makeStatusBlock(INVALID, 'Invalid market', false));
    next();
  });

  app.post('/merchant/v1/payments/', (req, res) => {
    const { subscriber, transaction, splits } = req.body as {
      subscriber: { msisdn: string };
      transaction: { amount: number; currency: string; id: string };
      splits: { account: string; amount: number }[];
    };
    const { id, amount, currency } = transaction;
    if (books.entries.has(id)) return void res.json(makeStatusBlock(DUPLICATE, 'Duplicate transaction id', false));
    // Numbers come without the country's code.
    if (!/^7\d{8}$/.test(subscriber.msisdn) || !areWhole(splits, amount))
      return void res.json(makeStatusBlock(INVALID, 'Invalid input', false));
    const asked = { payer: subscriber.msisdn };
    const entry = books.enter({
      reference: id,
      intent: id,
      amount,
      currency,
      payer: asked.payer,
      shares: splits,
      plan: control.plan(asked),
    });
    setTimeout(() => void settle(entry), entry.plan.settleMs).unref();
    const taken = {
      data: { transaction: { id, status: 'SUCCESS' } },
      ...makeStatusBlock(IN_PROCESS, 'Success.', true),
    };
    switch (entry.plan.answer) {
      case 'given':
        return void res.json(taken);
      case 'slow':
        return void setTimeout(() => res.json(taken), SLOW_MS);
      case 'error':
        return void res.status(500).json({ error: 'Internal error' });
      case 'cut':
        return cutOff(res);
    }
  });

  app.get('/standard/v1/payments/:id', (req, res) => {
    const entry = books.entries.get(req.params.id);
    if (!entry) return void res.json(makeStatusBlock(NOT_FOUND, 'Transaction not found', false));
    const { reference: id, state, txnId } = entry;
    const status = { pending: control.ambiguous ? 'TA' : 'TIP', paid: 'TS', declined: 'TF' }[state];
    res.json({
      data: { transaction: { airtel_money_id: txnId, id, message: messageOf(entry, state), status } },
      ...makeStatusBlock(SUCCESS, 'SUCCESS', true),
    });
  });

  app.post('/standard/v1/payments/refund', (req, res) => {
    const { transaction } = req.body as { transaction: { airtel_money_id: string } };
    const of = books.byTransaction(transaction.airtel_money_id);
    // The whole of a transaction, once.
    const refund =
      of?.state === 'paid' && books.refund(of, { reference: of.reference, amount: chargedAmountOf(of), name: null });
    if (!refund || refund.state === 'declined')
      return void res.json(makeStatusBlock(REFUND_REFUSED, 'The transaction cannot be refunded', false));
    answerRefund(res, books.refundPlan, () =>
      res.json({
        data: { transaction: { airtel_money_id: refund.txnId, status: 'SUCCESS' } },
        ...makeStatusBlock(SUCCESS, 'SUCCESS', true),
      }),
    );
  });

  const settle = async (entry: Entry): Promise<void> => {
    books.settle(entry, 'MP');
    if (entry.state === 'pending') return;
    await callBack(entry, chargedAmountOf(entry), ({ state }) => {
      const status_code = { pending: 'TIP', paid: 'TS', declined: 'TF' }[state];
      const transaction = {
        id: entry.reference,
        message: messageOf(entry, state),
        status_code,
        airtel_money_id: entry.txnId,
      };
      const hash = createHmac('sha256', secret).update(JSON.stringify({ transaction })).digest('base64');
      // An attacker on the way has no key.
      const body =
        entry.plan.callback === 'tampered'
          ? { transaction: { ...transaction, airtel_money_id: 'MP0000000000' }, hash }
          : { transaction, hash };
      return deliverCallback(callback(), 'POST', JSON.stringify(body));
    });
  };

  const served = await serveApplication(app, tls);
  const connection = { url: served.url, country: 'UG', calling_code: '256', ...CREDENTIALS };
  const statement = (slip?: Slip) =>
    writeStatement(
      books,
      [
        'Transaction Id',
        'Reference Id',
        'Transaction Date and Time',
        'Transaction Status',
        'Transaction Amount',
        'Currency',
      ],
      ({ intent, txnId, at, state, currency }, amount) => [
        txnId ?? '',
        intent,
        at.toISOString(),
        state === 'paid' ? 'TS' : 'TF',
        amount,
        currency,
      ],
      slip,
    );
  return { ...served, books, statement, trouble, tokens, control, connection };
}

function messageOf(entry: Entry, state: Entry['state']): string {
  if (state === 'paid') return `Paid ${entry.currency} ${entry.amount} to REVENUE RAIL, Trans ID ${entry.txnId}.`;
  return state === 'declined' ? 'Transaction declined by the payer' : 'Transaction is in process';
}
