import { fileURLToPath } from 'node:url';
import { schema } from '../../src/app/schema.ts';
import { addStaff } from '../../src/identity/members/add.ts';
import { relay } from '../../src/accounts/webhooks/relay.ts';
import { loadEndpoints } from '../../rest/load.ts';
import { DAY_MS, dayIn, formatDay } from '../../src/kernel/time.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { askThroughClient } from './client/through.ts';
import { Examples } from './examples.ts';
import { closeToday } from '../harness/ledger.ts';
import { normalise } from '../harness/normal.ts';
import type { Answer } from '../harness/rail.ts';
import { testRuntimeRail } from '../platform/migration/runtime-rail.ts';
import { GRANT, makePair, signAssertion } from '../harness/people/agency.ts';
import { codeOf } from '../harness/people/second-factor.ts';
import { PASSWORD, mailedToken } from '../harness/people/staff.ts';

// Every endpoint works with the database role that operators are told to run a live rail with.
export const rail = testRuntimeRail({
  DEV_REVEAL: 'on',
  WEBHOOK_ALLOW_PRIVATE: 'on',
  CONNECTIONS: fileURLToPath(new URL('connections.json', import.meta.url)),
  OVERSIGHT_FILES: fileURLToPath(new URL('../oversight/revenue/published', import.meta.url)),
});

/** The caller: a credential that is known by then. */
type Who =
  | 'nobody'
  | 'key'
  | 'wide'
  | 'auditor'
  | 'account'
  | 'clerk'
  | 'supervisor'
  | 'admin'
  | 'inspector'
  | 'officer'
  | 'agency';

interface Step {
  readonly who: Who;
  readonly method: string;
  /** The path as the endpoint has it, `$name` standing for what an earlier answer gave. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Values for later steps, by the path of the member. */
  readonly keeps?: Readonly<Record<string, string>>;
}

const HEADERS = [
  'content-type',
  'link',
  'location',
  'allow',
  'www-authenticate',
  'idempotent-replayed',
  'ratelimit-policy',
  'set-cookie',
  'etag',
];

/** Each request with its answer, as it is recorded. */
export const recorded: string[] = [];
/** Values that differ from run to run, with their names. */
export const known = new Map<string, string>();
const values = new Map<string, string>();
/** The method and path of each request. */
export const walked = new Set<string>();
export const { endpoints } = loadEndpoints(schema);
/** The examples of each endpoint in the reference. */
export const examples = new Examples(endpoints);
/** The messages to integrators that earlier steps have caused. */
const sent = new Set<string>();
const credentials: Partial<Record<Who, Readonly<Record<string, string>>>> = { nobody: {} };

function keep(name: string, value: unknown): void {
  if (typeof value !== 'string') throw new Error(`${name} is ${JSON.stringify(value)}`);
  values.set(name, value);
  known.set(value, name);
}

/** Replaces `$name` everywhere in a value. */
function filled<T>(value: T): T {
  return JSON.parse(
    JSON.stringify(value).replace(/\$([a-zA-Z]+)/g, (_whole, name: string) => values.get(name) ?? `$${name}`),
  ) as T;
}

const member = (json: unknown, path: string) =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], json);

async function walk({ who, method, path, body, headers, keeps }: Step): Promise<Answer> {
  const credential = credentials[who];
  if (!credential) throw new Error(`${who} has no credential yet`);
  // Drops messages sent in the meantime, which this request did not cause.
  await newEvents();
  const answer = await askThroughClient(rail, filled(path), {
    method,
    ...(body !== undefined && { body: filled(body) }),
    headers: { ...credential, ...headers },
  });
  const events = method === 'GET' ? [] : await newEvents();
  if (answer.status === 200)
    examples.add(method, {
      path: filled(path),
      ...(body !== undefined && { body: filled(body) }),
      answer: answer.json as unknown,
      events,
    });
  for (const [name, from] of Object.entries(keeps ?? {})) keep(name, member(answer.json, from));
  walked.add(`${method} ${path.split('?')[0]}`);
  const headerLines = HEADERS.flatMap((name) =>
    answer.headers.has(name) ? [`${name}: ${answer.headers.get(name)}`] : [],
  );
  recorded.push(
    [`${who} ${method} ${path}`, `${answer.status}`, ...headerLines, answer.text]
      .map((line) => normalise(line, known))
      .join('\n'),
  );
  return answer;
}

/** The types of the messages to integrators since the last step. */
async function newEvents(): Promise<string[]> {
  const all = await rail.rows<{ id: string; type: string }>(sql`select id, type from outbox order by created_at, id`);
  const fresh = all.filter(({ id }) => !sent.has(id));
  for (const { id } of fresh) sent.add(id);
  return fresh.map(({ type }) => type);
}

const get = (who: Who, path: string, more: Partial<Step> = {}): Promise<Answer> =>
  walk({ who, method: 'GET', path, ...more });
const post = (who: Who, path: string, body?: unknown, more: Partial<Step> = {}): Promise<Answer> =>
  walk({ who, method: 'POST', path, body, ...more });

const bearer = (plaintext: string) => ({ authorization: `Bearer ${plaintext}` });
const cookieOf = (answer: Answer) => ({ cookie: answer.headers.getSetCookie()[0]!.split(';')[0]! });

async function logIn(role: 'clerk' | 'supervisor' | 'admin' | 'auditor' | 'finance_officer', who: Who): Promise<void> {
  await addStaff(rail.rail, {
    email: `${role}@agency.example`,
    name: `The ${role}`,
    roles: [role],
    password: PASSWORD,
  });
  credentials[who] = cookieOf(
    await post('nobody', '/v1/work/login', { email: `${role}@agency.example`, password: PASSWORD }),
  );
}

/** A webhook endpoint from its beginning to its end, which a path names by what it is kept as. */
async function walkWebhookEndpoint(who: Who, base: string, as: string): Promise<void> {
  const body = { url: 'http://127.0.0.1:9/more', types: ['payment_event.*'], label: 'Reports' };
  await post(who, base, body, { keeps: { [as]: 'data.name', [`${as}Secret`]: 'data.secret' } });
  const one = `${base}/$${as}`;
  await get(who, base);
  await walk({ who, method: 'PATCH', path: one, body: { types: ['payment_event.*', 'webhook.test'] } });
  await get(who, one);
  await post(who, `${one}:rotate-secret`, undefined, { keeps: { [`${as}Next`]: 'data.secret' } });
  await post(who, `${one}:test`);
  await post(who, `${one}:enable`);
  await walk({ who, method: 'DELETE', path: one });
}

/** Every endpoint is asked at least once by someone it answers, in an order in which things happen. */
export async function walkEverything(): Promise<void> {
  keep('origin', rail.origin);
  // Sign-up, sign-in and the account.
  await get('nobody', '/v1/signup/tos', { keeps: { terms: 'data.version' } });
  const person = {
    full_name: 'Jo Doe',
    email: 'jo@example.com',
    organisation: 'My Office',
    tos_accepted_version: '$terms',
  };
  await post('nobody', '/v1/signup', { ...person, tos_accepted_version: 'another' });
  await post('nobody', '/v1/signup', person, { keeps: { integrator: 'data.integrator_id', otp: 'data.dev_otp' } });
  await post('nobody', '/v1/signup/resend-otp', { integrator_id: '$integrator' });
  await post(
    'nobody',
    '/v1/signup/verify',
    { integrator_id: '$integrator', otp: '$otp' },
    { keeps: { first: 'data.plaintext', firstKey: 'data.key.name' } },
  );
  credentials.key = bearer(values.get('first')!);
  await post('nobody', '/v1/signup', person);
  const { data: asked } = await post('nobody', '/v1/login/request', { email: 'jo@example.com' });
  keep('token', new URL(asked.dev_consume_url as string).searchParams.get('token'));
  credentials.account = cookieOf(await get('nobody', '/v1/login/consume?token=$token'));
  await get('nobody', '/v1/login/consume?token=$token');
  for (const who of ['nobody', 'key', 'account'] as const) await get(who, '/v1/session');
  await get('account', '/v1/me');
  await walk({
    who: 'account',
    method: 'PATCH',
    path: '/v1/me',
    body: { webhook_endpoint: 'http://127.0.0.1:9/hook', anticipated_volume_monthly: 5 },
  });
  await post('account', '/v1/me', { contact_email: 'other@example.com' });
  await post('account', '/v1/me', { display_name: 'Our Office' });
  await post(
    'account',
    '/v1/me/keys',
    { label: 'Reports', scopes: ['citizens.read'] },
    { keeps: { second: 'data.key.name' } },
  );
  await post('account', '/v1/me/keys/$second:rotate', { grace_hours: 2 }, { keeps: { third: 'data.key.name' } });
  await post('account', '/v1/me/keys/$third:revoke', { reason: 'No longer used' });
  await get('account', '/v1/me/keys');
  await post('account', '/v1/me/webhook-secret:rotate');
  await post('account', '/v1/me/webhook:test');
  await walkWebhookEndpoint('account', '/v1/me/webhook-endpoints', 'endpoint');

  // Staff, and what operators give.
  for (const role of ['clerk', 'supervisor', 'admin'] as const) await logIn(role, role);
  await post('nobody', '/v1/work/login', { email: 'clerk@agency.example', password: 'wrong' });
  await get('nobody', '/v1/work/whoami');
  await get('clerk', '/v1/work/whoami');
  await get('clerk', '/v1/work/mdas');
  const scopes = [
    'citizens.read',
    'citizens.write',
    'catalogue.read',
    'assessments.write',
    'assessments.cancel',
    'payments.initiate',
    'payments.refund',
  ];
  const wide = await post('admin', '/v1/ops/keys', { integrator: '$integrator', label: 'Wide', scopes });
  credentials.wide = bearer(wide.data.plaintext);
  keep('widekey', wide.data.key.name);
  const auditor = await post('admin', '/v1/ops/keys', {
    integrator: '$integrator',
    label: 'Audit',
    scopes: ['oversight.read'],
    manages_account: true,
  });
  credentials.auditor = bearer(auditor.data.plaintext);
  const inPages = { label: 'Dashboard', origins: ['https://dashboard.example.org'] };
  await post('auditor', '/v1/me/browser-keys', { ...inPages, operations: ['revenue-by-month'], days: 30 });
  await post('admin', '/v1/ops/browser-keys', { integrator: '$integrator', ...inPages, agencies: ['URA'] });

  // Catalogue and citizens.
  await get('nobody', '/v1/mdas?limit=2');
  await get('nobody', '/v1/mdas/URA');
  await get('nobody', '/v1/services?limit=2&mda=URA');
  const service = async (code: string) =>
    (await get('nobody', `/v1/services?code=${code}`, { keeps: {} })).data[0].name as string;
  keep('serviceOne', await service('URA-TCC'));
  keep('serviceTwo', await service('MOWT-PSV'));
  await get('nobody', '/v1/services/$serviceOne');
  await get('nobody', '/v1/services/$serviceOne/tariff');
  await post('nobody', '/v1/assessments:quote', { lines: [{ service: '$serviceOne', quantity: 2 }] });
  await get('wide', '/v1/integrations');
  await get('key', '/v1/citizens?limit=2');
  await get('key', '/v1/citizens/search?nin=CM12345678ABCD');
  await get('key', '/v1/citizens/search-by-nin?nin=CM12345678ABCX');
  await post('key', '/v1/citizens/register', { nin: 'CM12345678ABCD' });
  await post('wide', '/v1/citizens/register', { nin: 'CM12345678ABCD' }, { keeps: { citizen: 'data.citizen.name' } });
  await post('wide', '/v1/citizens', { nin: 'AB123456', full_name: 'Ann Example', phone: '+256700000001' });
  await post('clerk', '/v1/work/citizens', { nin: 'CF12345678ABCD' });
  await get('clerk', '/v1/citizens/$citizen');
  const byHand = { nin: 'CM55555555ABCD', full_name: 'Tumwine, Babirye' };
  await post('clerk', '/v1/citizens', byHand, { keeps: { byHand: 'data.name' } });
  await post('clerk', '/v1/work/citizens/$byHand:confirm');
  await get('clerk', '/v1/work/taxpayers?tin=1000123456');
  await post('clerk', '/v1/organisations', { tin: '1000123456', phone: '+256414000001' });
  await get('clerk', '/v1/work/businesses?name=Pearl');
  await post('clerk', '/v1/work/businesses', { name: 'Example Traders', owner_nin: 'CM12345678ABCD' });

  // A payment.
  const ofKeys = { receiptX: 'keys.0.x', receiptKid: 'keys.0.kid' };
  await get('nobody', '/.well-known/receipt-keys.json', { keeps: ofKeys });
  const lines = [{ service: '$serviceOne', quantity: 2 }, { service: '$serviceTwo' }];
  await post('key', '/v1/assessments', {});
  await post(
    'key',
    '/v1/assessments',
    { citizen: '$citizen', lines },
    { keeps: { assessment: 'data.name' }, headers: { 'idempotency-key': 'walk-1' } },
  );
  await post('key', '/v1/assessments', { citizen: '$citizen', lines }, { headers: { 'idempotency-key': 'walk-1' } });
  await get('key', '/v1/assessments/$assessment');
  await post('key', '/v1/assessments/$assessment:assess');
  await post('key', '/v1/assessments/$assessment:cancel', { reason: 'Not allowed' });
  await post(
    'key',
    '/v1/payment-intents',
    { assessment: '$assessment', channel: 'mtn_momo' },
    { keeps: { intent: 'data.name' } },
  );
  await post('key', '/v1/payment-intents/$intent:confirm');
  await post('key', '/v1/payment-intents/$intent:initiate', { payer_msisdn: '+256700123456' });
  await get('key', '/v1/payment-intents/$intent/live-status');
  await post('key', '/v1/payment-intents/$intent:confirm');
  await post('key', '/v1/payment-intents/$intent:confirm');
  await get('key', '/v1/payment-intents/$intent');
  await get('key', '/v1/payment-intents?status=Confirmed&limit=1');
  await get('key', '/v1/payment-intents/$intent/trace');
  await get('key', '/v1/payment-events?intent=$intent');
  await get('key', '/v1/assessments/$assessment/receipts', { keeps: { receipt: 'data.0.name' } });
  const { payload, signature, kid } = (await get('key', '/v1/receipts/$receipt')).data;
  await post('nobody', '/v1/receipts:verify', { payload, signature, kid });
  await post('key', '/v1/receipts/$receipt:print', { station: 'Counter 1' });
  await get('key', '/v1/assessments?status=Paid');
  const metadata = { branch: 'Jinja' };
  await walk({ who: 'key', method: 'PATCH', path: '/v1/assessments/$assessment', body: { metadata } });
  const labelled = { citizen: '$citizen', lines, assess: true, reference: 'INV-2026-0042', metadata };
  await post('key', '/v1/assessments', labelled, { keeps: { atOnce: 'data.name' } });
  const atOnce = { assessment: '$atOnce', channel: 'mtn_momo', initiate: true, payer_msisdn: '+256700123456' };
  await post('key', '/v1/payment-intents', atOnce);
  await get('key', '/v1/assessments?reference=INV-2026-0042&metadata[branch]=Jinja');
  await post(
    'wide',
    '/v1/assessments',
    { citizen: '$citizen', lines: [{ service: '$serviceOne' }] },
    { keeps: { other: 'data.name' } },
  );
  await post('wide', '/v1/assessments/$other:cancel', { reason: 'Made by mistake' });
  const trying = { assessment: '$atOnce', channel: 'mtn_momo' };
  for (const [outcome, payer_msisdn] of [
    ['lose_answer', null],
    ['fail', '+256700123000'],
    ['expire', '+256700123000'],
    ['other_amount', '+256700123000'],
    ['late', '+256700123000'],
    ['duplicate', '+256700123000'],
    ['succeed', '+256700123000'],
  ] as const) {
    // Once it is paid, further ones are of what is owed no more.
    if (outcome === 'late' || outcome === 'duplicate' || outcome === 'succeed')
      await post('key', '/v1/assessments', labelled, { keeps: { atOnce: 'data.name' } });
    const begins = payer_msisdn === null ? {} : { initiate: true, payer_msisdn };
    await post('key', '/v1/payment-intents', { ...trying, ...begins }, { keeps: { tried: 'data.name' } });
    await post('key', `/v1/sandbox/payment-intents/$tried:${outcome}`);
  }
  for (const action of ['down', 'reject_next', 'up']) await post('key', `/v1/sandbox/agencies/URA:${action}`);
  await post('key', '/v1/sandbox/clock:advance', { seconds: 60 });
  const callback = { event_id: 'event-1', intent: '$intent', status: 'SUCCESSFUL', amount: 1, currency: 'UGX' };
  await post('nobody', '/v1/webhooks/mtn_momo', callback);
  await walk({ who: 'nobody', method: 'PUT', path: '/v1/webhooks/mtn_momo', body: callback });
  await post('nobody', '/v1/webhooks/unknown', callback);
  const receipt = { event_id: 'e-2', type: 'receipt.issued', object: '$assessment', data: { receipt_number: 'R-1' } };
  await post('nobody', '/v1/webhooks/nira', receipt);

  // A payment point.
  const byNumber = await post('key', '/v1/assessments', labelled, { keeps: { byNumber: 'data.name' } });
  await post('key', '/v1/assessments/$byNumber:issue-reference', {}, { keeps: { number: 'data.number' } });
  await get('nobody', '/v1/payment-references/$number');
  await get('key', '/v1/payment-references/$number');
  await get('nobody', '/v1/payment-references/1234567890123');
  await get('nobody', '/v1/payment-references/$number/notice');
  await get('key', '/v1/assessments/$byNumber/notice');
  await post('nobody', '/v1/billers/bank/lookup', { reference: '$number' });
  await post('nobody', '/v1/billers/bank/lookup', { reference: '1234567890123' });
  const atBank = { reference: '$number', currency: 'UGX', paid_at: rail.rail.now().toISOString() };
  await post('nobody', '/v1/billers/bank/payments', { ...atBank, event_id: 'b-1', txn_id: 'TXN-1', amount: 1 });
  const exact = Number(byNumber.data.total_amount);
  await post('nobody', '/v1/billers/bank/payments', { ...atBank, event_id: 'b-2', txn_id: 'TXN-2', amount: exact });
  await post('nobody', '/v1/billers/bank/payments', { ...atBank, event_id: 'b-3', txn_id: 'TXN-2', amount: 1 });

  const c2b = {
    TransID: 'SKA51ZDR9Z',
    TransTime: rail.rail.now().toISOString().replaceAll(/\D/g, '').slice(0, 14),
    TransAmount: '143000.00',
    BusinessShortCode: '600984',
    BillRefNumber: '$number',
  };
  await post('nobody', '/v1/billers/paybill/validation', c2b);
  await post('nobody', '/v1/billers/paybill/confirmation', c2b);
  await post('nobody', '/v1/billers/bank/confirmation', c2b);

  // A payment link.
  await post('key', '/v1/assessments', labelled, { keeps: { byLink: 'data.name' } });
  await post('key', '/v1/payment-links', { assessment: '$byLink' }, { keeps: { link: 'data.name' } });
  await get('key', '/v1/payment-links?assessment=$byLink');
  await get('key', '/v1/payment-links/$link');
  await get('nobody', '/v1/payment-links/$link');
  await post('key', '/v1/payment-links/$link:withdraw');
  await post('key', '/v1/payment-links', { assessment: '$byNumber' });
  // A refund of a line, by transfer.
  const ofLine = { intent: '$intent', lines: [{ idx: 2 }], reason_code: 'not_delivered', method: 'transfer' };
  await post('key', '/v1/refunds', ofLine);
  await post('wide', '/v1/refunds', { ...ofLine, amount: 5 });
  await post('wide', '/v1/refunds', ofLine, { keeps: { refund: 'data.name' } });
  await post('wide', '/v1/refunds', ofLine);
  await post('wide', '/v1/refunds/$refund:withdraw');
  const transfer = { reference: 'FT26325XK01', paid_on: formatDay(rail.rail.now()) };
  await post('admin', '/v1/refunds/$refund:prove', transfer);
  await get('wide', '/v1/refunds/$refund');
  await get('wide', '/v1/refunds?intent=$intent');
  // A dispute of it, which ends by a chargeback.
  const dispute = { provider_reference: 'CBK-7', answer_by: formatDay(rail.rail.now()), amount: 1_000 };
  await post('key', '/v1/payment-intents/$intent:dispute', dispute);
  await post('admin', '/v1/payment-intents/$intent:dispute', dispute);
  const takenBack = { intent: '$intent', amount: 1_000, reason_code: 'not_delivered', method: 'chargeback' };
  await post('admin', '/v1/refunds', takenBack);
  await post('admin', '/v1/refunds', { ...takenBack, provider_reference: 'CBK-7' });
  await post('nobody', '/v1/receipts:verify', { payload, signature, kid });
  // A gateway of text messages.
  const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  await post('nobody', '/v1/sms/capture/reports', 'id=unknown&status=Success', form);
  await post('nobody', '/v1/sms/capture/messages', 'from=%2B256700999999&text=START', form);
  await post('nobody', '/v1/sms/unknown/reports', 'id=unknown&status=Success', form);

  // A counter.
  await post(
    'clerk',
    '/v1/counter-shifts',
    { mda: 'URA', opening_float: 50_000, counter_label: 'Desk 1' },
    { keeps: { shift: 'data.name' } },
  );
  await get('clerk', '/v1/counter-shifts/active?mda=URA');
  await post(
    'clerk',
    '/v1/assessments',
    { citizen: '$citizen', lines: [{ service: '$serviceOne' }], shift: '$shift' },
    { keeps: { atCounter: 'data.name' } },
  );
  await post('clerk', '/v1/assessments/$atCounter:assess');
  await post(
    'clerk',
    '/v1/payment-intents',
    { assessment: '$atCounter', channel: 'cash' },
    { keeps: { cash: 'data.name' } },
  );
  await post('clerk', '/v1/payment-intents/$cash:initiate');
  await post('clerk', '/v1/payment-intents/$cash:confirm');
  await post('clerk', '/v1/counter-shifts/$shift:refresh');
  await post('clerk', '/v1/counter-shifts/$shift:close', { cash_counted: 0 });
  await post('clerk', '/v1/counter-shifts/$shift:close', { cash_counted: 0, variance_reason: 'Lost' });
  await get('clerk', '/v1/counter-shifts/$shift');
  await get('clerk', '/v1/counter-shifts?limit=5');
  await get('supervisor', '/v1/work/shifts');
  await get('supervisor', '/v1/work/shifts/$shift');
  await post('supervisor', '/v1/work/shifts/$shift:escalate', { note: 'Too much' });
  await post('supervisor', '/v1/work/shifts/$shift:reject', { note: 'Not explained' });
  for (const [index, verb] of ['approve', 'reject', 'escalate', 'cancel'].entries()) {
    const name = `shift${verb}`;
    await post(
      'clerk',
      '/v1/counter-shifts',
      { mda: 'URA', opening_float: 10 * (index + 1) },
      { keeps: { [name]: 'data.name' } },
    );
    if (verb !== 'cancel')
      await post('clerk', `/v1/counter-shifts/$${name}:close`, { cash_counted: 0, variance_reason: 'Lost' });
  }
  const inCash = { intent: '$cash', amount: 1_000, reason_code: 'overpaid' };
  await post('admin', '/v1/refunds', inCash, { keeps: { cashRefund: 'data.name' } });
  await post(
    'supervisor',
    '/v1/counter-shifts',
    { mda: 'URA', opening_float: 50_000 },
    { keeps: { refundShift: 'data.name' } },
  );
  await post('clerk', '/v1/refunds/$cashRefund:pay-cash', { shift: '$refundShift' });
  await post('supervisor', '/v1/refunds/$cashRefund:pay-cash', { shift: '$refundShift' });
  await get('supervisor', '/v1/counter-shifts/$refundShift');
  await get('supervisor', '/v1/supervisor/dashboard');
  await post('supervisor', '/v1/supervisor/shifts/$shiftapprove:approve', { note: 'Explained' });
  await post('supervisor', '/v1/supervisor/shifts/$shiftreject:reject', { note: 'Not explained' });
  await post('supervisor', '/v1/supervisor/shifts/$shiftescalate:escalate', { note: 'Ask the head office' });
  await post('supervisor', '/v1/work/shifts/$shiftescalate:approve', { note: 'Explained' });
  await post('supervisor', '/v1/supervisor/shifts/$shiftcancel:cancel', { reason: 'Opened by mistake' });
  await post('supervisor', '/v1/work/shifts/$shiftcancel:cancel', { reason: 'Again' });

  // Webhooks; nothing is sent, since no job runs.
  await relay(rail.rail);
  await get('account', '/v1/me/webhook-deliveries?limit=2', { keeps: { delivery: 'data.0.name' } });
  await post('account', '/v1/me/webhook-deliveries/$delivery:redeliver');
  await post('account', '/v1/me/webhook-deliveries:redeliver', {
    from: '2020-01-01T00:00:00Z',
    to: '2020-01-02T00:00:00Z',
  });
  await get('nobody', '/v1/events/types');
  await get('nobody', '/v1/changelog?version=1.0.0');

  // The console.
  await get('admin', '/v1/ops/payer-messages?limit=2');
  await get('admin', '/v1/ops/integrators');
  await get('admin', '/v1/ops/integrators/$integrator');
  await walk({
    who: 'admin',
    method: 'PATCH',
    path: '/v1/ops/integrators/$integrator',
    body: { notes: 'Known to us' },
  });
  await get('admin', '/v1/ops/keys?limit=2');
  await post('admin', '/v1/ops/keys/$widekey:rotate', { grace_hours: 1 });
  await post('admin', '/v1/ops/keys/$second:revoke', { reason: 'Out of use' });
  await get('admin', '/v1/ops/sessions', { keeps: { session: 'data.0.name' } });
  await post('admin', '/v1/ops/sessions/nothing:end', { reason: 'Unknown' });
  await get('admin', '/v1/ops/staff');
  await get('admin', '/v1/ops/anomalies', { keeps: { anomaly: 'data.0.name' } });
  const tomorrow = formatDay(new Date(rail.rail.now().getTime() + DAY_MS));
  await post('admin', '/v1/ops/anomalies/$anomaly:assign', { assignee: 'admin@agency.example' });
  await post('admin', '/v1/ops/anomalies/$anomaly:comment', { comment: 'The provider was asked' });
  await post('admin', '/v1/ops/anomalies/$anomaly:snooze', { until: tomorrow, reason: 'They answer tomorrow' });
  await post('admin', '/v1/ops/anomalies/$anomaly:resolve', { note: 'Looked into' });
  await get('admin', '/v1/ops/agency-endpoints');
  await post('admin', '/v1/ops/agency-endpoints/tin-verify:probe');
  await get('admin', '/v1/ops/propagations');
  await post('admin', '/v1/ops/propagations/nothing:retry');
  await get('admin', '/v1/ops/default-endpoint');
  await walk({
    who: 'admin',
    method: 'PUT',
    path: '/v1/ops/default-endpoint',
    body: { url: 'http://127.0.0.1:9/counters' },
    keeps: { defaultSecret: 'data.secret' },
  });
  await post('admin', '/v1/ops/default-endpoint:test');
  await post('admin', '/v1/ops/default-endpoint:rotate-secret', undefined, {
    keeps: { nextDefaultSecret: 'data.secret' },
  });
  await walkWebhookEndpoint('admin', '/v1/ops/webhook-endpoints', 'opsEndpoint');
  await get('admin', '/v1/ops/webhook-deliveries?limit=2');
  await post('admin', '/v1/ops/webhook-deliveries/$delivery:redeliver', { reason: 'Their outage is over' });
  await post('admin', '/v1/ops/webhook-deliveries:redeliver', {
    integrator: '$integrator',
    since: '2020-01-01T00:00:00Z',
    reason: 'Their outage is over',
  });
  await post(
    'admin',
    '/v1/ops/notices',
    { title: 'Maintenance', body: 'On Sunday.' },
    { keeps: { notice: 'data.name' } },
  );
  await get('nobody', '/v1/notices');
  await walk({ who: 'admin', method: 'PATCH', path: '/v1/ops/notices/$notice', body: { channels: ['mtn_momo'] } });
  await post('admin', '/v1/ops/notices/$notice:withdraw', { reason: 'Put off' });
  await get('admin', '/v1/ops/notices?status=withdrawn');
  await post(
    'admin',
    '/v1/ops/alert-rules',
    { staff_of: 'URA', severity: 'medium', quiet_from: '20:00', quiet_to: '06:00' },
    { keeps: { alert: 'data.name' } },
  );
  await get('admin', '/v1/ops/alert-rules');
  await walk({ who: 'admin', method: 'PATCH', path: '/v1/ops/alert-rules/$alert', body: { enabled: false } });
  await walk({ who: 'admin', method: 'DELETE', path: '/v1/ops/alert-rules/$alert' });

  // The catalogue.
  await get('admin', '/v1/ops/mdas?limit=2');
  const newcomer = {
    code: 'NEWCOMER',
    mda_name: 'A Newcomer',
    interaction_mode: 'A',
    country: 'UG',
    mda_type: 'other',
  };
  await post('admin', '/v1/ops/mdas', newcomer, { keeps: { newcomer: 'data.name' } });
  await walk({ who: 'admin', method: 'PATCH', path: '/v1/ops/mdas/$newcomer', body: { district: 'Gulu' } });
  const account = { collection_account: 'UG-ACC-0000', reason: 'The first one' };
  await post('admin', '/v1/ops/mdas/$newcomer:change-account', account, { keeps: { accountchange: 'data.name' } });
  await post('admin', '/v1/ops/account-changes/$accountchange:approve');
  await post('admin', '/v1/ops/account-changes/$accountchange:refuse', { reason: 'Not theirs' });
  await get('admin', '/v1/ops/account-changes');
  const permit = {
    mda: 'NEWCOMER',
    code: 'N-1',
    service_name: 'A permit',
    sector: 'new',
    family: 'permit',
    fee_amount: 500,
  };
  await post('admin', '/v1/ops/services', permit, { keeps: { permit: 'data.name' } });
  const fee = { fee_amount: 600, effective_from: '2099-01-01' };
  await walk({ who: 'admin', method: 'PATCH', path: '/v1/ops/services/$permit', body: fee });
  await get('admin', '/v1/ops/mdas/$newcomer/history');
  const tariff = {
    law: 'Rating Act',
    due: { days: 30 },
    categories: { standard: { kind: 'percent', percent: 6, base: 'rateable value', least: 2_000 } },
  };
  const rates = { ...permit, code: 'N-2', service_name: 'Rates', fee_amount: undefined, tariff };
  await post('admin', '/v1/ops/services', { ...rates, mda: 'URA' }, { keeps: { rates: 'data.name' } });
  await get('nobody', '/v1/services/$rates/tariff');
  const rated = [{ service: '$rates', base_amount: 1_000_000, period: '2026' }];
  await post('nobody', '/v1/assessments:quote', { lines: rated });
  await post('key', '/v1/assessments', { citizen: '$citizen', lines: rated, assess: true });
  await get('admin', '/v1/ops/services/$permit/history');
  const profile = { country: 'RW', name: 'Rwanda', currency: 'RWF', time_zone: 'Africa/Kigali', fiscal_year_month: 7 };
  await post('admin', '/v1/ops/catalogue:load', { profile: { ...profile, agencies: [] }, dry_run: true });
  const statement =
    'External Transaction Id,Amount,Currency,Status,Id,Date\nPI-2020-01-000001,5,UGX,successful,T1,2026-01-01T00:00:00Z\n';
  const csv = { 'content-type': 'text/csv' };
  await walk({
    who: 'admin',
    method: 'POST',
    path: '/v1/ops/reconciliation/statements?provider=mtn_momo',
    body: statement,
    headers: csv,
    keeps: { run: 'data.name' },
  });
  await get('admin', '/v1/ops/reconciliation/runs');
  await get('admin', '/v1/ops/money-received?kind=short', { keeps: { money: 'data.0.name' } });
  await get('admin', '/v1/ops/money-received/$money');
  await post('key', '/v1/assessments', labelled, { keeps: { mistyped: 'data.name' } });
  const mistyped = { ...atBank, reference: '1234567890123', event_id: 'b-4', txn_id: 'TXN-4', amount: exact };
  await post('nobody', '/v1/billers/bank/payments', mistyped, { keeps: { unknown: 'data.object' } });
  for (const parts of [[{ money: '$money', amount: 1 }], [{ money: '$unknown', amount: exact }]])
    await post('admin', '/v1/ops/money-received:allocate', { assessment: '$mistyped', parts });
  await post('admin', '/v1/ops/money-received/$money:close', { as: 'transferred', amount: 1, reason: 'Sent back' });
  await get('admin', '/v1/ops/reconciliation/runs/$run');
  await get('admin', '/v1/ops/reconciliation/runs/$run/items');
  await post('admin', '/v1/ops/reconciliation/runs/$run:rerun');
  await get('admin', '/v1/ops/overview');
  await get('admin', '/v1/ops/audit?limit=5');
  await get('supervisor', '/v1/ops/find?q=ura-tcc');
  await get('admin', '/v1/ops/log-seals');
  await logIn('auditor', 'inspector');
  await rail.rail.citizenAccess.flush();
  await get('inspector', '/v1/ops/citizen-access?citizen=$byHand');

  // Events.
  while ((await relay(rail.rail)) > 0);
  const { data: events } = await get('key', '/v1/events?types=assessment.paid&limit=1&wait=0');
  keep('event', events[0].id);
  await get('key', '/v1/events/$event');

  // Agencies and their tokens.
  const pair = await makePair();
  keep('agencyKid', pair.kid);
  keep('agencyX', pair.jwk.x);
  const registered = {
    mda: 'URA',
    public_key: pair.jwk,
    scopes: ['catalogue.read', 'webhooks.manage'],
    label: 'Billing system',
  };
  await post('admin', '/v1/ops/agency-keys', registered, { keeps: { agencyKey: 'data.name' } });
  await get('admin', '/v1/ops/agency-keys');
  const assertion = await signAssertion(rail, 'URA', pair);
  const grant = { grant_type: GRANT, assertion };
  await post('nobody', '/v1/agency-tokens', grant, { keeps: { agencyToken: 'data.access_token' } });
  await post('nobody', '/v1/agency-tokens', grant);
  await get('nobody', '/.well-known/jwks.json', { keeps: { railX: 'keys.0.x', railKid: 'keys.0.kid' } });
  credentials.agency = bearer(values.get('agencyToken')!);
  await get('agency', '/v1/integrations');
  await get('agency', '/v1/me');
  await walkWebhookEndpoint('agency', '/v1/agency/URA/webhook-endpoints', 'agencyEndpoint');
  const next = await makePair();
  keep('nextKid', next.kid);
  keep('nextX', next.jwk.x);
  await post('admin', '/v1/ops/agency-keys/$agencyKey:roll', { public_key: next.jwk, grace_hours: 1 });
  await post('admin', '/v1/ops/agency-keys/$agencyKey:revoke', { reason: 'Out of use' });
  await get('agency', '/v1/integrations');

  // Oversight.
  await closeToday(rail, 'URA');
  keep('file', '2026-10.parquet');
  for (const path of [
    'revenue?group_by=mda',
    'revenue-comparison',
    'anomalies',
    'fees?limit=2&mda=URA',
    'consents',
    'collections',
    'figures?by=agency&measures=net,payments',
    'reconciliation',
    'shifts',
    'statistics',
    'payment-events',
    'seals',
    'datasets',
    'datasets/$file',
  ]) {
    await get('auditor', `/v1/oversight/${path}`);
  }
  await get('auditor', '/v1/oversight/payment-events', { headers: { accept: 'text/csv' } });

  // Days that are closed.
  await logIn('finance_officer', 'officer');
  values.set('closed', dayIn(rail.rail.now(), 'Africa/Kampala'));
  await get('officer', '/v1/agency/URA/days');
  await get('auditor', '/v1/agency/URA/days/$closed');
  await post('officer', '/v1/agency/URA/days/$closed:confirm', { note: 'Seen' });
  await post('officer', '/v1/agency/URA/days/$closed:confirm');
  await get('nobody', '/v1/anomaly-rules');

  // What costs nothing.
  const free = { ...permit, mda: 'URSB', code: 'URSB-FREE', fee_amount: 0 };
  await post('admin', '/v1/ops/services', free, { keeps: { free: 'data.name' } });
  const owesNothing = { citizen: '$citizen', lines: [{ service: '$free' }], assess: true };
  await post('key', '/v1/assessments', owesNothing, { keeps: { nothing: 'data.name' } });
  await post('key', '/v1/assessments/$nothing:settle-zero');

  // From a file.
  const rows = ['key,citizen,service,base_amount', '2026-001,$citizen,$rates,500000', '2026-002,$citizen,$rates,'];
  await walk({
    who: 'admin',
    method: 'POST',
    path: '/v1/agency/URA/assessments:import',
    body: rows.join('\n'),
    headers: csv,
  });

  // Of a bank.
  const booked = 'booked_on,amount,currency,reference,text,balance\n2026-01-05,250000,UGX,FT1,Payout,350000\n';
  await walk({
    who: 'admin',
    method: 'POST',
    path: '/v1/agency/URA/bank-statements',
    body: booked,
    headers: csv,
    keeps: { bankStatement: 'data.0.statement' },
  });
  await get('admin', '/v1/agency/URA/bank-statements');
  await get('admin', '/v1/bank-statements/$bankStatement');
  await get('admin', '/v1/agency/URA/bank-lines?kind=unknown', { keeps: { bankLine: 'data.0.name' } });
  await get('admin', '/v1/bank-lines/$bankLine');
  const lineOfBank = '/v1/agency/URA/bank-lines/$bankLine';
  await post('admin', `${lineOfBank}:classify`, { kind: 'other', note: 'Interest' });
  await post('admin', `${lineOfBank}:release`, { note: 'It is a payout' });
  await get('admin', '/v1/agency/URA/payouts?limit=2');

  // What somebody is exempt from.
  const days = { valid_from: '2026-01-01', valid_to: '2026-12-31', uses_left: 1 };
  const half = { citizen: '$citizen', percent: 50, ground: 'disability', document_hash: 'ab'.repeat(32), ...days };
  const kept = { keeps: { exemptionAsked: 'data.name', exemption: 'data.subject' } };
  await post('supervisor', '/v1/agency/URA/exemptions', half, kept);
  await post('admin', '/v1/ops/approvals/$exemptionAsked:approve');
  const exempt = { citizen: '$citizen', lines: [{ service: '$serviceOne' }] };
  await post('key', '/v1/assessments:quote', exempt);
  await post('key', '/v1/assessments', { ...exempt, assess: true });
  await get('supervisor', '/v1/agency/URA/exemptions');
  await post('admin', '/v1/agency/URA/exemptions/$exemption:revoke', { reason: 'The paper is forged' });

  // What is paid in instalments.
  const owes = { citizen: '$citizen', lines: [{ service: '$serviceOne' }], assess: true };
  await post('key', '/v1/assessments', owes, { keeps: { owed: 'data.name' } });
  const instalments = { count: 2, first_due_on: dayIn(rail.rail.now(), 'Africa/Kampala'), every: 'month' };
  const agreed = { reason: 'Agreed with the payer', instalments };
  await post('supervisor', '/v1/assessments/$owed:replace', agreed, {
    keeps: { instalment: 'data.replaced_by.0.name' },
  });
  await post('supervisor', '/v1/assessments/$owed:replace', agreed);
  await get('key', '/v1/assessments/$instalment');

  await walkStaff();

  // Logs, and the ends of things.
  await rail.rail.audit.flush();
  await get('account', '/v1/me/logs?limit=3');
  await post('admin', '/v1/ops/integrators/$integrator:suspend', { reason: 'To be looked into' });
  await get('key', '/v1/me');
  await post('admin', '/v1/ops/integrators/$integrator:reactivate', { reason: 'All is well' });
  await get('key', '/v1/me', { headers: { accept: 'application/problem+json' } });
  // Going live.
  const bounds = { agencies: ['URA', 'KCCA'], channels: ['mtn_momo'] };
  await post('account', '/v1/me:request-live', bounds, { keeps: { refusedRequest: 'data.name' } });
  await post('account', '/v1/me:request-live', { ...bounds, note: 'Once more' });
  await post('admin', '/v1/ops/live-requests/$refusedRequest:refuse', { reason: 'Send us your licence' });
  await post('account', '/v1/me:request-live', bounds, { keeps: { liveRequest: 'data.name' } });
  await get('account', '/v1/me/live-requests');
  await get('admin', '/v1/ops/live-requests?status=Pending');
  await get('admin', '/v1/ops/live-requests/$liveRequest');
  await post('admin', '/v1/ops/live-requests/$liveRequest:approve', { agencies: ['URA'], limit_per_minute: 1_200 });
  await walk({
    who: 'admin',
    method: 'PATCH',
    path: '/v1/ops/integrators/$integrator',
    body: { pricing_tier: 'standard', allowed_channels: ['*'], limit_per_minute: null },
  });
  await get('key', '/v1/me');
  await post('account', '/v1/logout');
  await get('account', '/v1/me', { headers: { accept: 'application/problem+json' } });
  await post('clerk', '/v1/work/logout');
  await get('nobody', '/v1/nowhere');
  await walk({ who: 'nobody', method: 'DELETE', path: '/v1/mdas' });
}

/** Staff come and go. */
async function walkStaff(): Promise<void> {
  await post('clerk', '/v1/work/second-factor:enrol', undefined, { keeps: { totp: 'data.secret' } });
  keep('code', codeOf(rail.rail, values.get('totp')!));
  const { data } = await post('clerk', '/v1/work/second-factor:confirm', { code: '$code' });
  keep('recovery', data.recovery_codes[0]);
  await post('nobody', '/v1/work/login', { email: 'clerk@agency.example', password: PASSWORD });
  await post('nobody', '/v1/work/login:begin', { email: 'clerk@agency.example', password: PASSWORD });
  await post('nobody', '/v1/work/login:complete', { attempt: 'none', code: '000000' });
  await post('clerk', '/v1/work/second-factor:verify', { code: '000000' });
  await get('clerk', '/v1/work/passkeys');
  await get('clerk', '/v1/work/passkeys:request');
  await post('clerk', '/v1/work/passkeys:begin', { code: '000000' });
  await post('clerk', '/v1/work/passkeys', { label: 'Telephone', credential: {} });
  await post('clerk', '/v1/work/passkeys/unknown:remove', { code: '000000' });
  await post('clerk', '/v1/work/second-factor:remove', { code: '$recovery' });
  keep('address', 'clerk@agency.example');
  await post('admin', '/v1/ops/staff/$address:set-break-glass', { break_glass: true, reason: 'On duty' });
  const next = 'four unrelated words sail';
  await post('clerk', '/v1/work/password', { current_password: PASSWORD, new_password: next });
  const colleague = { email: 'new@agency.example', name: 'New Colleague' };
  await post('admin', '/v1/ops/staff', { ...colleague, roles: ['clerk'], agencies: ['URA'] });
  keep('invitation', await mailedToken(rail, colleague.email, 'invitation'));
  await post('nobody', '/v1/work/invitations:accept', { token: '$invitation', password: 'password12345' });
  await post('nobody', '/v1/work/invitations:accept', { token: '$invitation', password: next });
  await post('nobody', '/v1/work/invitations:accept', { token: '$invitation', password: next });
  await post('nobody', '/v1/work/password-reset:request', { email: colleague.email });
  keep('reset', await mailedToken(rail, colleague.email, 'password_reset'));
  await post('nobody', '/v1/work/password-reset:complete', { token: '$reset', password: PASSWORD });
  const at = `/v1/ops/staff/${colleague.email}`;
  await get('admin', at);
  const admins = { roles: ['clerk', 'admin'], agencies: [], reason: 'New head of office' };
  await walk({ who: 'admin', method: 'PATCH', path: at, body: admins });
  await get('admin', '/v1/ops/admin-grants', { keeps: { grant: 'data.0.name' } });
  await post('admin', '/v1/ops/admin-grants/$grant:approve');
  await post('admin', '/v1/ops/admin-grants/$grant:refuse', { reason: 'One is enough' });
  await get('admin', '/v1/ops/approvals?kind=roles');
  await get('admin', '/v1/ops/approvals/$grant');
  await post('admin', '/v1/ops/approvals/$grant:approve');
  await post('admin', '/v1/ops/approvals/$grant:refuse', { reason: 'One is enough' });
  await post('admin', `${at}:reset-second-factor`, { reason: 'Lost the phone' });
  await post('admin', `${at}:end-sessions`, { reason: 'To be sure' });
  await post('admin', `${at}:deactivate`, { reason: 'Left' });
  await post('admin', `${at}:reactivate`, { reason: 'Came back' });
  await walk({ who: 'admin', method: 'PATCH', path: '/v1/ops/staff/admin@agency.example', body: { roles: ['clerk'] } });
}
