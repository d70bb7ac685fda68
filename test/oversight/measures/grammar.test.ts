import { describe, expect, it } from 'vitest';
import { BEFORE_ALL, type Row, pick, railWithHistory } from './asking.ts';

const { rail, ask } = railWithHistory();

/** Rows of the grammar: the key and the figures of each group, null where they are kept back. */
async function figures(by: string, key: string, group: string, measures: string, args = ''): Promise<Row[]> {
  const { plaintext } = await rail.key('oversight.read');
  const { json } = await rail.ask('/graphql', {
    key: plaintext,
    body: {
      query: `{ oversight { figures(by: [${by}], span: { days: { fromDate: "${BEFORE_ALL}" } }, timeZone: UTC, first: 10000 ${args}) {
        nodes { key { ${key} } ${group} { ${measures} } hidden { figures reason } } } } }`,
    },
  });
  if (json.errors) throw new Error(JSON.stringify(json.errors));
  const nodes: { key: Row; hidden: Row[] }[] = json.data.oversight.figures.nodes;
  return nodes.map((node) => {
    const told = (node as unknown as Record<string, Row | null>)[group];
    if (!told) expect(node.hidden).toEqual([{ figures: group, reason: 'few_people' }]);
    const nothing = Object.fromEntries(measures.split(' ').map((measure) => [measure, null]));
    return { ...node.key, ...(told ?? nothing) };
  });
}

const SINCE = `fromDate: "${BEFORE_ALL}"`;

describe('figures about people, of the grammar', () => {
  it.each([
    ['agency, month', 'agencyId month', '[agency, month]'],
    ['service, month', 'serviceId month', '[service, month]'],
    ['country', 'country', '[country]'],
    ['sector', 'sector', '[sector]'],
  ])('what was assessed, by %s', async (by, key, groupBy) => {
    const measures = 'assessments assessed paid outstanding cancelled';
    const expected = await ask(`assessed(${SINCE}, groupBy: ${groupBy}) { ${key} currency ${measures} }`);
    const members = [...key.split(' '), 'currency', ...measures.split(' ')];
    expect(expected.length).toBeGreaterThan(0);
    expect(pick(await figures(by, `${key} currency`, 'assessed', measures), ...members)).toEqual(
      pick(expected, ...members),
    );
  });

  it.each([
    ['agency', 'agencyId', '[agency]'],
    ['agency, channel, month', 'agencyId channel month', '[agency, channel, month]'],
    ['service', 'serviceId', '[service]'],
  ])('how long it took to be paid, by %s', async (by, key, groupBy) => {
    const expected = await ask(
      `paymentTimes(${SINCE}, groupBy: ${groupBy}) { ${key} p50: secondsP50 p90: secondsP90 p99: secondsP99 }`,
    );
    const members = [...key.split(' '), 'p50', 'p90', 'p99'];
    expect(expected.length).toBeGreaterThan(0);
    expect(pick(await figures(by, key, 'toPayment', 'p50 p90 p99'), ...members)).toEqual(pick(expected, ...members));
  });

  it.each([
    ['channel', 'channel', '[channel]'],
    ['channel, agency, month', 'channel agencyId month', '[channel, agency, month]'],
  ])('how attempts went, by %s', async (by, key, groupBy) => {
    const measures = 'attempts confirmed failed expired open successRate';
    const expected = await ask(`attempts(${SINCE}, groupBy: ${groupBy}) { ${key} ${measures} }`);
    const members = [...key.split(' '), ...measures.split(' ')];
    expect(expected.length).toBeGreaterThan(0);
    const told = (await figures(by, key, 'attempts', measures)).filter(({ agencyId }) => agencyId !== null);
    expect(pick(told, ...members)).toEqual(pick(expected, ...members));
  });

  it('how many people paid: of one agency in one month, and never over several', async () => {
    const measures = 'payers firstTimePayers';
    const expected = await ask(`payers(${SINCE}) { agencyId month ${measures} }`);
    const members = ['agencyId', 'month', 'payers', 'firstTimePayers'];
    expect(expected.length).toBeGreaterThan(50);
    expect(pick(await figures('agency, month', 'agencyId month', 'payers', measures), ...members)).toEqual(
      pick(expected, ...members),
    );
    const { plaintext } = await rail.key('oversight.read');
    const { json } = await rail.ask('/graphql', {
      key: plaintext,
      body: {
        query: `{ oversight { figures(by: [agency], span: { days: { fromDate: "${BEFORE_ALL}" } }, first: 1) {
          nodes { revenue { net } payers { payers } hidden { figures reason } } } } }`,
      },
    });
    expect(json.data.oversight.figures.nodes[0]).toMatchObject({
      revenue: { net: expect.any(Number) },
      payers: null,
      hidden: [{ figures: 'payers', reason: 'not_over_several' }],
    });
  });

  it('stand in one row with figures that are not about people', async () => {
    const { plaintext } = await rail.key('oversight.read');
    const { json } = await rail.ask('/graphql', {
      key: plaintext,
      body: {
        query: `{ oversight { figures(by: [agency, day], first: 2) {
          nodes { revenue { net } assessed { assessed } attempts { attempts } hidden { figures reason } } } } }`,
      },
    });
    for (const node of json.data.oversight.figures.nodes)
      expect(node).toMatchObject({
        revenue: { net: expect.any(Number) },
        assessed: null,
        hidden: [
          { figures: 'assessed', reason: 'not_kept_by_this_dimension' },
          { figures: 'attempts', reason: 'not_kept_by_this_dimension' },
        ],
      });
  });
});
