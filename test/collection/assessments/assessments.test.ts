import { describe, expect, it } from 'vitest';
import { AssessmentStatus } from '../../../src/generated/prisma/enums.ts';
import { assessmentLifecycle } from '../../../src/collection/assessments/lifecycle.ts';
import { type Sql, sql } from '../../../src/platform/database/sql.ts';
import {
  type Actor,
  TWO_LINES_TOTAL,
  createAssessed,
  createConfirmed,
  draft,
  makeActor,
  serviceNamed,
  someCitizen,
  twoLines,
} from '../../harness/flow.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();

async function inState(actor: Actor, status: AssessmentStatus): Promise<string> {
  switch (status) {
    case 'Draft':
      return draft(rail, actor);
    case 'Assessed':
      return createAssessed(rail, actor);
    case 'Paid':
      return (await createConfirmed(rail, actor)).assessment;
    case 'Cancelled': {
      const name = await draft(rail, actor);
      await actor.post(`/v1/assessments/${name}:cancel`);
      return name;
    }
  }
}

describe('POST /v1/assessments', () => {
  it('200: prices each line from the fee schedule, whatever rate a client sends', async () => {
    const actor = await makeActor(rail);
    const service = await serviceNamed(rail, 'URA-PAYE');
    const { data } = await actor.post('/v1/assessments', {
      citizen: await someCitizen(rail),
      lines: [{ service, quantity: 3, rate: 1, amount: 1 }],
      total_amount: 1,
      status: 'Paid',
    });
    expect(data).toMatchObject({ status: 'Draft', total_amount: 1_350_000, shift: null, assessed_at: null });
    expect(data.name).toMatch(/^ASMT-\d{4}-\d\d-\d{6}$/);
    expect(data.lines).toEqual([
      {
        idx: 1,
        service,
        service_name: 'Pay As You Earn return payment',
        mda: 'URA',
        quantity: 3,
        rate: 450_000,
        amount: 1_350_000,
      },
    ]);
  });

  it('200: keeps cents exactly', async () => {
    const actor = await makeActor(rail);
    const service = await serviceNamed(rail, 'KE-NCC-LANDRATE');
    const { data } = await actor.post('/v1/assessments', {
      citizen: await someCitizen(rail),
      lines: [{ service, quantity: 9_999 }],
    });
    expect(data).toMatchObject({ currency: 'KES', total_amount: 111_996_299.25 });
  });

  it('422: a currency that is not the one that the rail decides on, wherever a body may have one; in either case of letters', async () => {
    const [actor, admin] = [await makeActor(rail), await makeStaff(rail, 'admin')];
    const assessment = await createAssessed(rail, actor);
    const fee = { mda: 'KCCA', service_name: 'Stall', sector: 'local', family: 'licence', fee_amount: 5_000 };
    const asked: readonly (readonly [Pick<Actor, 'post'>, string, object])[] = [
      [actor, '/v1/assessments', { citizen: await someCitizen(rail), lines: await twoLines(rail) }],
      [actor, '/v1/payment-intents', { assessment, channel: 'mtn_momo' }],
      [actor, `/v1/assessments/${assessment}:issue-reference`, {}],
      [actor, '/v1/payment-links', { assessment }],
      [admin, '/v1/ops/services', { ...fee, code: 'KCCA-STALL' }],
    ];
    for (const [by, path, body] of asked) {
      const { status, json } = await by.post(path, { ...body, currency: 'KES' });
      expect([path, status, json.error?.details]).toEqual([path, 422, [{ path: 'currency', message: 'must be UGX' }]]);
      expect([path, (await by.post(path, { ...body, currency: 'ugx' })).status]).toEqual([path, 200]);
    }
  });

  it('422: unknown documents, wrong agencies, quantities and line counts, each named', async () => {
    const actor = await makeActor(rail);
    const citizen = await someCitizen(rail);
    const [first, second] = await twoLines(rail);
    const kenyan = { service: await serviceNamed(rail, 'KE-KRA-VAT') };
    const sandboxed = { service: await serviceNamed(rail, 'UWA-GORILLA') };
    const cases: [unknown, string][] = [
      [{}, 'citizen'],
      [{ citizen }, 'lines'],
      [{ citizen, lines: [] }, 'lines'],
      [{ citizen, lines: 'x' }, 'lines'],
      [{ citizen, lines: [null] }, 'lines[0]'],
      [{ citizen, lines: [[]] }, 'lines[0]'],
      [{ citizen, lines: Array(101).fill(first) }, 'lines'],
      [{ citizen: 'CITIZEN-2020-000001', lines: [first] }, 'citizen'],
      [{ citizen: 'nobody', lines: [first] }, 'citizen'],
      [{ citizen, lines: [first, { service: 'SVC-2020-000001' }] }, 'lines[1].service'],
      [{ citizen, lines: [{ service: "'; drop table service" }] }, 'lines[0].service'],
      [{ citizen, lines: [{ ...first, mda: 'URSB' }] }, 'lines[0].mda'],
      [{ citizen, lines: [first, kenyan] }, 'lines'],
      [{ citizen, lines: [sandboxed] }, 'lines[0].service'],
      [{ citizen, lines: [second], shift: 'SHIFT-2026-11-21-001' }, 'shift'],
      ...[0, -1, 10_001].map((quantity): [unknown, string] => [
        { citizen, lines: [{ ...first, quantity }] },
        'lines[0].quantity',
      ]),
      ...[1.5, '1', true, 1e30].map((quantity): [unknown, string] => [
        { citizen, lines: [{ ...first, quantity }] },
        'lines[0].quantity',
      ]),
    ];
    for (const [body, path] of cases) {
      const answer = await actor.post('/v1/assessments', body);
      expect(answer.status, JSON.stringify(body).slice(0, 80)).toBe(422);
      expect(answer.json.error.details.map((detail: { path: string }) => detail.path)).toContain(path);
    }
    expect(await rail.count(sql`select 1 from assessment where integrator = ${actor.integrator}`)).toBe(0);
  });

  it('200: takes an Open shift of the caller, and no other', async () => {
    const actor = await makeActor(rail);
    const other = await makeActor(rail);
    const shift = (await actor.post('/v1/counter-shifts', { mda: 'URA' })).data.name;
    const body = { citizen: await someCitizen(rail), lines: await twoLines(rail), shift };
    expect((await actor.post('/v1/assessments', body)).data.shift).toBe(shift);
    expect((await other.post('/v1/assessments', body)).status).toBe(422);
    expect((await actor.ask(`/v1/assessments?shift=${shift}`)).data).toHaveLength(1);
  });
});

describe('prices', () => {
  it('of a Draft follow the fee schedule; :assess freezes them', async () => {
    const actor = await makeActor(rail);
    const service = await serviceNamed(rail, 'UPF-EPS');
    const made = async () =>
      (await actor.post('/v1/assessments', { citizen: await someCitizen(rail), lines: [{ service, quantity: 2 }] }))
        .data.name;
    const [open, frozen] = [await made(), await made()];
    await actor.post(`/v1/assessments/${frozen}:assess`);
    await rail.rows(sql`update service set fee_amount = 120000 where name = ${service}`);
    expect((await actor.ask(`/v1/assessments/${open}`)).data).toMatchObject({
      total_amount: 240_000,
      lines: [{ rate: 120_000, amount: 240_000 }],
    });
    expect((await actor.ask(`/v1/assessments/${frozen}`)).data).toMatchObject({
      total_amount: 200_000,
      lines: [{ rate: 100_000 }],
    });
    expect((await actor.post(`/v1/assessments/${open}:assess`)).data.total_amount).toBe(240_000);
  });

  it('that a Draft missed are put right by :assess', async () => {
    const actor = await makeActor(rail);
    const service = await serviceNamed(rail, 'UPF-ACCIDENT');
    const { name } = (await actor.post('/v1/assessments', { citizen: await someCitizen(rail), lines: [{ service }] }))
      .data;
    // As if the fee had changed while the Draft was being written.
    await rail.rows(sql`alter table service disable trigger drafts_follow_fees`);
    await rail.rows(sql`update service set fee_amount = 60000 where name = ${service}`);
    await rail.rows(sql`alter table service enable trigger drafts_follow_fees`);
    const { data } = await actor.post(`/v1/assessments/${name}:assess`);
    expect(data).toMatchObject({ status: 'Assessed', total_amount: 60_000, lines: [{ rate: 60_000 }] });
    expect((await actor.ask(`/v1/assessments/${name}`)).data).toEqual(data);
  });

  /** Does something while a change is made and not committed, until it waits for that or is done without. */
  async function during<T>(change: Sql, work: () => Promise<T>): Promise<T> {
    let over = false;
    let working: Promise<T>;
    await rail.rail.transaction(async (db) => {
      await db.rows(change);
      working = work().finally(() => (over = true));
      working.catch(() => {});
      const waiting = sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await expect.poll(async () => over || (await rail.count(waiting)) > 0).toBe(true);
    });
    return working!;
  }
  const setFee = (service: string, to: number) =>
    sql`update service set fee_amount = ${to} where name = ${service} returning name`;
  const draftOf = async (actor: Actor, ...services: string[]): Promise<string> =>
    (
      await actor.post('/v1/assessments', {
        citizen: await someCitizen(rail),
        lines: services.map((service) => ({ service })),
      })
    ).data.name;
  const ratesOf = async (actor: Actor, name: string) => {
    const { data } = await actor.ask(`/v1/assessments/${name}`);
    return [data.total_amount, ...data.lines.map(({ rate }: { rate: number }) => rate)];
  };

  it('of what is assessed while a fee changes stay as it was assessed', async () => {
    const actor = await makeActor(rail);
    const service = await serviceNamed(rail, 'UPF-EPS');
    await rail.rows(setFee(service, 100_000));
    const name = await draftOf(actor, service);
    const assessing = sql`
      update assessment set status = 'Assessed', assessed_at = now(), revision = revision + 1 where name = ${name}`;
    await during(assessing, () => rail.rows(setFee(service, 130_000)));
    expect(await ratesOf(actor, name)).toEqual([100_000, 100_000]);
  });

  it.each([
    ['by as much', 110_000, 70_000],
    ['by unequal amounts', 110_000, 75_000],
  ])('of a Draft of two services follow both of their fees, raised at once %s', async (_how, first, second) => {
    const actor = await makeActor(rail);
    const [one, two] = [await serviceNamed(rail, 'UPF-EPS'), await serviceNamed(rail, 'UPF-ACCIDENT')];
    await rail.rows(setFee(one, 100_000));
    await rail.rows(setFee(two, 60_000));
    const name = await draftOf(actor, one, two);
    await during(setFee(one, first), () => rail.rows(setFee(two, second)));
    expect(await ratesOf(actor, name)).toEqual([first + second, first, second]);
  });

  it('of a Draft that is made while a fee changes are the new ones', async () => {
    const actor = await makeActor(rail);
    const service = await serviceNamed(rail, 'UPF-EPS');
    await rail.rows(setFee(service, 100_000));
    const name = await during(setFee(service, 140_000), () => draftOf(actor, service));
    expect(await ratesOf(actor, name)).toEqual([140_000, 140_000]);
  });

  it('422: :assess on what is no longer offered', async () => {
    const actor = await makeActor(rail);
    const service = await serviceNamed(rail, 'UPF-FIRE');
    const { name } = (await actor.post('/v1/assessments', { citizen: await someCitizen(rail), lines: [{ service }] }))
      .data;
    await rail.rows(sql`update service set status = 'Inactive' where name = ${service}`);
    const answer = await actor.post(`/v1/assessments/${name}:assess`);
    expect(answer.json.error.details[0].path).toBe('lines[0].service');
    expect((await actor.ask(`/v1/assessments/${name}`)).data.status).toBe('Draft');
  });

  it('422: what is not offered, by a service or its agency, and what there is not, each with its reason', async () => {
    const actor = await makeActor(rail);
    const citizen = await someCitizen(rail);
    const [over, closed] = [await serviceNamed(rail, 'UPF-FIRE'), await serviceNamed(rail, 'NIRA-REPLACE')];
    await rail.rows(sql`update service set status = 'Inactive' where name = ${over}`);
    await rail.rows(sql`update mda set status = 'Inactive' where name = 'NIRA'`);
    const lines = [over, closed, 'SVC-2026-999999'].map((service) => ({ service }));
    const answer = await actor.post('/v1/assessments', { citizen, lines });
    await rail.rows(sql`update mda set status = 'Active' where name = 'NIRA'`);
    expect(answer.json.error.details.map(({ path, code }: { path: string; code: string }) => [path, code])).toEqual([
      ['lines[0].service', 'service_not_offered'],
      ['lines[1].service', 'service_not_offered'],
      ['lines[2].service', 'not_found'],
    ]);
  });

  it('cannot be changed behind the rail once they are frozen', async () => {
    const actor = await makeActor(rail);
    const name = await createAssessed(rail, actor);
    await expect(rail.rows(sql`update assessment set total_amount = 1 where name = ${name}`)).rejects.toThrow(/frozen/);
  });
});

describe('the lifecycle: each state × each action', () => {
  const actions = { assess: assessmentLifecycle.assess, cancel: assessmentLifecycle.cancel } as const;
  for (const status of Object.values(AssessmentStatus)) {
    for (const [action, { from, to }] of Object.entries(actions)) {
      const noop = action === 'assess' && status === 'Assessed';
      const allowed = (from as readonly string[]).includes(status) || noop;
      it(`${status} :${action} ${allowed ? `→ ${to}` : 'is refused'}`, async () => {
        const actor = await makeActor(rail);
        const name = await inState(actor, status);
        const before = (await actor.ask(`/v1/assessments/${name}`)).data;
        expect(before.status).toBe(status);
        const answer = await actor.post(`/v1/assessments/${name}:${action}`);
        expect(answer.status).toBe(allowed ? 200 : 422);
        const after = (await actor.ask(`/v1/assessments/${name}`)).data;
        if (allowed) expect(after).toEqual(answer.data);
        else expect(after).toEqual(before);
        expect(after.status).toBe(allowed ? to : status);
      });
    }
  }
});

describe('POST /v1/assessments/{name}:cancel', () => {
  it('200: keeps the reason, and tells of it', async () => {
    const actor = await makeActor(rail);
    const name = await createAssessed(rail, actor);
    const { data } = await actor.post(`/v1/assessments/${name}:cancel`, { reason: '  a mistake ' });
    expect(data).toMatchObject({ status: 'Cancelled', cancel_reason: 'a mistake' });
    const [message] = await rail.rows<{ type: string; payload: { status: string } }>(
      sql`select type, payload from outbox where object = ${name}`,
    );
    expect(message).toMatchObject({ type: 'assessment.cancelled', payload: { status: 'Cancelled' } });
  });

  it('200: reverses a Paid one: a negative event for each, and an anomaly', async () => {
    const actor = await makeActor(rail);
    const { assessment, intent } = await createConfirmed(rail, actor);
    expect((await actor.post(`/v1/assessments/${assessment}:cancel`, { reason: 'refund' })).data.status).toBe(
      'Cancelled',
    );
    const events = (await actor.ask(`/v1/payment-events?intent=${intent}`)).data;
    expect(events.map(({ kind, amount }: { kind: string; amount: number }) => `${kind} ${amount}`).toSorted()).toEqual([
      'payment 135000',
      'payment 450000',
      'reversal -135000',
      'reversal -450000',
    ]);
    expect(await rail.count(sql`select 1 from anomaly where kind = 'reversal' and subject = ${assessment}`)).toBe(1);
  });

  it('422: a Paid one after 30 days, or after its shift was closed', async () => {
    const actor = await makeActor(rail);
    const { assessment: old } = await createConfirmed(rail, actor);
    await rail.rows(sql`update assessment set paid_at = paid_at - interval '30 days 1 minute' where name = ${old}`);
    expect((await actor.post(`/v1/assessments/${old}:cancel`)).status).toBe(422);

    const { assessment } = await createConfirmed(rail, actor);
    const shift = (await actor.post('/v1/counter-shifts', { mda: 'URA' })).data.name;
    await rail.rows(sql`update assessment set shift = ${shift} where name = ${assessment}`);
    expect((await actor.post(`/v1/counter-shifts/${shift}:close`, { cash_counted: 0 })).status).toBe(200);
    expect((await actor.post(`/v1/assessments/${assessment}:cancel`)).status).toBe(422);
    expect(
      await rail.count(
        sql`select 1 from payment_event where assessment in (${old}, ${assessment}) and kind = 'reversal'`,
      ),
    ).toBe(0);
  });

  it('422: a reason that is too long', async () => {
    const actor = await makeActor(rail);
    const name = await draft(rail, actor);
    expect((await actor.post(`/v1/assessments/${name}:cancel`, { reason: 'x'.repeat(1_001) })).status).toBe(422);
  });

  it('200 once: 10 at a time reverse a payment once', async () => {
    const actor = await makeActor(rail);
    const { assessment } = await createConfirmed(rail, actor);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => actor.post(`/v1/assessments/${assessment}:cancel`)),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(9).fill(422)]);
    expect(
      await rail.count(sql`select 1 from payment_event where assessment = ${assessment} and kind = 'reversal'`),
    ).toBe(2);
  });
});

describe('GET /v1/assessments', () => {
  it("200: the caller's own, newest first, as summaries; every filter", async () => {
    const actor = await makeActor(rail);
    const names = [await draft(rail, actor), await createAssessed(rail, actor), await draft(rail, actor)];
    await draft(rail, await makeActor(rail));
    const list = async (query = '') =>
      (await actor.ask(`/v1/assessments${query}`)).data.map(({ name }: { name: string }) => name);
    expect(await list()).toEqual(names.toReversed());
    expect(await list('?status=Assessed')).toEqual([names[1]]);
    expect(await list(`?citizen=${await someCitizen(rail)}`)).toHaveLength(3);
    expect(await list('?citizen=CITIZEN-2020-000001')).toEqual([]);
    const today = new Date().toISOString().slice(0, 10);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    expect(await list(`?from_date=${today}&to_date=${today}`)).toHaveLength(3);
    expect(await list(`?from_date=${tomorrow}`)).toEqual([]);
    expect(await list(`?to_date=${yesterday}`)).toEqual([]);
    const [summary] = (await actor.ask('/v1/assessments?limit=1')).data;
    expect(summary).toMatchObject({ line_count: 2, total_amount: TWO_LINES_TOTAL });
    expect(summary).not.toHaveProperty('lines');
  });

  it.each([
    'status=draft',
    'from_date=2026-13-01',
    'from_date=2026-02-30',
    'from_date=yesterday',
    'to_date=0000-01-01',
    'from_date=2026-11-21T25:00:00Z',
  ])('422: %s', async (query) => {
    const actor = await makeActor(rail);
    const answer = await actor.ask(`/v1/assessments?${query}`);
    expect(answer.status).toBe(422);
    expect(answer.json.error.details[0].path).toBe(query.split('=')[0]);
  });
});

describe('an assessment of somebody else', () => {
  it('404: byte for byte as one that is not there', async () => {
    const [owner, stranger] = [await makeActor(rail), await makeActor(rail)];
    const name = await createAssessed(rail, owner);
    const missing = 'ASMT-2020-01-000001';
    for (const ask of [
      (n: string) => stranger.ask(`/v1/assessments/${n}`),
      (n: string) => stranger.post(`/v1/assessments/${n}:assess`),
      (n: string) => stranger.post(`/v1/assessments/${n}:cancel`),
    ]) {
      const [foreign, none] = [await ask(name), await ask(missing)];
      expect(foreign.status).toBe(404);
      expect(foreign.text).toBe(none.text);
    }
    expect((await stranger.post('/v1/payment-intents', { assessment: name, channel: 'card' })).status).toBe(422);
  });
});
