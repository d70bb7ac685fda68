import { fuzz, fuzzForms } from '../../../harness/chaos/fuzz/fuzz.ts';
import type { Shot } from '../../../harness/chaos/fuzz/requests.ts';
import { makeActor } from '../../../harness/flow.ts';
import { makeAccount, signIn } from '../../../harness/people/accounts.ts';
import { makeStaff } from '../../../harness/people/staff.ts';
import type { Answer, Ask } from '../../../harness/rail.ts';
import { expectDescribed } from '../../../harness/schema/described.ts';
import type { Place } from '../../run/place.ts';
import type { Scenario } from '../../run/scenario.ts';

/** A request that takes longer hangs. */
const HUNG_MS = 30_000;
/** The part of all that is requests; the rest is forms. */
const REQUESTS = 0.8;
/** Tables of the documents that requests can create. */
const TABLES = ['assessment', 'payment_intent', 'citizen', 'counter_shift', 'service_notice', 'api_key'];

export const badInput: Scenario = {
  name: 'bad-input',
  title: 'bad input, made from the OpenAPI document and the schema',
  promise:
    'Nothing that is sent is answered 5xx or not at all. What was refused made nothing, and what was taken is stored as it was sent.',
  unit: 'requests',
  full: 100_000,
  floor: 1_000,
  share: 4,
  async run(context) {
    const place = await context.open({ DEV_REVEAL: 'on' });
    await place.start(2);
    const { rail } = place;
    const anybody = (path: string, options?: Ask) => askAt(context.of(place.origins), path, options);
    const who = (headers: Record<string, string>) => ({
      ask: (path: string, options: Ask = {}) =>
        anybody(path, { ...options, headers: { ...headers, ...options.headers } }),
    });
    const { key } = await makeActor(rail);
    const { cookie } = await makeStaff(rail, 'admin');
    const cookies = [
      (await makeStaff(rail, 'admin', 'clerk', 'supervisor')).cookie,
      (await makeStaff(rail, 'clerk')).cookie,
      await signIn(rail, await makeAccount(rail)),
    ];
    const before = await namesIn(place);
    const reported = new Set<string>();
    const note = (shot: Shot, answer: Answer) => {
      context.count(`answers ${answer.status}`);
      if (shot.method === 'GET' || answer.status !== 200) return;
      for (const [name] of answer.text.matchAll(/\b[A-Z]+-\d{4}(?:-\d\d)*-\d{3,}\b/g)) reported.add(name);
      for (const changed of findChanged(shot, answer)) context.losses.push(changed);
    };
    const seed = context.below(2 ** 31);
    const users = { integrator: who({ authorization: `Bearer ${key}` }), staff: who({ cookie }) };
    const more = () => context.part < REQUESTS && context.more();
    const found = await fuzz(rail, users, { seed, more, hands: 4 }, note);
    const made = (await namesIn(place)).difference(before);
    context.count('records made', made.size);
    context.lose('made, and nobody was told', [...made.difference(reported)]);
    // A form is taken from pages of its own host alone.
    const origin = place.origins[0]!;
    const pages = { ask: (path: string, options?: Ask) => askAt(origin, path, options), origin };
    found.push(...(await fuzzForms(pages, cookies, { seed, more: context.more, hands: 4 }, note)));
    context.lose('answered wrongly', found);
    context.hold(
      place.processes.every((one) => one.alive()),
      () => 'a process ended',
    );
  },
};

/** Asks a process as tests ask their rail. */
async function askAt(origin: string, path: string, { method = 'GET', body, headers = {} }: Ask = {}): Promise<Answer> {
  const response = await fetch(origin + path, {
    method,
    headers,
    redirect: 'manual',
    signal: AbortSignal.timeout(HUNG_MS),
    ...(typeof body === 'string' && { body }),
  });
  const text = await response.text();
  expectDescribed(method, path, response.status);
  const json = /[/+]json/.test(response.headers.get('content-type') ?? '') && text ? JSON.parse(text) : undefined;
  return { status: response.status, headers: response.headers, text, json, data: json?.data, code: json?.error?.code };
}

async function namesIn({ query }: Pick<Place, 'query'>): Promise<Set<string>> {
  const all = TABLES.map((table) => `select name from ${table}`).join(' union all ');
  return new Set((await query<{ name: string }>(all)).map(({ name }) => name));
}

/** Members that an answer has otherwise than they were sent, but for how they are written. */
function findChanged({ method, path, body }: Shot, { data }: Answer): string[] {
  const sent: unknown = body?.startsWith('{') ? JSON.parse(body) : null;
  if (typeof sent !== 'object' || sent === null || typeof data !== 'object' || data === null) return [];
  return Object.entries(sent).flatMap(([name, value]: [string, unknown]) => {
    // The one that was read: the change makes the next.
    if (name === 'revision') return [];
    const stored = (data as Readonly<Record<string, unknown>>)[name];
    if (!isPlain(value) || !isPlain(stored) || written(value) === written(stored)) return [];
    return [`${method} ${path}: ${name} was sent as ${JSON.stringify(value)} and is ${JSON.stringify(stored)}`];
  });
}

const isPlain = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';

const written = (value: string | number): string => String(value).normalize().trim().toLowerCase();
