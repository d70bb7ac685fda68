import { describe, expect, it } from 'vitest';
import { type Sql, sql } from '../../../src/platform/database/sql.ts';
import {
  type Actor,
  TWO_LINES_TOTAL,
  createAssessed,
  createConfirmed,
  createPending,
  draft,
  makeActor,
} from '../../harness/flow.ts';
import { expectInvariants } from '../../harness/chaos/invariants.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();

/** The lines owe URA 450,000 and URSB 135,000. */
const ELSEWHERE = {
  'all of it to an agency of no line': [{ mda: 'KCCA', amount: TWO_LINES_TOTAL }],
  'all of it to one of the agencies': [{ mda: 'URA', amount: TWO_LINES_TOTAL }],
  'a shilling from one agency to the other': [
    { mda: 'URA', amount: 450_001 },
    { mda: 'URSB', amount: 134_999 },
  ],
};

async function withScope(actor: Actor): Promise<Actor> {
  const { plaintext: key } = await rail.key('assessments.write', 'payments.initiate', 'payments.split');
  await rail.rows(sql`update api_key set integrator = ${actor.integrator} where hash = sha256(${key}::bytea)`);
  const ask: Actor['ask'] = (path, options = {}) => rail.ask(path, { key, ...options });
  return { ...actor, key, ask, post: (path, body = {}, headers = {}) => ask(path, { body, headers }) };
}

describe('explicit splits', () => {
  it.each(Object.entries(ELSEWHERE))('422 without the scope payments.split: %s', async (_what, splits) => {
    const actor = await makeActor(rail);
    const assessment = await createAssessed(rail, actor);
    const answer = await actor.post('/v1/payment-intents', { assessment, channel: 'card', splits });
    expect(answer).toMatchObject({ status: 422, code: 'validation_failed' });
    const message =
      'must match what the lines owe to each agency: 450000 to URA, 135000 to URSB. Other amounts require the scope payments.split';
    expect(answer.json.error.details).toEqual([{ path: 'splits', message, code: 'splits_differ' }]);
    expect(await rail.count(sql`select 1 from payment_intent where assessment = ${assessment}`)).toBe(0);
  });

  it.each(Object.entries(ELSEWHERE))('200 with it, flagged: %s', async (_what, splits) => {
    const actor = await withScope(await makeActor(rail));
    const assessment = await createAssessed(rail, actor);
    const { data } = await actor.post('/v1/payment-intents', { assessment, channel: 'card', splits });
    expect(data.splits).toEqual(splits);
    const [anomaly] = await rail.rows<{ mda: string; severity: string; evidence: object }>(
      sql`select mda, severity, evidence from anomaly where kind = 'split_differs' and subject = ${data.name}`,
    );
    const given = Object.fromEntries(splits.map(({ mda, amount }) => [mda, amount]));
    const moved = Math.max(0, 450_000 - (given['URA'] ?? 0)) + Math.max(0, 135_000 - (given['URSB'] ?? 0));
    expect(anomaly).toMatchObject({
      mda: 'URA' in given ? 'URSB' : 'URA',
      severity: 'high',
      evidence: { assessment, amount: moved, currency: 'UGX' },
    });
    await expectInvariants(rail);
  });

  it('200 with it, and no flag, where they are what the lines owe', async () => {
    const actor = await withScope(await makeActor(rail));
    const assessment = await createAssessed(rail, actor);
    const splits = [
      { mda: 'URA', amount: 450_000 },
      { mda: 'URSB', amount: 135_000 },
    ];
    const { data } = await actor.post('/v1/payment-intents', { assessment, channel: 'card', splits });
    expect(await rail.count(sql`select 1 from anomaly where subject = ${data.name}`)).toBe(0);
  });

  it.each([
    ['in another country', 'KE-KRA', 'is in KE, where none of the lines is owed'],
    ['that collects another currency', 'URSB-USD', 'does not collect UGX'],
  ])('422 with it too: to an agency %s', async (_what, mda, message) => {
    await rail.rows(sql`
      insert into mda (name, mda_name, interaction_mode, country, mda_type, status, collection_account, created_at,
        updated_at)
      select 'URSB-USD', 'Dollar desk', 'A', 'UG', 'agency', 'Active', '9030000000001', now(), now()
      on conflict do nothing`);
    await rail.rows(sql`
      insert into service (name, service_name, code, mda, sector, family, status, fee_amount, currency, search_text,
        created_at, updated_at)
      select 'SVC-2020-999999', 'Dollar fee', 'URSB-USD-1', 'URSB-USD', 'tax', 'fee', 'Active', 5, 'USD', '', now(),
        now() on conflict do nothing`);
    const actor = await withScope(await makeActor(rail));
    const assessment = await createAssessed(rail, actor);
    const answer = await actor.post('/v1/payment-intents', {
      assessment,
      channel: 'card',
      splits: [{ mda, amount: TWO_LINES_TOTAL }],
    });
    expect(answer.json.error.details).toContainEqual({ path: 'splits[0].mda', message });
  });

  it('the scope is in no standard key, and an account does not give it to itself', async () => {
    const standard = await rail.key('citizens.read', 'assessments.write', 'payments.initiate');
    const body = { label: 'More', scopes: ['payments.split'] };
    expect(await rail.ask('/v1/me/keys', { key: standard.plaintext, body })).toMatchObject({
      status: 403,
      code: 'forbidden',
    });
  });
});

describe('in the database itself', () => {
  it('splits are what the lines owe, or marked; they and what they were checked against do not change', async () => {
    const actor = await makeActor(rail);
    const { intent, assessment } = await createPending(rail, actor);
    const copy = (override: boolean, mda: string) => sql`
      with made as (
        insert into payment_intent (name, assessment, integrator, channel, status, amount, currency, aggregator,
          split_override, revision, expires_at, created_at, updated_at)
        select 'PI-2020-01-' || ${override ? '000001' : '000002'}, assessment, integrator, channel, status, amount,
          currency, aggregator, ${override}, 1, expires_at, created_at, updated_at
        from payment_intent where name = ${intent} returning name, amount)
      insert into split_rule (intent, mda, amount) select name, ${mda}, amount from made`;
    await expect(rail.rows(copy(false, 'KCCA'))).rejects.toThrow(/do not give each agency what its lines owe/);
    await rail.rows(copy(true, 'KCCA'));
    await rail.rows(sql`insert into anomaly (name, kind, severity, status, subject, evidence, raised_at)
      values ('ANOM-2020-01-000001', 'split_differs', 'high', 'Open', 'PI-2020-01-000001', '{}', now())`);
    for (const [statement, message] of [
      [sql`update split_rule set mda = 'KCCA' where intent = ${intent} and mda = 'URA'`, /append-only/],
      [sql`delete from split_rule where intent = ${intent}`, /append-only/],
      [sql`insert into split_rule (intent, mda, amount) values (${intent}, 'KCCA', 1)`, /do not equal its amount/],
      [sql`update payment_intent set split_override = true where name = ${intent}`, /is settled when it is made/],
      [sql`update payment_intent set amount = amount + 1 where name = ${intent}`, /is settled when it is made/],
      [
        sql`update assessment_line set mda = 'KCCA' where assessment = ${assessment}`,
        /are what a payment intent collects/,
      ],
    ] as const) {
      await expect(rail.rows(statement)).rejects.toThrow(message);
    }
    await expectInvariants(rail);
  });

  /** Each deferred check is violated from each table that it covers, by statements of one transaction. */
  type Broken = { readonly drafted: string; readonly pending: string; readonly confirmed: string };
  let made: Promise<Broken> | undefined;
  async function make(): Promise<Broken> {
    const actor = await makeActor(rail);
    return {
      drafted: await draft(rail, actor),
      pending: (await createPending(rail, actor)).intent,
      confirmed: (await createConfirmed(rail, actor)).intent,
    };
  }
  const newIntent = (as: string, status: string) => sql`
    insert into payment_intent (name, assessment, integrator, channel, status, amount, currency, aggregator,
      aggregator_reference, revision, initiated_at, confirmed_at, expires_at, created_at, updated_at)
    select 'PI-2020-01-000009', assessment, integrator, channel, ${status}::intent_status, amount, currency, aggregator,
      'R-9', 1, now(), case when ${status} = 'Confirmed' then now() end, expires_at, created_at, updated_at
    from payment_intent where name = ${as}`;
  const newSplits = (as: string, but = 'NOBODY') => sql`
    insert into split_rule (intent, mda, amount)
    select 'PI-2020-01-000009', mda, amount from split_rule where intent = ${as} and mda <> ${but}`;
  const newEvents = (as: string, of: string, more = 0) => sql`
    insert into payment_event (name, intent, assessment, integrator, mda, amount, currency, channel, kind,
      aggregator_reference, occurred_at, created_at)
    select 'PEV-2020-01-00000' || row_number() over (), ${of}, i.assessment, i.integrator, s.mda, s.amount + ${more}::int,
      i.currency, i.channel, 'payment', 'R-9', now(), now()
    from split_rule s join payment_intent i on i.name = s.intent where i.name = ${as}`;
  const setStatus = (name: string, status: string) => sql`
    update payment_intent set status = ${status}::intent_status, aggregator_reference = 'R-9', initiated_at = now(),
      confirmed_at = case when ${status} = 'Confirmed' then now() end where name = ${name}`;
  const moveLine = (intent: string) => sql`
    update assessment_line l set mda = 'KCCA' from payment_intent i
    where i.name = ${intent} and l.assessment = i.assessment and l.mda = 'URA'`;

  /** A refund of an intent, whose one share may be another amount. */
  const newRefund = (of: string, amount: number, share = amount) => [
    sql`insert into refund (name, intent, assessment, integrator, amount, currency, reason_code, method, status,
        requested_by, revision, created_at, updated_at)
      select 'RFD-2020-01-000009', name, assessment, integrator, ${amount}, currency, 'duplicate', 'transfer', 'Requested',
        'nobody', 1, now(), now() from payment_intent where name = ${of}`,
    sql`insert into refund_share (refund, mda, idx, amount) values ('RFD-2020-01-000009', 'URA', 1, ${share})`,
  ];
  /** Money of 5, with an outcome and a refund of so much. */
  const newMoney = (outcome: number, refund: number) => [
    sql`insert into money_received (name, provider, txn_id, kind, amount, currency, channel, received_at, created_at)
      values ('MON-2020-01-000009', 'bank', 'T-9', 'late', 5, 'UGX', 'bank', now(), now())`,
    sql`insert into money_outcome (money, kind, amount, reason, decided_by, at)
      select 'MON-2020-01-000009', 'transferred', n, 'Moved', 'nobody', now() from (values (${outcome}::int)) as v (n) where n > 0`,
    sql`insert into refund (name, money, amount, currency, reason_code, method, status, requested_by, revision, created_at, updated_at)
      select 'RFD-2020-01-000009', 'MON-2020-01-000009', n, 'UGX', 'overpaid', 'transfer', 'Requested', 'nobody', 1, now(), now()
      from (values (${refund}::int)) as v (n) where n > 0`,
  ];
  const BREAKS: Readonly<Record<string, Readonly<Record<string, readonly ((names: Broken) => readonly Sql[])[]>>>> = {
    check_assessment_total: {
      assessment: [
        ({ drafted }) => [
          sql`insert into assessment (name, citizen, status, currency, total_amount, line_count, revision, created_at, updated_at)
            select 'ASMT-2020-01-000009', citizen, status, currency, total_amount, line_count, 1, created_at, updated_at
            from assessment where name = ${drafted}`,
        ],
        ({ drafted }) => [sql`update assessment set total_amount = total_amount + 1 where name = ${drafted}`],
        ({ drafted }) => [sql`update assessment set line_count = line_count + 1 where name = ${drafted}`],
      ],
      assessment_line: [
        ({ drafted }) => [
          sql`insert into assessment_line (assessment, idx, service, service_name, mda, quantity, rate, amount)
            select assessment, 9, service, service_name, mda, quantity, 0, 0 from assessment_line
            where assessment = ${drafted} limit 1`,
        ],
        ({ drafted }) => [
          sql`update assessment_line set rate = rate + 1, amount = amount + quantity where assessment = ${drafted} and idx = 1`,
        ],
        ({ drafted }) => [sql`delete from assessment_line where assessment = ${drafted} and idx = 1`],
        ({ drafted, pending }) => [
          sql`update assessment_line set assessment = (select assessment from payment_intent where name = ${pending}), idx = 9
            where assessment = ${drafted} and idx = 1`,
        ],
      ],
    },
    check_line_is_unpaid: {
      assessment_line: [
        ({ pending }) => [moveLine(pending)],
        ({ confirmed }) => [
          sql`delete from assessment_line l using payment_intent i
            where i.name = ${confirmed} and l.assessment = i.assessment and l.idx = 1`,
        ],
      ],
      payment_intent: [({ pending }) => [moveLine(pending), newIntent(pending, 'Pending'), newSplits(pending)]],
    },
    check_event_is_confirmed: {
      payment_event: [({ pending }) => [newEvents(pending, pending)]],
      payment_intent: [({ confirmed }) => [setStatus(confirmed, 'Failed')]],
    },
    check_intent_events: {
      payment_intent: [
        ({ pending }) => [setStatus(pending, 'Confirmed')],
        ({ confirmed }) => [setStatus(confirmed, 'Expired')],
        ({ pending }) => [newIntent(pending, 'Confirmed'), newSplits(pending)],
      ],
      payment_event: [
        ({ pending }) => [setStatus(pending, 'Confirmed'), newEvents(pending, pending, 1)],
        ({ confirmed }) => [sql`delete from payment_event where intent = ${confirmed}`],
        ({ confirmed }) => [sql`update payment_event set amount = amount + 1 where intent = ${confirmed}`],
      ],
      split_rule: [
        ({ confirmed }) => [sql`update split_rule set amount = amount + 1 where intent = ${confirmed}`],
        ({ confirmed }) => [sql`insert into split_rule (intent, mda, amount) values (${confirmed}, 'KCCA', 1)`],
      ],
    },
    check_intent_splits: {
      payment_intent: [
        ({ pending }) => [newIntent(pending, 'Pending')],
        ({ pending }) => [sql`update payment_intent set amount = amount + 1 where name = ${pending}`],
        ({ pending, confirmed }) => [
          sql`update payment_intent set assessment = (select assessment from payment_intent where name = ${confirmed})
            where name = ${pending}`,
        ],
      ],
      split_rule: [
        ({ pending }) => [newIntent(pending, 'Pending'), newSplits(pending, 'URA')],
        ({ pending }) => [sql`delete from split_rule where intent = ${pending}`],
      ],
      assessment_line: [({ pending }) => [moveLine(pending)]],
    },
    check_refund: {
      payment_event: [
        ({ confirmed }) => [
          sql`insert into payment_event (name, intent, assessment, integrator, mda, amount, currency, channel, kind,
              aggregator_reference, occurred_at, created_at)
            select 'PEV-2020-01-000009', intent, assessment, integrator, mda, -amount - 1, currency, channel, 'reversal',
              aggregator_reference, now(), now() from payment_event where intent = ${confirmed} limit 1`,
        ],
      ],
      payment_intent: [({ confirmed }) => [...newRefund(confirmed, 1), setStatus(confirmed, 'Failed')]],
      refund: [({ confirmed }) => newRefund(confirmed, 100_000_000)],
      refund_share: [({ confirmed }) => newRefund(confirmed, 2, 1)],
      split_rule: [
        ({ confirmed }) => [
          ...newRefund(confirmed, 2),
          sql`update split_rule set amount = 1 where intent = ${confirmed} and mda = 'URA'`,
        ],
      ],
    },
    check_money: {
      money_outcome: [() => newMoney(6, 0)],
      money_received: [
        () => [...newMoney(1, 0), sql`update money_received set amount = 0.5 where name = 'MON-2020-01-000009'`],
      ],
      refund: [() => newMoney(2, 4)],
    },
    check_split_is_new: {
      split_rule: [({ pending }) => [sql`insert into split_rule (intent, mda, amount) values (${pending}, 'KCCA', 1)`]],
      payment_intent: [({ pending }) => [sql`update payment_intent set amount = amount + 1 where name = ${pending}`]],
    },
  };

  it('each deferred check is broken above from every table that it reads', async () => {
    const checks = await rail.rows<{ name: string; source: string; on: string[] }>(sql`
      select p.proname as name, p.prosrc as source, array_agg(distinct c.relname::text) as on
      from pg_trigger t join pg_proc p on p.oid = t.tgfoid join pg_class c on c.oid = t.tgrelid
      where t.tgconstraint <> 0 and not t.tgisinternal group by 1, 2`);
    const tables = await rail.rows<{ name: string }>(
      sql`select tablename as name from pg_tables where schemaname = 'public'`,
    );
    const sides = checks.map(({ name, source, on }) => {
      const read = tables.filter((table) => new RegExp(`\\b(?:from|join) ${table.name}\\b`).test(source));
      return [name, [...new Set([...on, ...read.map((table) => table.name)])].toSorted()] as const;
    });
    const broken = Object.entries(BREAKS).map(([name, by]) => [name, Object.keys(by).toSorted()] as const);
    expect(Object.fromEntries(broken)).toEqual(Object.fromEntries(sides));
  });

  it.each(
    Object.entries(BREAKS).flatMap(([check, sides]) =>
      Object.entries(sides).flatMap(([table, breaks]) => breaks.map((write, n) => [check, table, n, write] as const)),
    ),
  )('%s refuses what breaks it by %s, %i', async (_check, _table, _n, write) => {
    const names = await (made ??= make());
    const run = rail.rail.transaction(async (db) => {
      for (const statement of write(names)) await db.rows(statement);
    });
    await expect(run).rejects.toMatchObject({ code: expect.stringMatching(/^(23514|23001|40001)$/) });
  });
});
