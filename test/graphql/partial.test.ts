import { describe, expect, it } from 'vitest';
import { testRail } from '../harness/rail.ts';

const rail = testRail();

const ask = async (query: string, ...scopes: Parameters<typeof rail.key>) => {
  const { plaintext: key } = await rail.key(...scopes);
  return (await rail.ask('/graphql', { key, body: { query } })).json;
};

describe('a field that fails', () => {
  it('leaves the others of oversight their answers, and names its path', async () => {
    const { data, errors } = await ask(
      '{ oversight { wrong: figures(span: { days: { fromDate: "2026-02-01", toDate: "2026-01-01" } }) { totalCount } seals { hash } } }',
      'oversight.read',
    );
    expect(data).toEqual({ oversight: { wrong: null, seals: [] } });
    expect(errors).toMatchObject([
      { path: ['oversight', 'wrong'], extensions: { code: 'validation_failed', details: [{ path: 'toDate' }] } },
    ]);
  });

  it('leaves other roots their answers where what is looked up does not exist', async () => {
    const { data, errors } = await ask(
      '{ assessment(id: "ASMT-2026-01-000001") { id } agencies(first: 1) { nodes { id } } }',
      'assessments.read',
    );
    expect(data).toEqual({ assessment: null, agencies: { nodes: [expect.anything()] } });
    expect(errors).toMatchObject([{ path: ['assessment'], extensions: { code: 'not_found' } }]);
  });

  it('is answered by REST as it ever was', async () => {
    const { plaintext: key } = await rail.key('assessments.read', 'oversight.read');
    expect((await rail.ask('/v1/assessments/ASMT-2026-01-000001', { key })).status).toBe(404);
    const refused = await rail.ask('/v1/oversight/revenue?from_date=2026-02-01&to_date=2026-01-01', { key });
    expect([refused.status, refused.json.error.message]).toEqual([422, 'to_date: must not be before from_date']);
  });
});
