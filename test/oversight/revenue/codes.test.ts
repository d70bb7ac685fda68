import { type GraphQLObjectType, getNamedType, isListType, getNullableType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../../src/app/schema.ts';
import { seedHistory } from '../../../src/sandbox/history.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
let key: string;
let auditor: string;
let integrator: string;

beforeAll(async () => {
  key = (await rail.key('oversight.read')).plaintext;
  ({ plaintext: auditor, integrator } = await rail.key('oversight.read', 'oversight.audit'));
  for await (const _ of seedHistory(rail.rail, { events: 300, years: 1, agencies: 6, seed: 3 }));
  await rail.rows(sql`
    insert into counter_shift (name, mda, clerk, counter_label, status, currency, opening_float, opened_at, revision,
      cash_collected, non_cash_collected, collection_count, created_at, updated_at)
    values ('SHIFT-2025-01-01-001', 'URA', 'one@example.com', 'Window 2', 'Open', 'UGX', 0, now(), 1, 0, 0, 0, now(),
      now())`);
});

/** The noun of each filter, and a code that nobody has. */
const NOBODY: Readonly<Record<string, readonly [noun: string, code: string]>> = {
  agency: ['agency', 'NOPE'],
  service: ['service', 'SVC-1999-000001'],
  sector: ['sector', 'Nothing'],
  family: ['family', 'nothing'],
  country: ['country', 'ZZ'],
  region: ['region', 'Atlantis'],
  district: ['district', 'Atlantis'],
  counter: ['counter', 'URA Window 3'],
  integrator: ['integrator', 'NOBODY-AAAAAA'],
};

/** A code of each that there is, as the tables have it. */
async function readCodes(): Promise<Record<string, string>> {
  const [of] = await rail.rows<Record<string, string>>(sql`
    select s.name as service, s.sector, s.family, m.name as mda, m.country, m.region, m.district
    from service s join mda m on m.name = s.mda
    where s.sector is not null and s.family is not null and m.region is not null and m.district is not null
    order by s.name limit 1`);
  return { ...of, agency: of!['mda']!, counter: 'URA Window 2', integrator };
}

/** Each field of oversight with each filter of it that names something. */
const { Oversight } = schema.getTypeMap() as { Oversight: GraphQLObjectType };
const FILTERED = Object.values(Oversight.getFields()).flatMap((field) =>
  field.args.filter(({ name }) => name in NOBODY).map((argument) => ({ field, argument, name: argument.name })),
);

/** A filter by code: an argument of a field, or a member of a slice. */
interface Filtered {
  readonly field: { readonly name: string };
  readonly name: string;
  readonly path: string;
  readonly query: string;
  readonly many: boolean;
}

const ASKED: readonly Filtered[] = [
  ...FILTERED.map(({ field, argument, name }) => {
    const many = isListType(getNullableType(argument.type));
    return {
      field,
      name,
      many,
      path: many ? `${name}[0]` : name,
      query: `query ($code: ${String(argument.type)}) { oversight { ${field.name}(${name}: $code)
        ${getNamedType(field.type).name === 'Date' ? '' : '{ __typename }'} } }`,
    };
  }),
  ...Object.keys(NOBODY).flatMap((name) =>
    (['figures', 'figureRecords'] as const).map((field) => ({
      field: { name: field },
      name,
      many: true,
      path: `slice.${name}[0]`,
      query: `query ($code: [${['agency', 'service', 'country', 'integrator'].includes(name) ? 'ID' : 'String'}!]) {
          oversight { ${field}(slice: { ${name}: $code }) { totalCount } } }`,
    })),
  ),
];

const ask = ({ query, many }: Filtered, code: string, credential = auditor) =>
  rail.ask('/graphql', { key: credential, body: { query, variables: { code: many ? [code] : code } } });

describe('filters of oversight', () => {
  it('refuse a code that nobody has, and name it', async () => {
    expect(ASKED.length).toBeGreaterThan(25);
    expect(new Set(ASKED.map(({ name }) => name))).toEqual(new Set(Object.keys(NOBODY)));
    for (const filtered of ASKED) {
      const [noun, code] = NOBODY[filtered.name]!;
      const { json } = await ask(filtered, code);
      expect([filtered.field.name, json.errors?.[0].extensions]).toEqual([
        filtered.field.name,
        { code: 'validation_failed', details: [{ path: filtered.path, message: `there is no ${noun} ${code}` }] },
      ]);
    }
  });

  it('take each code that there is, also of what has no payments', { tags: 'long' }, async () => {
    const codes = await readCodes();
    for (const filtered of ASKED) {
      const { json } = await ask(filtered, codes[filtered.name]!);
      expect([filtered.field.name, filtered.name, json.errors]).toEqual([
        filtered.field.name,
        filtered.name,
        undefined,
      ]);
    }
  });

  it('name every code that is wrong among right ones, of all arguments', async () => {
    const { json } = await rail.ask('/graphql', {
      key,
      body: {
        query: `{ oversight { figures(slice: { agency: ["URA", "NOPE", "NONE"], country: ["ug", "UG"], region: [""] }) {
          nodes { revenue { net } } } other: figures(slice: { agency: ["URA"] }) { nodes { key { currency } } } } }`,
      },
    });
    expect(json.errors).toHaveLength(1);
    expect(json.errors[0].extensions.details).toEqual([
      { path: 'slice.agency[1]', message: 'there is no agency NOPE' },
      { path: 'slice.agency[2]', message: 'there is no agency NONE' },
      { path: 'slice.country[0]', message: 'there is no country ug' },
      { path: 'slice.region[0]', message: 'there is no region ' },
    ]);
    expect(json.data.oversight.other).toEqual({ nodes: [{ key: { currency: 'UGX' } }] });
  });

  it('look up all codes of an operation with one statement', async () => {
    const statements: string[] = [];
    const { rows } = rail.rail.oversight;
    rail.rail.oversight.rows = ((statement: { text?: string; strings?: readonly string[] }) => {
      statements.push(JSON.stringify(statement));
      return rows.call(rail.rail.oversight, statement as never);
    }) as typeof rows;
    try {
      await rail.ask('/graphql', {
        key,
        body: {
          query: `{ oversight { a: figures(slice: { agency: ["URA"], country: ["UG"] }) { totalCount }
            b: targets(agency: ["KCCA"]) { target } c: anomalies(agency: ["URA"]) { nodes { id } } } }`,
        },
      });
    } finally {
      rail.rail.oversight.rows = rows;
    }
    expect(
      statements.filter((statement) => statement.includes('cross join lateral (select from oversight')),
    ).toHaveLength(1);
  });

  it('tell nobody which integrators there are who may not see them', async () => {
    for (const code of [integrator, 'NOBODY-AAAAAA'])
      for (const field of ['figures', 'figureRecords']) {
        const filtered = ASKED.find((one) => one.name === 'integrator' && one.field.name === field)!;
        expect((await ask(filtered, code, key)).json.errors[0].extensions.code, field).toBe('forbidden');
      }
  });

  it('are held to it over REST, as 422 with the name of the parameter', async () => {
    const refused = async (path: string) => {
      const { status, json } = await rail.ask(`/v1/oversight/${path}`, { key });
      return [status, json.error?.details];
    };
    for (const path of ['collections', 'revenue', 'revenue-comparison'])
      expect(await refused(`${path}?mda=URA,NOPE`), path).toEqual([
        422,
        [{ path: 'mda[1]', message: 'there is no agency NOPE' }],
      ]);
    for (const path of ['shifts', 'consents', 'payment-events', 'anomalies', 'fees'])
      expect(await refused(`${path}?mda=NOPE`), path).toEqual([
        422,
        [{ path: 'mda', message: 'there is no agency NOPE' }],
      ]);
    expect(await refused('revenue?district=Atlantis&mda=URA')).toEqual([
      422,
      [{ path: 'district[0]', message: 'there is no district Atlantis' }],
    ]);
    expect(await refused('revenue?mda=')).toEqual([200, undefined]);
    const file = await rail.ask('/v1/oversight/payment-events?mda=NOPE', { key, headers: { accept: 'text/csv' } });
    expect([file.status, file.code]).toEqual([422, 'validation_failed']);
  });

  it('are held to it in a named operation, whose answer is not to be kept', async () => {
    const variables = encodeURIComponent(JSON.stringify({ agency: ['NOPE'] }));
    const path = `/graphql?operation=revenue-by-month&variables=${variables}`;
    const { headers, json } = await rail.ask(path, { key });
    expect([json.data.oversight.figures, json.errors[0].extensions.details]).toEqual([
      null,
      [{ path: 'slice.agency[0]', message: 'there is no agency NOPE' }],
    ]);
    expect(headers.get('etag')).toBeNull();
  });
});
