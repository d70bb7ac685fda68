import type { Language } from '../../graphql/input/languages.ts';
import type { Call } from '../../platform/call/call.ts';
import { type Decimal, zero } from '../../kernel/money.ts';
import { sql } from '../../platform/database/sql.ts';
import { type Receipt, contentsOf } from './find.ts';
import { writePdf } from './render/pdf.ts';
import { writeSvg } from './render/qr.ts';
import { type Printed, type Share, writeSheet } from './render/sheet.ts';
import { writeText } from './render/text.ts';
import { addressOf } from './signature.ts';

/** Formats of a receipt, by media type. */
export const FORMS = {
  'application/pdf': 'A page of A4.',
  'image/svg+xml': 'The QR code alone.',
  'text/plain': 'Lines of at most 42 characters, for any printer.',
} as const;
export type Form = keyof typeof FORMS;

const WRITERS: Readonly<Record<Form, (printed: Printed) => string | Promise<Buffer>>> = {
  'application/pdf': (printed) => writePdf(writeSheet(printed)),
  'image/svg+xml': ({ url }) => writeSvg(url),
  'text/plain': (printed) => writeText(writeSheet(printed)),
};

export interface ReceiptDocument {
  readonly mediaType: string;
  readonly body: Buffer;
}

/**
 * Draws a receipt of what was signed, with the whole names of services and agencies, which a QR code has no room for. How
 * it stands, and the numbers of its seals, are as they are now.
 */
export async function drawReceipt(
  call: Call,
  receipt: Receipt,
  { form, language }: { form: Form; language: Language },
): Promise<ReceiptDocument> {
  const record = form === 'image/svg+xml' ? null : await readRecord(call, receipt);
  const printed: Printed = {
    ...receipt,
    contents: { ...contentsOf(receipt), ...(record && { services: record.services, otherServices: 0 }) },
    url: addressOf(call.origin, receipt),
    shares: new Map(record?.shares.map((share) => [share.event, share])),
    left: record?.left ?? zero,
    language,
  };
  return { mediaType: form, body: Buffer.from(await WRITERS[form](printed)) };
}

interface OnRecord {
  readonly services: readonly string[];
  readonly shares: readonly (Share & { readonly event: string })[];
  readonly left: Decimal;
}

async function readRecord({ db }: Call, { assessment, intent }: Receipt): Promise<OnRecord> {
  const row = await db.row<OnRecord>(sql`
    select (select jsonb_agg(service order by first) from (
        select service_name as service, min(idx) as first from assessment_line where assessment = ${assessment} group by 1) l
      ) as services,
      (select jsonb_agg(jsonb_build_object('event', e.name, 'agency', m.mda_name, 'sequence', s.sequence))
        from payment_event e join mda m on m.name = e.mda left join event_seal s on s.event = e.name
        where e.intent = ${intent} and e.kind = 'payment') as shares,
      (select sum(amount) from payment_event where intent = ${intent}) as left`);
  return row!;
}
