import { z } from '../../../kernel/zod.ts';
import { Decimal, fitsJson } from '../../../kernel/money.ts';
import { check, moment, requireJson, textUpTo } from '../event.ts';

/** Events that agencies and fiscal partners push to the rail. */
export const PUSH_TYPES = {
  'receipt.issued': 'The agency issued a receipt for what it was notified of.',
  'notice.rejected': 'The agency rejected what it was notified of.',
  'bill.changed': 'The amount owed to the agency differs from the lines of an assessment.',
  'identity.changed': "The identity authority changed a person's record.",
  'fiscal.document': 'A fiscal document was issued for a payment event or an assessment.',
} as const;

export type PushType = keyof typeof PUSH_TYPES;

const amount = z
  .number()
  .min(0)
  .refine((value) => fitsJson(new Decimal(value)), 'has too many digits')
  .transform((value) => new Decimal(value));

/** An address that a browser opens. */
const link = textUpTo(2_048).refine(
  (value) => URL.canParse(value) && new URL(value).protocol === 'https:',
  'must be an https address',
);

const DATA = {
  'receipt.issued': z.object({ receipt_number: textUpTo(255) }),
  'notice.rejected': z.object({ reason: textUpTo(1_000) }),
  'bill.changed': z.object({
    lines: z
      .array(z.object({ service: textUpTo(64), amount }))
      .min(1)
      .max(100),
    reason: textUpTo(1_000).nullish(),
  }),
  'identity.changed': z.object({ full_name: textUpTo(200).nullish(), reason: textUpTo(1_000).nullish() }),
  'fiscal.document': z.object({ number: textUpTo(255), url: link.nullish(), issued_at: moment.nullish() }),
} as const satisfies Record<PushType, z.ZodType>;

/** The data of a push, by its type. */
export type PushData<Type extends PushType> = z.infer<(typeof DATA)[Type]>;

/** A push: an event and its object. */
export type PushEvent = {
  [Type in PushType]: {
    readonly eventId: string;
    readonly type: Type;
    readonly object: string;
    readonly data: PushData<Type>;
  };
}[PushType];

const envelope = z.object({
  event_id: textUpTo(255),
  type: z.enum(Object.keys(PUSH_TYPES) as [PushType, ...PushType[]]),
  object: textUpTo(128),
  data: z.unknown(),
});

/** Reads a push, once its signature was checked. */
export function parsePush(body: Buffer): PushEvent {
  const { event_id: eventId, type, object, data } = check(envelope, requireJson(body));
  return { eventId, type, object, data: check(DATA[type], data, ['data']) } as PushEvent;
}
