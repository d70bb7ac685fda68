/** A line of a bank's statement. */
export interface StatementLine {
  readonly day: string;
  /** Below zero: it left the account. */
  readonly amount: number;
  readonly text: string;
  /** The bank's own number of it. */
  readonly reference?: string;
}

/** A statement of an account in shillings of Uganda, by day. */
interface Statement {
  readonly account: string;
  /** What was on the account before. */
  readonly opening: number;
  readonly lines: readonly StatementLine[];
}

/** The forms in which banks send statements, by what the rail calls them. */
export const FORMS = {
  camt053: { type: 'application/xml', write: writeCamt },
  mt940: { type: 'text/plain', write: writeMt940 },
  csv: { type: 'text/csv', write: writeCsv },
} as const;

const NONE = 'NOTPROVIDED';

const closingOf = ({ opening, lines }: Statement) => lines.reduce((sum, { amount }) => sum + amount, opening);

const daysOf = ({ lines }: Statement) => {
  const days = lines.map(({ day }) => day).toSorted();
  return [days[0]!, days.at(-1)!] as const;
};

function writeCamt(statement: Statement): string {
  const { account, opening, lines } = statement;
  const [first, last] = daysOf(statement);
  const amount = (of: number) =>
    `<Amt Ccy="UGX">${Math.abs(of)}</Amt><CdtDbtInd>${of < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
  const balance = (code: string, of: number, day: string) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amount(of)}<Dt><Dt>${day}</Dt></Dt></Bal>`;
  const entries = lines.map(
    ({ day, amount: moved, text, reference = NONE }) =>
      `<Ntry>${amount(moved)}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt>` +
      `<AcctSvcrRef>${reference}</AcctSvcrRef><BkTxCd/><NtryDtls><TxDtls><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>\n`,
  );
  const at = `<CreDtTm>${last}T20:00:00</CreDtTm>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId>${at}</GrpHdr>
<Stmt><Id>1</Id>${at}<Acct><Id><Othr><Id>${account}</Id></Othr></Id><Ccy>UGX</Ccy></Acct>
${balance('OPBD', opening, first)}${balance('CLBD', closingOf(statement), last)}
${entries.join('')}</Stmt></BkToCstmrStmt></Document>`;
}

function writeMt940(statement: Statement): string {
  const { account, opening, lines } = statement;
  const short = (day: string) => day.slice(2).replaceAll('-', '');
  const sign = (amount: number) => (amount < 0 ? 'D' : 'C');
  const [first, last] = daysOf(statement).map(short);
  const balance = (amount: number, day: string) => `${sign(amount)}${day}UGX${Math.abs(amount)},`;
  return [
    ':20:STMT1',
    `:25:${account}`,
    ':28C:1/1',
    `:60F:${balance(opening, first!)}`,
    ...lines.map(
      ({ day, amount, text, reference }) =>
        `:61:${short(day)}${sign(amount)}${Math.abs(amount)},NTRFNONREF${reference ? `//${reference}` : ''}\n:86:${text}`,
    ),
    `:62F:${balance(closingOf(statement), last!)}`,
  ].join('\n');
}

function writeCsv({ account, opening, lines }: Statement): string {
  let balance = opening;
  const rows = lines.map(({ day, amount, text, reference = '' }) =>
    [day, day, amount, (balance += amount), 'UGX', text, reference, account].join(','),
  );
  return ['booked_on,value_on,amount,balance,currency,text,reference,account', ...rows].join('\n');
}
