import { builder } from '../../graphql/builder.ts';
import { currencyCode } from '../../graphql/input/forms.ts';
import { FEWEST_PEOPLE, WHOLE_MONTHS } from './small-cells.ts';
import type { CollectionFigures } from './collections.ts';
import { money } from '../revenue/revenue-schema.ts';
import { addAgencyOf } from '../root/edges.ts';

const nullable = { nullable: true as const };
/** An amount that may be about too few people. */
const someMoney = (description: string) => ({ ...money(description), ...nullable });
const seconds = (part: string) => ({
  ...nullable,
  description: `The time in seconds from assessment to payment within which ${part} of payments were made, over months in which at least ${FEWEST_PEOPLE} people paid.`,
});
export const CollectionsType = builder.objectRef<CollectionFigures>('CollectionFigures').implement({
  description: `Amounts assessed for an agency in a period, and how much was paid. The people counted are the payers. ${WHOLE_MONTHS}`,
  fields: (t) => ({
    currency: t.exposeString('currency', { description: 'The currency of the amounts (ISO 4217).', ...currencyCode }),
    assessments: t.exposeInt('assessments', {
      ...nullable,
      description: 'The number of assessments that include the agency.',
    }),
    assessed: t.expose('assessed', someMoney('The amount assessed in the period.')),
    paid: t.expose('paid', someMoney('The amount of paid assessments.')),
    outstanding: t.expose('outstanding', someMoney('The amount awaiting payment.')),
    cancelled: t.expose('cancelled', someMoney('The amount of cancelled assessments.')),
    secondsP50: t.exposeFloat('secondsP50', seconds('half')),
    secondsP90: t.exposeFloat('secondsP90', seconds('90 %')),
    secondsP99: t.exposeFloat('secondsP99', seconds('99 %')),
  }),
});
addAgencyOf(CollectionsType, 'that is owed');
