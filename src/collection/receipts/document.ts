import type { Language } from '../../graphql/input/languages.ts';
import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { type Receipt, contentsOf } from './find.ts';
import { writePdf } from './render/pdf.ts';
import { writeSvg } from './render/qr.ts';
import type { Printed } from './render/sheet.ts';
import { writeText } from './render/text.ts';
import { addressOf } from './signature.ts';

/** What a receipt can be had as, by media type. */
export const FORMS = {
  'application/pdf': 'A page of A4.',
  'image/svg+xml': 'The QR code alone.',
  'text/plain': 'Lines of at most 42 characters, for any printer.',
} as const;
export type Form = keyof typeof FORMS;

const WRITERS: Readonly<Record<Form, (printed: Printed) => string | Promise<Buffer>>> = {
  'application/pdf': writePdf,
  'image/svg+xml': ({ url }) => writeSvg(url),
  'text/plain': writeText,
};

export interface ReceiptDocument {
  readonly mediaType: string;
  readonly body: Buffer;
}

/** Draws a receipt of what was signed; how it stands, and the numbers of its seals, are as they are now. */
export async function drawReceipt(
  call: Call,
  receipt: Receipt,
  { form, language }: { form: Form; language: Language },
): Promise<ReceiptDocument> {
  const contents = contentsOf(receipt);
  const sequences = form === 'image/svg+xml' ? [] : await readSequences(call, receipt);
  const printed: Printed = {
    ...receipt,
    contents,
    url: addressOf(call.origin, receipt),
    sequences: new Map(sequences.map(({ event, sequence }) => [event, sequence])),
    language,
  };
  return { mediaType: form, body: Buffer.from(await WRITERS[form](printed)) };
}

function readSequences({ db }: Call, { intent }: Receipt): Promise<{ event: string; sequence: number }[]> {
  return db.rows(sql`
    select s.event, s.sequence from event_seal s join payment_event e on e.name = s.event where e.intent = ${intent}`);
}
