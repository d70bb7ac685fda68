import { beforeAll, describe, expect, it } from 'vitest';
import { OPERATION_LIMITS } from '../../../src/graphql/builder.ts';
import { DAY_MS } from '../../../src/kernel/time.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { railWithHistory } from './asking.ts';

const { rail } = railWithHistory();
const dayOf = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
const DAYS = `{ days: { fromDate: "${dayOf(200)}", toDate: "${dayOf(20)}" } }`;
let key: string;
let agencies: string[];

beforeAll(async () => {
  key = (await rail.key('oversight.read')).plaintext;
  const rows = await rail.rows<{ mda: string }>(
    sql`select mda from payment_event group by 1 order by count(*) desc, 1`,
  );
  agencies = rows.map(({ mda }) => mda);
});

const ask = async (query: string) => (await rail.ask('/graphql', { key, body: { query } })).json;

/** The fields of `oversight` with some arguments. */
async function within(args: string, fields: string) {
  const { data, errors } = await ask(`{ oversight${args} { ${fields} } }`);
  expect(errors ?? []).toEqual([]);
  return data.oversight;
}

/** Its first refusal: where, and of what. */
async function refusalOf(args: string, fields: string) {
  const { errors } = await ask(`{ oversight${args} { ${fields} } }`);
  const [{ path, message, extensions }] = errors;
  return { path: path.join('.'), message, code: extensions.code };
}

const NET = '{ nodes { key { agencyId month currency } revenue { net payments } } }';
const EVENTS = '{ totalCount nodes { id agencyId channel occurredAt } }';

describe('the span and slice of an oversight', () => {
  it('hold for figures that name none', async () => {
    const [one, other] = agencies;
    const slice = `{ agency: ["${one}", "${other}"], not: { channel: [card] } }`;
    const held = await within(
      `(span: ${DAYS}, slice: ${slice}, timeZone: UTC)`,
      `figures(by: [agency, month], first: 1000) ${NET} figureRecords(by: [agency], measures: [net, payments]) { nodes { agency net payments } } statistics { totals { currency revenue { net } } } span { fromDate toDate timeZone }`,
    );
    const [from, to] = [`fromDate: "${dayOf(200)}"`, `toDate: "${dayOf(20)}"`];
    const own = await within(
      '',
      `figures(by: [agency, month], first: 1000, span: ${DAYS}, slice: ${slice}, timeZone: UTC) ${NET} figureRecords(by: [agency], measures: [net, payments], ${from}, ${to}, slice: ${slice}, timeZone: UTC) { nodes { agency net payments } } span(${from}, ${to}, timeZone: UTC) { fromDate toDate timeZone }`,
    );
    expect(held).toMatchObject(own);
    expect(held.figures.nodes.length).toBeGreaterThan(4);
    const sum = held.figures.nodes.reduce((net: number, row: { revenue: { net: number } }) => net + row.revenue.net, 0);
    expect(held.statistics.totals).toEqual([{ currency: 'UGX', revenue: { net: sum } }]);
  });

  it('give way to days of a field, and are narrowed by its slice', async () => {
    const [one, other, third] = agencies;
    const held = await within(
      `(span: { preset: today }, slice: { agency: ["${one}", "${other}"] }, timeZone: UTC)`,
      `figures(by: [agency], span: ${DAYS}, slice: { agency: ["${other}", "${third}"] }) { nodes { key { agencyId } revenue { net } } }`,
    );
    const own = await within(
      '',
      `figures(by: [agency], span: ${DAYS}, slice: { agency: ["${other}"] }, timeZone: UTC) { nodes { key { agencyId } revenue { net } } }`,
    );
    expect(held).toEqual(own);
    expect(own.figures.nodes.length).toBe(1);
  });

  it('hold for lists, as their own arguments would', async () => {
    const [one, other, third] = agencies;
    const held = await within(
      `(span: ${DAYS}, slice: { agency: ["${one}", "${other}"], channel: [cash, card] }, timeZone: UTC)`,
      `all: paymentEvents(first: 200) ${EVENTS} some: paymentEvents(agency: ["${other}", "${third}"], channel: [cash]) ${EVENTS} none: paymentEvents(agency: ["${third}"]) ${EVENTS}`,
    );
    const days = `fromDate: "${dayOf(200)}", toDate: "${dayOf(20)}", timeZone: UTC`;
    const own = await within(
      '',
      `all: paymentEvents(first: 200, ${days}, agency: ["${one}", "${other}"], channel: [cash, card]) ${EVENTS} some: paymentEvents(${days}, agency: ["${other}"], channel: [cash]) ${EVENTS}`,
    );
    expect(held).toEqual({ ...own, none: { totalCount: 0, nodes: [] } });
    expect(own.all.totalCount).toBeGreaterThan(own.some.totalCount);
    expect(own.some.totalCount).toBeGreaterThan(0);
  });

  it('are refused by a list that is not kept by a member, while others answer', async () => {
    const args = `(slice: { district: ["Kampala"], not: { agency: ["${agencies[0]}"] } })`;
    expect(await refusalOf(args, 'recordedSince')).toMatchObject({
      path: 'oversight.recordedSince',
      code: 'validation_failed',
      message: expect.stringContaining('slice.not'),
    });
    const { data, errors } = await ask(`{ oversight(slice: { agency: ["${agencies[0]}"], channel: [cash] }) {
      recordedSince anomalies { totalCount } figures(by: [agency]) { nodes { key { agencyId } } } } }`);
    expect(errors.map((error: { path: string[] }) => error.path.join('.'))).toEqual([
      'oversight.recordedSince',
      'oversight.anomalies',
    ]);
    expect(errors[0].message).toContain('slice.channel');
    expect(data.oversight.figures.nodes).toHaveLength(1);
  });

  it('are refused by statistics of what a member is not kept by, which other figures leave null', async () => {
    const slice = `(slice: { channel: [cash] })`;
    const { statistics } = await within(slice, 'statistics { totals { revenue { net } } channels { channel } }');
    expect(statistics.totals).toHaveLength(1);
    expect(await refusalOf(slice, 'statistics { webhooks { delivered } }')).toMatchObject({
      path: 'oversight.statistics.webhooks',
      code: 'validation_failed',
    });
  });

  it.each([
    ['a code that does not exist', '(slice: { agency: ["NOBODY"] })', 'slice.agency[0]: there is no agency NOBODY'],
    ['what is nested too deep', '(slice: { not: { not: { not: { not: { channel: [cash] } } } } })', 'slice.not'],
  ])('are refused for all with %s', async (_what, args, message) => {
    expect(await refusalOf(args, 'asOf')).toEqual({
      path: 'oversight',
      code: 'validation_failed',
      message: expect.stringContaining(message),
    });
  });

  it('are refused where an integrator is named by somebody who may not see whose a payment is', async () => {
    expect(await refusalOf('(slice: { integrator: ["anybody"] })', 'asOf')).toMatchObject({ code: 'forbidden' });
  });

  it('say what is wrong with a span where it is asked for', async () => {
    const backwards = `(span: { days: { fromDate: "${dayOf(1)}", toDate: "${dayOf(2)}" } })`;
    for (const field of ['figures { totalCount }', 'paymentEvents { totalCount }'])
      expect(await refusalOf(backwards, field)).toMatchObject({ code: 'validation_failed' });
  });

  it('are met by figures of an agency, whose own slice may not lead beyond it', async () => {
    const [one, other] = agencies;
    const { data } = await ask(
      `{ agency(id: "${one}") { figures(by: [agency], span: ${DAYS}, slice: { agency: ["${other}"] }) { nodes { key { agencyId } } } } }`,
    );
    expect(data.agency.figures.nodes).toEqual([]);
  });
});

describe('what an operation costs', () => {
  const figures = (count: number, selection: string, span = '{ preset: all_time }') =>
    Array.from(
      { length: count },
      (_, nth) => `a${nth}: figures(span: ${span}, slice: { not: { currency: ["KES"] } }) { ${selection} }`,
    ).join(' ');
  const costOf = async (selection: string, span?: string) => {
    const { extensions, errors } = await ask(`{ oversight { ${figures(1, selection, span)} } }`);
    expect(errors).toBeUndefined();
    return extensions.cost.asked as number;
  };

  it('depends on what is read: its days, each group of measures, and each span that it is compared with', async () => {
    const short = await costOf('totals { revenue { net } }', '{ preset: last_7_days }');
    const long = await costOf('totals { revenue { net } }', DAYS);
    const dear = await costOf('totals { toPayment { p50 } }', DAYS);
    const both = await costOf('totals { revenue { net } toPayment { p50 } }', DAYS);
    const compared = await costOf('totals { revenue { net } compared { revenue { net } } }', DAYS);
    expect(long).toBeGreaterThan(short);
    expect(dear).toBeGreaterThan(long);
    expect(both).toBeGreaterThan(dear);
    expect(compared).toBeGreaterThan(long + (long - short));
  });

  it('depends on the groups that it may have', async () => {
    const costBy = async (by: string) => {
      const query = `{ oversight { figures(by: [${by}], span: ${DAYS}, first: 1) { nodes { revenue { net } } } } }`;
      return (await ask(query)).extensions.cost.asked as number;
    };
    const [few, many] = [await costBy('channel'), await costBy('service')];
    expect(many).toBeGreaterThan(few);
    expect(await costBy('service, day')).toBeGreaterThan(many);
  });

  it('is the same whether a field or its oversight names the span', async () => {
    const own = await costOf('totals { revenue { net } }', DAYS);
    const { extensions } = await ask(
      `{ oversight(span: ${DAYS}) { a0: figures(slice: { not: { currency: ["KES"] } }) { totals { revenue { net } } } } }`,
    );
    expect(extensions.cost.asked).toBe(own);
  });

  it('is refused from where it is too much, with a hint', async () => {
    const { extensions, errors, data } = await ask(`{ oversight { ${figures(20, 'totals { toPayment { p50 } }')} } }`);
    expect(extensions.cost).toMatchObject({ granted: OPERATION_LIMITS.complexity, remaining: 0 });
    expect(extensions.cost.asked).toBeGreaterThan(OPERATION_LIMITS.complexity);
    expect(errors.length).toBeGreaterThan(0);
    expect(errors[0].extensions.code).toBe('validation_failed');
    expect(errors[0].message).toMatch(/costs [\d,]+ points so far, and may cost 20,000: ask for fewer/);
    expect(data.oversight.a0).not.toBeNull();
  });
});
