import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { relay } from '../../../src/accounts/webhooks/relay.ts';
import { expireOverdue } from '../../../src/collection/payments/enquiries/expire.ts';
import { actAsSystem } from '../../../src/platform/access/viewer.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { bankStatement } from '../../collection/reconciliation/payouts/world.ts';
import { type Pair, findMishaps } from './meet.ts';
import { DAY_MS, formatDay } from '../../../src/kernel/time.ts';
import { sizeOf } from '../../harness/chaos/size.ts';
import { drawSeed } from '../../harness/run/seed.ts';
import { seedRandom } from '../../harness/chaos/tampering.ts';
import {
  type Actor,
  TWO_LINES_TOTAL,
  createAssessed,
  createAssessedFor,
  createConfirmed,
  createInitiated,
  createPendingFor,
  createSent,
  makeActor,
  serviceNamed,
  someCitizen,
} from '../../harness/flow.ts';
import { makePoint } from '../../harness/people/biller.ts';
import { closeShift, collectInShift, openShift } from '../../harness/people/counter.ts';
import { makeLink } from '../../harness/people/link.ts';
import { type StaffActor, makeStaff } from '../../harness/people/staff.ts';
import { type Answer, testRail } from '../../harness/rail.ts';

const seed = drawSeed('pairs');
const random = seedRandom(seed);
/** More connections than others have: what queues for one meets nobody. */
const rail = testRail({ DATABASE_POOL: '16', WEBHOOK_ALLOW_PRIVATE: 'on' });
const bank = makePoint(rail);

/** A service that costs nothing. */
const FREE = 'URSB-FREE';

let actor: Actor;
let admin: StaffActor;
let second: StaffActor;
let supervisor: StaffActor;
let citizen: string;
/** A service of its own agency, whose fees change. */
let priced: string;
/** Agencies in turn: of each one change of its account waits at a time. */
let agencies: string[];

beforeAll(async () => {
  actor = await makeActor(rail);
  [admin, second] = [await makeStaff(rail, 'admin'), await makeStaff(rail, 'admin')];
  supervisor = await makeStaff(rail, 'supervisor');
  citizen = await someCitizen(rail);
  priced = await serviceNamed(rail, 'KCCA-TRADELIC');
  const free = { mda: 'URSB', code: FREE, service_name: 'Certificate for refugees', sector: 'civil', family: 'x' };
  await admin.post('/v1/ops/services', { ...free, fee_amount: 0 });
  agencies = (await rail.rows<{ name: string }>(sql`select name from mda where status = 'Active'`)).map(
    ({ name }) => name,
  );
});

/** One of two or more values, by the seed. */
const oneOf = <T>(...values: T[]): T => values[Math.floor(random() * values.length)]!;
const okOf = async (asked: Promise<Answer>) => {
  const { status, text, data } = await asked;
  if (status !== 200) throw new Error(`${status} ${text}`);
  return data;
};
const statusesOf = (answers: readonly (Answer | number)[]) =>
  answers.map((answer) => (typeof answer === 'number' ? answer : answer.status));
const post =
  (path: string, body: object = {}, by: Pick<Actor, 'post'> = actor) =>
  () =>
    by.post(path, body);

const drafted = async () =>
  (await okOf(actor.post('/v1/assessments', { citizen, lines: [{ service: priced }] }))).name as string;
const setFee = (fee_amount: number) => () =>
  admin.ask(`/v1/ops/services/${priced}`, { method: 'PATCH', body: { fee_amount } });
const someFee = () => 10_000 + Math.floor(random() * 100) * 500;
const issued = async (assessment: string) =>
  (await okOf(actor.post(`/v1/assessments/${assessment}:issue-reference`))).number as string;
const end = (assessment: string) =>
  rail.rows(sql`
    update payment_intent set expires_at = now() - interval '1 second' where assessment = ${assessment}`);
const expire = () => expireOverdue(callOf(rail.rail, actAsSystem('job:expire_intents'), randomUUID()));
const callback =
  (intent: string, status = 'SUCCESSFUL', amount = TWO_LINES_TOTAL) =>
  () =>
    rail.ask('/v1/webhooks/mtn_momo', {
      body: { event_id: randomUUID(), intent, status, amount, currency: 'UGX', txn_id: intent },
    });
const push = (agency: string, type: string, object: string, data: object) => () =>
  rail.ask(`/v1/webhooks/${agency.toLowerCase()}`, { body: { event_id: randomUUID(), type, object, data } });
const cancel = (assessment: string, by: Pick<Actor, 'post'> = actor) =>
  post(`/v1/assessments/${assessment}:cancel`, { reason: 'Entered twice' }, by);
const confirm = (intent: string, by: Pick<Actor, 'post'> = actor) =>
  post(`/v1/payment-intents/${intent}:confirm`, {}, by);
const statement = (intent: string) => async () => {
  const [row] = await rail.rows<{ reference: string }>(
    sql`select aggregator_reference as reference from payment_intent where name = ${intent}`,
  );
  const day = new Date().toISOString().slice(0, 10);
  const body = `Id,External Transaction Id,Amount,Currency,Status,Date\n${intent},${row!.reference},${TWO_LINES_TOTAL},UGX,Successful,${new Date().toISOString()}\n`;
  return admin.ask(`/v1/ops/reconciliation/statements?provider=mtn_momo&from_date=${day}&to_date=${day}`, {
    body,
    headers: { 'content-type': 'text/csv' },
  });
};

const PAIRS: readonly Pair[] = [
  [
    'assess × fee change',
    async () => {
      const drafts = await Promise.all(Array.from({ length: 6 }, drafted));
      return { verbs: [...drafts.map((name) => post(`/v1/assessments/${name}:assess`)), setFee(someFee())] };
    },
  ],
  [
    'fee change × fee change',
    async () => {
      await drafted();
      const fee = someFee();
      return { verbs: [setFee(fee), setFee(oneOf(fee, someFee()))] };
    },
  ],
  [
    'count × count',
    async () => {
      const clerk = await makeActor(rail);
      const shift = await openShift(clerk, { opening_float: 1_000 });
      return {
        verbs: [900, 800, 1_000, 1_100]
          .toSorted(() => random() - 0.5)
          .map((cash_counted) => () => closeShift(clerk, shift, { cash_counted })),
        after: async () => {
          const { status, counts } = (await clerk.ask(`/v1/counter-shifts/${shift}`)).data;
          return { 'the first count decides': [status, counts[0] === 1_000 ? 'Closed' : 'Open'] };
        },
      };
    },
  ],
  [
    'close × enter',
    async () => {
      const clerk = await makeActor(rail);
      const shift = await openShift(clerk);
      const query = `mutation { closeShift(id: "${shift}", cashCounted: 0, leaveUnpaid: false) { status } }`;
      return {
        verbs: [
          post('/v1/assessments', { citizen, lines: [{ service: priced }], shift, assess: true }, clerk),
          post('/graphql', { query }, clerk),
        ],
        after: async (answers) => {
          const { status } = (await clerk.ask(`/v1/counter-shifts/${shift}`)).data;
          const [entered] = statusesOf(answers);
          return { 'nothing unpaid is closed over': [status, entered === 200 ? 'Open' : 'Closed'] };
        },
      };
    },
  ],
  [
    'close × reverse',
    async () => {
      const clerk = await makeActor(rail, { counters: ['URA'] });
      const shift = await openShift(clerk);
      const { assessment, amount } = await collectInShift(rail, clerk, shift);
      return {
        verbs: [
          () => closeShift(clerk, shift, { cash_counted: oneOf(0, amount), variance_reason: 'Racing' }),
          cancel(assessment, supervisor),
        ],
      };
    },
  ],
  [
    'cancel × settle',
    async () => {
      const { assessment, intent } = await createSent(rail, actor);
      return { verbs: [cancel(assessment), oneOf(callback(intent), confirm(intent))] };
    },
  ],
  [
    'settle × settle',
    async () => {
      const { assessment, intent } = await createSent(rail, actor);
      const other = await createPendingFor(actor, assessment);
      await createInitiated(actor, other);
      return { verbs: [confirm(intent), callback(intent), callback(other), confirm(other)] };
    },
  ],
  [
    'pay × cancel',
    async () => {
      const assessment = await createAssessed(rail, actor);
      return { verbs: [post('/v1/payment-intents', { assessment, channel: 'mtn_momo' }), cancel(assessment)] };
    },
  ],
  [
    'settle zero × cancel',
    async () => {
      const { assessment } = await createAssessedFor(rail, actor, FREE);
      return { verbs: [post(`/v1/assessments/${assessment}:settle-zero`), cancel(assessment)] };
    },
  ],
  [
    'replace × replace, cancel or settle',
    async () => {
      const { assessment, intent } = await createSent(rail, actor);
      const instalments = { count: 3, first_due_on: formatDay(new Date(Date.now() + DAY_MS)), every: 'month' };
      const replace = post(`/v1/assessments/${assessment}:replace`, { reason: 'Agreed', instalments }, supervisor);
      return {
        verbs: [replace, replace, oneOf(cancel(assessment), confirm(intent), callback(intent))],
        after: async () => {
          const born = await rail.count(sql`select 1 from assessment where replaces = ${assessment}`);
          return { 'it is replaced once, or not at all': [[0, 3].includes(born), true] };
        },
      };
    },
  ],
  [
    'issue reference × expire',
    async () => {
      const { assessment } = await createSent(rail, actor, oneOf('+256700123456', '+256700123000'));
      await end(assessment);
      return { verbs: [post(`/v1/assessments/${assessment}:issue-reference`), expire] };
    },
  ],
  [
    'issue reference × report',
    async () => {
      const { assessment, amount } = await createAssessedFor(rail, actor, 'URA-PAYE');
      const reference = await issued(assessment);
      const paid_at = new Date(rail.rail.now().getTime() - 60_000).toISOString();
      await rail.rows(
        sql`update payment_reference set expires_at = now() - interval '1 second' where number = ${reference}`,
      );
      return {
        verbs: [
          post(`/v1/assessments/${assessment}:issue-reference`),
          () => bank.pay({ reference, amount, paid_at }),
          post(`/v1/assessments/${assessment}:issue-reference`),
        ],
      };
    },
  ],
  [
    'report × cancel',
    async () => {
      const { assessment, amount } = await createAssessedFor(rail, actor, 'URA-PAYE');
      const reference = await issued(assessment);
      return { verbs: [() => bank.pay({ reference, amount }), cancel(assessment)] };
    },
  ],
  [
    'link × reference',
    async () => {
      const assessment = await createAssessed(rail, actor);
      const payer = await makeLink(rail, actor, assessment);
      const query = `mutation { startPayment(channel: mtn_momo, payerMsisdn: "+256700123456") { state } }`;
      return {
        verbs: [
          post(`/v1/assessments/${assessment}:issue-reference`),
          () => payer.ask('mutation { showReference { state } }'),
          () => payer.ask(query),
          post(`/v1/payment-links/${payer.name}:withdraw`),
        ],
        after: async () => ({
          'one number': [
            await rail.count(sql`select from payment_reference where assessment = ${assessment} and status = 'Issued'`),
            1,
          ],
        }),
      };
    },
  ],
  [
    'remove endpoint × relay',
    async () => {
      const { plaintext: key } = await rail.keyGranted(
        { managesAccount: true },
        'assessments.write',
        'assessments.cancel',
        'citizens.read',
      );
      const url = 'http://127.0.0.1:9/hooks';
      const { name } = await okOf(rail.ask('/v1/me/webhook-endpoints', { key, body: { url } }));
      const owner = { post: (path: string, body: unknown = {}) => rail.ask(path, { key, body }) };
      const { assessment } = await createAssessedFor(rail, owner, 'URA-PAYE');
      await okOf(cancel(assessment, owner)());
      return {
        verbs: [() => rail.ask(`/v1/me/webhook-endpoints/${name}`, { key, method: 'DELETE' }), () => relay(rail.rail)],
        after: async () => ({
          'nothing waits for it': [
            await rail.count(sql`
              select from webhook_delivery where endpoint = ${name} and status = 'pending'
              union all select from webhook_queue where endpoint = ${name}`),
            0,
          ],
        }),
      };
    },
  ],
  [
    'approve × change',
    async () => {
      const mda = agencies.shift()!;
      agencies.push(mda);
      const { name } = await okOf(
        admin.post(`/v1/ops/mdas/${mda}:change-account`, {
          collection_account: `ACC-${randomUUID()}`,
          reason: 'Moved',
        }),
      );
      const path = `/v1/ops/account-changes/${name}`;
      return {
        verbs: [
          post(`${path}:approve`, {}, second),
          post(`${path}:refuse`, { reason: 'Not theirs' }, admin),
          () => admin.ask(`/v1/ops/mdas/${mda}`, { method: 'PATCH', body: { region: randomUUID().slice(0, 8) } }),
        ],
        after: async (answers) => ({
          'is decided once': [
            statusesOf(answers)
              .slice(0, 2)
              .filter((status) => status === 200).length,
            1,
          ],
          'is changed': [statusesOf(answers)[2], 200],
        }),
      };
    },
  ],
  [
    'statement × callback',
    async () => {
      const { intent } = await createSent(rail, actor);
      return { verbs: [statement(intent), oneOf(callback(intent), callback(intent, 'FAILED'), confirm(intent))] };
    },
  ],
  [
    'receipt × receipt',
    async () => {
      const { assessment } = await createConfirmed(rail, actor);
      const report = (agency: string) => push(agency, 'receipt.issued', assessment, { receipt_number: randomUUID() });
      return {
        verbs: [report('URA'), report('URSB')],
        after: async () => {
          const [last] = await rail.rows<{ told: string[] }>(sql`
            select payload -> 'propagated_to' as told from outbox where object = ${assessment}
              and type = 'assessment.propagated' order by sequence desc limit 1`);
          return { 'the last message names both': [last?.told, ['URA', 'URSB']] };
        },
      };
    },
  ],
  [
    'reject × cancel',
    async () => {
      const { assessment } = await createConfirmed(rail, actor);
      await okOf(push('URA', 'receipt.issued', assessment, { receipt_number: randomUUID() })());
      return {
        verbs: [
          push('URA', 'notice.rejected', assessment, { reason: 'The TIN is closed' }),
          cancel(assessment),
          push('URSB', 'receipt.issued', assessment, { receipt_number: randomUUID() }),
        ],
      };
    },
  ],
  [
    'classify × classify',
    async () => {
      const day = new Date().toISOString().slice(0, 10);
      const line = `${await bankStatement(rail, 'URA', [{ amount: 1_000, valueOn: day }])}.1`;
      const classify = (kind: string) =>
        post(`/v1/agency/URA/bank-lines/${line}:classify`, { kind, note: 'By the bank' }, admin);
      return {
        verbs: [classify('deposit'), classify('other')],
        after: async (answers) => {
          const first = statusesOf(answers)[0] === 200;
          const decided = await rail.rows<{ kind: string; audited: string[] }>(sql`
            select l.kind, array(select o.after ->> 'kind' from operator_audit o where o.subject = l.name) as audited
            from bank_line l where l.name = ${line}`);
          const kind = first ? 'deposit' : 'other';
          return { 'one of them decides': [decided, [{ kind, audited: [kind] }]] };
        },
      };
    },
  ],
  [
    'bill changed × resolve',
    async () => {
      const { assessment } = await createAssessedFor(rail, actor, 'URA-PAYE');
      const bill = (amount: number) =>
        push('URA', 'bill.changed', assessment, { lines: [{ service: 'URA-PAYE', amount }] });
      await okOf(bill(1_000)());
      const findRaised = () =>
        rail.rows<{ name: string; status: string; amount: number }>(sql`
          select name, status, (evidence -> 'differences' -> 0 ->> 'agency_amount')::int as amount from anomaly
          where kind = 'bill_changed' and subject = ${assessment}`);
      const [raised] = await findRaised();
      return {
        verbs: [bill(2_000), post(`/v1/ops/anomalies/${raised!.name}:resolve`, { note: 'Settled' }, admin)],
        // Reported first, it was resolved with the rest; resolved first, it is open again with what was reported.
        after: async () => {
          const [found] = await findRaised();
          return { 'is open with what is new': [found!.amount, found!.status === 'Open' ? 2_000 : 1_000] };
        },
      };
    },
  ],
];

describe(`verbs that meet, at moments that follow from a seed (SEED=${seed})`, () => {
  it.each(PAIRS)('%s', async (...pair) => {
    const size = sizeOf({ fast: { times: 4, atOnce: 4 }, long: { times: 200, atOnce: 8 } });
    expect(await findMishaps(rail, pair, { ...size, random })).toEqual([]);
    expect(rail.logged.filter((line) => line.includes('a request failed'))).toEqual([]);
  });
});
