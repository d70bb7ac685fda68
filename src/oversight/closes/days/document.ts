import { agencyLoader } from '../../../collection/catalogue/find.ts';
import type { ReceiptDocument } from '../../../collection/receipts/document.ts';
import { writePdf } from '../../../collection/receipts/render/pdf.ts';
import { type Row, type Sheet, fill, writeDay, writeMoney } from '../../../collection/receipts/render/sheet.ts';
import { writeCsv } from '../../../graphql/files/csv.ts';
import type { Language } from '../../../graphql/input/languages.ts';
import type { Call } from '../../../platform/call/call.ts';
import type { Decimal } from '../../../kernel/money.ts';
import { type DayContents, type Takings, countSeals, readContents } from './contents.ts';
import type { AgencyDay } from './find.ts';
import { WORDS } from './words.ts';

/** Formats of a day, by media type. */
export const FORMS = {
  'application/pdf': 'A PDF of A4 pages.',
  'text/csv': 'A table of the sums by currency, channel and service.',
} as const;
export type Form = keyof typeof FORMS;

/** Draws a day of what was signed. */
export async function drawDay(
  call: Call,
  day: AgencyDay,
  { form, language }: { readonly form: Form; readonly language: Language },
): Promise<ReceiptDocument> {
  const contents = readContents(day.payload);
  if (form === 'text/csv') return { mediaType: form, body: Buffer.from(writeTable(contents)) };
  const agency = await agencyLoader.load(call, day.mda);
  return { mediaType: form, body: await writePdf(writeSheet(day, contents, agency?.mdaName ?? day.mda, language)) };
}

const COLUMNS = [
  'agency',
  'day',
  'currency',
  'by',
  'name',
  'code',
  'opening',
  'collected',
  'reversed',
  'closing',
  'payments',
  'reversals',
];

function writeTable({ agency, day, currencies }: DayContents): string {
  const text = (amount?: Decimal) => amount?.toFixed() ?? null;
  const rows = currencies.flatMap((all) => {
    const row = (by: string, name: string | null, code: string | null, of: Takings, ends?: typeof all) => [
      agency,
      day,
      all.currency,
      by,
      name,
      code,
      text(ends?.opening),
      text(of.collected),
      text(of.reversed),
      text(ends?.closing),
      of.payments,
      of.reversals,
    ];
    return [
      row('all', null, null, all, all),
      ...all.channels.map((one) => row('channel', one.channel, null, one)),
      ...all.services.map((one) => row('service', one.service, one.code, one)),
    ];
  });
  return writeCsv(COLUMNS, rows);
}

function writeSheet(day: AgencyDay, contents: DayContents, agency: string, language: Language): Sheet {
  const words = WORDS[language];
  const share = (row: Row, proof = '') => ({ row, proof });
  const { seals, head, currencies, payouts, unknown } = contents;
  const ranges = seals.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`)).join(', ');
  const note = day.note === null ? [] : [day.note];
  return {
    language,
    title: words.title,
    name: day.name,
    at: day.createdAt,
    notices: [day.confirmedBy === null ? words.open : fill(words.confirmed, { by: day.confirmedBy }), ...note],
    facts: [
      [words.agency, agency],
      [words.day, writeDay(day.day, language)],
      [words.seals, ranges || '–'],
    ],
    services: [],
    shares: [
      ...currencies.flatMap(({ currency, opening, collected, reversed, closing, channels, services }) => {
        const money = (amount: Decimal) => writeMoney(amount, currency, language);
        const net = (of: Takings) => money(of.collected.minus(of.reversed));
        return [
          share([words.opening, money(opening)]),
          share([words.collected, money(collected)]),
          share([words.reversed, money(reversed)]),
          share([words.closing, money(closing)]),
          ...channels.map((one) => share([one.channel, net(one)])),
          ...services.map((one) => share([one.code ?? words.other, net(one)], one.service ?? '')),
        ];
      }),
      ...payouts.map(({ provider, currency, expected, arrived, missing }) => {
        const said = { expected, ...(arrived && { arrived }), ...(missing && { missing }) };
        const parts = Object.entries(said).map(
          ([word, amount]) => `${words[word as keyof typeof said]}: ${writeMoney(amount, currency, language)}`,
        );
        return share([fill(words.payout, { provider }), currency], parts.join('; '));
      }),
      ...unknown.map(({ currency, lines, credits, debits }) =>
        share([
          fill(words.unknown, { lines }),
          `${writeMoney(credits, currency, language)} / ${writeMoney(debits, currency, language)}`,
        ]),
      ),
      share([words.key, day.kid.slice(0, 8)], `${words.signature}: ${day.signature}`),
      share([words.head, head?.slice(0, 8) ?? '–'], head ?? ''),
    ],
    total: [words.events, String(countSeals(seals))],
    check: null,
  };
}
