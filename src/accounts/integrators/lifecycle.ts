import type { IntegratorStatus } from '../../generated/prisma/enums.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';

/** A sign-up whose address is verified is an account; an operator can suspend it, and take that back. */
export const integratorLifecycle = {
  verify: { from: ['PendingEmail'], to: 'Active' },
  suspend: { from: ['Active'], to: 'Suspended' },
  reactivate: { from: ['Suspended'], to: 'Active' },
} as const satisfies Lifecycle<IntegratorStatus>;
