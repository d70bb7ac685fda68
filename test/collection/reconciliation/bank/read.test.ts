import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../../src/kernel/refusal.ts';
import { seedRandom } from '../../../harness/chaos/tampering.ts';
import { drawSeed } from '../../../harness/run/seed.ts';
import { readCamt } from '../../../../src/collection/reconciliation/bank/camt.ts';
import { readBankFile } from '../../../../src/collection/reconciliation/bank/read.ts';
import { readMt940 } from '../../../../src/collection/reconciliation/bank/mt940.ts';

const entry = (more = '', amount = '250000.00', sign = 'CRDT') => `
  <Ntry><NtryRef>1</NtryRef><Amt Ccy="UGX">${amount}</Amt><CdtDbtInd>${sign}</CdtDbtInd><Sts>BOOK</Sts>
    <BookgDt><Dt>2026-11-20</Dt></BookgDt><ValDt><Dt>2026-11-21</Dt></ValDt><AcctSvcrRef>FT26324ABC</AcctSvcrRef>
    <NtryDtls><TxDtls><Refs><EndToEndId>MTN-PAYOUT-7</EndToEndId></Refs><Amt Ccy="UGX">1</Amt>
      <RmtInf><Ustrd>Payout &amp; more</Ustrd><Ustrd>second</Ustrd></RmtInf></TxDtls></NtryDtls>${more}</Ntry>`;
const balance = (code: string, amount: string) =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="UGX">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-20</Dt></Dt></Bal>`;
const statement = (entries: string, closing = '350000.00', account = '0140012345678') => `
  <Stmt><Id>1</Id><Acct><Id><Othr><Id>${account}</Id></Othr></Id><Ccy>UGX</Ccy></Acct>
  ${balance('OPBD', '100000')}${balance('CLBD', closing)}${entries}</Stmt>`;
const camt = (
  statements: string,
  space = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.02',
  head = '<?xml version="1.0"?>',
) =>
  `${head}<Document xmlns="${space}"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr>${statements}</BkToCstmrStmt></Document>`;
const read = (text: string) => readCamt(Buffer.from(text));
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('camt.053', () => {
  const expected = {
    account: '0140012345678',
    currency: 'UGX',
    opening: '100000',
    closing: '350000',
    from: '2026-11-20T00:00:00.000Z',
    to: '2026-11-20T00:00:00.000Z',
    lines: [
      {
        line: 3,
        bookedOn: '2026-11-20T00:00:00.000Z',
        valueOn: '2026-11-21T00:00:00.000Z',
        amount: '250000',
        reference: 'FT26324ABC',
        text: 'MTN-PAYOUT-7 Payout & more second',
      },
    ],
  };

  it.each(['02', '08', '13'])('is read by what all versions have: 001.%s', async (version) => {
    const space = `urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}`;
    const text = camt(statement(entry()), space);
    const newer = text
      .replace('<Sts>BOOK</Sts>', '<Sts><Cd>BOOK</Cd></Sts>')
      .replaceAll('<Dt>2026-11-20</Dt></BookgDt>', '<DtTm>2026-11-20T23:59:59+03:00</DtTm></BookgDt>');
    expect(plain(await read(version === '02' ? text : newer))).toMatchObject([
      { ...expected, lines: [{ ...expected.lines[0], line: expect.any(Number) }] },
    ]);
    const prefixed = text.replaceAll(/<(\/?)(?=[A-Z])/g, '<$1d:').replace('xmlns=', 'xmlns:d=');
    expect(plain(await read(prefixed))).toMatchObject([{ account: expected.account, lines: [{ amount: '250000' }] }]);
  });

  it('is read with several accounts, without entries, with debits, and without what is only announced', async () => {
    const pending = entry().replace('<Sts>BOOK</Sts>', '<Sts>PDNG</Sts>');
    const text = camt(
      statement(entry() + entry('', '50000', 'DBIT') + pending, '300000') + statement('', '100000', 'B'),
    );
    expect(plain(await read(text))).toMatchObject([
      { lines: [{ amount: '250000' }, { amount: '-50000' }] },
      { account: 'B', lines: [], from: '2026-11-20T00:00:00.000Z' },
    ]);
  });

  it.each([
    ['camt.052', camt('', 'urn:iso:std:iso:20022:tech:xsd:camt.052.001.02'), /camt\.052/],
    ['camt.054', camt('', 'urn:iso:std:iso:20022:tech:xsd:camt.054.001.02'), /camt\.054/],
    ['another document', '<html/>', /is html/],
    ['no statement', camt(''), /no statement/],
    ['no XML', '{}', /not XML/],
    ['half of a file', camt(statement(entry())).slice(0, 900), /not XML/],
    [
      'a billion laughs',
      camt(statement(entry()), undefined, '<!DOCTYPE lolz [<!ENTITY lol "lol">]>'),
      /declares a type/,
    ],
    ['an external entity', camt(statement(entry('<X>&xxe;</X>'))), /not XML/],
    [
      'Latin-1 by name',
      camt(statement(entry()), undefined, '<?xml version="1.0" encoding="ISO-8859-1"?>'),
      /not UTF-8/,
    ],
    ['5 MB in an element', camt(statement(entry(`<AddtlNtryInf>${'x'.repeat(5e6)}</AddtlNtryInf>`))), /more than 1024/],
    ['40 elements deep', camt(statement('<a>'.repeat(40))), /nested/],
    ['balances that do not add up', camt(statement(entry(), '350001')), /do not add up/],
    ['another currency', camt(statement(entry().replace('Ccy="UGX"', 'Ccy="USD"'))), /not in UGX/],
    ['a comma', camt(statement(entry('', '250000,00'))), /no valid amount/],
    ['a fraction of the currency', camt(statement(entry('', '250000.001'))), /no valid amount/],
    ['no day', camt(statement(entry().replaceAll('2026-11-20', '2026-11-31'))), /no valid day/],
    ['no sign', camt(statement(entry('', '1', 'UP'))), /no valid amount/],
  ])('is refused with %s', async (_what, text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });

  it('is refused in UTF-16, and in Latin-1 that is called UTF-8', async () => {
    await expect(readCamt(Buffer.from(`\uFEFF${camt(statement(entry()))}`, 'utf16le'))).rejects.toThrow(
      /not UTF-8|not XML/,
    );
    await expect(
      readCamt(Buffer.from(camt(statement(entry('<AddtlNtryInf>é</AddtlNtryInf>'))), 'latin1')),
    ).rejects.toThrow(/not UTF-8/);
  });
});

const swift = (body: string) =>
  `{1:F01BANKUGKAXXXX0000000000}{2:I940CLIENTXXXXN}{4:\r\n${body.replaceAll('\n', '\r\n')}\r\n-}`;
const MESSAGE = `:20:STMT1
:25:0140012345678
:28C:234/1
:60F:C261120UGX100000,00
:61:2611211120C250000,NTRFNONREF//FT26324ABC
MTN payout
:86:/REMI/MTN-PAYOUT-7
second line
:61:2611210D50000,00NMSCFEE
:86:Fees
:62F:C261121UGX300000,00
:64:C261121UGX300000,00`;

describe('MT940', () => {
  it('is read with its pages, reversals, and what is written about a movement', async () => {
    const text = MESSAGE.replace(':61:2611210D50000', ':61:261121RC50000');
    expect(plain(await readMt940(swift(text)))).toEqual([
      {
        line: 3,
        account: '0140012345678',
        currency: 'UGX',
        opening: '100000',
        closing: '300000',
        from: '2026-11-20T00:00:00.000Z',
        to: '2026-11-21T00:00:00.000Z',
        lines: [
          {
            line: 6,
            bookedOn: '2026-11-20T00:00:00.000Z',
            valueOn: '2026-11-21T00:00:00.000Z',
            amount: '250000',
            reference: 'FT26324ABC',
            text: 'MTN payout /REMI/MTN-PAYOUT-7 second line',
          },
          expect.objectContaining({ amount: '-50000', reference: 'FEE', text: 'FEE Fees' }),
        ],
      },
    ]);
    const [first, second] = MESSAGE.replace(':61:2611210D', ':61:261121D').split(/(?<=second line)\n/);
    const paged = `${swift(`${first}\n:62M:C261121UGX350000,`)}\r\n${swift(`:20:STMT1\n:25:0140012345678\n:28C:234/2\n:60M:C261121UGX350000,\n${second}`)}`;
    expect(plain(await readMt940(paged))).toMatchObject([{ lines: [{ amount: '250000' }, { amount: '-50000' }] }]);
  });

  it('takes a booking day of the year that is nearest', async () => {
    const text = ':20:A\n:25:B\n:60F:C261231UGX0,\n:61:2701021231C5,NTRFX\n:62F:C270102UGX5,';
    expect(plain(await readMt940(text))).toMatchObject([{ lines: [{ bookedOn: '2026-12-31T00:00:00.000Z' }] }]);
  });

  it.each([
    ['no closing balance', MESSAGE.replace(/:62F:[^]*/, ''), /without a closing balance/],
    ['a comma and a point', MESSAGE.replace('50000,00', '50.000,00'), /no valid amount/],
    ['a movement before the opening balance', MESSAGE.replace(/:60F:.*\n/, ''), /not as MT940/],
    ['no account', MESSAGE.replace(/:25:.*\n/, ''), /no account/],
    ['a movement that is none', MESSAGE.replace('C250000,', 'X250000,'), /not as MT940/],
    ['31 November', MESSAGE.replace(':61:261121', ':61:261131'), /no valid day/],
    ['balances that do not add up', MESSAGE.replace('300000,00', '300001,00'), /do not add up/],
    ['nothing', '', /no statement/],
  ])('is refused with %s', async (_what, text, message) => {
    await expect(readMt940(text.replace(':61:2611210D', ':61:261121D'))).rejects.toThrow(message);
  });
});

describe('any file', () => {
  const CSV = 'booked_on,amount,currency,balance,text\n2026-11-20,5,UGX,5,a\n2026-11-21,-2,UGX,3,b\n';

  it('in which something was changed is read whole, or refused with what is wrong', async () => {
    const random = seedRandom(drawSeed('changed statements'));
    const pick = (below: number) => Math.floor(random() * below);
    const seeds = [camt(statement(entry())), swift(MESSAGE.replace(':61:2611210D', ':61:261121D')), CSV].map((text) =>
      Buffer.from(text),
    );
    let whole = 0;
    for (let nth = 0; nth < 1_000; nth++) {
      const seed = seeds[nth % seeds.length]!;
      const [from, other] = [pick(seed.length), pick(seed.length)];
      const changes = [
        () => Buffer.concat([seed.subarray(0, from), seed.subarray(from + 1 + pick(40))]),
        () => Buffer.concat([seed.subarray(0, from), seed.subarray(other, other + pick(80)), seed.subarray(from)]),
        () => Buffer.from(seed).fill(pick(256), from, from + 1),
      ];
      const file = changes[pick(changes.length)]!();
      try {
        const { statements } = await readBankFile(file, 'auto', {});
        whole++;
        for (const { opening, closing, lines } of statements)
          if (opening && closing)
            expect(lines.reduce((sum, { amount }) => sum.plus(amount), opening).toFixed(), file.toString()).toBe(
              closing.toFixed(),
            );
      } catch (error) {
        expect(error, file.toString()).toBeInstanceOf(Refusal);
        expect((error as Refusal).details[0]!.path).toBe('body');
      }
    }
    expect(whole).toBeGreaterThan(50);
  });

  it('is read as its own bank writes CSV: with columns of what came and what went, the newest first', async () => {
    const columns = { bookedOn: 'Date', credit: 'In', debit: 'Out', balance: 'Balance', text: 'Details' };
    const bank = { columns: { ...columns, valueOn: undefined }, currency: 'UGX', dateFormat: 'dd/MM/yyyy' } as const;
    const file =
      'Account statement\nDate;Details;In;Out;Balance\n21/11/2026;Fee;;"1,500";8500\n20/11/2026;Payout;10000;;10000\n';
    expect(plain(await readBankFile(Buffer.from(file), 'auto', { stanbic: bank }))).toMatchObject({
      format: 'csv',
      statements: [{ account: null, opening: '0', closing: '8500', lines: [{ amount: '-1500' }, { amount: '10000' }] }],
    });
  });
});
