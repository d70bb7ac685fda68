import { builder, trustProof } from '../../../graphql/builder.ts';
import { shape } from '../../../graphql/input/shapes.ts';
import { type C2bAnswer, confirmC2bPayment, validateC2bPayment } from './mpesa-c2b.ts';

const AnswerType = builder.objectRef<C2bAnswer>('C2bAnswer').implement({
  description: "An answer to M-Pesa's C2B, in its own words.",
  fields: (t) => ({
    resultCode: t.exposeString('resultCode', {
      description:
        '`0` to accept; `C2B00012` for a reference that cannot be paid, `C2B00013` for another amount, `C2B00015` for another short code, `C2B00016` for a message that cannot be read.',
    }),
    resultDesc: t.exposeString('resultDesc', { description: 'The code in a word: `Accepted` or `Rejected`.' }),
  }),
});

const c2bArgs = builder.args((t) => ({
  provider: t.id({
    required: true,
    description: 'The payment point with the form `mpesa_c2b`, by the name of its connection.',
    ...shape({ examples: ['paybill'], maxLength: 100 }),
  }),
  body: t.field({
    type: 'Byte',
    required: true,
    description:
      'JSON with `TransID`, `TransTime` (Nairobi time), `TransAmount`, `BusinessShortCode` and `BillRefNumber`, exactly as M-Pesa sent it. Names and numbers of people in it are not read.',
  }),
}));

const unsigned =
  'Nobody signs it: `rate_limited` for an address that sends too much. `not_found` for an unknown payment point.';

builder.mutationFields((t) => ({
  validateC2bPayment: t.field({
    type: AnswerType,
    description: `Tells M-Pesa whether to take a payment by payment reference: its exact amount, while it can be paid. ${unsigned} Also after 20 unknown references, or 20 wrong amounts of one, in a minute.`,
    ...trustProof(),
    args: c2bArgs,
    resolve: (_root, args, call) => validateC2bPayment(call, args),
  }),
  confirmC2bPayment: t.field({
    type: AnswerType,
    description: `Takes a confirmation of M-Pesa. It counts once M-Pesa is asked and says the same. ${unsigned} \`unavailable\` where too many wait.`,
    ...trustProof(),
    args: c2bArgs,
    resolve: (_root, args, call) => confirmC2bPayment(call, args),
  }),
}));
