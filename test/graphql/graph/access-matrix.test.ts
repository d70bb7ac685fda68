import { isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { schema } from '../../../src/app/schema.ts';
import { needsOfRecord } from '../../../src/graphql/graph/node.ts';
import { CALLERS, keyWith, mayLookUp, typeOfRoot, walkFrom } from '../../harness/schema/walk.ts';

/** Ways that were agreed on, and why they lead to what cannot be looked up by its ID. */
const AGREED: Readonly<Record<string, string>> = {
  'Query.paymentTrace → PaymentTrace.assessment': 'the trace of a payment has always shown what was paid',
  'Query.paymentReference': 'who has its number may see what is to be paid, and nothing that leads further',
  'Query.activeShift → CounterShift.clerk': 'null by `staffSeenBy` for all but operators and the clerk',
};

/** A waiting approval has its own reader, which returns null to viewers who may not see approvals. */
const NULL_UNLESS_SEEN = '.pendingApproval';

describe('whatever edges lead to', () => {
  it.each(CALLERS)('%s reaches no records by them that are not theirs to look up', (_name, viewer) => {
    const { reached } = walkFrom(viewer, [schema.getQueryType()!]);
    const records = [...reached].filter(([{ name }]) => needsOfRecord(name) !== undefined);
    expect(records.length).toBeGreaterThan(1);
    const beyond = records.filter(([{ name }]) => !mayLookUp(viewer, name)).map(([, way]) => way.join(' → '));
    expect(beyond.filter((way) => !(way in AGREED) && !way.endsWith(NULL_UNLESS_SEEN))).toEqual([]);
  });
});

describe('from oversight', () => {
  it('every way to a type that names a person ends at a refusal', () => {
    const personal = /^(citizenId|fullName|nin|phone|payerMsisdn|email|clerkId|actor)$/;
    const { reached, refused } = walkFrom(keyWith('oversight.read'), [
      typeOfRoot('query', 'oversight'),
      typeOfRoot('subscription', 'oversight'),
    ]);
    const named = [...reached.keys()]
      .filter(isObjectType)
      .flatMap((type) => Object.keys(type.getFields()).filter((field) => personal.test(field)));
    expect(named).toEqual([]);
    expect(refused.map(({ way }) => way.at(-1))).toContain('Agency.shifts');
  });
});
