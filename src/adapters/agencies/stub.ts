import { createHash } from 'node:crypto';
import { readMember, readTextMember } from '../http/members.ts';
import type { AgencyAnswer, AgencyAsked } from './port.ts';

const NAMES = [
  'Nile Traders',
  'Pearl Logistics',
  'Equator Foods',
  'Crane Builders',
  'Savanna Textiles',
  'Source Energy',
];
const FORMS = ['Limited', 'and Sons', 'Cooperative', 'Enterprises'];

/** Agencies without a network, for a sandbox: the same input gets the same answer. */
export function answerAsStub(endpoint: string, { query, body }: AgencyAsked): AgencyAnswer {
  switch (endpoint) {
    case 'tin-verify': {
      const tin = query?.['tin'] ?? '';
      if (!/^\d{10}$/.test(tin) || tin.endsWith('0')) return missing;
      return answerFound({ tin, name: makeBusinessName(tin), status: 'active' });
    }
    case 'tax-payment':
      return { status: 201, body: { receipt_number: `STUB-${makeDigits(JSON.stringify(body), 10)}`, stub: true } };
    case 'business-search': {
      const name = findName(query?.['name'] ?? '');
      return answerFound({ results: [{ registration_number: makeDigits(name, 12), name, status: 'active' }] });
    }
    case 'business-register':
      return {
        status: 201,
        body: {
          registration_number: makeDigits(readTextMember(body, 'name') ?? '', 12),
          name: readMember(body, 'name'),
          status: 'registered',
        },
      };
    default:
      return missing;
  }
}

const missing: AgencyAnswer = { status: 404, body: { error: 'not_found' } };

function answerFound(body: object): AgencyAnswer {
  return { status: 200, body };
}

/**
 * A business whose name holds what was asked for: as it stands where it could be whole, else with a form of business
 * behind it.
 */
function findName(asked: string): string {
  if (FORMS.some((form) => asked.endsWith(` ${form}`))) return asked;
  return `${asked} ${FORMS[createHash('sha256').update(asked).digest()[0]! % FORMS.length]}`;
}

function makeBusinessName(seed: string): string {
  const digest = createHash('sha256').update(seed).digest();
  return `${NAMES[digest[0]! % NAMES.length]} ${FORMS[digest[1]! % FORMS.length]}`;
}

function makeDigits(seed: string, count: number): string {
  return BigInt(`0x${createHash('sha256').update(seed).digest('hex')}`)
    .toString()
    .slice(0, count);
}
