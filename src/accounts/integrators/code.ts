import { randomInt } from 'node:crypto';

/** Letters and digits without those that are taken for one another. */
const SUFFIX = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const SUFFIX_LENGTH = 6;
const LONGEST_SLUG = 40;

/** A new integrator's code: a slug of its organisation, a hyphen, and six characters by chance. */
export function makeIntegratorCode(organisation: string): string {
  const slug = organisation
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '-')
    .slice(0, LONGEST_SLUG)
    .replace(/^-+|-+$/g, '');
  const suffix = Array.from({ length: SUFFIX_LENGTH }, () => SUFFIX[randomInt(SUFFIX.length)]).join('');
  return `${slug || 'INTEGRATOR'}-${suffix}`;
}
