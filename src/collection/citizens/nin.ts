import { refuseValue } from '../../kernel/refusal.ts';
import { NIN } from '../../kernel/text/identifiers.ts';
import { say } from '../../kernel/text/said.ts';

/** A national identification number as it is stored and compared. */
export function normaliseNin(nin: string): string {
  return nin.trim().toUpperCase();
}

/** A number that could be one, or a refusal. */
export function requireNin(path: string, nin: string): string {
  const normalised = normaliseNin(nin);
  if (!NIN.test(normalised)) throw refuseValue(path, say`must be 6 to 20 of A to Z and 0 to 9`);
  return normalised;
}
