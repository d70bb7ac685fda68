import { randomUUID } from 'node:crypto';
import {
  type Actor,
  TWO_LINES_TOTAL,
  createAssessed,
  createConfirmed,
  createPending,
  createSent,
  makeActor,
  someCitizen,
  twoLines,
} from '../../../harness/flow.ts';
import { type StaffActor, makeStaff } from '../../../harness/people/staff.ts';
import { type Reply, ask } from '../../run/ask.ts';
import type { Place } from '../../run/place.ts';
import type { Context, Scenario } from '../../run/scenario.ts';

const RACERS = 50;

interface Runner {
  readonly path: string;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A race: its runners, and a judge that returns what is wrong with the result. */
interface Race {
  readonly runner: (nth: number) => Runner;
  readonly judge: (answers: readonly Reply[]) => Promise<string[]>;
}

interface Field {
  readonly place: Place;
  readonly actor: Actor;
  readonly clerk: StaffActor;
}

const RACES: Readonly<Record<string, (field: Field) => Promise<Race>>> = {
  initiate: async ({ place, actor }) => {
    const { intent } = await createPending(place.rail, actor);
    return {
      runner: () => ({ path: `/v1/payment-intents/${intent}:initiate`, body: { payer_msisdn: '+256700123456' } }),
      judge: async (answers) => [
        ...expectWinners(answers, 1),
        ...(await expectCount(
          place,
          'collections asked for',
          1,
          `select from trace_row where intent = $1 and kind = 'adapter.initiate'`,
          intent,
        )),
      ],
    };
  },
  confirm: async ({ place, actor }) => {
    const { intent } = await createSent(place.rail, actor);
    const event = { intent, status: 'SUCCESSFUL', amount: TWO_LINES_TOTAL, currency: 'UGX' };
    const eventId = randomUUID();
    return {
      runner: (nth) =>
        nth % 2 === 0
          ? { path: `/v1/payment-intents/${intent}:confirm`, body: {} }
          : { path: '/v1/webhooks/mtn_momo', body: { ...event, event_id: nth % 4 === 1 ? eventId : randomUUID() } },
      judge: async () => [
        ...(await expectCount(place, 'payment events', 2, `select from payment_event where intent = $1`, intent)),
        ...(await expectCount(
          place,
          'messages',
          1,
          `select from outbox where object = $1 and type = 'payment_intent.confirmed'`,
          intent,
        )),
      ],
    };
  },
  reverse: async ({ place, actor }) => {
    const { assessment, intent } = await createConfirmed(place.rail, actor);
    return {
      runner: () => ({ path: `/v1/assessments/${assessment}:cancel`, body: { reason: 'Entered twice' } }),
      judge: async (answers) => [
        ...expectWinners(answers, 1),
        ...(await expectCount(
          place,
          'reversals',
          2,
          `select from payment_event where intent = $1 and kind = 'reversal'`,
          intent,
        )),
      ],
    };
  },
  'pay or cancel': async ({ place, actor }) => {
    const { assessment, intent } = await createSent(place.rail, actor);
    return {
      runner: (nth) =>
        nth % 2 === 0
          ? { path: `/v1/payment-intents/${intent}:confirm`, body: {} }
          : { path: `/v1/assessments/${assessment}:cancel`, body: { reason: 'Entered twice' } },
      // The money was collected, regardless of what it was for.
      judge: async () => [
        ...(await expectCount(
          place,
          'payments',
          2,
          `select from payment_event where intent = $1 and kind = 'payment'`,
          intent,
        )),
        ...(await expectCount(
          place,
          'cancelled',
          1,
          `select from assessment where name = $1 and status = 'Cancelled'`,
          assessment,
        )),
      ],
    };
  },
  cancel: async ({ place, actor }) => {
    const assessment = await createAssessed(place.rail, actor);
    return {
      runner: () => ({ path: `/v1/assessments/${assessment}:cancel`, body: { reason: 'Entered twice' } }),
      judge: async (answers) => expectWinners(answers, 1),
    };
  },
  'one key': async ({ place }) => {
    const key = randomUUID();
    const body = { citizen: await someCitizen(place.rail), lines: await twoLines(place.rail) };
    return {
      runner: () => ({ path: '/v1/assessments', body, headers: { 'idempotency-key': key } }),
      judge: async (answers) => {
        const texts = new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text));
        return texts.size === 1 ? [] : [`${texts.size} different answers under one key`];
      },
    };
  },
  shift: async ({ place, clerk }) => {
    return {
      runner: () => ({ path: '/v1/counter-shifts', body: { mda: 'URA' }, headers: { cookie: clerk.cookie } }),
      judge: async (answers) => {
        const wrong = expectWinners(answers, 1);
        const [open] = await place.query<{ name: string }>(
          `select name from counter_shift where clerk = $1 and status = 'Open'`,
          [clerk.email],
        );
        const closed = await clerk.post(`/v1/counter-shifts/${open?.name}:close`, { cash_counted: 0 });
        if (closed.status !== 200) wrong.push(`the shift does not close: ${closed.status} ${closed.text}`);
        return wrong;
      },
    };
  },
};

export const racers: Scenario = {
  name: 'racers',
  title: 'racers on one state, over two processes',
  promise: `Of ${RACERS} who want the same change at the same moment one makes it. The others are refused, and none is answered 5xx.`,
  unit: 'rounds',
  full: 1_000,
  floor: 14,
  share: 2,
  async run(context) {
    const place = await context.open();
    await place.start(2);
    const field = { place, actor: await makeActor(place.rail), clerk: await makeStaff(place.rail, 'clerk') };
    const names = Object.keys(RACES);
    while (context.more()) {
      // Each kind in its turn and then at random, so that few rounds have all of them.
      const name = context.tried <= names.length ? names[context.tried - 1]! : context.of(names);
      for (const wrong of await race(context, field, name)) context.losses.push(`${name}: ${wrong}`);
      context.count(name);
    }
  },
};

async function race(context: Context, field: Field, name: string): Promise<string[]> {
  const { runner, judge } = await RACES[name]!(field);
  const origins = field.place.origins;
  const answers = await Promise.all(
    Array.from({ length: RACERS }, (_, nth) => {
      const { path, body, headers = {} } = runner(nth);
      const who = headers['cookie'] ? {} : { key: field.actor.key };
      return ask(origins[nth % origins.length]! + path, { ...who, body, headers });
    }),
  );
  context.count('requests', answers.length);
  const faults = answers.filter(({ status }) => ![200, 409, 422].includes(status));
  return [...faults.map(({ status, text }) => `${status} ${text}`), ...(await judge(answers))];
}

function expectWinners(answers: readonly Reply[], count: number): string[] {
  const won = answers.filter(({ status }) => status === 200).length;
  return won === count ? [] : [`${won} of ${answers.length} won`];
}

async function expectCount(place: Place, what: string, count: number, query: string, of: string): Promise<string[]> {
  const rows = await place.query(query, [of]);
  return rows.length === count ? [] : [`${rows.length} ${what} of ${of}, not ${count}`];
}
