import { setImmediate as turn } from 'node:timers/promises';
import sax, { type SAXParser } from 'sax';
import type { Decimal } from '../../../kernel/money.ts';
import { say } from '../../../kernel/text/said.ts';
import {
  type BankLine,
  type BankStatement,
  Lines,
  decodeUtf8,
  readBankAmount,
  readBankDay,
  readBankText,
  readReference,
  refuseFile,
  requireAccount,
  requireCurrency,
  requireRoom,
} from './statement.ts';

const NAMESPACE = /^urn:iso:std:iso:20022:tech:xsd:(camt\.\d{3})\.\d{3}\.\d{2}$/;
/** Most that an element may hold, and elements within one another. */
const LONGEST_ELEMENT = 1_024;
const DEEPEST = 32;
/** Bytes of a file for one turn of the event loop. */
const CHUNK = 32 * 1_024;

/** No entities but the five of XML; types of the package lack it. */
const STRICT = { strictEntities: true };

/** Texts of the elements of a part of a statement by their paths in it; of those that repeat, one after the other. */
type Part = Map<string, string>;
/** The parts that are read whole, and then forgotten. */
const PARTS = new Set(['Bal', 'Ntry']);

/** A statement of which more is to come. */
interface Opened {
  readonly fields: Part;
  readonly balances: Part[];
  readonly lines: Lines;
  readonly line: number;
}

/**
 * Reads an ISO 20022 statement, camt.053, of any version: by the elements that all versions have. It is read a piece at a
 * time, and of it no more is kept than its lines.
 */
export async function readCamt(file: Buffer): Promise<BankStatement[]> {
  const read = sax.parser(true, { position: true, ...STRICT });
  const statements: BankStatement[] = [];
  const here = () => (read.line ?? 0) + 1;
  const path: string[] = [];
  let text = '';
  let statement: Opened | null = null;
  let part: { name: string; fields: Part; depth: number; line: number } | null = null;
  let count = 0;

  refuseDeclarations(read, here);
  read.onopentag = ({ name, attributes }) => {
    const local = localOf(name);
    path.push(local);
    text = '';
    if (path.length > DEEPEST) throw refuseFile(say`line ${here()} is nested too deeply`);
    if (path.length === 1) requireKind(name, attributes as Readonly<Record<string, string>>, here());
    if (local === 'Stmt' && path.length === 3)
      statement = { fields: new Map(), balances: [], lines: new Lines(), line: here() };
    if (statement && path.length === 4 && PARTS.has(local))
      part = { name: local, fields: new Map(), depth: 4, line: here() };
    const currency = (attributes as Readonly<Record<string, string>>)['Ccy'];
    if (part && currency !== undefined) part.fields.set(`${path.slice(part.depth).join('/')}@`, currency);
  };
  const addText = (piece: string) => {
    text += piece;
    if (text.length > LONGEST_ELEMENT)
      throw refuseFile(say`line ${here()} has more than ${LONGEST_ELEMENT} characters`);
  };
  Object.assign(read, { ontext: addText, oncdata: addText });
  read.onclosetag = () => {
    const fields = part?.fields ?? statement?.fields;
    const within = path.slice(part ? part.depth : 3).join('/');
    const value = text.trim();
    if (fields && value !== '') fields.set(within, fields.has(within) ? `${fields.get(within)} ${value}` : value);
    text = '';
    if (part && path.length === part.depth) {
      if (part.name === 'Bal') statement!.balances.push(part.fields);
      else {
        requireRoom(++count);
        const currency = requireCurrency(statement!.fields.get('Acct/Ccy') ?? part.fields.get('Amt@'), part.line);
        const line = lineOf(part.fields, currency, part.line);
        if (line) statement!.lines.add(line);
      }
      part = null;
    } else if (statement && path.length === 3) {
      statements.push(statementOf(statement));
      statement = null;
    }
    path.pop();
  };

  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let from = 0; from < file.length; from += CHUNK) {
    const last = from + CHUNK >= file.length;
    read.write(decodeUtf8(file.subarray(from, from + CHUNK), decoder, here(), !last));
    await turn();
  }
  read.close();
  if (statements.length === 0) throw refuseFile(say`the file has no statement`);
  return statements;
}

/** Refuses what no bank writes and attacks are made of: declarations of types, other encodings, and what is not XML. */
function refuseDeclarations(read: SAXParser, here: () => number): void {
  Object.assign(read, {
    onerror: ({ message }: Error) => {
      throw refuseFile(say`line ${here()} is not XML: ${message.split('\n')[0]!}`);
    },
  });
  read.ondoctype = read.onsgmldeclaration = () => {
    throw refuseFile(say`line ${here()} declares a type, which no statement does`);
  };
  read.onprocessinginstruction = ({ name, body }) => {
    const encoding = /encoding\s*=\s*["']([^"']*)["']/.exec(body)?.[1];
    if (name === 'xml' && encoding !== undefined && !/^utf-?8$/i.test(encoding))
      throw refuseFile(say`line ${here()} is not ${'UTF-8'}: save the file as UTF-8`);
  };
}

const localOf = (name: string) => name.slice(name.indexOf(':') + 1);

/** Refuses a document that is no statement: an account report or a notice of a single movement, and anything else. */
function requireKind(name: string, attributes: Readonly<Record<string, string>>, line: number): void {
  const prefix = name.includes(':') ? `xmlns:${name.slice(0, name.indexOf(':'))}` : 'xmlns';
  const kind = NAMESPACE.exec(attributes[prefix] ?? '')?.[1];
  if (kind === 'camt.053' && localOf(name) === 'Document') return;
  throw refuseFile(say`line ${line} is ${kind ?? name}: of these, statements alone are read, camt.053`);
}

/** A line that was booked; null for what is only announced. */
function lineOf(fields: Part, currency: string, line: number): BankLine | null {
  const status = fields.get('Sts/Cd') ?? fields.get('Sts');
  if (status !== undefined && status !== 'BOOK') return null;
  const booked = dayOf(fields, 'BookgDt', line) ?? dayOf(fields, 'ValDt', line);
  if (!booked) throw refuseFile(say`line ${line} has no valid day`);
  const text = [
    fields.get('NtryDtls/TxDtls/Refs/EndToEndId'),
    fields.get('NtryDtls/TxDtls/RmtInf/Ustrd'),
    fields.get('NtryDtls/TxDtls/RmtInf/Strd/CdtrRefInf/Ref'),
    fields.get('AddtlNtryInf'),
  ].filter((one) => one !== undefined && one !== 'NOTPROVIDED');
  return {
    line,
    bookedOn: booked,
    valueOn: dayOf(fields, 'ValDt', line) ?? booked,
    amount: signedOf(fields, currency, line),
    reference: readReference(fields.get('AcctSvcrRef') ?? fields.get('NtryRef')),
    text: readBankText(text.join(' ')),
  };
}

function signedOf(fields: Part, currency: string, line: number): Decimal {
  if (fields.get('Amt@') !== currency) throw refuseFile(say`line ${line} is not in ${currency}, as its account is`);
  const amount = readBankAmount(fields.get('Amt') ?? '', '.', currency, line);
  const sign = fields.get('CdtDbtInd');
  if (sign !== 'CRDT' && sign !== 'DBIT') throw refuseFile(say`line ${line} has no valid amount`);
  return sign === 'CRDT' ? amount : amount.negated();
}

function dayOf(fields: Part, of: string, line: number): Date | null {
  const written = fields.get(`${of}/Dt`) ?? fields.get(`${of}/DtTm`) ?? fields.get(of);
  if (written === undefined) return null;
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(written) ?? [];
  return readBankDay(year ?? written, month ?? '', day ?? '', line);
}

function statementOf({ fields, balances, lines, line }: Opened): BankStatement {
  const account = requireAccount(fields.get('Acct/Id/IBAN') ?? fields.get('Acct/Id/Othr/Id') ?? '', line);
  const currency = requireCurrency(fields.get('Acct/Ccy') ?? balances[0]?.get('Amt@'), line);
  const find = (...codes: readonly string[]) =>
    balances.find((one) => codes.includes(one.get('Tp/CdOrPrtry/Cd') ?? ''));
  // The balance of the day before is the first of this one.
  const [opening, closing] = [find('OPBD', 'PRCD'), find('CLBD')];
  const amountOf = (balance: Part | undefined) => (balance ? signedOf(balance, currency, line) : null);
  const days = [dayOf(fields, 'FrToDt/FrDtTm', line), dayOf(fields, 'FrToDt/ToDtTm', line)];
  const dated = days.some((day) => day !== null) || lines.all.length > 0;
  const balanced = dated || !closing ? [] : [dayOf(closing, 'Dt', line)];
  return lines.close({ line, account, currency, opening: amountOf(opening), closing: amountOf(closing) }, [
    ...days,
    ...balanced,
  ]);
}
