import type { Language } from '../../../graphql/input/languages.ts';
import type { Call } from '../../../platform/call/call.ts';
import type { AssessmentLine } from '../../../generated/prisma/client.ts';
import type { ReceiptDocument } from '../../receipts/document.ts';
import { writePdf } from '../../receipts/render/pdf.ts';
import { type Sheet, fill, writeDay, writeMoney } from '../../receipts/render/sheet.ts';
import { writeText } from '../../receipts/render/text.ts';
import { type Ground, type Notice, groundOf, linesOf, numberOf, payerOf } from './find.ts';
import { dayAt } from '../../assessments/lines/due.ts';
import { WORDS } from './words.ts';

/** Forms of a notice for people, by media type. */
export const WRITERS = { 'application/pdf': writePdf, 'text/plain': writeText } as const;
export type Form = keyof typeof WRITERS;

/** Draws a notice as a page. */
export async function drawNotice(
  call: Call,
  notice: Notice,
  { form, language }: { readonly form: Form; readonly language: Language },
): Promise<ReceiptDocument> {
  const [lines, payer, reference] = await Promise.all([
    linesOf(call, notice),
    payerOf(call, notice),
    numberOf(call, notice),
  ]);
  const charged = await Promise.all(lines.map(async (line) => ({ ...line, ...(await groundOf(call, line)) })));
  const assessed = await dayAt(call, lines[0]?.mda ?? '', notice.assessedAt!);
  const sheet = writeSheet(notice, { charged, payer, number: reference?.number ?? null, assessed }, language);
  return { mediaType: form, body: Buffer.from(await WRITERS[form](sheet)) };
}

interface Said {
  readonly charged: readonly (AssessmentLine & Ground)[];
  readonly payer: string | null;
  readonly number: string | null;
  /** The day on which it was assessed, by the clock of its agency. */
  readonly assessed: Date;
}

function writeSheet(notice: Notice, { charged, payer, number, assessed }: Said, language: Language): Sheet {
  const words = WORDS[language];
  const { name, visible, currency, totalAmount, assessedAt, dueOn } = notice;
  const money = (amount: typeof totalAmount) => writeMoney(amount, currency, language);
  const explain = ({ quantity, category, baseAmount, period, law }: AssessmentLine & Ground) =>
    [
      ...(quantity === 1 ? [] : [fill(words.pieces, { quantity })]),
      ...(category === null ? [] : [fill(words.category, { category })]),
      ...(baseAmount ? [fill(words.base, { base: money(baseAmount) })] : []),
      ...(period === null ? [] : [period]),
      ...(law === null ? [] : [law]),
    ].join('; ');
  return {
    language,
    title: words.title,
    name: visible ? name : (number ?? ''),
    at: assessedAt!,
    notices: [],
    facts: [
      ...(visible ? [[words.assessment, name] as const] : []),
      ...(payer === null ? [] : [[words.payer, payer] as const]),
      [words.assessedOn, writeDay(assessed, language)],
      [words.dueOn, dueOn ? writeDay(dueOn, language) : words.atOnce],
      [words.number, number ?? words.noNumber],
    ],
    services: [...new Set(charged.map(({ agency }) => agency))].map((agency) => fill(words.owedTo, { agency })),
    shares: charged.map((line) => ({ row: [line.serviceName, money(line.amount)], proof: explain(line) })),
    total: [words.total, money(totalAmount)],
    check: null,
  };
}
