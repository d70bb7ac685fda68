import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLine } from '../../../src/platform/access/viewer.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { correctReceipts } from '../../../src/collection/receipts/correct.ts';
import { findSigner, signPayload } from '../../../src/collection/receipts/keys.ts';
import { checkOffline } from '../../../src/collection/receipts/shown.ts';
import { codeOf } from '../../../src/collection/receipts/signature.ts';
import { rollSigningKey, purgeSigningKeys } from '../../../src/platform/access/tokens/signing-keys.ts';
import { sealAll } from '../../../src/oversight/seals/seal.ts';
import {
  type Actor,
  createAssessed,
  createAssessedFor,
  createConfirmed,
  createInitiated,
  createPending,
  createPendingFor,
  createSent,
  makeActor,
  someCitizen,
} from '../../harness/flow.ts';
import { type Answer, testRail } from '../../harness/rail.ts';
import { capture } from '../../harness/processes.ts';
import { makeStaff, makeStaffOf } from '../../harness/people/staff.ts';

const rail = testRail();

const operator = () => callOf(rail.rail, commandLine, 'test');

/** The receipts of an assessment, newest first. */
const receiptsOf = async (who: Pick<Actor, 'ask'>, assessment: string) =>
  (await who.ask(`/v1/assessments/${assessment}/receipts`)).data as Receipt[];

interface Receipt {
  readonly [member: string]: unknown;
  readonly name: string;
  readonly payload: string;
  readonly signature: string;
  readonly kid: string;
  readonly code: string;
}

const verify = (body: unknown) => rail.ask('/v1/receipts:verify', { body });
const signedOf = ({ payload, signature, kid }: Receipt) => ({ payload, signature, kid });
const stateOf = async (receipt: Receipt) => (await verify(signedOf(receipt))).data.state as string;

async function payAnd(actor: Actor): Promise<{ assessment: string; intent: string; receipt: Receipt }> {
  const made = await createConfirmed(rail, actor);
  const [receipt] = await receiptsOf(actor, made.assessment);
  return { ...made, receipt: receipt! };
}

/** Changes what nobody can change, as somebody would who has the database. */
async function asOwner(change: Parameters<typeof rail.rows>[0], table: string): Promise<void> {
  await rail.query(`alter table ${table} disable trigger user`);
  try {
    await rail.rows(change);
  } finally {
    await rail.query(`alter table ${table} enable trigger user`);
  }
}

describe('a payment', () => {
  it.each(['mtn_momo', 'airtel_money', 'card', 'cash'])('by %s has one receipt, which verifies', async (channel) => {
    const actor = await makeActor(rail);
    const { assessment, intent } = await createPending(rail, actor, channel);
    await createInitiated(actor, intent);
    expect(await receiptsOf(actor, assessment)).toEqual([]);
    await actor.post(`/v1/payment-intents/${intent}:confirm`);
    await actor.post(`/v1/payment-intents/${intent}:confirm`);
    const receipts = await receiptsOf(actor, assessment);
    const events = (await actor.ask(`/v1/payment-events?intent=${intent}`)).data as { name: string; mda: string }[];
    const eventOf = (mda: string) => events.find((event) => event.mda === mda)!.name;
    expect(receipts).toMatchObject([
      {
        assessment,
        intent,
        status: 'Issued',
        contents: {
          kind: 'payment',
          amount: 585_000,
          currency: 'UGX',
          channel,
          payer_initials: expect.stringMatching(/^\p{Lu}{1,4}$/u),
          agencies: [
            { mda: 'URA', amount: 450_000, event: eventOf('URA') },
            { mda: 'URSB', amount: 135_000, event: eventOf('URSB') },
          ],
          other_agencies: 0,
          other_amount: null,
          other_services: 0,
        },
        proof: 'simulated',
        copies: 0,
        voided_at: null,
      },
    ]);
    const [receipt] = receipts;
    expect(String(receipt!['url']).length).toBeLessThanOrEqual(300);
    expect((await verify(signedOf(receipt!))).data).toEqual({
      state: 'valid',
      contents: receipt!['contents'],
      left: 585_000,
      voided_at: null,
      replaced_by: null,
      // Of each agency; none of their days is over.
      followed: ['URA', 'URSB'].map((mda) => ({
        mda,
        seal: null,
        day: null,
        signature: null,
        kid: null,
        arrived_on: null,
      })),
    });
    const typed = { name: receipt!.name.toLowerCase(), code: receipt!.code.replace('-', ' ').toLowerCase() };
    expect((await verify(typed)).data.state).toBe('valid');
    const messages = await rail.rows(sql`select type, payload from outbox where object = ${receipt!.name}`);
    expect(messages).toEqual([{ type: 'receipt.issued', payload: receipt }]);
    const query =
      '{ paymentIntents { nodes { receipt { id intent { id } contents { agencies { event { id } } } } } } }';
    expect((await actor.post('/graphql', { query })).json.data.paymentIntents.nodes).toEqual([
      {
        receipt: {
          id: receipt!.name,
          intent: { id: intent },
          contents: { agencies: [{ event: { id: eventOf('URA') } }, { event: { id: eventOf('URSB') } }] },
        },
      },
    ]);
  });

  it('that comes after its intent failed or expired, and pays, has a receipt of a payment', async () => {
    const actor = await makeActor(rail);
    const kindAfter = async (...ended: string[]) => {
      const { assessment, intent } = await createPending(rail, actor);
      for (const trigger of ended)
        expect((await actor.post(`/v1/sandbox/payment-intents/${intent}:${trigger}`)).status).toBe(200);
      const [receipt] = await receiptsOf(actor, assessment);
      const text = (await actor.ask(`/v1/receipts/${receipt!.name}`, { headers: { accept: 'text/plain' } })).text;
      const status = (await actor.ask(`/v1/assessments/${assessment}`)).data.status;
      return {
        status,
        kind: (receipt!['contents'] as { kind: string }).kind,
        isReturned: /agencies return it/.test(text.replaceAll(/\s+/g, ' ')),
      };
    };
    const paid = { status: 'Paid', kind: 'payment', isReturned: false };
    expect(await kindAfter('fail', 'succeed')).toEqual(paid);
    expect(await kindAfter('late')).toEqual(paid);
  });

  it('that pays a second time, or too late, has a receipt that says so', async () => {
    const actor = await makeActor(rail);
    const { assessment, intent } = await createPending(rail, actor);
    const second = await createPendingFor(actor, assessment);
    for (const one of [intent, second]) await createInitiated(actor, one);
    for (const one of [intent, second]) await actor.post(`/v1/payment-intents/${one}:confirm`);
    const kinds = (receipts: Receipt[]) => receipts.map(({ contents }) => (contents as { kind: string }).kind);
    expect(kinds(await receiptsOf(actor, assessment))).toEqual(['duplicate', 'payment']);
    const late = await createSent(rail, actor);
    await actor.post(`/v1/assessments/${late.assessment}:cancel`);
    await actor.post(`/v1/payment-intents/${late.intent}:confirm`);
    const receipts = await receiptsOf(actor, late.assessment);
    expect(kinds(receipts)).toEqual(['late']);
    expect(await stateOf(receipts[0]!)).toBe('valid');
  });

  it('that is confirmed by many at once has one receipt', async () => {
    const actor = await makeActor(rail);
    const { assessment, intent } = await createSent(rail, actor);
    await Promise.all(Array.from({ length: 8 }, () => actor.post(`/v1/payment-intents/${intent}:confirm`)));
    expect(await receiptsOf(actor, assessment)).toHaveLength(1);
  });
});

describe('a reversal', () => {
  it('voids the receipts in its statement, and the next verification says so', async () => {
    const actor = await makeActor(rail);
    const { assessment, receipt } = await payAnd(actor);
    expect(await stateOf(receipt)).toBe('valid');
    await actor.post(`/v1/assessments/${assessment}:cancel`, { reason: 'Entered twice' });
    const [voided] = await receiptsOf(actor, assessment);
    expect(voided).toEqual({
      ...receipt,
      status: 'Void',
      voided_at: expect.any(String),
      updated_at: voided!['voided_at'],
    });
    expect((await verify(signedOf(receipt))).data).toEqual({
      state: 'void',
      contents: receipt['contents'],
      left: 0,
      voided_at: voided!['voided_at'],
      replaced_by: null,
    });
    const messages = await rail.rows(sql`
      select type, sequence, payload from outbox where object = ${receipt.name} order by sequence`);
    expect(messages).toMatchObject([
      { type: 'receipt.issued' },
      { type: 'receipt.voided', sequence: 2, payload: voided },
    ]);
  });

  it('has a printed copy say so that is asked for meanwhile: whichever comes first, the copy counts once', async () => {
    const actor = await makeActor(rail);
    const { assessment, receipt } = await payAnd(actor);
    const [printed] = await Promise.all([
      actor.post(`/v1/receipts/${receipt.name}:print`, { station: 'Counter 1' }),
      actor.post(`/v1/assessments/${assessment}:cancel`),
    ]);
    expect(printed.status).toBe(200);
    expect(await receiptsOf(actor, assessment)).toMatchObject([{ status: 'Void', copies: 1 }]);
  });
});

describe('verification', () => {
  it('422: neither what was signed nor what is printed, or both', async () => {
    for (const body of [{}, { name: 'RCP-2026-11-000001' }, { payload: 'a', signature: 'b' }])
      expect(await verify(body)).toMatchObject({ status: 422, code: 'validation_failed' });
    const { receipt } = await payAnd(await makeActor(rail));
    expect((await verify({ ...signedOf(receipt), name: receipt.name, code: receipt.code })).status).toBe(422);
  });

  it('unknown: a wrong code as a number that nobody has', async () => {
    const { receipt } = await payAnd(await makeActor(rail));
    const UNKNOWN = { state: 'unknown', contents: null, left: null, voided_at: null, replaced_by: null };
    for (const body of [
      { name: receipt.name, code: '00000-00000' },
      { name: 'RCP-2026-11-999999', code: receipt.code },
      { name: 'hello', code: receipt.code },
    ])
      expect((await verify(body)).data).toEqual(UNKNOWN);
  });

  it('forged: another amount, signature or key', async () => {
    const { receipt } = await payAnd(await makeActor(rail));
    const signed = signedOf(receipt);
    for (const forged of [
      { ...signed, payload: signed.payload.replace('450000', '950000') },
      { ...signed, signature: signed.signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')) },
      { ...signed, kid: 'AAAAAAAA' },
      { payload: 'hello', signature: 'hello', kid: 'hello' },
    ])
      expect((await verify(forged)).data).toEqual({
        state: 'forged',
        contents: null,
        left: null,
        voided_at: null,
        replaced_by: null,
      });
  });

  it('unknown: signed by the rail, and of no record, as where a database was restored', async () => {
    const { receipt } = await payAnd(await makeActor(rail));
    await asOwner(sql`delete from receipt where name = ${receipt.name}`, 'receipt');
    expect(await stateOf(receipt)).toBe('unknown');
  });

  it('forged: whose payment events are not as it says, or not as they were sealed', async () => {
    const { receipt, intent } = await payAnd(await makeActor(rail));
    await sealAll(rail.rail);
    expect(await stateOf(receipt)).toBe('valid');
    const change = (more: number) =>
      asOwner(
        sql`update payment_event set amount = amount + ${more} where intent = ${intent} and mda = 'URA'`,
        'payment_event',
      );
    await change(1);
    expect(await stateOf(receipt)).toBe('forged');
    await change(-1);
    expect(await stateOf(receipt)).toBe('valid');
    await asOwner(
      sql`update payment_event set txn_id = 'other' where intent = ${intent} and mda = 'URA'`,
      'payment_event',
    );
    expect(await stateOf(receipt)).toBe('forged');
  });
});

describe('a key of receipts', () => {
  it('is published for good with its span, and rolled between signing and checking', async () => {
    const actor = await makeActor(rail);
    const before = await payAnd(actor);
    const rolled = await rollSigningKey(operator(), 'receipt', { reason: 'Yearly' });
    expect(rolled.previous).toBe(before.receipt.kid);
    const after = await payAnd(actor);
    expect(after.receipt.kid).toBe(rolled.kid);
    for (const { receipt } of [before, after]) expect(await stateOf(receipt)).toBe('valid');
    rail.advance(48);
    expect(await purgeSigningKeys(rail.rail)).toBe(1);
    expect(await purgeSigningKeys(rail.rail)).toBe(0);
    expect(await stateOf(before.receipt)).toBe('valid');
    const answer = await rail.ask('/.well-known/receipt-keys.json');
    expect(answer.headers.get('cache-control')).toBe('public, no-cache');
    expect(answer.json.keys).toMatchObject([
      { kid: rolled.kid, until: null, use: 'sig', alg: 'EdDSA' },
      { kid: rolled.previous, until: rolled.previousUntil.toISOString() },
    ]);
    expect((await rail.ask('/.well-known/jwks.json')).json.keys).toHaveLength(1);
    rail.advance(-48);
    await expect(rail.rows(sql`delete from signing_key where use = 'receipt'`)).rejects.toThrow('is kept');
  });

  it('signs no token', async () => {
    const kids = await rail.rows<{ use: string }>(sql`select use from signing_key where expires_at is null`);
    expect(kids.map(({ use }) => use).toSorted()).toEqual(['receipt', 'token']);
  });

  it('signs receipts that stay valid, also if the clock was ahead when it was made, or when it signed', async () => {
    const actor = await makeActor(rail);
    rail.advance(2);
    await rollSigningKey(operator(), 'receipt', { reason: 'Yearly' });
    rail.advance(-2);
    const early = await payAnd(actor);
    rail.advance(2);
    const late = await payAnd(actor);
    rail.advance(-2);
    await rollSigningKey(operator(), 'receipt', { reason: 'Yearly' });
    const published = (await rail.ask('/.well-known/receipt-keys.json')).text;
    for (const { receipt } of [early, late, await payAnd(actor)]) {
      expect(await stateOf(receipt)).toBe('valid');
      expect(checkOffline(published, signedOf(receipt))).toMatchObject({ name: receipt.name });
    }
  });
});

describe('a receipt that said that its payment came too late, although it paid', () => {
  /** As they were written before they said what was paid. */
  async function payWrong(actor: Actor): Promise<Awaited<ReturnType<typeof payAnd>>> {
    const paid = await payAnd(actor);
    const payload = paid.receipt.payload.replace('~p~', '~l~');
    const { signature, kid } = signPayload(await findSigner(rail.rail), payload);
    const code = codeOf(signature);
    await asOwner(
      sql`update receipt set payload = ${payload}, signature = ${signature}, code = ${code} where name = ${paid.receipt.name}`,
      'receipt',
    );
    await rail.rows(sql`
      insert into anomaly (name, kind, severity, status, subject, evidence, mdas, raised_at)
      values (${`test-${paid.intent}`}, 'late_collection', 'medium', 'Open', ${paid.intent}, '{}', '{}', now())`);
    return { ...paid, receipt: { ...paid.receipt, payload, signature, kid, code } };
  }

  it('is replaced once by one that says what was paid, which its verification names', async () => {
    const actor = await makeActor(rail);
    const { assessment, intent, receipt } = await payWrong(actor);
    expect((await verify(signedOf(receipt))).data).toMatchObject({ state: 'valid', contents: { kind: 'late' } });
    // The key that signed it may sign no more by then.
    rail.advance(1);
    await rollSigningKey(operator(), 'receipt', { reason: 'Yearly' });
    expect(await correctReceipts(operator())).toBe(1);
    expect(await correctReceipts(operator())).toBe(0);
    const [right, wrong, ...others] = await receiptsOf(actor, assessment);
    expect(others).toEqual([]);
    expect(right).toMatchObject({ intent, status: 'Issued', replaced_by: null });
    expect(right!['contents']).toEqual({ ...(receipt['contents'] as object), kind: 'payment' });
    expect(wrong).toMatchObject({ name: receipt.name, status: 'Void', replaced_by: right!.name });
    expect((await verify(signedOf(receipt))).data).toMatchObject({ state: 'void', replaced_by: right!.name });
    expect((await verify(signedOf(right!))).data).toMatchObject({ state: 'valid', replaced_by: null });
    const keys = (await rail.ask('/.well-known/receipt-keys.json')).text;
    expect(checkOffline(keys, signedOf(right!))).toMatchObject({ kind: 'payment' });
    const query = `{ paymentIntent(id: "${intent}") { receipt { id } } receipt(id: "${receipt.name}") { replacedBy { id } } }`;
    expect((await actor.post('/graphql', { query })).data).toEqual({
      paymentIntent: { receipt: { id: right!.name } },
      receipt: { replacedBy: { id: right!.name } },
    });
    const text = (await actor.ask(`/v1/receipts/${receipt.name}`, { headers: { accept: 'text/plain' } })).text;
    expect(text.replaceAll(/\s+/g, ' ')).toContain(`NOT VALID: receipt ${right!.name} replaces it`);
    const messages = await rail.rows(sql`
      select type, payload from outbox where object = any(${[receipt.name, right!.name]}) order by created_at, type`);
    expect(messages.slice(1)).toEqual([
      { type: 'receipt.issued', payload: right },
      { type: 'receipt.voided', payload: wrong },
    ]);
    rail.advance(-1);
  });

  it('leaves no receipt that holds where its payment is reversed at the same time', async () => {
    const actor = await makeActor(rail);
    const { assessment, receipt } = await payWrong(actor);
    await Promise.all([correctReceipts(operator()), actor.post(`/v1/assessments/${assessment}:cancel`)]);
    await correctReceipts(operator());
    const receipts = await receiptsOf(actor, assessment);
    expect(receipts.map(({ status }) => status)).toEqual(receipts.map(() => 'Void'));
    expect(await stateOf(receipt)).toBe('void');
  });

  it('stays where its money pays nothing', async () => {
    const actor = await makeActor(rail);
    const late = await createSent(rail, actor);
    await actor.post(`/v1/assessments/${late.assessment}:cancel`);
    await actor.post(`/v1/payment-intents/${late.intent}:confirm`);
    expect(await correctReceipts(operator())).toBe(0);
    expect(await receiptsOf(actor, late.assessment)).toMatchObject([{ status: 'Issued', contents: { kind: 'late' } }]);
  });
});

describe('what was signed', () => {
  it('cannot be changed, and a void receipt does not come back', async () => {
    const actor = await makeActor(rail);
    const { receipt, assessment } = await payAnd(actor);
    await expect(rail.rows(sql`update receipt set payload = 'x' where name = ${receipt.name}`)).rejects.toThrow(
      'signed',
    );
    await expect(rail.rows(sql`delete from receipt where name = ${receipt.name}`)).rejects.toThrow('never deleted');
    await expect(rail.rows(sql`truncate receipt`)).rejects.toThrow('never deleted');
    await actor.post(`/v1/assessments/${assessment}:cancel`);
    const back = sql`update receipt set status = 'Issued', voided_at = null where name = ${receipt.name}`;
    await expect(rail.rows(back)).rejects.toThrow('signed');
  });
});

describe('GET /v1/receipts/{name}', () => {
  const ask = (who: Pick<Actor, 'ask'>, name: string, accept?: string) =>
    who.ask(`/v1/receipts/${name}`, accept === undefined ? {} : { headers: { accept } });

  it('200: as JSON, PDF, QR code and text, by what is preferred', async () => {
    const actor = await makeActor(rail);
    const { receipt } = await payAnd(actor);
    expect((await ask(actor, receipt.name)).data).toEqual(receipt);
    const types: [string | undefined, string, RegExp][] = [
      [undefined, 'application/json; charset=utf-8', /^\{"data"/],
      ['*/*', 'application/json; charset=utf-8', /^\{"data"/],
      ['application/pdf', 'application/pdf', /^%PDF-1/],
      ['image/svg+xml', 'image/svg+xml', /^<svg/],
      ['text/plain', 'text/plain; charset=utf-8', /RCP-/],
      ['application/json;q=0.5, text/*', 'text/plain; charset=utf-8', /RCP-/],
    ];
    for (const [accept, type, begin] of types) {
      const answer = await ask(actor, receipt.name, accept);
      expect([answer.status, answer.headers.get('content-type')], accept).toEqual([200, type]);
      expect(answer.text).toMatch(begin);
    }
  });

  it('406: as what there is not', async () => {
    const actor = await makeActor(rail);
    const { receipt } = await payAnd(actor);
    for (const accept of ['text/html', 'text/csv', 'image/png'])
      expect(await ask(actor, receipt.name, accept), accept).toMatchObject({ status: 406, code: 'not_acceptable' });
  });

  it('404 alike: of somebody else, of agencies beyond a wall, and none, in each form', async () => {
    const [owner, other] = [await makeActor(rail), await makeActor(rail)];
    const { receipt } = await payAnd(owner);
    const foreign = await makeStaffOf(rail, ['KCCA'], 'supervisor');
    const answers: Answer[] = [];
    for (const accept of ['application/json', 'application/pdf', 'text/plain'])
      for (const [who, name] of [
        [other, receipt.name],
        [foreign, receipt.name],
        [owner, 'RCP-2026-11-999999'],
      ] as const)
        answers.push(await ask(who, name, accept));
    expect(answers.map(({ status, code }) => [status, code])).toEqual(answers.map(() => [404, 'not_found']));
    expect((await ask(await makeStaff(rail, 'supervisor'), receipt.name)).data).toEqual(receipt);
    // Staff bound to some of its agencies see their part, but not the signed payload.
    const within = await makeStaffOf(rail, ['URSB'], 'supervisor');
    const part = (await ask(within, receipt.name)).data;
    expect(part).toMatchObject({ payload: null, signature: null, code: null, url: null });
    expect(part.contents).toMatchObject({
      amount: 585_000,
      agencies: [{ mda: 'URSB', amount: 135_000 }],
      other_agencies: 1,
      other_amount: 450_000,
    });
    expect((await ask(within, receipt.name, 'application/pdf')).status).toBe(403);
    expect((await rail.ask(`/v1/receipts/${receipt.name}`)).status).toBe(401);
  });
});

describe('POST /v1/receipts/{name}:print', () => {
  it('counts copies, and from the second on the receipt says so', async () => {
    const actor = await makeActor(rail);
    const { receipt, intent } = await payAnd(actor);
    const print = (station: unknown) => actor.post(`/v1/receipts/${receipt.name}:print`, { station });
    const text = async () =>
      (await actor.ask(`/v1/receipts/${receipt.name}`, { headers: { accept: 'text/plain' } })).text;
    expect((await print('Counter 1')).data).toMatchObject({ copies: 1 });
    expect(await text()).not.toContain('COPY');
    const again = { 'idempotency-key': `print-${receipt.name}` };
    for (let i = 0; i < 2; i++) await actor.post(`/v1/receipts/${receipt.name}:print`, { station: 'Counter 2' }, again);
    expect(await text()).toContain('COPY 2');
    await Promise.all(Array.from({ length: 4 }, () => print('Counter 3')));
    expect(await text()).toContain('COPY 6');
    const { timeline } = (await actor.ask(`/v1/payment-intents/${intent}/trace`)).data;
    expect(timeline.at(-1)).toMatchObject({
      kind: 'receipt.update',
      summary: `Receipt ${receipt.name} printed at Counter 3`,
      doc: receipt.name,
      detail: { station: 'Counter 3', copy: 6 },
    });
    for (const station of ['', ' ', 'x'.repeat(41), undefined]) expect((await print(station)).status).toBe(422);
  });

  it('404: of somebody else', async () => {
    const { receipt } = await payAnd(await makeActor(rail));
    const other = await makeActor(rail);
    expect((await other.post(`/v1/receipts/${receipt.name}:print`, { station: 'Here' })).status).toBe(404);
  });
});

it('no name, number or phone of a payer is in a receipt, what is drawn of it, or the log', async () => {
  const actor = await makeActor(rail);
  const citizen = await someCitizen(rail);
  const { receipt, assessment } = await payAnd(actor);
  const [person] = await rail.rows<{ nin: string; fullName: string; phone: string | null }>(
    sql`select nin, full_name as "fullName", phone from citizen where name = ${citizen}`,
  );
  const texts = [JSON.stringify(receipt), JSON.stringify((await verify(signedOf(receipt))).data)];
  for (const accept of ['application/pdf', 'image/svg+xml', 'text/plain'])
    texts.push((await actor.ask(`/v1/receipts/${receipt.name}`, { headers: { accept } })).text);
  texts.push(...rail.logged.filter((line) => line.includes(receipt.name) || line.includes(assessment)));
  const { nin, fullName, phone } = person!;
  for (const secret of [nin, fullName, ...fullName.split(' '), phone ?? nin, '256700123456'])
    for (const text of texts) expect(text).not.toContain(secret);
});

it('every amount is there where one agency charges several services', async () => {
  const actor = await makeActor(rail);
  const { assessment, amount } = await createAssessedFor(rail, actor, 'URA-TCC');
  const intent = await createPendingFor(actor, assessment);
  await createInitiated(actor, intent);
  await actor.post(`/v1/payment-intents/${intent}:confirm`);
  const [receipt] = await receiptsOf(actor, assessment);
  expect(receipt!['contents']).toMatchObject({ amount, agencies: [{ mda: 'URA', amount }] });
  expect(await receiptsOf(actor, await createAssessed(rail, actor))).toEqual([]);
});

describe('npm run admin -- receipt:verify', () => {
  it('says how a receipt stands that is in a file, and offline whether the rail issued it', async () => {
    const actor = await makeActor(rail);
    const { receipt, assessment } = await payAnd(actor);
    const files = {
      text: (await actor.ask(`/v1/receipts/${receipt.name}`, { headers: { accept: 'text/plain' } })).text,
      json: (await actor.ask(`/v1/receipts/${receipt.name}`)).text,
      address: String(receipt['url']),
      changed: String(receipt['url']).replace('450000', '950000'),
      keys: (await rail.ask('/.well-known/receipt-keys.json')).text,
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(rail.dataDir, name), text);
    const env = { DATABASE_URL: rail.url, JOBS: 'off', LOG_LEVEL: 'error', BASE_URL: rail.origin };
    const keys = ['--keys', join(rail.dataDir, 'keys')];
    const run = async (name: string, ...more: string[]) =>
      JSON.parse(
        await capture('src/app/cli/admin.ts', ['receipt:verify', join(rail.dataDir, name), '--json', ...more], env),
      ) as Record<string, unknown>;
    for (const name of ['text', 'json', 'address'])
      expect(await run(name, ...keys)).toMatchObject({ state: 'genuine', name: receipt.name });
    expect(await run('text')).toMatchObject({ state: 'valid', name: receipt.name });
    await expect(run('changed', ...keys)).rejects.toThrow('ended with 1');
    await actor.post(`/v1/assessments/${assessment}:cancel`);
    await expect(run('text')).rejects.toThrow('ended with 1');
  });
});
