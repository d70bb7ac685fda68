import { loadPayoutOf } from '../../../collection/reconciliation/payouts/list.ts';
import { VerificationType } from '../../../collection/receipts/schema.ts';
import { builder } from '../../../graphql/builder.ts';
import { addAgencyOf } from '../../common/edges.ts';
import { type Followed, followEvents } from './followed.ts';

const FollowedType = builder.objectRef<Followed>('FollowedShare').implement({
  description: 'Place of a share of a receipt in the books of its agency, and at its bank.',
  fields: (t) => ({
    sequence: t.exposeInt('sequence', {
      nullable: true,
      description: "The number of its seal in the agency's chain; null until it is sealed.",
    }),
    day: t.expose('day', {
      type: 'Date',
      nullable: true,
      description: 'The closed day of the agency that has it; null until that is closed.',
    }),
    signature: t.exposeString('signature', {
      nullable: true,
      description: 'The signature (Ed25519) of that day, in base64url; null until it is closed.',
    }),
    kid: t.exposeString('kid', {
      nullable: true,
      description: 'The key of that signature, one of `receiptKeys`; null until the day is closed.',
    }),
    arrivedOn: t.field({
      type: 'Date',
      nullable: true,
      description:
        "The value day on which the last of its payout arrived at the agency's bank; null until all of it did.",
      resolve: async (share, _args, call) => {
        const payout = await loadPayoutOf(call, share);
        const isThere = payout?.state === 'arrived' || payout?.state === 'over';
        return isThere && payout.arrivedOn ? new Date(payout.arrivedOn) : null;
      },
    }),
  }),
});
addAgencyOf(FollowedType, 'that received it');

builder.objectField(VerificationType, 'followed', (t) =>
  t.field({
    type: [FollowedType],
    nullable: true,
    description: 'The way of each share that the receipt names, up to the bank; null unless the receipt is valid.',
    resolve: ({ state, contents }, _args, call) =>
      state === 'valid' && contents
        ? followEvents(
            call,
            contents.agencies.map(({ event }) => event),
          )
        : null,
  }),
);
