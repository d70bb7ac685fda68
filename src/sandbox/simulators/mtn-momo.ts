import { randomUUID } from 'node:crypto';
import type { ServerOptions } from 'node:https';
import {
  ProviderBooks,
  type Entry,
  type Plan,
  SLOW_MS,
  type ChargedShare,
  type Slip,
  areWhole,
  chargedAmountOf,
  planByNumber,
  writeStatement,
} from './books.ts';
import { callBack, deliverCallback } from './callbacks.ts';
import {
  IssuedTokens,
  answerRefund,
  createApplication,
  readCredential,
  cutOff,
  serveApplication,
  createTrouble,
} from './web.ts';

const CREDENTIALS = {
  subscription_key: 'sim-subscription-key',
  api_user: 'f1a1b6a2-4c5e-4f0d-9b5e-5f3b8a8d3c11',
  api_key: 'sim-api-key',
};
const DISBURSEMENT = {
  subscription_key: 'sim-disbursement-key',
  api_user: '6f0c2c39-2f5e-4a10-8a53-0d0c9b0f4f7e',
  api_key: 'sim-disbursement-api-key',
};
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const STATUS = { pending: 'PENDING', paid: 'SUCCESSFUL', declined: 'FAILED' } as const;

/** MTN MoMo Collections as its public documentation has it, with books of its own. */
export async function simulateMtnMomo(tls?: ServerOptions) {
  const trouble = createTrouble();
  const books = new ProviderBooks();
  const tokens = new IssuedTokens(3_600);
  const disbursing = new IssuedTokens(3_600);
  const control: { plan: (asked: { readonly payer: string | null }) => Plan } = { plan: planByNumber };
  const app = createApplication(trouble);

  app.post('/collection/token/', (req, res) => {
    const expected = Buffer.from(`${CREDENTIALS.api_user}:${CREDENTIALS.api_key}`).toString('base64');
    if (
      readCredential(req, 'Basic') !== expected ||
      req.headers['ocp-apim-subscription-key'] !== CREDENTIALS.subscription_key
    ) {
      return void res.status(401).json({ error: 'login_failed' });
    }
    res.json({ access_token: tokens.issue(), token_type: 'access_token', expires_in: tokens.lifeSeconds });
  });

  app.use('/collection/v1_0', (req, res, next) => {
    if (req.headers['ocp-apim-subscription-key'] !== CREDENTIALS.subscription_key)
      return void res.status(401).json({ statusCode: 401, message: 'Access denied due to invalid subscription key.' });
    if (!tokens.accepts(req)) return void res.status(401).json({ error: 'token_expired' });
    if (req.headers['x-target-environment'] !== 'sandbox') {
      return void res
        .status(500)
        .json({ code: 'NOT_ALLOWED_TARGET_ENVIRONMENT', message: 'Access to target environment is forbidden.' });
    }
    next();
  });

  app.post('/collection/v1_0/requesttopay', (req, res) => {
    const reference = String(req.headers['x-reference-id']);
    const { amount, currency, externalId, payer, splits } = req.body as {
      amount: string;
      currency: string;
      externalId: string;
      payer: { partyIdType: string; partyId: string };
      splits: { account: string; amount: string }[];
    };
    if (!UUID.test(reference))
      return void res.status(400).json({ code: 'INVALID_REFERENCE_ID', message: 'Reference id is not a UUID.' });
    if (books.entries.has(reference))
      return void res
        .status(409)
        .json({ code: 'RESOURCE_ALREADY_EXIST', message: 'Duplicated reference id. Creation of resource failed.' });
    if (payer?.partyIdType !== 'MSISDN' || !/^[1-9]\d{7,14}$/.test(payer.partyId) || !/^\d+(\.\d+)?$/.test(amount))
      return void res.status(400).end();
    if (payer.partyId.endsWith('404'))
      return void res.status(500).json({ code: 'PAYER_NOT_FOUND', message: 'Payee does not exist' });
    const shares: ChargedShare[] = splits.map((split) => ({ account: split.account, amount: Number(split.amount) }));
    if (!areWhole(shares, Number(amount))) return void res.status(400).end();
    const asked = { payer: payer.partyId };
    const entry = books.enter({
      reference,
      intent: externalId,
      amount: Number(amount),
      currency,
      payer: payer.partyId,
      shares,
      plan: control.plan(asked),
      callbackUrl: req.get('x-callback-url') ?? null,
    });
    setTimeout(() => void settle(entry), entry.plan.settleMs).unref();
    switch (entry.plan.answer) {
      case 'given':
        return void res.status(202).end();
      case 'slow':
        return void setTimeout(() => res.status(202).end(), SLOW_MS);
      case 'error':
        return void res.status(500).json({ code: 'INTERNAL_PROCESSING_ERROR', message: 'An internal error occurred.' });
      case 'cut':
        return cutOff(res);
    }
  });

  app.get('/collection/v1_0/requesttopay/:reference', (req, res) => {
    const entry = books.entries.get(req.params.reference);
    if (!entry)
      return void res.status(404).json({ code: 'RESOURCE_NOT_FOUND', message: 'Requested resource was not found.' });
    res.json(statusOf(entry, entry.state, chargedAmountOf(entry)));
  });

  app.post('/disbursement/token/', (req, res) => {
    const expected = Buffer.from(`${DISBURSEMENT.api_user}:${DISBURSEMENT.api_key}`).toString('base64');
    if (
      readCredential(req, 'Basic') !== expected ||
      req.headers['ocp-apim-subscription-key'] !== DISBURSEMENT.subscription_key
    )
      return void res.status(401).json({ error: 'login_failed' });
    res.json({ access_token: disbursing.issue(), token_type: 'access_token', expires_in: disbursing.lifeSeconds });
  });

  app.use('/disbursement/v1_0', (req, res, next) => {
    if (req.headers['ocp-apim-subscription-key'] !== DISBURSEMENT.subscription_key || !disbursing.accepts(req))
      return void res.status(401).json({ error: 'token_expired' });
    next();
  });

  app.post('/disbursement/v1_0/refund', (req, res) => {
    const reference = String(req.headers['x-reference-id']);
    const { amount, externalId, referenceIdToRefund } = req.body as Record<string, string>;
    if (!UUID.test(reference) || !/^\d+(\.\d+)?$/.test(amount ?? ''))
      return void res.status(400).json({ code: 'INVALID_REFERENCE_ID', message: 'Reference id is not a UUID.' });
    if (books.refunds.has(reference))
      return void res.status(409).json({ code: 'RESOURCE_ALREADY_EXIST', message: 'Duplicated reference id.' });
    const of = books.entries.get(referenceIdToRefund ?? '');
    if (books.refundPlan.outcome === 'refused')
      return void res.status(500).json({ code: 'PAYEE_NOT_FOUND', message: 'Payee does not exist' });
    const refund = of && books.refund(of, { reference, amount: Number(amount), name: externalId ?? null });
    if (!refund) return void res.status(400).json({ code: 'NOT_ALLOWED', message: 'There is not so much to refund.' });
    answerRefund(res, books.refundPlan, () => res.status(202).end());
  });

  app.get('/disbursement/v1_0/refund/:reference', (req, res) => {
    const refund = books.refunds.get(req.params.reference);
    if (!refund)
      return void res.status(404).json({ code: 'RESOURCE_NOT_FOUND', message: 'Requested resource was not found.' });
    const { name, amount, of, state, txnId } = refund;
    res.json({
      externalId: name,
      amount: String(amount),
      currency: of.currency,
      status: STATUS[state],
      ...(state === 'paid' && { financialTransactionId: txnId }),
      ...(state === 'declined' && { reason: 'PAYEE_NOT_FOUND' }),
    });
  });

  const settle = async (entry: Entry): Promise<void> => {
    books.settle(entry, '');
    const { callbackUrl } = entry;
    if (entry.state === 'pending' || callbackUrl === null) return;
    await callBack(entry, chargedAmountOf(entry), ({ state, amount }) =>
      deliverCallback(callbackUrl, 'PUT', JSON.stringify({ ...statusOf(entry, state, amount), at: randomUUID() })),
    );
  };

  const served = await serveApplication(app, tls);
  const statement = (slip?: Slip) =>
    writeStatement(
      books,
      ['Id', 'External Transaction Id', 'Date', 'Status', 'Amount', 'Currency'],
      ({ intent, txnId, at, state, currency }, amount) => [
        txnId ?? '',
        intent,
        at.toISOString(),
        STATUS[state],
        amount,
        currency,
      ],
      slip,
    );
  return {
    ...served,
    books,
    statement,
    trouble,
    tokens,
    control,
    connection: { url: served.url, target_environment: 'sandbox', ...CREDENTIALS, disbursement: DISBURSEMENT },
  };
}

function statusOf(entry: Entry, state: Entry['state'], amount: number) {
  const { intent, currency, payer, txnId } = entry;
  return {
    ...(txnId !== null && { financialTransactionId: txnId }),
    externalId: intent,
    amount: String(amount),
    currency,
    payer: { partyIdType: 'MSISDN', partyId: payer },
    payerMessage: `Payment ${intent}`,
    payeeNote: intent,
    status: STATUS[state],
    ...(state === 'declined' && { reason: 'APPROVAL_REJECTED' }),
  };
}
