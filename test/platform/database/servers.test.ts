import { describe, expect, it } from 'vitest';
import { parseAddress, preferWritable } from '../../../src/platform/database/connection/address.ts';
import { openPool } from '../../../src/platform/database/connection/connection.ts';
import { checkDatabase } from '../../../src/app/process/check-database.ts';
import { findFreePort } from '../../../src/platform/database/cluster/free-port.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();

describe('the address of a database', () => {
  it.each([
    ['postgresql://u:p@a/rail', ['postgresql://u:p@a/rail'], 'any'],
    [
      'postgres://u:p@a:5432,b:5433/rail?target_session_attrs=read-write',
      ['postgres://u:p@a:5432/rail', 'postgres://u:p@b:5433/rail'],
      'read-write',
    ],
    ['postgresql://[::1]:1,h/rail', ['postgresql://[::1]:1/rail', 'postgresql://h/rail'], 'any'],
    [
      'postgresql:///rail?host=a,b&port=1,2&user=u',
      ['postgresql:///rail?host=a&port=1&user=u', 'postgresql:///rail?host=b&port=2&user=u'],
      'any',
    ],
    [
      'postgresql:///rail?host=a,b&port=1&target_session_attrs=standby',
      ['postgresql:///rail?host=a&port=1', 'postgresql:///rail?host=b&port=1'],
      'standby',
    ],
    [
      'postgresql://u:p@/rail?host=/cloudsql/project:region:instance',
      ['postgresql://u:p@localhost/rail?host=%2Fcloudsql%2Fproject%3Aregion%3Ainstance'],
      'any',
    ],
    ['postgresql://u:p%40s%2Fs%23@a/rail', ['postgresql://u:p%40s%2Fs%23@a/rail'], 'any'],
  ])('names one server or several: %s', (text, urls, target) => {
    expect(parseAddress(text)).toEqual({ urls, target });
  });

  it.each(['mysql://a/rail', 'a:5432', 'postgresql://a:x/rail', 'postgresql://a:1,b:x/rail'])(
    'is refused where it is none: %s',
    (text) => expect(() => parseAddress(text)).toThrow('must be a postgresql:// URL'),
  );

  it.each(['postgresql://u:p/ss@a/rail', 'postgresql://u:p#ss@a/rail', 'postgresql://u:p?ss@a/rail'])(
    'says what to do about the password in %s',
    (text) => expect(() => parseAddress(text)).toThrow(/percent-encode .* in its password/),
  );

  it.each(['postgresql://a/rail\r', 'postgresql://a/rail\n', ' postgresql://a/rail'])(
    'has no blanks around it: %j',
    (text) => expect(() => parseAddress(text)).toThrow(/blank or a line break/),
  );

  it('asks of servers only what they can be', () => {
    expect(() => parseAddress('postgresql://a/rail?target_session_attrs=best')).toThrow(
      /must be one of any, read-write/,
    );
  });

  it('means the server that takes writes where it names several and does not say which', () => {
    expect(preferWritable('postgresql://a,b/rail')).toBe('postgresql://a,b/rail?target_session_attrs=read-write');
    for (const kept of ['postgresql://a/rail', 'postgresql://a,b/rail?target_session_attrs=any'])
      expect(preferWritable(kept)).toBe(kept);
  });
});

/** The address of this test's database, behind that of a server which is not there. */
async function addressBehindAnother(more = ''): Promise<string> {
  return `${rail.url.replace('@', `@127.0.0.1:${await findFreePort()},`)}${more}`;
}

describe('of several servers', () => {
  it('the one that is there and fits is used', async () => {
    const url = await addressBehindAnother('?target_session_attrs=read-write');
    await checkDatabase(url);
    const pool = openPool(url, { name: 'test', work: 'request' }, 2, () => {});
    try {
      // As the driver of Prisma asks, and as whoever holds a connection does.
      const answers = [
        await pool.query('select 1 as n'),
        await new Promise<unknown>((answer, failed) => {
          pool.query('select 1 as n', [], (error, result) => (error ? failed(error) : answer(result)));
        }),
      ];
      expect(answers).toMatchObject([{ rows: [{ n: 1 }] }, { rows: [{ n: 1 }] }]);
    } finally {
      await pool.end();
    }
  });

  it('none is used where none fits, and the start says of each why', async () => {
    const url = await addressBehindAnother('?target_session_attrs=standby');
    await expect(checkDatabase(url)).rejects.toThrow(
      /^DATABASE_URL: the database cannot be used now: connect ECONNREFUSED .*; The server is not standby, as target_session_attrs asks$/,
    );
  });
});
