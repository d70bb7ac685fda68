import { describe, expect, it } from 'vitest';
import { ROLES } from '../../../src/platform/access/needs.ts';
import { makeAccount } from '../../harness/people/accounts.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail({ DEV_REVEAL: 'on' });

const OPERATORS: readonly string[] = ['admin', 'system_manager'];
const query =
  '{ agency(id: "URA") { collectionAccountLast4 } agencies(first: 1) { nodes { collectionAccountLast4 } } }';

/** The end of the account that a caller sees, by GraphQL and REST: the four characters, or nothing. */
async function shownTo(headers: Readonly<Record<string, string>>) {
  const { data } = await rail.ask('/graphql', { body: { query }, headers });
  const rest = await rail.ask('/v1/mdas/URA', { headers });
  return [
    data.agency.collectionAccountLast4,
    data.agencies.nodes[0].collectionAccountLast4,
    rest.data.collection_account_last4,
  ];
}

describe('the collection account of an agency', () => {
  it('is shown by its last four characters to operators, and to nobody else at all', async () => {
    for (const role of ROLES) {
      const { cookie } = await makeStaff(rail, role);
      const shown = await shownTo({ cookie });
      if (OPERATORS.includes(role)) for (const last4 of shown) expect(last4).toMatch(/^.{4}$/);
      else expect([role, ...shown]).toEqual([role, null, null, undefined]);
    }
    const { key } = await makeAccount(rail);
    expect(await shownTo({ authorization: `Bearer ${key}` })).toEqual([null, null, undefined]);
    expect(await shownTo({})).toEqual([null, null, undefined]);
  });
});
