import type { ExemptionStatus } from '../../../generated/prisma/enums.ts';
import type { Lifecycle } from '../../../kernel/lifecycle.ts';

/**
 * Lifecycle of an exemption, which an approval makes. All other transitions are refused.
 *
 * Triggers of the table that the verbs of this folder change:
 *
 * - `exemption.settled`: what was approved never changes.
 */
export const exemptionLifecycle = {
  revoke: { from: ['Approved'], to: 'Revoked' },
} as const satisfies Lifecycle<ExemptionStatus>;

/** Grounds of exemptions. */
export const GROUNDS = {
  age: 'The payer is of an age that the law exempts.',
  charity: 'The payer is a charity, or another body that serves the public without profit.',
  diplomatic: 'A treaty or the law of diplomats exempts the payer.',
  disability: 'The payer has a disability.',
  disaster: 'A disaster struck the payer.',
  hardship: 'The payer cannot afford it.',
  investment: 'The state promised it to an investor.',
  public_body: 'The payer is a public body.',
  refugee: 'The payer is a refugee.',
  religious: 'It serves a religion.',
  other: 'Another ground, which the reason of the request gives.',
} as const;

export type Ground = keyof typeof GROUNDS;
