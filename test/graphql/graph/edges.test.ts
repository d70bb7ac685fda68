import { isNonNullType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { schema } from '../../../src/app/schema.ts';
import { accessOf } from '../../../src/graphql/plugins/access.ts';
import { findEdgeRefusal } from '../../../src/platform/access/viewer.ts';
import { createConfirmed, makeActor } from '../../harness/flow.ts';
import { testRail } from '../../harness/rail.ts';
import { CALLERS, walkFrom } from '../../harness/schema/walk.ts';

const rail = testRail();
const roots = [schema.getQueryType()!, schema.getMutationType()!, schema.getSubscriptionType()!];

const fieldOf = (coordinate: string) => {
  const [typename, name] = coordinate.split('.') as [string, string];
  const type = schema.getType(typename);
  return isObjectType(type) ? type.getFields()[name]! : undefined;
};

/** The edges that a caller comes to and may not follow. */
const outOfReach = CALLERS.flatMap(([name, viewer]) =>
  walkFrom(viewer, roots)
    .refused.map(({ way }) => way.at(-1)!)
    .filter((edge) => !roots.some((root) => edge.startsWith(`${root.name}.`)))
    .map((edge) => ({ edge, name, viewer, field: fieldOf(edge)! })),
);

describe('an edge that a caller comes to and may not follow', () => {
  it('may be null', () => {
    expect(outOfReach.length).toBeGreaterThan(200);
    const taking = outOfReach.filter(({ field }) => isNonNullType(field.type)).map(({ edge }) => edge);
    expect([...new Set(taking)]).toEqual([]);
  });

  it('is refused as forbidden, since a credential was shown', () => {
    const refusals = outOfReach.map(({ viewer, field }) => findEdgeRefusal(viewer, accessOf(field).need!));
    expect(new Set(refusals.map((refusal) => refusal?.code))).toEqual(new Set(['forbidden']));
  });

  it('leaves what is around it its answer, and its error names its path', async () => {
    const actor = await makeActor(rail, { managesAccount: true });
    const { intent } = await createConfirmed(rail, actor);
    const scopes = ['payments.initiate'];
    const { plaintext: key } = (await actor.post('/v1/me/keys', { label: 'Payments alone', scopes })).data;
    const asked = async (query: string) => (await rail.ask('/graphql', { key, body: { query } })).json;
    const { data, errors } = await asked(
      '{ paymentIntents(first: 1) { nodes { id assessmentId assessment { status } events { nodes { id assessment { id status } } } } } }',
    );
    expect(data.paymentIntents.nodes).toMatchObject([
      { id: intent, assessment: null, events: { nodes: [{ assessment: null }, { assessment: null }] } },
    ]);
    expect(errors).toMatchObject([
      { path: ['paymentIntents', 'nodes', 0, 'assessment'], extensions: { code: 'forbidden' } },
      ...[0, 1].map((n) => ({
        path: ['paymentIntents', 'nodes', 0, 'events', 'nodes', n, 'assessment'],
        extensions: { code: 'forbidden' },
      })),
    ]);
    const agency = await asked('{ agency(id: "URA") { id history { nodes { id } } shifts { nodes { id } } } }');
    expect(agency.data.agency).toEqual({ id: 'URA', history: null, shifts: null });
    expect(agency.errors.map((one: { extensions: { code: string } }) => one.extensions.code)).toEqual([
      'forbidden',
      'forbidden',
    ]);
  });
});
