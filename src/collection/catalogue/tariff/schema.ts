import { builder } from '../../../graphql/builder.ts';
import { currencyCode } from '../../../graphql/input/forms.ts';
import { type HeldTariff, describeCharge, findTariff, listTariffsOf } from './find.ts';
import type { TariffSentence } from './words.ts';

export const TariffSentenceType = builder.objectRef<TariffSentence>('TariffSentence').implement({
  description: 'A sentence about what a service charges.',
  fields: (t) => ({
    category: t.exposeString('category', {
      nullable: true,
      description: 'The category that it is about; null if it is about all of them.',
    }),
    text: t.string({ description: 'The sentence, in English.', resolve: ({ said }) => String(said) }),
  }),
});

export const TariffType = builder.objectRef<HeldTariff>('Tariff').implement({
  description: 'Charge of a service, and from when to when: a fee for each piece, or rules of the law.',
  fields: (t) => ({
    from: t.expose('from', { type: 'DateTime', description: 'Time from which it holds; it may be to come.' }),
    to: t.expose('to', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the next one begins to hold; null if none is set.',
    }),
    feeAmount: t.expose('feeAmount', {
      type: 'Decimal',
      description: 'The fee for each piece. Under a tariff it is the least that its category `standard` costs, or 0.',
    }),
    currency: t.exposeString('currency', {
      description: 'The currency of the fee, and of each rule that names no other (ISO 4217).',
      ...currencyCode,
    }),
    law: t.string({
      nullable: true,
      description: 'The law that it stands in; null for a fee for each piece.',
      resolve: ({ tariff }) => tariff?.law ?? null,
    }),
    words: t.field({
      type: [TariffSentenceType],
      description: 'The charge in sentences.',
      resolve: describeCharge,
    }),
    data: t.expose('tariff', {
      type: 'JSON',
      nullable: true,
      description:
        'The tariff as it was set: `law`, `due`, and for each of its `categories` a rule. Its `kind` is `fixed`, `stated`, `percent` or `tiers`. Null for a fee for each piece.',
    }),
  }),
});

builder.prismaObjectFields('Service', (t) => ({
  tariff: t.field({
    type: TariffType,
    nullable: true,
    description: 'The charge of the service on a day; null while its first fee has yet to be approved, or before that.',
    args: {
      on: t.arg({
        type: 'Date',
        description: "The day of which it is asked, `YYYY-MM-DD` in the agency's country. Default: now.",
      }),
    },
    resolve: ({ name }, { on }, call) => findTariff(call, name, on),
  }),
  tariffs: t.field({
    type: [TariffType],
    description: 'Its charges over time, the latest 100, one that is set for a coming day first.',
    resolve: async ({ name }, _args, call) => [...(await listTariffsOf(call, name))],
  }),
}));
