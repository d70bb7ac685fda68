import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { openCapturingGateway } from '../../src/adapters/sms/capture.ts';
import { DAY_MS } from '../../src/kernel/time.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { purgeMail } from '../../src/platform/mail/purge.ts';
import { consume, makeAccount, signUp, someEmail } from '../harness/people/accounts.ts';
import { openMailbox } from '../harness/people/mailbox.ts';
import { TestRail, testRail } from '../harness/rail.ts';

const waiting = (rail: TestRail) => rail.count(sql`select 1 from mail where sent_at is null`);

describe('a rail without a mail server', () => {
  const rail = testRail({ JOBS: 'on' });

  it('captures each letter in a file of its own that only its user can read', async () => {
    const email = someEmail();
    await signUp(rail, email, { full_name: 'Jo Ångström' });
    await expect.poll(() => waiting(rail)).toBe(0);
    const folder = join(rail.dataDir, 'mail');
    const [file, ...others] = readdirSync(folder);
    expect(others).toEqual([]);
    expect(file).toMatch(/\.eml$/);
    expect(statSync(join(folder, file!)).mode & 0o777).toBe(0o600);
    const letter = await PostalMime.parse(readFileSync(join(folder, file!)));
    expect(letter).toMatchObject({ to: [{ address: email }], subject: 'Your Revenue Rail code' });
    expect(letter.text).toMatch(/^Hello Jo Ångström,\s+Your verification code is \d{6}/);
    expect(letter.html).toContain('Hello Jo Ångström,');
  });

  it('carries no text of whoever signs up: it greets by a plain name alone, and a message is no name', async () => {
    const message = 'Jo,\n\nyour account is blocked. Confirm it at https://evil.example/login now\n\nRegards';
    for (const member of ['full_name', 'organisation'])
      expect((await signUp(rail, someEmail(), { [member]: message })).json.error.details).toMatchObject([
        { path: member },
      ]);
    const email = someEmail();
    await signUp(rail, email, { full_name: 'Your account is blocked, go to evil.example <b>now</b>' });
    await expect.poll(() => waiting(rail)).toBe(0);
    const folder = join(rail.dataDir, 'mail');
    const letters = await Promise.all(
      readdirSync(folder).map((file) => PostalMime.parse(readFileSync(join(folder, file)))),
    );
    const letter = letters.find(({ to }) => to?.[0]?.address === email)!;
    expect(letter.text).toMatch(/^Hello,\s+Your verification code is \d{6}/);
    expect(letter.html).toContain('<p>Hello,</p>');
    expect(`${letter.text}${letter.html}`).not.toContain('evil');
  });

  it('keeps the files of letters and texts for 30 days', async () => {
    await signUp(rail);
    await expect.poll(() => waiting(rail)).toBe(0);
    await openCapturingGateway(rail.dataDir).send({ name: 'PM-1', to: '+256700000001', text: 'Paid' });
    const files = () => ['mail', 'sms'].map((folder) => readdirSync(join(rail.dataDir, folder)).length);
    const [letters, texts] = files();
    const at = (days: number) => ({ ...rail.rail, now: () => new Date(Date.now() + days * DAY_MS) });
    expect(await purgeMail(at(29))).toBe(0);
    expect(files()).toEqual([letters, texts]);
    const rows = await rail.count(sql`select 1 from mail`);
    expect(await purgeMail(at(31))).toBe(rows + letters! + texts!);
    expect(files()).toEqual([0, 0]);
  });
});

describe('a mail server', () => {
  it('that is slow slows no request; what is secret is sealed until it is sent, and gone then', async () => {
    const { promise: until, resolve: takeMail } = Promise.withResolvers<void>();
    const mailbox = await openMailbox({ until });
    const rail = new TestRail({ SMTP_URL: mailbox.url, JOBS: 'on', DEV_REVEAL: 'on' });
    await rail.start();
    try {
      const email = someEmail();
      const { data } = await signUp(rail, email);
      expect(
        await rail.count(
          sql`select 1 from mail where sealed is not null and encode(sealed, 'escape') not like ${`%${data.dev_otp}%`}`,
        ),
      ).toBe(1);
      takeMail();
      expect(await mailbox.codeFor(email)).toBe(data.dev_otp);
      await expect.poll(() => waiting(rail)).toBe(0);
      expect(await rail.count(sql`select 1 from mail where sealed is not null`)).toBe(0);
      expect(mailbox.letters).toHaveLength(1);
    } finally {
      await rail.stop();
      await mailbox.close();
    }
  });

  it(
    'that fails is asked again, and its words, which can quote an address, are in no log or job',
    { tags: 'long' },
    async () => {
      const mailbox = await openMailbox({ failures: 1 });
      const rail = new TestRail({ SMTP_URL: mailbox.url, JOBS: 'on' });
      await rail.start();
      try {
        const email = someEmail();
        await signUp(rail, email);
        await mailbox.letterTo(email);
        await expect.poll(() => waiting(rail)).toBe(0);
        expect(rail.logged.join('')).toContain('The mail server did not take a letter');
        expect(rail.logged.join('')).not.toContain(email);
      } finally {
        await rail.stop();
        await mailbox.close();
      }
    },
  );
});

describe('mail that is of use to nobody any more', () => {
  const rail = testRail({ DEV_REVEAL: 'on' });

  it('is not sent, and its secret forgotten', async () => {
    const { sendMail } = await import('../../src/platform/mail/send.ts');
    const { callOf } = await import('../../src/platform/call/call.ts');
    const { actAsSystem } = await import('../../src/platform/access/viewer.ts');
    await signUp(rail);
    const [mail] = await rail.rows<{ id: string }>(sql`update mail set expires_at = now() returning id`);
    const call = callOf(rail.rail, actAsSystem('job:test'), 'test');
    expect(await sendMail(call, mail!.id)).toBe(0);
    expect(await rail.count(sql`select 1 from mail where sealed is null and sent_at is null`)).toBe(1);
    expect(readdirSync(rail.dataDir)).not.toContain('mail');
  });
});

describe('a rail whose SECRET_KEY is replaced', () => {
  it('still opens what was sealed under the key before', { tags: 'long' }, async () => {
    const [old, next] = ['an-old-secret-of-at-least-32-characters', 'a-new-secret-of-at-least-32-characters'];
    const before = new TestRail({ SECRET_KEY: old, DEV_REVEAL: 'on' });
    await before.start();
    const after = new TestRail({
      SECRET_KEY: `${next},${old}`,
      DEV_REVEAL: 'on',
      DATABASE_URL: before.url,
      JOBS: 'on',
    });
    try {
      const email = someEmail();
      const { data } = await signUp(before, email);
      await after.start();
      await expect.poll(() => waiting(before)).toBe(0);
      const [file] = readdirSync(join(after.dataDir, 'mail'));
      expect(readFileSync(join(after.dataDir, 'mail', file!), 'utf8')).toContain(data.dev_otp);
      const account = await makeAccount(after);
      expect((await after.ask('/v1/me', { key: account.key })).status).toBe(200);
      expect((await consume(after, 'x')).status).toBe(302);
    } finally {
      await after.stop();
      await before.stop();
    }
  });
});
