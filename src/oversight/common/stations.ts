import { defineEnum } from '../../graphql/enums.ts';

/** Place where revenue is taken: within a shift at a counter, by an integrator, or neither. */
export type Station = 'counter' | 'integrator' | 'other';

export const StationEnum = defineEnum<Station>('RevenueStation', 'Place where revenue is taken.', {
  counter:
    'Within a shift at a counter of an agency, through whichever channel: cash, or mobile money of who stands there.',
  integrator: 'By an integrator, online and by its own means.',
  other: 'Neither at a counter nor by an integrator, such as what staff took outside a shift.',
});
/** An amount in the currency of its row. */
export const money = (description: string) => ({ type: 'Decimal' as const, description });
