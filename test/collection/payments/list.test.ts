import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import {
  type Actor,
  createAssessedFor,
  createConfirmed,
  createPendingFor,
  createSent,
  makeActor,
} from '../../harness/flow.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();

const LIST = '/v1/payment-intents';

describe('the list of payment intents', () => {
  let actor: Actor;
  /** Payments of 585,000 UGX each, shared by URA and URSB. */
  let confirmed: { assessment: string; intent: string };
  let sent: { assessment: string; intent: string };
  /** A payment by card, a month ago, for one service of another agency. */
  let old: { assessment: string; intent: string; amount: number };

  const listed = async (query = ''): Promise<string[]> => {
    const { status, text, data } = await actor.ask(`${LIST}?${query}`);
    expect(status, text).toBe(200);
    return data.map(({ name }: { name: string }) => name);
  };

  beforeAll(async () => {
    actor = await makeActor(rail);
    const { assessment, amount } = await createAssessedFor(rail, actor, 'MOWT-PSV');
    old = { assessment, amount, intent: await createPendingFor(actor, assessment, 'card') };
    await rail.rows(sql`update payment_intent set created_at = now() - interval '30 days' where name = ${old.intent}`);
    sent = await createSent(rail, actor);
    confirmed = await createConfirmed(rail, actor);
    await createConfirmed(rail, await makeActor(rail));
  });

  it("has the caller's own, newest first, each as its own endpoint answers it", async () => {
    expect(await listed()).toEqual([confirmed.intent, sent.intent, old.intent]);
    const { data } = await actor.ask(LIST);
    for (const intent of data) expect(intent).toEqual((await actor.ask(`${LIST}/${intent.name}`)).data);
  });

  it('is filtered by status, channel, assessment, agency, time and amount', async () => {
    const amount = (delta: number) => old.amount + delta;
    const day = new Date(Date.now() - 86_400_000).toISOString();
    const both = [confirmed.intent, sent.intent];
    const filters: Readonly<Record<string, readonly string[]>> = {
      'status=Sent': [sent.intent],
      'status=Failed': [],
      'channel=card': [old.intent],
      'channel=mtn_momo': both,
      [`assessment=${confirmed.assessment}`]: [confirmed.intent],
      'mda=MOWT': [old.intent],
      'mda=URSB': both,
      'mda=URSB&status=Confirmed': [confirmed.intent],
      [`from_date=${day}`]: both,
      [`to_date=${day}`]: [old.intent],
      [`max_amount=${old.amount}`]: [old.intent],
      [`max_amount=${amount(-1)}`]: [],
      [`min_amount=${amount(1)}`]: both,
      [`min_amount=${old.amount}`]: [...both, old.intent],
      'min_amount=585000&max_amount=585000.00': both,
    };
    expect(old.amount).toBeLessThan(585_000);
    for (const [query, expected] of Object.entries(filters)) expect(await listed(query), query).toEqual(expected);
  });

  it('goes on page by page, by a link and by numbers', async () => {
    const first = await actor.ask(`${LIST}?limit=2`);
    const link = /<([^>]*)>; rel="next"/.exec(first.headers.get('link') ?? '')![1]!;
    const { pathname, search } = new URL(link);
    const second = await actor.ask(pathname + search);
    expect([...first.data, ...second.data].map(({ name }: { name: string }) => name)).toEqual(await listed());
    expect(second.headers.get('link')).toBeNull();
    expect(await listed('start=1&limit=1')).toEqual([sent.intent]);
  });

  it('refuses what cannot be a filter, and who lacks the scope', async () => {
    for (const query of ['status=Lost', 'channel=cheque', 'min_amount=much', 'from_date=soon', 'limit=201', 'after=x'])
      expect((await actor.ask(`${LIST}?${query}`)).status, query).toBe(422);
    const reader = await rail.key('assessments.read');
    expect((await rail.ask(LIST, { key: reader.plaintext })).status).toBe(403);
    expect((await rail.ask(LIST)).status).toBe(401);
  });
});
