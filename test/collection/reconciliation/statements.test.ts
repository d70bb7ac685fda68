import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { actAsSystem } from '../../../src/platform/access/viewer.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { Refusal } from '../../../src/kernel/refusal.ts';
import { measureLongestTurn } from '../../harness/chaos/held.ts';
import { reconcileStatement } from '../../../src/collection/reconciliation/run.ts';
import { dayIn } from '../../../src/kernel/time.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { TWO_LINES_TOTAL, makeActor } from '../../harness/flow.ts';
import {
  booksOf,
  collect,
  startOutsideRail,
  planNext,
  simulatorOf,
  statusOf,
  CHANNELS,
  type LiveChannel,
} from '../../harness/outside.ts';
import { verifyAfter } from '../../harness/ledger.ts';
import { type StaffActor, makeStaff, makeStaffOf } from '../../harness/people/staff.ts';

const held = startOutsideRail({ JOBS: 'on' });
const { rail } = held;

const PATH = '/v1/ops/reconciliation/statements';

const send = (admin: StaffActor, provider: string, csv: string | Blob, query = '', type = 'text/csv') =>
  admin.ask(`${PATH}?provider=${provider}${query}`, { body: csv, headers: { 'content-type': type } });

/** The day that it is in Kampala, where the rail's first agency is. */
const today = () => dayIn(rail.rail.now(), 'Africa/Kampala');
const period = () => `&from_date=${today()}&to_date=${today()}`;

async function until(actor: Parameters<typeof statusOf>[0], intent: string, status: string): Promise<void> {
  await expect.poll(() => statusOf(actor, intent)).toBe(status);
}

/** A paid collection that the rail knows of. */
async function known(channel: LiveChannel) {
  const actor = await makeActor(rail);
  planNext(held.outside, channel);
  const { intent } = await collect(rail, actor, channel);
  await until(actor, intent, 'Confirmed');
  return intent;
}

describe.each(CHANNELS)('a statement of %s', (channel) => {
  it('matches what was confirmed, and names the rest', async () => {
    const admin = await makeStaff(rail, 'admin');
    const actor = await makeActor(rail);
    const matched = await known(channel);
    const forgotten = await known(channel);
    const reduced = await known(channel);
    // Paid, and nobody told the rail yet.
    planNext(held.outside, channel, { callback: 'lost' });
    const { intent: unheard } = await collect(rail, actor, channel);
    await rail.rows(sql`update payment_intent set enquire_at = now() + interval '1 hour' where name = ${unheard}`);
    await expect.poll(() => booksOf(held.outside, channel).byIntent(unheard)!.state).toBe('paid');
    const { books } = simulatorOf(held.outside, channel);
    books.enter({
      reference: `X-${channel}`,
      intent: `X-${channel}`,
      amount: 9_000,
      currency: 'UGX',
      payer: null,
      shares: [],
      plan: books.byIntent(matched)!.plan,
    }).state = 'paid';
    const lines = simulatorOf(held.outside, channel).statement({
      without: [forgotten],
      twice: [matched],
      amounts: { [reduced]: TWO_LINES_TOTAL - 1 },
    });

    const { status, data } = await send(admin, channel, lines, period());
    expect(status).toBe(200);
    expect(data).toMatchObject({
      provider: channel,
      rerun_of: null,
      missing_here: 2,
      missing_there: 1,
      amount_differs: 1,
      duplicate: 1,
      created_by: admin.email,
    });
    expect(data.name).toMatch(/^RECON-\d{4}-\d\d-\d{6}$/);
    const by = (outcome: string) => data.mismatches.filter((item: { outcome: string }) => item.outcome === outcome);
    expect(by('missing_there')).toMatchObject([
      { intent: forgotten, line: null, statement_amount: null, recorded_amount: TWO_LINES_TOTAL },
    ]);
    expect(by('amount_differs')).toMatchObject([
      { intent: reduced, statement_amount: TWO_LINES_TOTAL - 1, recorded_amount: TWO_LINES_TOTAL },
    ]);
    expect(by('duplicate')).toMatchObject([{ intent: matched }]);
    expect(
      by('missing_here').map(({ intent, intent_status }: { intent: string; intent_status: string }) => [
        intent,
        intent_status,
      ]),
    ).toEqual(
      expect.arrayContaining([
        [unheard, 'Sent'],
        [null, null],
      ]),
    );
    const items = await admin.ask(`/v1/ops/reconciliation/runs/${data.name}/items?outcome=matched`);
    expect(items.data.map(({ intent }: { intent: string }) => intent)).toContain(matched);

    // Each mismatch is flagged once, whichever run finds it.
    const flagged = () =>
      rail.count(
        sql`select 1 from anomaly where kind = 'statement_mismatch' and (subject = any(${[forgotten, reduced, unheard]}) or subject = ${`${channel}:X-${channel}`})`,
      );
    expect(await flagged()).toBe(4);
    // A payment that is missing here is asked about at once, and confirmed.
    await until(actor, unheard, 'Confirmed');
    const again = await admin.post(`/v1/ops/reconciliation/runs/${data.name}:rerun`);
    expect(again.data).toMatchObject({
      rerun_of: data.name,
      source_hash: data.source_hash,
      missing_here: 1,
      matched: data.matched + 1,
    });
    expect(await flagged()).toBe(4);
    const { mismatches: _, ...summary } = (await admin.ask(`/v1/ops/reconciliation/runs/${data.name}`)).data;
    expect(data).toMatchObject(summary);
    const listed = (await admin.ask(`/v1/ops/reconciliation/runs?provider=${channel}`)).data;
    expect(listed.map(({ name }: { name: string }) => name)).toEqual([again.data.name, data.name]);
  });
});

describe('POST /v1/ops/reconciliation/statements', () => {
  const HEADER = 'tx_ref,amount,currency,status,flw_ref,created_at';

  it('shows what Airtel itself does not: that it charged another amount', async () => {
    const admin = await makeStaff(rail, 'admin');
    const actor = await makeActor(rail);
    planNext(held.outside, 'airtel_money', { amount: 'wrong' });
    const { intent } = await collect(rail, actor, 'airtel_money');
    await until(actor, intent, 'Confirmed');
    const { data } = await send(admin, 'airtel_money', simulatorOf(held.outside, 'airtel_money').statement(), period());
    expect(data.mismatches.find((item: { intent: string }) => item.intent === intent)).toMatchObject({
      outcome: 'amount_differs',
      statement_amount: TWO_LINES_TOTAL + 1,
    });
  });

  it('takes its period from its rows; leaves out what was not paid', async () => {
    const admin = await makeStaff(rail, 'system_manager');
    const rows = [
      'A-1,"1,000.00",UGX,successful,F1,2020-02-01 00:30:00',
      'A-2,500,UGX,failed,F2,2020-02-01',
      'A-3,-500,UGX,successful,F3,2020-02-02',
      '',
    ];
    const { data } = await send(admin, 'card', `\uFEFF${[HEADER, ...rows].join('\r\n')}`);
    expect(data).toMatchObject({
      // The day of Kampala.
      from: '2020-01-31T21:00:00.000Z',
      to: '2020-02-01T21:00:00.000Z',
      ignored: 2,
      ignored_statuses: [{ status: 'failed', count: 1 }],
      missing_here: 1,
      missing_there: 0,
      matched: 0,
    });
    expect(data.mismatches).toMatchObject([{ line: 2, reference: 'A-1', statement_amount: 1_000, txn_id: 'F1' }]);
  });

  it('compares a row below zero with the refund that it names, or with those of its payment', async () => {
    const admin = await makeStaff(rail, 'admin');
    const [named, ofPayment, unasked, other] = await Promise.all(
      ['named', 'ofPayment', 'unasked', 'other'].map(() => known('card')),
    );
    const chargeBack = async (intent: string, number: string, amount: number) => {
      const reason_code = 'not_delivered';
      const body = { intent, amount, reason_code, method: 'chargeback', provider_reference: number };
      return (await admin.post('/v1/refunds', body)).data as { name: string; amount: number };
    };
    const first = await chargeBack(named!, 'CB-1', 7_000);
    const second = await chargeBack(ofPayment!, 'CB-2', 8_000);
    const third = await chargeBack(other!, 'CB-3', 9_000);
    const rows = [
      `${named},-7000,UGX,successful,CB-1,2020-03-01`,
      `${first.name},-7000,UGX,successful,,2020-03-01`,
      `${ofPayment},-8000,UGX,successful,F-9,2020-03-01`,
      `${unasked},-6000,UGX,successful,F-8,2020-03-01`,
      `${third.name},-9001,UGX,successful,F-7,2020-03-01`,
      'FEE,-50,UGX,successful,F-6,2020-03-01',
    ];
    const file = [HEADER, ...rows].join('\n');
    const { data } = await send(admin, 'card', file);
    expect(data).toMatchObject({ matched: 2, missing_here: 1, amount_differs: 1, duplicate: 1, ignored: 1 });
    const { data: items } = await admin.ask(`/v1/ops/reconciliation/runs/${data.name}/items`);
    expect(items).toMatchObject([
      { outcome: 'matched', intent: named, refund: first.name, statement_amount: -7_000, recorded_amount: -7_000 },
      { outcome: 'duplicate', intent: named, refund: first.name },
      { outcome: 'matched', intent: ofPayment, refund: second.name },
      { outcome: 'missing_here', intent: unasked, refund: null, statement_amount: -6_000, recorded_amount: null },
      { outcome: 'amount_differs', intent: other, refund: third.name, recorded_amount: -9_000 },
    ]);
    const flagged = () =>
      rail.rows(sql`select status, evidence ->> 'statement_amount' as amount from anomaly
        where kind = 'statement_mismatch' and subject = ${unasked!}`);
    expect(await flagged()).toEqual([{ status: 'Open', amount: '-6000' }]);
    await chargeBack(unasked!, 'CB-4', 6_000);
    expect(await flagged()).toEqual([{ status: 'Resolved', amount: '-6000' }]);
    const again = await admin.post(`/v1/ops/reconciliation/runs/${data.name}:rerun`);
    expect(again.data).toMatchObject({ matched: 3, missing_here: 0, amount_differs: 1, ignored: 1 });
    // What an earlier statement had is not what a later one gives back.
    const later = await send(admin, 'card', [HEADER, `${unasked},-6000,UGX,successful,F-5,2020-04-01`].join('\n'));
    expect(later.data).toMatchObject({ matched: 0, missing_here: 1 });
    const run = { name: 'nothing', run: async () => 'a row' };
    const found = (await verifyAfter(rail, run, Math.random)).verification.findings;
    expect(found.filter(({ check }) => check.startsWith('statement'))).toEqual([]);
  });

  it('takes what an earlier statement matched as said, on either side of midnight', async () => {
    const admin = await makeStaff(rail, 'admin');
    const [early, late] = [await known('card'), await known('card')];
    const dayBefore = new Date(Date.parse(today()) - 86_400_000).toISOString().slice(0, 10);
    const row = (intent: string, day: string) =>
      `${intent},${TWO_LINES_TOTAL},UGX,successful,F-${intent},${day} 23:59:58`;
    const first = await send(admin, 'card', [HEADER, row(early, dayBefore)].join('\n'));
    expect(first.data.matched).toBe(1);
    const second = await send(admin, 'card', [HEADER, row('another', today())].join('\n'), period());
    const missing = second.data.mismatches.filter((item: { outcome: string }) => item.outcome === 'missing_there');
    const intents = missing.map(({ intent }: { intent: string }) => intent);
    expect([intents.includes(early), intents.includes(late)]).toEqual([false, true]);
  });

  it('keeps what it found: neither a run nor its rows can be rewritten', async () => {
    for (const statement of [
      'update reconciliation_run set matched = 0',
      'delete from reconciliation_item',
      'truncate reconciliation_item',
    ]) {
      await expect(rail.query(statement)).rejects.toThrow(/append-only/);
    }
  });

  it('gives the same request again under an Idempotency-Key the same run', async () => {
    const admin = await makeStaff(rail, 'admin');
    const post = (csv: string) =>
      admin.ask(`${PATH}?provider=card`, {
        body: csv,
        headers: { 'content-type': 'text/csv', 'idempotency-key': 'statement-1' },
      });
    const csv = `${HEADER}\nB-1,5,UGX,successful,F1,2020-01-01\n`;
    const first = await post(csv);
    expect((await post(csv)).text).toBe(first.text);
    expect(await post(`${csv}B-2,5,UGX,successful,F1,2020-01-01\n`)).toMatchObject({
      status: 422,
      code: 'idempotency_mismatch',
    });
  });

  it('422 for what cannot be read, by its line; 404, 413, 415', async () => {
    const admin = await makeStaff(rail, 'admin');
    const refused = async (csv: string | Blob, query = '') =>
      (await send(admin, 'card', csv, query)).json.error.message as string;
    expect(await refused('')).toBe('body: the file is empty');
    expect(await refused('tx_ref,currency\n')).toBe('body: the file lacks the column amount');
    expect(await refused(`${HEADER}\nA,x,UGX,successful,F,2020-01-01`)).toBe('body: line 2 has no valid amount');
    expect(await refused(`${HEADER}\nA,5,UGX,successful,F,2020-01-01\n,5,UGX,successful,F,2020-01-01`)).toBe(
      'body: line 3 has no reference',
    );
    expect(await refused(`${HEADER}\nA,5,UGX\n`)).toBe('body: line 2 has no cell for the column status');
    expect(await refused(`${HEADER}\n"A,5\n`)).toMatch(/^body: line \d is not CSV: csv quote not closed/);
    expect(await refused(`${HEADER}\na\0b,5,UGX,successful,F,2020-01-01`)).toBe(
      'body: line 2 has text that cannot be stored',
    );
    expect(await refused(new Blob([`${HEADER}\n`, new Uint8Array([0x41, 0xff])]))).toMatch(
      /^body: line 2 is not UTF-8/,
    );
    expect(await refused(`${HEADER}\n`)).toBe('from_date: is required: the statement contains no dates');
    expect(await refused(`${HEADER}\n`, '&from_date=2026-01-02&to_date=2026-01-01')).toBe(
      'to_date: must not be before from_date',
    );
    // A line of empty fields alone, of which there would be millions.
    expect(await refused(','.repeat(15 * 1024 * 1024))).toBe('body: the file has a line that is too long');
    expect((await send(admin, 'visa', HEADER)).status).toBe(404);
    expect((await send(admin, 'card', '{}', '', 'application/json')).status).toBe(415);
    expect((await send(admin, 'card', 'x'.repeat(17 * 1024 * 1024))).status).toBe(413);
    expect((await admin.post('/v1/ops/reconciliation/runs/nothing:rerun')).status).toBe(404);
    expect((await admin.ask('/v1/ops/reconciliation/runs/nothing/items')).status).toBe(404);
  });

  it('takes 20,000 rows in its stride, pages through them, and flags a hundred and then all others together', async () => {
    const admin = await makeStaff(rail, 'admin');
    const rows = Array.from({ length: 20_000 }, (_, i) => `C-${i},${i + 1},UGX,successful,F${i},2020-03-01`);
    const { data } = await send(admin, 'card', [HEADER, ...rows].join('\n'));
    expect(data.missing_here).toBe(20_000);
    expect(data.mismatches).toHaveLength(100);
    const first = await admin.ask(`/v1/ops/reconciliation/runs/${data.name}/items?limit=1000`);
    const second = await admin.ask(
      first.headers
        .get('link')!
        .match(/<(.+)>/)![1]!
        .replace(rail.origin, ''),
    );
    expect([first.data.length, first.data[0].line, second.data[0].line]).toEqual([1_000, 2, 1_002]);
    const flagged = () =>
      rail.rows<{ subject: string; further: number | null }>(
        sql`select subject, (evidence ->> 'further')::int as further from anomaly where kind = 'statement_mismatch' and (subject like 'card:C-%' or subject = ${`card:${data.source_hash}`})`,
      );
    const anomalies = await flagged();
    expect(anomalies).toHaveLength(101);
    expect(anomalies.find(({ subject }) => subject === `card:${data.source_hash}`)).toMatchObject({ further: 19_900 });
    // Run again, from what was kept of it, it says the same, and flags nothing twice.
    const again = await admin.post(`/v1/ops/reconciliation/runs/${data.name}:rerun`);
    expect(again.data).toMatchObject({
      rerun_of: data.name,
      missing_here: 20_000,
      matched: 0,
      source_hash: data.source_hash,
    });
    const said = (run: { mismatches: object[] }) => run.mismatches.slice(0, 2).map((item) => ({ ...item, name: null }));
    expect(said(again.data)).toEqual(said(data));
    expect(await flagged()).toHaveLength(101);
  });

  /** A payment by card that is confirmed, and the row of a statement for it. */
  async function paidByCard() {
    const actor = await makeActor(rail);
    planNext(held.outside, 'card');
    const { intent } = await collect(rail, actor, 'card');
    await until(actor, intent, 'Confirmed');
    return { intent, row: (amount = TWO_LINES_TOTAL) => `${intent},${amount},UGX,successful,F-${intent},${today()}` };
  }

  const flaggedOf = (intents: readonly string[]) =>
    rail.count(sql`select 1 from anomaly where kind = 'statement_mismatch' and subject = any(${[...intents]})`);

  it('takes a statement in parts: what is missing from all of them is missing there, with the last', async () => {
    const admin = await makeStaff(rail, 'admin');
    const [one, other, absent] = [await paidByCard(), await paidByCard(), await paidByCard()];
    const sendPart = (part: number, rows: string[], parts = 2) =>
      send(admin, 'card', [HEADER, ...rows].join('\n'), `${period()}&part=${part}&parts=${parts}`);
    const before = await send(admin, 'card', [HEADER, one.row()].join('\n'), period());
    const elsewhere = before.data.missing_there - 2;
    expect((await sendPart(2, [other.row()])).json.error.message).toBe(
      'part: the parts before it are missing: send them in order',
    );
    const flagged = await flaggedOf([one.intent]);
    const first = await sendPart(1, [one.row()]);
    expect(first.data).toMatchObject({ part: 1, parts: 2, matched: 1, missing_there: 0 });
    const last = await sendPart(2, [other.row(), one.row()]);
    expect(last.data).toMatchObject({ part: 2, parts: 2, matched: 1, duplicate: 1, missing_there: 1 + elsewhere });
    const missing = await admin.ask(`/v1/ops/reconciliation/runs/${last.data.name}/items?outcome=missing_there`);
    const named = missing.data.map(({ intent }: { intent: string }) => intent);
    expect(named).toContain(absent.intent);
    expect(named).not.toContain(one.intent);
    expect(await flaggedOf([one.intent])).toBe(flagged + 1);
    const again = await admin.post(`/v1/ops/reconciliation/runs/${last.data.name}:rerun`);
    expect(again.data).toMatchObject({ part: 2, parts: 2, missing_there: 1 + elsewhere });
    for (const query of ['&part=1', '&parts=2', '&part=3&parts=2'])
      expect((await send(admin, 'card', `${HEADER}\n${one.row()}`, period() + query)).status, query).toBe(422);
    expect((await send(admin, 'card', `${HEADER}\n${one.row()}`, '&part=2&parts=2')).status).toBe(422);
  });

  it('counts the row that matches, wherever it stands', async () => {
    const admin = await makeStaff(rail, 'admin');
    const { intent, row } = await paidByCard();
    for (const rows of [
      [row(5), row()],
      [row(), row(5)],
    ]) {
      const { data } = await send(admin, 'card', [HEADER, ...rows].join('\n'), period());
      const items = (await admin.ask(`/v1/ops/reconciliation/runs/${data.name}/items`)).data as {
        outcome: string;
        intent: string;
        statement_amount: number;
      }[];
      const own = items.filter((item) => item.intent === intent);
      expect(Object.fromEntries(own.map(({ outcome, statement_amount: amount }) => [amount, outcome]))).toEqual({
        5: 'duplicate',
        [TWO_LINES_TOTAL]: 'matched',
      });
    }
  });

  it('matches money that was booked for an intent, and did not confirm it', async () => {
    const admin = await makeStaff(rail, 'admin');
    const actor = await makeActor(rail);
    planNext(held.outside, 'card', { amount: 'wrong' });
    const { intent } = await collect(rail, actor, 'card');
    await expect.poll(() => rail.count(sql`select 1 from money_received where intent = ${intent}`)).toBe(1);
    const [money] = await rail.rows<{ amount: number }>(sql`
      select amount::float8 as amount from money_received where intent = ${intent}`);
    const outcomeOf = async (amount: number) => {
      const csv = `${HEADER}\n${intent},${amount},UGX,successful,F-${intent},${today()}\n`;
      const { data } = await send(admin, 'card', csv, period());
      const items = (await admin.ask(`/v1/ops/reconciliation/runs/${data.name}/items`)).data;
      return items.find((item: { intent: string }) => item.intent === intent);
    };
    expect(await outcomeOf(money!.amount)).toMatchObject({ outcome: 'matched', recorded_amount: money!.amount });
    expect(await outcomeOf(TWO_LINES_TOTAL)).toMatchObject({ outcome: 'amount_differs' });
  });

  it('asks for the mismatches of many runs at once', async () => {
    const admin = await makeStaff(rail, 'admin');
    await send(admin, 'card', `${HEADER}\nM-1,5,UGX,successful,F1,2020-01-01\nM-2,5,UGX,successful,F2,2020-01-01`);
    const asked = vi.spyOn(rail.rail.db, 'rows');
    const { json } = await admin.post('/graphql', {
      query: '{ reconciliationRuns(first: 50) { nodes { id mismatches { run: id reference } } } }',
    });
    const questions = asked.mock.calls.filter(([{ text }]) => text.includes('reconciliation_item')).length;
    asked.mockRestore();
    const runs = json.data.reconciliationRuns.nodes as {
      id: string;
      mismatches: { run: string; reference: string }[];
    }[];
    expect(runs.length).toBeGreaterThan(2);
    expect(runs[0]!.mismatches.map(({ reference }) => reference)).toEqual(['M-1', 'M-2']);
    for (const { id, mismatches } of runs)
      for (const { run } of mismatches) expect(run.startsWith(`${id}.`)).toBe(true);
    expect(questions).toBe(1);
  });

  it('is measured by what holds the event loop', async () => {
    const longest = await measureLongestTurn(async () => {
      await turn();
      const since = process.threadCpuUsage().user;
      while (process.threadCpuUsage().user - since < 150_000);
      await turn();
    });
    expect(longest).toBeGreaterThan(100);
  });

  it.each([
    ['100,001 rows', () => `${HEADER}\n${'D,5,UGX,successful,F,2020-03-01\n'.repeat(100_001)}`],
    ['15 MiB of newlines', () => `${HEADER}\n${'\n'.repeat(15 * 1024 * 1024)}`],
    ['one quoted cell of 15 MiB', () => `${HEADER}\n"${'x'.repeat(15 * 1024 * 1024)}`],
    [
      '50,000 rows that nobody knows',
      () => `${HEADER}\n${Array.from({ length: 50_000 }, (_, i) => `E-${i},5,UGX,successful,F,2020-03-01`).join('\n')}`,
    ],
  ])('lets others have their turn beside %s', { tags: 'long' }, async (_, body) => {
    const call = callOf(rail.rail, actAsSystem('test'), 'test');
    const file = Buffer.from(body());
    const day = new Date('2020-03-01');
    const longest = await measureLongestTurn(() =>
      reconcileStatement(call, { provider: 'card', body: file, fromDate: day, toDate: day }).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
      }),
    );
    process.stdout.write(`held for ${Math.round(longest)} ms at most\n`);
    // Under 10 on a machine of its own; what compiling and other work of this thread adds is counted too.
    expect(longest).toBeLessThan(100);
  });
});

describe('the finance officers of an agency', () => {
  it('see the rows of its payments and count these alone; those of other agencies see no run', async () => {
    const channel = 'airtel_money';
    const [admin, missing] = [await makeStaff(rail, 'admin'), await known(channel)];
    const { books, statement } = simulatorOf(held.outside, channel);
    books.enter({ ...books.byIntent(missing)!, reference: 'X-1', intent: 'X-1' }).state = 'paid';
    const { data: run } = await send(admin, channel, statement({ without: [missing] }), period());
    expect(run.missing_here).toBeGreaterThan(0);
    expect(run.missing_there).toBeGreaterThan(0);
    const [own, all, foreign] = [
      await makeStaffOf(rail, ['URA'], 'finance_officer'),
      await makeStaffOf(rail, [], 'finance_officer'),
      await makeStaffOf(rail, ['KCCA'], 'finance_officer'),
    ];
    const path = `/v1/ops/reconciliation/runs/${run.name}`;
    const rows = async (by: StaffActor) =>
      ((await by.ask(`${path}/items`)).data as { outcome: string }[]).map(({ outcome }) => outcome);
    const theirs = (await own.ask(path)).data;
    expect(theirs.missing_there).toBe(run.missing_there);
    expect(theirs.mismatches.map((item: { intent: string | null }) => item.intent)).toContain(missing);
    expect(theirs.mismatches.every((item: { intent: string | null }) => item.intent !== null)).toBe(true);
    const seen = await rows(own);
    const count = (outcome: string) => seen.filter((each) => each === outcome).length;
    expect([theirs.matched, theirs.missing_here, theirs.missing_there]).toEqual(
      ['matched', 'missing_here', 'missing_there'].map(count),
    );
    expect(seen.length).toBeLessThan((await rows(all)).length);
    expect((await all.ask(path)).data).toEqual((await admin.ask(path)).data);
    expect(await rows(all)).toContain('missing_here');
    expect([(await foreign.ask(path)).status, (await foreign.ask(`${path}/items`)).status]).toEqual([404, 404]);
    expect((await foreign.ask('/v1/ops/reconciliation/runs')).data).toEqual([]);
    for (const by of [own, all]) expect((await by.ask('/v1/ops/reconciliation/runs')).data[0].name).toBe(run.name);
    expect((await send(own, channel, statement({}), period())).status).toBe(403);
  });
});
