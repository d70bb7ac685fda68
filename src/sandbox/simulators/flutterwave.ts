import { createHmac, randomUUID } from 'node:crypto';
import type { ServerOptions } from 'node:https';
import {
  ProviderBooks,
  type Entry,
  type Plan,
  type RefundEntry,
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
  answerRefund,
  createApplication,
  readCredential,
  cutOff,
  readParameter,
  serveApplication,
  createTrouble,
} from './web.ts';

const SECRET_KEY = 'FLWSECK_TEST-sim';
const REFUNDS_A_PAGE = 10;
const STATUS = { pending: 'pending', paid: 'successful', declined: 'failed' } as const;
const STATUS_4 = { pending: 'pending', paid: 'succeeded', declined: 'failed' } as const;

interface Setting {
  readonly callback: () => string;
  readonly secret: string;
  /** True if a payer pays without anybody opening the page. */
  readonly autopay: boolean;
  /** The collection accounts that have a sub-account. */
  readonly accounts: (account: string) => boolean;
}

/** A card aggregator in the shape of Flutterwave's public documentation, with books of its own and a page to pay at. */
export async function simulateFlutterwave({ callback, secret, autopay, accounts }: Setting, tls?: ServerOptions) {
  const trouble = createTrouble();
  const books = new ProviderBooks();
  const control: { plan: (asked: { readonly payer: string | null }) => Plan; version: 3 | 4 } = {
    plan: planByNumber,
    version: 3,
  };
  const subaccounts = new Map<string, string>();
  const links = new Map<string, Entry>();
  /** The links that are not to be paid by any more. */
  const inactive = new Set<string>();
  /** Return address and mail address of each collection's payer, by its `tx_ref`. */
  const payers = new Map<string, { readonly back: string; readonly email: string }>();
  const app = createApplication(trouble);

  app.use('/v3', (req, res, next) => {
    if (readCredential(req, 'Bearer') === SECRET_KEY) return next();
    res.status(401).json({ status: 'error', message: 'Invalid authorization key', data: null });
  });

  app.get('/v3/subaccounts', (req, res) => {
    const account_number = readParameter(req, 'account_number');
    const rows = accounts(account_number)
      ? [{ id: 1, account_number, account_bank: '044', subaccount_id: `RS_${account_number}` }]
      : [];
    for (const row of rows) subaccounts.set(row.subaccount_id, account_number);
    res.json({ status: 'success', message: 'Subaccounts fetched', data: rows });
  });

  app.post('/v3/payments', (req, res) => {
    const body = req.body as {
      tx_ref: string;
      amount: number;
      currency: string;
      redirect_url: string;
      customer: { email: string; phonenumber?: string };
      subaccounts: { id: string; transaction_charge_type: string; transaction_charge: number }[];
    };
    const { tx_ref, amount, currency, customer } = body;
    const email = customer?.email ?? '';
    if (!/^\S+@\S+(?<!\.test)$/.test(email))
      return void res
        .status(400)
        .json({ status: 'error', message: `customer.email ${email} is not valid`, data: null });
    const shares: ChargedShare[] = body.subaccounts.map(({ id, transaction_charge }) => ({
      account: subaccounts.get(id) ?? '',
      amount: transaction_charge,
    }));
    const flat = body.subaccounts.every(({ transaction_charge_type }) => transaction_charge_type === 'flat_subaccount');
    if (!flat || shares.some(({ account }) => account === '') || !areWhole(shares, amount)) {
      return void res.status(400).json({ status: 'error', message: 'The subaccounts are not valid', data: null });
    }
    payers.set(tx_ref, { back: body.redirect_url, email });
    const payer = customer.phonenumber ?? null;
    const known = books.entries.get(tx_ref);
    const entry =
      known ??
      books.enter({
        reference: tx_ref,
        intent: tx_ref,
        amount,
        currency,
        payer,
        shares,
        plan: control.plan({ payer }),
      });
    const id = randomUUID();
    links.set(id, entry);
    if (autopay && !known) setTimeout(() => inactive.has(id) || void pay(entry), entry.plan.settleMs).unref();
    const made = { status: 'success', message: 'Hosted Link', data: { link: `${served.url}/pay/${id}` } };
    switch (known ? 'given' : entry.plan.answer) {
      case 'given':
        return void res.json(made);
      case 'slow':
        return void setTimeout(() => res.json(made), SLOW_MS);
      case 'error':
        return void res.status(500).json({ status: 'error', message: 'Something went wrong', data: null });
      case 'cut':
        return cutOff(res);
    }
  });

  app.post('/v3/payments/link/disable', (req, res) => {
    const { link } = req.body as { link: string };
    const id = link.slice(link.lastIndexOf('/') + 1);
    const refuse = (message: string) => void res.status(400).json({ status: 'error', message, data: null });
    if (!links.has(id)) return refuse('Invalid link');
    if (inactive.has(id)) return refuse('This payment link is currently inactive');
    inactive.add(id);
    res.json({ status: 'success', message: 'LINK DISABLED', data: true });
  });

  app.get('/v3/transactions/verify_by_reference', (req, res) => {
    const entry = books.entries.get(readParameter(req, 'tx_ref'));
    if (!entry || entry.state === 'pending') {
      return void res
        .status(400)
        .json({ status: 'error', message: 'No transaction was found for this id', data: null });
    }
    res.json({
      status: 'success',
      message: 'Transaction fetched successfully',
      data: transactionOf(entry, entry.state, chargedAmountOf(entry)),
    });
  });

  app.post('/v3/transactions/:id/refund', (req, res) => {
    const of = [...books.entries.values()].find(
      (entry) => entry.state === 'paid' && transactionOf(entry, entry.state, entry.amount).id === Number(req.params.id),
    );
    const { amount, comments } = req.body as { amount: number; comments: string };
    const reference = randomUUID();
    const refund = of && books.refund(of, { reference, amount, name: comments });
    if (!refund)
      return void res.status(400).json({ status: 'error', message: 'The amount is not available', data: null });
    answerRefund(res, books.refundPlan, () =>
      res.json({ status: 'success', message: 'Transaction refund initiated', data: describeRefund(refund) }),
    );
  });

  app.get('/v3/refunds', (req, res) => {
    const from = readParameter(req, 'from');
    const page = Number(readParameter(req, 'page'));
    const rows = [...books.refunds.values()].filter(({ at }) => at.toISOString() >= from);
    const data = rows.slice((page - 1) * REFUNDS_A_PAGE, page * REFUNDS_A_PAGE).map(describeRefund);
    res.json({ status: 'success', message: 'Refunds fetched', meta: { page_info: { total: rows.length } }, data });
  });

  const pageOf = (id: string) => (inactive.has(id) ? undefined : links.get(id));
  app.get('/pay/:id', (req, res) => {
    const entry = pageOf(req.params.id);
    if (!entry) return void res.status(404).send('There is no such page');
    const { intent, amount, currency, state, shares } = entry;
    const rows = shares.map((share) => `<li>${share.amount} ${currency} to ${share.account}</li>`).join('');
    const action =
      state === 'pending' ? '<form method="post"><button>Pay</button></form>' : `<p>This payment is ${state}.</p>`;
    res.send(
      `<!doctype html><html lang="en"><title>Pay</title><h1>${intent}: ${amount} ${currency}</h1><ul>${rows}</ul>${action}</html>`,
    );
  });
  app.post('/pay/:id', (req, res) => {
    const entry = pageOf(req.params.id);
    if (!entry) return void res.status(404).send('There is no such page');
    void pay(entry);
    const back = new URL(payers.get(entry.reference)!.back);
    const { id } = transactionOf(entry, entry.state, entry.amount);
    back.searchParams.set('status', STATUS[entry.state]);
    back.searchParams.set('tx_ref', entry.reference);
    back.searchParams.set('transaction_id', String(id));
    res.redirect(303, back.href);
  });

  const pay = async (entry: Entry): Promise<void> => {
    if (entry.state !== 'pending') return;
    books.settle(entry, 'FLW-SIM-');
    // Its state does not change any more: so much for the compiler, which has seen it pending.
    if ((entry.state as Entry['state']) === 'pending') return;
    const { version } = control;
    await callBack(entry, chargedAmountOf(entry), ({ state, amount }) => {
      const body = JSON.stringify(
        version === 3 ? describeCharge3(entry, state, amount) : describeCharge4(entry, state, amount),
      );
      const signature = createHmac('sha256', secret).update(body).digest('base64');
      return deliverCallback(
        callback(),
        'POST',
        body,
        version === 3 ? { 'verif-hash': secret } : { 'flutterwave-signature': signature },
      );
    });
  };

  const served = await serveApplication(app, tls);
  const statement = (slip?: Slip) =>
    writeStatement(
      books,
      ['tx_ref', 'flw_ref', 'amount', 'currency', 'status', 'created_at'],
      ({ intent, txnId, at, state, currency }, amount) => [
        intent,
        txnId ?? '',
        amount,
        currency,
        STATUS[state],
        at.toISOString(),
      ],
      slip,
    );
  return {
    ...served,
    books,
    payers,
    statement,
    trouble,
    control,
    connection: { url: served.url, secret_key: SECRET_KEY },
  };
}

function transactionOf(entry: Entry, state: Entry['state'], amount: number) {
  const { reference, currency, txnId, payer, at } = entry;
  return {
    id: Number(txnId?.replace(/\D/g, '')),
    tx_ref: reference,
    flw_ref: txnId,
    amount,
    currency,
    charged_amount: amount,
    status: STATUS[state],
    processor_response: state === 'declined' ? 'Declined by the card issuer' : 'Approved',
    payment_type: 'card',
    customer: { phone_number: payer },
    created_at: at.toISOString(),
  };
}

function describeRefund({ of, amount, state, txnId, at }: RefundEntry) {
  return {
    id: Number(txnId.replace(/\D/g, '')),
    tx_id: transactionOf(of, of.state, of.amount).id,
    flw_ref: `URF_${txnId}`,
    amount_refunded: amount,
    status: { paid: 'completed', declined: 'failed', pending: 'pending' }[state],
    destination: 'payment_source',
    created_at: at.toISOString(),
  };
}

function describeCharge3(entry: Entry, state: Entry['state'], amount: number) {
  return { event: 'charge.completed', data: transactionOf(entry, state, amount), 'event.type': 'CARD_TRANSACTION' };
}

function describeCharge4({ reference, currency, txnId }: Entry, state: Entry['state'], amount: number) {
  const data = {
    id: `chg_${txnId}`,
    reference,
    amount,
    currency,
    status: STATUS_4[state],
    processor_response: { type: state === 'declined' ? 'declined' : 'approved' },
  };
  return { webhook_id: `wbk_${randomUUID().slice(0, 12)}`, timestamp: Date.now(), type: 'charge.completed', data };
}
