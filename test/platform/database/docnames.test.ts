import { describe, expect, it } from 'vitest';
import { isKey, mintKey } from '../../../src/platform/access/key-format.ts';
import { Docnames, isDocname } from '../../../src/platform/database/docnames.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { makeIntegratorCode } from '../../../src/accounts/integrators/code.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();

describe('docnames', () => {
  it('never repeat, however many processes take them at once', async () => {
    const processes = Array.from({ length: 4 }, () => new Docnames(rail.rail.db));
    const at = new Date('2031-05-31T23:59:59.999Z');
    const names = (
      await Promise.all(
        processes.flatMap((docnames) => Array.from({ length: 60 }, () => docnames.take('event', 3, at))),
      )
    ).flat();
    expect(new Set(names).size).toBe(720);
    for (const name of names) expect(name).toMatch(/^PEV-2031-05-\d{6}$/);
  });

  it('carry the UTC day of creation, and grow past their digits rather than wrap', async () => {
    await rail.rows(sql`insert into docname_counter (series, next) values ('ASMT-2032-01', 999999)`);
    const docnames = new Docnames(rail.rail.db);
    const at = new Date('2032-01-01T00:00:00+00:00');
    expect(await docnames.take('assessment', 3, at)).toEqual([
      'ASMT-2032-01-999999',
      'ASMT-2032-01-1000000',
      'ASMT-2032-01-1000001',
    ]);
    expect(await docnames.next('citizen', new Date('2031-12-31T23:30:00-02:00'))).toBe('CITIZEN-2032-000001');
    expect(isDocname('assessment', 'ASMT-2032-01-1000000')).toBe(true);
    for (const name of [
      'ASMT-2032-13-000001',
      'ASMT-2032-01-00001',
      'ASMT-2032-01-000001 ',
      'asmt-2032-01-000001',
      'ASMT-2032-01-000001\n',
    ])
      expect(isDocname('assessment', name)).toBe(false);
  });
});

describe('keys', () => {
  it('can be told from typos without a look-up', () => {
    const { plaintext, prefix, last4 } = mintKey('sandbox');
    expect(plaintext).toMatch(/^rail_sandbox_[0-9A-Za-z]{38}$/);
    expect([prefix, last4]).toEqual(['rail_sandbox_', plaintext.slice(-4)]);
    expect(isKey(plaintext)).toBe(true);
    for (let i = 13; i < plaintext.length; i++) {
      const other = plaintext[i] === 'x' ? 'y' : 'x';
      expect(isKey(plaintext.slice(0, i) + other + plaintext.slice(i + 1))).toBe(false);
    }
  });
});

describe('integrator codes', () => {
  it.each([
    ['My Office', /^MY-OFFICE-[A-HJ-NP-Z2-9]{6}$/],
    ['Ministère des Finances', /^MINISTERE-DES-FINANCES-[A-Z2-9]{6}$/],
    ['   ', /^INTEGRATOR-[A-Z2-9]{6}$/],
    ['x'.repeat(100), /^X{40}-[A-Z2-9]{6}$/],
    ['財務省', /^INTEGRATOR-[A-Z2-9]{6}$/],
  ])('of %s', (organisation, shape) => {
    expect(makeIntegratorCode(organisation)).toMatch(shape);
  });
});
