import { createHash } from 'node:crypto';
import { AdapterFailure } from '../failure.ts';
import type { IdentityAuthority } from './port.ts';

const GIVEN = [
  'Akello',
  'Babirye',
  'Nakato',
  'Apio',
  'Namukasa',
  'Kato',
  'Okello',
  'Mugisha',
  'Wasswa',
  'Ssemakula',
  'Atim',
  'Tumusiime',
];
const FAMILY = [
  'Nabwire',
  'Okot',
  'Byaruhanga',
  'Nsubuga',
  'Opio',
  'Kyomuhendo',
  'Lubega',
  'Mutebi',
  'Auma',
  'Tumwine',
  'Odongo',
  'Namutebi',
];

/**
 * Makes up the same person for the same NIN every time; the last letter of a NIN chooses an answer other than a person.
 */
export const stubIdentity: IdentityAuthority = {
  stub: true,
  async find(nin) {
    if (!/^C[MF][A-Z0-9]{12}$/.test(nin) || nin.endsWith('X')) return null;
    if (nin.endsWith('T'))
      throw new AdapterFailure('identity', 'timeout', 'The identity authority did not answer in time');
    if (nin.endsWith('E')) throw new AdapterFailure('identity', 'failed', 'The identity authority failed');
    const digest = createHash('sha256').update(nin).digest();
    return { nin, fullName: `${GIVEN[digest[0]! % GIVEN.length]} ${FAMILY[digest[1]! % FAMILY.length]}` };
  },
};
