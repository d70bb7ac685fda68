import { chmodSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import type { Result } from '../../../src/app/cli/doctor/check.ts';
import { examineRail } from '../../../src/app/cli/doctor/doctor.ts';
import { findFreePort } from '../../../src/platform/database/cluster/free-port.ts';
import { DAY_MS } from '../../../src/kernel/time.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { makeCertificates } from '../../../src/sandbox/simulators/certificates.ts';
import { simulateOutside } from '../../../src/sandbox/simulators/outside.ts';
import { LIVE } from '../../harness/live.ts';
import { openMailbox } from '../../harness/people/mailbox.ts';
import { CLIENT_ID, CLIENT_SECRET, startIdentityProvider } from '../../harness/people/identity-provider.ts';
import { enrol } from '../../harness/people/second-factor.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { run } from '../../harness/processes.ts';
import { testRail } from '../../harness/rail.ts';
import { EmptyDatabase, connect } from '../../platform/migration/empty-database.ts';
import { testRuntimeRail } from '../../platform/migration/runtime-rail.ts';

const rail = testRail();
const runtime = testRuntimeRail();
const empty = new EmptyDatabase('file');
const folder = mkdtempSync(join(tmpdir(), 'rail-doctor-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

/** The results of each check, joined into one line. */
async function examine(env: Readonly<Record<string, string>> = {}): Promise<Readonly<Record<string, string>>> {
  const results = await examineRail({ DATABASE_URL: rail.url, DATA_DIR: folder, ...env });
  for (const { status, found, advice } of results) {
    expect(found).not.toContain('\n');
    expect(advice !== null, found).toBe(status === 'warning' || status === 'failed');
  }
  const lineOf = ({ status, found }: Result) => `${status}: ${found}`;
  return Object.fromEntries(
    [...Map.groupBy(results, ({ check }) => check)].map(([check, of]) => [check, of.map(lineOf).join('; ')]),
  );
}

function write(name: string, content: string | object): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 });
  return path;
}

const awayUrl = async () => `postgresql://rail@127.0.0.1:${await findFreePort()}/rail`;

describe('doctor', () => {
  it('finds nothing wrong with a sandbox but what its database is told to risk', async () => {
    const found = await examine();
    expect(found).toMatchObject({
      configuration: 'ok: sandbox mode, every variable can be read',
      database: expect.stringMatching(/^ok: PostgreSQL \d+/),
      migrations: expect.stringMatching(/^ok: all \d+ migrations/),
      'database mode': expect.stringMatching(/^ok: sandbox mode since/),
      'database rights': expect.stringMatching(/^ok: /),
      replication: 'ok: no standby',
      clock: expect.stringMatching(/^ok: /),
      mail: 'ok: written to files',
      disk: expect.stringMatching(/ GiB .* left at DATA_DIR; the database has \d+ [kM]B$/),
      secrets: 'ok: a sandbox makes up its own',
      backups: 'ok: a sandbox needs none',
    });
    // As the harness starts its server.
    expect(found['database settings']).toMatch(
      /^warning: fsync is off.*; warning: full_page_writes is off.*; warning: synchronous_commit is off.*autovacuum is off/,
    );
    expect((await examine({ DATABASE_POOL: '400' }))['database settings']).toMatch(
      /failed: max_connections leaves 297, and one process takes up to 417/,
    );
  });

  it('names every variable that is wrong, and looks at all that the others say', async () => {
    const found = await examine({
      PORT: 'x',
      CONNECTIONS: join(folder, 'missing.json'),
      OIDC_CLIENT_ID: 'rail',
      BACKUP_MARKER: join(folder, 'none'),
    });
    expect(found['configuration']).toMatch(
      /^failed: PORT: must be a number; failed: CONNECTIONS: .*missing\.json cannot be read.*; failed: OIDC_ISSUER: needed for single sign-on[^;]*$/,
    );
    expect(found['database']).toMatch(/^ok/);
    expect(found['backups']).toMatch(/^warning: BACKUP_MARKER cannot be read: ENOENT/);
  });

  it('holds a live rail to what live mode needs, also where some of it is missing', async () => {
    const found = await examine({ ...LIVE, SECRET_KEY: '', BASE_URL: 'http://127.0.0.1' });
    expect(found['configuration']).toMatch(
      /^failed: SECRET_KEY: needed in live mode(; failed: BASE_URL: an https.*)?$/,
    );
    expect(found).toMatchObject({
      'database mode': 'failed: the database is of sandbox mode',
      mail: expect.stringMatching(/^warning: mail is only written to files/),
      backups: 'warning: nobody knows of any',
    });
    expect(found['database settings']).toMatch(/^failed: fsync is off/);
    expect(found['database rights']).toMatch(/^warning: \w+ is a superuser/);
    const without = await examine({ ...LIVE, DATABASE_URL: '', EMBEDDED_POSTGRES: '' });
    expect(without['database']).toMatch(/^failed: DATABASE_URL is not set/);
  });

  it('looks at everything else while the database is away, or was never migrated', async () => {
    const away = await examine({ DATABASE_URL: await awayUrl() });
    expect(away['database']).toMatch(/^failed: DATABASE_URL: the database cannot be used now: connect ECONNREFUSED/);
    for (const check of ['migrations', 'database rights', 'clock', 'replication'])
      expect(away[check]).toBe('skipped: the database cannot be used');
    expect(away['disk']).toMatch(/left at DATA_DIR$/);

    const lacking = /: the database lacks 0001_baseline and \d+ more$/;
    const unmigrated = await examine({ DATABASE_URL: empty.url });
    expect(unmigrated['migrations']).toMatch(new RegExp(`^warning${lacking.source}`));
    expect(unmigrated['database mode']).toBe('skipped: the database is not migrated');
    expect((await examine({ DATABASE_URL: empty.url, MIGRATE: 'off' }))['migrations']).toMatch(
      new RegExp(`^failed${lacking.source}`),
    );
  });

  it('sees that a later version has migrated the database', async () => {
    await rail.rows(sql`insert into _prisma_migrations (id, checksum, migration_name, finished_at)
      values ('later', '-', '9000_later', now())`);
    try {
      expect((await examine())['migrations']).toBe('warning: a later version has added 9000_later');
    } finally {
      await rail.rows(sql`delete from _prisma_migrations where id = 'later'`);
    }
  });

  it('sees what a role that only serves may do too much or too little', async () => {
    const url = runtime.rail.config.databaseUrl!;
    const served = { DATABASE_URL: url, MIGRATE: 'off' };
    expect((await examine(served))['database rights']).toMatch(/^ok: app_\w+ serves, and rewrites nothing$/);
    const { username } = new URL(url);
    const owner = new URL(rail.url);
    owner.pathname = new URL(url).pathname;
    const client = await connect(owner.href);
    try {
      await client.query(`grant update on payment_event to ${username}; revoke rail_runtime from ${username}`);
      expect((await examine(served))['database rights']).toMatch(
        /^failed: app_\w+ is no member of rail_oversight; failed: app_\w+ is no member of rail_runtime; failed: app_\w+ may rewrite payment_event$/,
      );
    } finally {
      await client.query(`revoke update on payment_event from ${username}; grant rail_runtime to ${username}`);
      await client.end();
    }
  });

  it("sees a clock that is not the database's, and a replica that is none or away", async () => {
    const now = Date.now;
    vi.spyOn(Date, 'now').mockImplementation(() => now() + 10_000);
    const found = await examine({ DATABASE_REPLICA_URL: rail.url });
    expect(found['clock']).toMatch(/^warning: this machine's clock is (9|10)\d{3} ms from the database's$/);
    expect(found['replica']).toBe('warning: is no standby: figures are of another database');
    vi.restoreAllMocks();
    expect((await examine({ DATABASE_REPLICA_URL: await awayUrl() }))['replica']).toMatch(/^failed: .*ECONNREFUSED/);
  });

  it('connects to the mail server, and sends nothing', async () => {
    const mailbox = await openMailbox();
    const refusing = new SMTPServer({
      onConnect: (_session, done) => done(Object.assign(new Error('Not from here'), { responseCode: 554 })),
    });
    await new Promise<void>((listening) => refusing.listen(0, '127.0.0.1', listening));
    try {
      expect((await examine({ SMTP_URL: mailbox.url }))['mail']).toMatch(/^ok/);
      expect(mailbox.letters).toEqual([]);
      const { port } = refusing.server.address() as AddressInfo;
      expect((await examine({ SMTP_URL: `smtp://127.0.0.1:${port}` }))['mail']).toMatch(
        /^failed: The mail server did not take the connection and the sign-in: \w+ 554$/,
      );
    } finally {
      await mailbox.close();
      await new Promise<void>((closed) => refusing.close(closed));
    }
  });

  it('asks providers, agencies and the identity provider, and has them collect nothing', async () => {
    const outside = await simulateOutside({
      folder: mkdtempSync(join(folder, 'outside-')),
      rail: () => '',
      autopay: true,
    });
    const provider = await startIdentityProvider('https://rail.example.org');
    const signOn = {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_MAPPING: write('mapping.json', { grants: [{ value: 'clerks', roles: ['clerk'] }] }),
    };
    try {
      const found = await examine({ ...outside.environment, ...signOn });
      for (const name of ['mtn_momo', 'airtel_money', 'card'])
        expect(found[`provider ${name}`]).toBe("ok: answers, and takes the rail's credentials");
      const agencies = Object.keys(found).filter((check) => check.startsWith('agency '));
      expect(agencies.length).toBeGreaterThan(3);
      for (const check of agencies) expect(found[check]).toMatch(/^ok: answers in \d+ ms$/);
      expect(found['single sign-on']).toMatch(/^ok/);
      for (const { books } of [outside.mtn, outside.airtel, outside.card]) expect(books.entries.size).toBe(0);

      await Promise.all([outside.airtel.close(), provider.close()]);
      const { channels, agencies: connected } = outside.connections;
      const wrong = {
        channels: {
          mtn_momo: { ...channels.mtn_momo, api_key: 'wrong' },
          airtel_money: { ...channels.airtel_money, timeout_ms: 200 },
          card: { ...channels.card, secret_key: 'wrong' },
        },
        agencies: Object.fromEntries(
          Object.entries(connected)
            .filter(([, one]) => 'api_key' in one)
            .map(([kind, one]) => [kind, { ...one, api_key: 'wrong' }]),
        ),
      };
      const broken = await examine({ ...signOn, CONNECTIONS: write('wrong.json', wrong) });
      expect(broken['provider mtn_momo']).toBe('failed: mtn_momo gave no token: 401');
      expect(broken['provider airtel_money']).toMatch(/^failed: airtel_money could not be reached: ECONNREFUSED$/);
      expect(broken['provider card']).toMatch(/^failed: .*401$/);
      const refused = Object.entries(broken).filter(([check]) => check.startsWith('agency '));
      expect(refused.length).toBeGreaterThan(0);
      for (const [, line] of refused) expect(line).toBe('failed: refused (401)');
      expect(broken['single sign-on']).toMatch(/^failed: /);
    } finally {
      await outside.close();
    }
  });

  it('counts the days of certificates, of servers and in files, and sees which are not trusted', async () => {
    const [short, long] = await Promise.all([makeCertificates(5), makeCertificates(25)]);
    const servers = await Promise.all(
      [short.server, long.server].map(async (pair) => {
        const server = createServer(pair);
        await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
        return { server, host: `127.0.0.1:${(server.address() as AddressInfo).port}` };
      }),
    );
    const [soon, later] = servers.map(({ host }) => host);
    write('short.pem', short.ca);
    write('client.pem', long.client.cert);
    write('stranger.key', long.stranger.key);
    const agency = { country: 'UG', api_key: 'k', notice_path: '/' };
    try {
      const found = await examine({
        BASE_URL: `https://${later}`,
        CONNECTIONS: write('certificates.json', {
          agencies: {
            URA: {
              ...agency,
              url: `https://${soon}`,
              ca: 'short.pem',
              mtls: {
                url: `https://${soon!.replace('127.0.0.1', 'localhost')}`,
                cert: 'client.pem',
                key: 'stranger.key',
              },
            },
            KCCA: { ...agency, url: `https://${later}`, ca: 'client.pem' },
          },
        }),
      });
      expect(found).toMatchObject({
        [`certificate ${soon}`]: expect.stringMatching(/^failed: [45] days left$/),
        [`certificate ${soon!.replace('127.0.0.1', 'localhost')}`]: expect.stringMatching(/key values mismatch$/),
        [`certificate ${later}`]: expect.stringMatching(/^failed: is not trusted: \w+/),
        'certificate BASE_URL': expect.stringMatching(/^failed: is not trusted: \w+/),
        'certificate ca of URA': expect.stringMatching(/^failed: [45] days left$/),
        'certificate mtls of URA': 'failed: is not of this key',
        'certificate ca of KCCA': expect.stringMatching(/^warning: 2[45] days left$/),
      });
    } finally {
      for (const { server } of servers) server.close();
    }
    const gone = await examine({ BASE_URL: `https://127.0.0.1:${await findFreePort()}` });
    expect(gone['certificate BASE_URL']).toMatch(/^warning: could not be reached: .*ECONNREFUSED/);
  });

  it('sees secrets that are guessed, used twice, or open to others', async () => {
    const strong = 'q8Zt1mVx0rLw7sKd3nYb5hUe9pGc2fJa';
    const connections = write('open.json', {});
    const found = await examine({
      SECRET_KEY: `${strong},${'password'.repeat(4)}`,
      WEBHOOK_SECRET_CARD: strong,
      WEBHOOK_SECRET_MTN_MOMO: 'qwertyuiopasdfgh',
    });
    expect(found['secrets SECRET_KEY']).toBe('failed: is easily guessed');
    expect(found['secrets WEBHOOK_SECRET_CARD']).toBe('failed: is the same as SECRET_KEY');
    expect(found['secrets WEBHOOK_SECRET_MTN_MOMO']).toBe('failed: is easily guessed');
    expect((await examine({ SECRET_KEY: strong, CONNECTIONS: connections }))['secrets']).toBe(
      'ok: 1, none of them weak or used twice',
    );
    chmodSync(connections, 0o644);
    expect((await examine({ SECRET_KEY: strong, CONNECTIONS: connections }))['secrets CONNECTIONS']).toMatch(
      /^warning: .* can be read by others$/,
    );
  });

  it('sees that what is stored was sealed under another SECRET_KEY', async () => {
    const { cookie } = await makeStaff(rail, 'clerk');
    await enrol(rail, cookie);
    const [{ secret }] = (await rail.rows(sql`select secret from sandbox_secret`)) as [{ secret: string }];
    const other = 'q8Zt1mVx0rLw7sKd3nYb5hUe9pGc2fJa';
    const found = async (SECRET_KEY: string) => (await examine({ SECRET_KEY }))['sealed secrets'];
    expect(await found(secret)).toBe('ok: SECRET_KEY opens all 3');
    expect(await found(`'${secret}'`)).toBe('failed: SECRET_KEY opens 0 of 3, which were sealed under another');
    expect(await found(`${other},${secret}`)).toBe('ok: SECRET_KEY opens all 3');
  });

  it('sees a DATA_DIR that cannot be written to, and leaves nothing in one that can', async () => {
    expect((await examine({ DATA_DIR: write('a-file', '') }))['disk']).toMatch(
      /^failed: cannot write to .*a-file \(ENOTDIR\)$/,
    );
    const DATA_DIR = join(folder, 'not-made-yet');
    const before = readdirSync(folder);
    expect((await examine({ DATA_DIR }))['disk']).toMatch(/ left at DATA_DIR/);
    expect(readdirSync(folder)).toEqual(before);
  });

  it('tells the age of the last backup by what the marker holds, or by when it was written', async () => {
    const marker = join(folder, 'marker');
    const ageOf = async (text: string, days: number) => {
      writeFileSync(marker, text);
      utimesSync(marker, new Date(), new Date(Date.now() - days * DAY_MS));
      return (await examine({ BACKUP_MARKER: marker }))['backups'];
    };
    expect(await ageOf('', 0)).toMatch(/^ok: the last is of .*, 0 hours ago$/);
    expect(await ageOf('', 2)).toMatch(/^warning: .*, 48 hours ago$/);
    expect(await ageOf('', 8)).toMatch(/^failed: /);
    expect(await ageOf(new Date(Date.now() - 8 * DAY_MS).toISOString(), 0)).toMatch(/^failed: .*, 192 hours ago$/);
  });
});

describe('npm run admin -- doctor', () => {
  const command = (env: Readonly<Record<string, string>>, ...args: string[]) =>
    run('src/app/cli/admin.ts', ['doctor', ...args], { DATABASE_URL: rail.url, DATA_DIR: folder, ...env });

  it('ends with 1 where something failed, and prints JSON', async () => {
    const { code, output, errors } = await command({ PORT: 'x' }, '--json');
    expect(errors).toBe('');
    expect(JSON.parse(output)).toMatchObject({
      status: 'failed',
      checks: expect.arrayContaining([
        {
          check: 'configuration',
          status: 'failed',
          found: 'PORT: must be a number',
          advice: 'See Configuration in docs/operators.md',
        },
      ]),
    });
    expect(code).toBe(1);
  });

  it('ends with 2 where there are warnings alone, and prints a line for each check', { tags: 'long' }, async () => {
    const { code, output } = await command({});
    expect(output).toMatch(/^warning {2}database settings: fsync is off: .*\. Set fsync = on\.$/m);
    expect(output).toMatch(/\n\d+ right, \d+ warnings, 0 failed\n$/);
    expect(code).toBe(2);
  });
});
