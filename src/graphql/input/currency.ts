import { builder } from '../builder.ts';
import { currencyCode } from './forms.ts';

/** The currency that a caller expects where the rail decides it; `refuseOtherCurrency` holds it to that. */
export const currencyArgs = builder.args((t) => ({
  currency: t.string({
    description: 'The currency that you expect (ISO 4217). The rail decides it, and refuses another.',
    ...currencyCode,
  }),
}));
