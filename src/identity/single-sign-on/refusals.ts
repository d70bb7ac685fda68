import { Refusal, forbidBecause } from '../../kernel/refusal.ts';

/** The refusal of an answer that ends no sign-in: it says nothing of what was wrong with it. */
export function refuseVoid(): Refusal {
  return new Refusal('unauthenticated', 'This sign-in has expired, was used before or was begun elsewhere; try again');
}

/** The refusal of somebody whose record is not theirs to sign in to, or not at the provider. */
export function refuseClosed(): Refusal {
  return forbidBecause('sign_on_closed', 'You cannot sign in here; ask those who operate this service', 'sign_on');
}
