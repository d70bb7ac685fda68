import { isNonNullType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { loadEndpoints } from '../../../rest/load.ts';
import { schema } from '../../../src/app/schema.ts';
import { type Actor, createConfirmed, makeActor } from '../../harness/flow.ts';
import { testRail } from '../../harness/rail.ts';
import { makeStaff } from '../../harness/people/staff.ts';

const rail = testRail();

/** Parameters of the page's size are no filters. */
const WINDOW = ['start', 'limit'];

const lists = loadEndpoints(schema).endpoints.filter(
  ({ method, changes, handler, path }) =>
    method === 'GET' && !changes && handler.answers !== 'redirect' && !path.includes('{') && path !== '/v1/me/logs',
);

describe('a filter that is left blank', () => {
  it('is as if it were left out, on every list that takes it', async () => {
    const actor = await makeActor(rail);
    await createConfirmed(rail, actor);
    const admin = await makeStaff(rail, 'admin');
    let asked = 0;
    for (const { path, parameters } of lists) {
      const who: Pick<Actor, 'ask'> = path.startsWith('/v1/me') ? actor : admin;
      const sizeOf = async (query: string) => {
        const { status, text, data } = await who.ask(`${path}?${query}`);
        return status === 200 ? Object.keys(data ?? {}).length : text;
      };
      const filters = parameters.filter(
        ({ name, source, type, defaultValue }) =>
          source === 'query' && !WINDOW.includes(name) && (defaultValue !== undefined || !isNonNullType(type)),
      );
      const whole = await sizeOf('');
      for (const { name } of filters) {
        expect(await sizeOf(`${name}=`), `${path}?${name}=`).toEqual(whole);
        asked++;
      }
    }
    expect(asked).toBeGreaterThan(60);
  });

  it('is so over GraphQL too', async () => {
    const query =
      '{ blank: services(q: "", sector: "", agency: "", first: 100) { nodes { id } } all: services(first: 100) { nodes { id } } }';
    const { data } = (await rail.ask('/graphql', { body: { query } })).json;
    expect(data.blank).toEqual(data.all);
    expect(data.all.nodes.length).toBeGreaterThan(50);
  });
});
