import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Instalments, daysOf, divide } from '../../../src/collection/payments/cancellation/instalments.ts';
import { listCancellationsSince } from '../../../src/counter/supervision/cancellations.ts';
import { runChecks } from '../../../src/oversight/seals/verify.ts';
import { Decimal, sum } from '../../../src/kernel/money.ts';
import { formatDay } from '../../../src/kernel/time.ts';
import { actAsSystem } from '../../../src/platform/access/viewer.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { expectInvariants } from '../../harness/chaos/invariants.ts';
import {
  type Actor,
  createAssessed,
  createAssessedFor,
  createConfirmed,
  createInitiated,
  createPendingFor,
  draft,
  makeActor,
  serviceNamed,
  someCitizen,
} from '../../harness/flow.ts';
import { catchUp } from '../../harness/ledger.ts';
import { makeAgency } from '../../harness/people/agency.ts';
import { openShift } from '../../harness/people/counter.ts';
import { type StaffActor, makeStaff, makeStaffOf } from '../../harness/people/staff.ts';
import { type Answer, testRail } from '../../harness/rail.ts';

const rail = testRail();
let actor: Actor;
let admin: StaffActor;
let supervisor: StaffActor;
let citizen: string;
/** A service whose amount its agency states, one that computes it, one in another currency, and one of another agency. */
let services: Readonly<Record<'stated' | 'computed' | 'foreign' | 'other', string>>;

const day = (days: number) => formatDay(new Date(Date.now() + days * 86_400_000));
const monthly = (count = 3, first_due_on = day(30)) => ({ count, first_due_on, every: 'month' });
const replace = (
  name: string,
  body: object = { instalments: monthly() },
  by: Pick<Actor, 'post'> = supervisor,
  headers = {},
) => by.post(`/v1/assessments/${name}:replace`, { reason: 'Agreed with the payer', ...body }, headers);
const verdictOf = ({ status, json }: Answer) => [
  status,
  json.error?.details?.[0]?.path,
  json.error?.details?.[0]?.code,
];
const ok = (answer: Answer) => {
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.data;
};
const assessed = async (...lines: readonly object[]): Promise<string> =>
  ok(await supervisor.post('/v1/assessments', { citizen, lines, assess: true })).name;
const paye = async (by: Pick<Actor, 'post'> = actor, more = {}) =>
  (await createAssessedFor(rail, by, 'URA-PAYE', more)).assessment;
const statusOf = async (name: string) => ok(await supervisor.ask(`/v1/assessments/${name}`)).status;

interface Line {
  readonly quantity: number;
  readonly rate: number;
  readonly amount: number;
}
interface Born {
  readonly name: string;
  readonly total_amount: number;
  readonly due_on: string;
  readonly lines: readonly Line[];
}

const replacedBy = async (...[name, body, by]: Parameters<typeof replace>): Promise<Born[]> =>
  ok(await replace(name, body, by)).replaced_by;

beforeAll(async () => {
  [actor, admin, supervisor] = [
    await makeActor(rail),
    await makeStaff(rail, 'admin'),
    await makeStaff(rail, 'supervisor'),
  ];
  citizen = await someCitizen(rail);
  const make = async (code: string, standard: object, others = {}) => {
    const tariff = { law: 'Income Tax Act', categories: { standard, ...others } };
    const service = { mda: 'URA', code, service_name: code, sector: 'tax', family: 'tax', tariff };
    return ok(await admin.post('/v1/ops/services', service)).name as string;
  };
  services = {
    stated: await make('URA-STATED', { kind: 'stated', by: 'agency' }),
    computed: await make('URA-COMPUTED', { kind: 'percent', percent: 6, base: 'rateable value', least: 2_000 }),
    foreign: await make(
      'URA-VISA',
      { kind: 'fixed', amount: 5_000 },
      { foreigner: { kind: 'fixed', amount: 40, currency: 'USD' } },
    ),
    other: await serviceNamed(rail, 'URSB-COMPANY'),
  };
});

describe('instalments', () => {
  it.each([
    ['100', 3, 'UGX', ['34', '33', '33']],
    ['101', 3, 'UGX', ['34', '34', '33']],
    ['99', 3, 'UGX', ['33', '33', '33']],
    ['1', 2, 'UGX', ['1', '0']],
    ['100', 3, 'USD', ['33.34', '33.33', '33.33']],
    ['0.05', 4, 'USD', ['0.02', '0.01', '0.01', '0.01']],
    ['0', 2, 'UGX', ['0', '0']],
  ] as const)('divide %s by %s in %s, the largest first', (amount, count, currency, parts) => {
    expect(divide(new Decimal(amount), count, currency).map(String)).toEqual(parts);
  });

  it('add up to what they divide, for 10,000 amounts and counts, and differ by one minor unit at most', () => {
    const parts = fc.record({
      units: fc.nat({ max: 999_999_999_999 }),
      count: fc.integer({ min: 2, max: 24 }),
      currency: fc.constantFrom(['UGX', 0] as const, ['USD', 2] as const, ['KWD', 3] as const),
    });
    const holds = fc.property(parts, ({ units, count, currency: [currency, digits] }) => {
      const amount = new Decimal(units).dividedBy(10 ** digits);
      const divided = divide(amount, count, currency);
      const spread = divided[0]!.minus(divided.at(-1)!).times(10 ** digits);
      const falls = divided.every((part, nth) => nth === 0 || part.lessThanOrEqualTo(divided[nth - 1]!));
      return divided.length === count && sum(divided).equals(amount) && falls && spread.lessThanOrEqualTo(1);
    });
    fc.assert(holds, { numRuns: 10_000 });
  });

  it.each([
    ['month', '2027-01-31', ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30']],
    ['month', '2028-01-30', ['2028-01-30', '2028-02-29', '2028-03-30', '2028-04-30']],
    ['month', '2027-11-15', ['2027-11-15', '2027-12-15', '2028-01-15', '2028-02-15']],
    ['week', '2027-12-20', ['2027-12-20', '2027-12-27', '2028-01-03', '2028-01-10']],
  ] as const)('are due each %s from %s', (every, first, days) => {
    const instalments: Instalments = { count: 4, firstDueOn: new Date(first), every };
    expect(daysOf(instalments).map(formatDay)).toEqual(days);
  });
});

describe('POST /v1/assessments/{name}:replace', () => {
  it('200: is Cancelled, and instalments of each line are Assessed, for the same payer and account', async () => {
    const lines = [
      { service: services.computed, base_amount: 1_000_001, period: '2026' },
      { service: services.other, quantity: 3 },
    ];
    const { name } = ok(await actor.post('/v1/assessments', { citizen, reference: 'INV-7', assess: true, lines }));
    const { number } = ok(await actor.post(`/v1/assessments/${name}:issue-reference`));
    const { replaced_by: born, ...after } = ok(await replace(name, { instalments: monthly(7, day(1)) }));
    expect(after).toMatchObject({ status: 'Cancelled', total_amount: 465_000, cancel_reason: 'Agreed with the payer' });
    const days = daysOf({ count: 7, firstDueOn: new Date(day(1)), every: 'month' });
    expect(born.map((one: Born) => one.due_on)).toEqual(days.map(formatDay));
    for (const [idx, amount] of [60_000, 405_000].entries()) {
      const shares = divide(new Decimal(amount), 7, 'UGX').map(Number);
      expect(born.map((one: Born) => one.lines[idx]!.amount)).toEqual(shares);
      expect(born.map((one: Born) => one.lines[idx]!.rate)).toEqual(shares);
    }
    expect(born[0]).toMatchObject({
      citizen,
      status: 'Assessed',
      replaces: name,
      reference: 'INV-7',
      lines: [
        { service: services.computed, quantity: 1, category: 'standard', base_amount: 1_000_001, period: '2026' },
        { service: services.other, quantity: 1 },
      ],
    });
    // The account has what replaces its own, and is told.
    expect(ok(await actor.ask(`/v1/assessments/${born[6].name}`))).toEqual({ ...born[6], pending_approval: null });
    expect(
      await rail.rows(
        sql`select type, payload ->> 'status' as status, integrator from outbox where object = ${name} order by sequence`,
      ),
    ).toEqual([{ type: 'assessment.cancelled', status: 'Cancelled', integrator: actor.integrator }]);
    const [reference] = await rail.rows(sql`select status from payment_reference where number = ${number}`);
    expect(reference).toEqual({ status: 'Withdrawn' });
    expect(
      await rail.rows(
        sql`select actor, after ->> 'status' as status, reason from operator_audit where subject = ${name} and action = 'assessment.replace'`,
      ),
    ).toEqual([{ actor: supervisor.email, status: 'Cancelled', reason: 'Agreed with the payer' }]);
  });

  it('200: by others, at the prices of now, such as after an objection', async () => {
    const name = await assessed({ service: services.stated, stated_amount: 1_234_567 });
    const parts = [
      { due_on: day(10), lines: [{ service: services.stated, stated_amount: 450_000, period: '2026' }] },
      {
        due_on: day(5),
        lines: [
          { service: services.computed, base_amount: 500_000 },
          { service: services.computed, base_amount: 1 },
        ],
      },
    ];
    const born = await replacedBy(name, { parts });
    // In the order in which they are due.
    expect(born.map(({ total_amount, due_on }) => [total_amount, due_on])).toEqual([
      [32_000, day(5)],
      [450_000, day(10)],
    ]);
    expect(born[1]!.lines).toMatchObject([{ idx: 1, stated_amount: 450_000, period: '2026', category: 'standard' }]);
    expect(born[0]!.lines).toMatchObject([
      { idx: 1, base_amount: 500_000 },
      { idx: 2, base_amount: 1, amount: 2_000 },
    ]);
  });

  it('200: the same answer under the same key, and once for two at once', async () => {
    const name = await paye();
    const first = await replace(name, undefined, supervisor, { 'idempotency-key': name });
    expect((await replace(name, undefined, supervisor, { 'idempotency-key': name })).json).toEqual(first.json);
    const other = await paye();
    const both = await Promise.all([replace(other), replace(other, { instalments: monthly(2) })]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
    const count = both.find(({ status }) => status === 200)!.data.replaced_by.length;
    expect(await rail.count(sql`select 1 from assessment where replaces = ${other}`)).toBe(count);
  });

  const stated = (amount: number) => ({ service: services.stated, stated_amount: amount });
  it.each<[string, () => object, unknown[]]>([
    ['neither instalments nor parts', () => ({}), ['parts', undefined]],
    ['both', () => ({ instalments: monthly(), parts: [{ due_on: day(1), lines: [stated(1)] }] }), ['parts', undefined]],
    ['one instalment', () => ({ instalments: monthly(1) }), ['instalments.count', undefined]],
    ['25 instalments', () => ({ instalments: monthly(25) }), ['instalments.count', undefined]],
    ['the first yesterday', () => ({ instalments: monthly(3, day(-2)) }), ['instalments.first_due_on', undefined]],
    [
      'the first on 30 February',
      () => ({ instalments: monthly(3, '2027-02-30') }),
      ['instalments.first_due_on', undefined],
    ],
    ['each year', () => ({ instalments: { ...monthly(), every: 'year' } }), ['instalments.every', undefined]],
    ['no reason', () => ({ instalments: monthly(), reason: ' ' }), ['reason', undefined]],
    ['no part', () => ({ parts: [] }), ['parts', undefined]],
    [
      '25 parts',
      () => ({ parts: Array.from({ length: 25 }, () => ({ due_on: day(1), lines: [stated(1)] })) }),
      ['parts', undefined],
    ],
    [
      'a part due yesterday',
      () => ({ parts: [{ due_on: day(-2), lines: [stated(1)] }] }),
      ['parts[0].due_on', undefined],
    ],
    ['a part without lines', () => ({ parts: [{ due_on: day(1), lines: [] }] }), ['parts[0].lines', undefined]],
    [
      'a service of another agency',
      () => ({ parts: [{ due_on: day(1), lines: [{ service: services.other }] }] }),
      ['parts[0].lines[0].service', undefined],
    ],
    [
      'another currency',
      () => ({ parts: [{ due_on: day(1), lines: [{ service: services.foreign, category: 'foreigner' }] }] }),
      ['currency', undefined],
    ],
    [
      'an amount that is not stated there',
      () => ({ parts: [{ due_on: day(1), lines: [stated(1), { service: services.computed, stated_amount: 1 }] }] }),
      ['parts[0].lines[1].base_amount', 'base_required'],
    ],
    [
      'an unknown service',
      () => ({ parts: [{ due_on: day(1), lines: [{ service: 'SVC-2020-999999' }] }] }),
      ['parts[0].lines[0].service', 'not_found'],
    ],
  ])('422: with %s', async (_name, body, [path, code]) => {
    const name = await paye();
    expect(verdictOf(await replace(name, body()))).toEqual([422, path, code]);
    expect(await statusOf(name)).toBe('Assessed');
  });

  it('422: where an instalment would have nothing to pay', async () => {
    const two = await assessed(stated(2));
    expect(verdictOf(await replace(two))).toEqual([422, 'instalments.count', undefined]);
    expect((await replacedBy(two, { instalments: monthly(2) })).map(({ total_amount }) => total_amount)).toEqual([
      1, 1,
    ]);
  });

  it('404, 422: of none, a Draft, a Paid and a replaced one', async () => {
    expect((await replace('ASMT-2020-01-000001')).status).toBe(404);
    const refused = [422, 'name', 'not_assessed'];
    expect(verdictOf(await replace(await draft(rail, actor)))).toEqual(refused);
    expect(verdictOf(await replace((await createConfirmed(rail, actor)).assessment))).toEqual(refused);
    const name = await paye();
    await replace(name);
    expect(verdictOf(await replace(name))).toEqual(refused);
  });
});

describe('who may replace', () => {
  it('supervisors, finance officers and operators within their agencies, and nobody else', async () => {
    const allowed = [
      await makeStaff(rail, 'finance_officer'),
      await makeStaff(rail, 'system_manager'),
      await makeStaffOf(rail, ['URA'], 'finance_officer'),
      await makeStaffOf(rail, ['URA'], 'supervisor'),
    ];
    for (const staff of allowed) expect((await replace(await paye(), undefined, staff)).status).toBe(200);
    const name = await paye();
    expect((await replace(name, undefined, await makeStaff(rail, 'clerk'))).status).toBe(403);
    expect((await replace(name, undefined, await makeStaff(rail, 'oversight'))).status).toBe(403);
    expect((await replace(name, undefined, actor)).status).toBe(401);
    expect((await replace(name, undefined, await makeStaffOf(rail, ['KCCA'], 'supervisor'))).status).toBe(404);
    const shared = await createAssessed(rail, actor);
    expect((await replace(shared, undefined, await makeStaffOf(rail, ['URA'], 'supervisor'))).status).toBe(403);
    expect((await replace(shared, undefined, await makeStaffOf(rail, ['URA', 'URSB'], 'supervisor'))).status).toBe(200);
    expect(await statusOf(name)).toBe('Assessed');
  });

  it('an agency with its token: what is wholly its own, and its endpoints are told', async () => {
    const agencyWith = async (...scopes: Parameters<typeof makeAgency>[2] & object[]) => {
      const key = await (await makeAgency(rail, 'URA', scopes)).token();
      return { post: (path: string, body?: unknown) => rail.ask(path, { key, body }) };
    };
    const agency = await agencyWith('assessments.write' as never, 'assessments.cancel' as never);
    const name = ok(await agency.post('/v1/assessments', { citizen, assess: true, lines: [stated(90)] })).name;
    const born = await replacedBy(name, undefined, agency);
    expect(
      await rail.rows(sql`
        select o.agency, a.source_mda, a.integrator from outbox o join assessment a on a.replaces = o.object
        where o.object = ${name} and a.name = ${born[0]!.name}`),
    ).toEqual([{ agency: 'URA', source_mda: 'URA', integrator: null }]);
    expect((await replace(await createAssessed(rail, actor), undefined, agency)).status).toBe(403);
    const lacking = await agencyWith('assessments.write' as never);
    expect((await replace(await paye(), undefined, lacking)).status).toBe(403);
  });

  const stated = (amount: number) => ({ service: services.stated, stated_amount: amount });
});

describe('what was replaced', () => {
  it('is late where it is collected later, and pays nothing', async () => {
    const name = await paye();
    const intent = await createPendingFor(actor, name);
    await createInitiated(actor, intent);
    const born = await replacedBy(name);
    ok(await actor.post(`/v1/payment-intents/${intent}:confirm`));
    expect(await rail.rows(sql`select kind from anomaly where subject = ${intent}`)).toEqual([
      { kind: 'late_collection' },
    ]);
    const [receipt] = ok(await actor.ask(`/v1/assessments/${name}/receipts`));
    expect(receipt.contents.kind).toBe('late');
    expect([await statusOf(name), await statusOf(born[0]!.name)]).toEqual(['Cancelled', 'Assessed']);
  });

  it('leaves instalments that are paid by themselves; one that is not can be replaced again', async () => {
    const [first, second] = await replacedBy(await paye(), { instalments: monthly(2) });
    const intent = await createPendingFor(actor, first!.name);
    await createInitiated(actor, intent);
    ok(await actor.post(`/v1/payment-intents/${intent}:confirm`));
    expect(verdictOf(await replace(first!.name))).toEqual([422, 'name', 'not_assessed']);
    const again = await replacedBy(second!.name, { instalments: { ...monthly(2), every: 'week' } });
    expect(again).toMatchObject([{ replaces: second!.name, total_amount: 112_500 }, { replaces: second!.name }]);
    expect(await statusOf(first!.name)).toBe('Paid');
  });

  it('stays as it is when a fee changes: instalments are frozen, and no Drafts', async () => {
    const { name } = ok(
      await admin.post('/v1/ops/services', {
        mda: 'URA',
        code: 'URA-CHANGES',
        service_name: 'Changes',
        sector: 'tax',
        family: 'tax',
        fee_amount: 100,
      }),
    );
    const born = await replacedBy(await assessed({ service: name }));
    ok(await admin.ask(`/v1/ops/services/${name}`, { method: 'PATCH', body: { fee_amount: 500 } }));
    expect(ok(await supervisor.ask(`/v1/assessments/${born[0]!.name}`)).total_amount).toBe(34);
  });

  it('counts no more in figures and lists of cancellations: what replaced it does', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const shift = await openShift(clerk);
    const name = await paye(clerk, { shift });
    const born = await replacedBy(name);
    const factsOf = (fact: string, documents: readonly string[]) =>
      rail.rows(sql`
        select status, sum(amount)::float8 as amount from oversight.fact_assessed where document = any(${[...documents]})
        group by 1 having ${fact} = 'assessed'
        union all
        select kind, sum(amount)::float8 from oversight.fact_cancellation where document = any(${[...documents]})
        group by 1 having ${fact} = 'cancellation'`);
    expect(await factsOf('assessed', [name, ...born.map((one) => one.name)])).toEqual([
      { status: 'Assessed', amount: 450_000 },
    ]);
    expect(await factsOf('cancellation', [name])).toEqual([]);
    expect(await rail.count(sql`select 1 from anomaly where subject in (${name}, ${shift})`)).toBe(0);
    const listed = await listCancellationsSince(
      callOf(rail.rail, { ...actAsSystem('test'), supervises: ['*'] }, 'r'),
      sql`now() - interval '1 hour'`,
      { first: 100 },
    );
    expect(listed.rows.map((row) => row.name)).not.toContain(name);
  });

  it('is in the order of the ledger; what replaces another than it did is found', async () => {
    const [born] = await replacedBy(await paye());
    await catchUp(rail);
    await expectInvariants(rail);
    const findings = async () =>
      (await runChecks(rail.rail.db, [])).findings.flatMap(({ rows }) => rows.map(({ row }) => row));
    expect(await findings()).toEqual([]);
    const other = await paye();
    for (const replaces of [null, other]) {
      await rail.rows(sql`update assessment set replaces = ${replaces} where name = ${born!.name}`);
      expect(await findings()).toEqual([born!.name]);
    }
    await rail.rows(sql`update assessment set replaces = (
      select detail ->> 'replaces' from trace_row where doc = ${born!.name} limit 1) where name = ${born!.name}`);
  });
});

describe('figures about people', () => {
  it('show it as it was until the step that has many replaced, and what replaced it from then on', async () => {
    await rail.rows(sql`insert into people_step default values`);
    const name = await paye();
    const takeStep = () => rail.rows(sql`delete from people_waiting`);
    await takeStep();
    const names = (await replacedBy(name)).map((one) => one.name);
    const shown = () =>
      rail.rows(sql`
        select document, status from oversight.fact_assessed where document = any(${[name, ...names]}) order by document`);
    expect(await shown()).toEqual([{ document: name, status: 'Assessed' }]);
    const waiting = sql`select document, was, becomes from oversight.fact_waiting order by document`;
    expect(await rail.rows(waiting)).toEqual([
      { document: name, was: 'Assessed', becomes: 'Replaced' },
      ...names.map((document) => ({ document, was: null, becomes: 'Assessed' })),
    ]);
    await takeStep();
    expect(await shown()).toEqual(names.map((document) => ({ document, status: 'Assessed' })));
  });
});

describe('in the graph', () => {
  it('says what would replace it, and changes nothing; then what it was replaced by', async () => {
    const name = await paye();
    const ask = async (query: string) => {
      const answer = await supervisor.post('/graphql', { query });
      if (answer.json.errors) throw new Error(answer.text);
      return answer.json.data;
    };
    const instalments = `{ count: 2, firstDueOn: "${day(3)}", every: week }`;
    const preview = await ask(
      `{ assessmentReplacement(id: "${name}", instalments: ${instalments}) { takesApproval parts { dueOn totalAmount } } }`,
    );
    expect(preview.assessmentReplacement).toEqual({
      takesApproval: false,
      parts: [day(3), day(10)].map((dueOn) => ({ dueOn, totalAmount: 225_000 })),
    });
    expect(await statusOf(name)).toBe('Assessed');
    const replaced = await ask(
      `mutation { replaceAssessment(id: "${name}", reason: "Agreed", instalments: ${instalments}) { status replacedBy { dueOn replacesId replaces { status } replacedBy { id } } } }`,
    );
    expect(replaced.replaceAssessment).toEqual({
      status: 'Cancelled',
      replacedBy: [day(3), day(10)].map((dueOn) => ({
        dueOn,
        replacesId: name,
        replaces: { status: 'Cancelled' },
        replacedBy: [],
      })),
    });
  });
});
