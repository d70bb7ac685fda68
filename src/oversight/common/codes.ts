import { naming } from '../../graphql/plugins/known.ts';
import type { shape } from '../../graphql/input/shapes.ts';
import type { Call } from '../../platform/call/call.ts';
import { loadTogether } from '../../platform/reading/batch.ts';
import { type Sql, joined, sql } from '../../platform/database/sql.ts';
import { refuseValues } from '../../kernel/refusal.ts';
import { type Said, say } from '../../kernel/text/said.ts';

/** Filters of figures, each with the table of its codes. */
const NAMED = {
  agency: sql`oversight.agency where mda = asked.code`,
  service: sql`oversight.service where service = asked.code`,
  sector: sql`oversight.service where sector = asked.code`,
  family: sql`oversight.service where family = asked.code`,
  country: sql`oversight.country c where c.code = asked.code`,
  region: sql`oversight.agency where region = asked.code`,
  district: sql`oversight.agency where district = asked.code`,
  // By its agency first, whose shifts have an index.
  counter: sql`oversight.counter where mda = split_part(asked.code, ' ', 1) and counter = asked.code`,
  integrator: sql`oversight.integrator where integrator = asked.code`,
} as const satisfies Readonly<Record<string, Sql>>;

type Noun = keyof typeof NAMED;

export const isNoun = (name: string): name is Noun => Object.hasOwn(NAMED, name);

const REFUSALS: Readonly<Record<Noun, (code: string) => Said>> = {
  agency: (code) => say`there is no agency ${code}`,
  service: (code) => say`there is no service ${code}`,
  sector: (code) => say`there is no sector ${code}`,
  family: (code) => say`there is no family ${code}`,
  country: (code) => say`there is no country ${code}`,
  region: (code) => say`there is no region ${code}`,
  district: (code) => say`there is no district ${code}`,
  counter: (code) => say`there is no counter ${code}`,
  integrator: (code) => say`there is no integrator ${code}`,
};

/** Finds the existing ones of some codes, in one statement for all that an operation asks at the same moment. */
async function findCodes(call: Call, keys: readonly string[]): Promise<ReadonlyMap<string, true>> {
  const parts = keys.map((key) => [key.slice(0, key.indexOf(' ')) as Noun, key.slice(key.indexOf(' ') + 1)] as const);
  const selects = [...Map.groupBy(parts, ([noun]) => noun)].map(
    ([noun, asked]) => sql`
      select ${noun} || ' ' || asked.code as key from unnest(${asked.map(([, code]) => code)}::text[]) as asked (code)
        cross join lateral (select from ${NAMED[noun]} limit 1) found`,
  );
  const found = await call.oversight.rows<{ key: string }>(joined(selects, ' union all '));
  return new Map(found.map(({ key }) => [key, true]));
}

async function exists(call: Call, noun: Noun, code: string): Promise<boolean> {
  return (await loadTogether(call, findCodes, `${noun} ${code}`, (keys) => findCodes(call, keys))) === true;
}

/** Declares that an argument names what has to exist; integrators are named by those alone who may see them. */
export const codeOf = (noun: Noun, form: ReturnType<typeof shape>) =>
  naming(
    {
      exists: (call, code) => exists(call, noun, code),
      refuse: REFUSALS[noun],
      ...(noun === 'integrator' && { need: 'oversight.audit' }),
    },
    form,
  );

/** A code that a member of an input names. */
export interface Named {
  readonly noun: Noun;
  readonly path: string;
  readonly code: string;
}

/** Refuses codes within inputs that name what does not exist. */
export async function requireCodes(call: Call, named: readonly Named[]): Promise<void> {
  if (named.length === 0) return;
  const found = await Promise.all(named.map(({ noun, code }) => exists(call, noun, code)));
  const unknown = named.filter((_one, place) => !found[place]);
  if (unknown.length > 0)
    throw refuseValues(unknown.map(({ noun, path, code }) => ({ path, message: REFUSALS[noun](code) })));
}
