import { z } from 'zod';

/** Messages for faults of a value, the same everywhere; a schema's own message goes first. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

const FORMATS: Readonly<Record<string, string>> = {
  url: 'must be a URL',
  email: 'must be an e-mail address',
  datetime: 'must be a date-time in RFC 3339 form, such as 2026-11-21T09:25:00Z',
  date: 'must be a date, YYYY-MM-DD',
};

type Issue = Parameters<NonNullable<z.core.$ZodConfig['customError']>>[0];

function phraseIssue(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is required'
        : `must be ${TYPES[issue.expected] ?? `of the type ${issue.expected}`}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return bound(issue.origin, Number(issue.minimum), 'at least', issue.inclusive !== false);
    case 'too_big':
      return bound(issue.origin, Number(issue.maximum), 'at most', issue.inclusive !== false);
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'does not have the form that is expected';
    case 'unrecognized_keys':
      return `has no member ${issue.keys.join(', ')}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    default:
      return 'is not allowed';
  }
}

function bound(origin: string, limit: number, which: 'at least' | 'at most', inclusive: boolean): string {
  if (origin === 'string')
    return which === 'at least' && limit === 1 ? 'must not be empty' : `must be ${which} ${limit} characters`;
  if (origin === 'array' || origin === 'set') return `must have ${which} ${limit} items`;
  if (inclusive) return `must be ${which} ${limit}`;
  return `must be ${which === 'at least' ? 'more' : 'less'} than ${limit}`;
}

z.config({ customError: phraseIssue });

/** Path of a value in what a caller sent: `profile.agencies[0].code`. */
export function pathIn(root: string, path: readonly PropertyKey[]): string {
  return root + path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
}

export { z };
