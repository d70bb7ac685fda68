/** A statement as camt.053 with one credit, of an account that had nothing. */
export const camtOf = (account: string, day: string, amount: number): string => {
  const balance = (code: string, value: number) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="UGX">${value}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId><CreDtTm>${day}T20:00:00</CreDtTm></GrpHdr>
<Stmt><Id>1</Id><Acct><Id><Othr><Id>${account}</Id></Othr></Id><Ccy>UGX</Ccy></Acct>${balance('OPBD', 0)}${balance('CLBD', amount)}
<Ntry><Amt Ccy="UGX">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt>
<ValDt><Dt>${day}</Dt></ValDt><AcctSvcrRef>B-${day}</AcctSvcrRef><BkTxCd/></Ntry></Stmt></BkToCstmrStmt></Document>`;
};
