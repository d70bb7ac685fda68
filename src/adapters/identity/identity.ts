import type { Agencies } from '../agencies/port.ts';
import { IDENTITY_AUTHORITY } from '../agencies/kinds.ts';
import { AdapterFailure } from '../failure.ts';
import { readTextMember } from '../http/members.ts';
import type { IdentityAuthority } from './port.ts';
import { stubIdentity } from './stub.ts';

/** The national identity authority of a rail: the connected one, or in sandbox mode one that makes persons up. */
export function openIdentity(agencies: Agencies): IdentityAuthority {
  if (agencies.statusOf(IDENTITY_AUTHORITY) === 'stub') return stubIdentity;
  return {
    stub: false,
    async find(nin) {
      const { status, body } = await agencies.ask('nin-verify', { query: { nin } });
      if (status === 404) return null;
      const fullName = readTextMember(body, 'full_name');
      if (status !== 200 || fullName === null || readTextMember(body, 'nin') !== nin) {
        throw new AdapterFailure('identity', 'failed', `The identity authority did not say who that is: ${status}`);
      }
      return { nin, fullName: fullName.toWellFormed().replaceAll('\0', '').slice(0, 1_000) };
    },
  };
}
