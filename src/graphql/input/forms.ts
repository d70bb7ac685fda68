import { PROVIDERS } from '../../adapters/payment/providers.ts';
import { KEY_SCOPES, SCOPES } from '../../platform/access/needs.ts';
import { type Series, docnameFormOf, docnamePatternOf, exampleDocnameOf } from '../../platform/database/docnames.ts';
import { LONGEST_ADDRESS } from '../../kernel/text/email.ts';
import { PAYER_PHONE, PHONE } from '../../kernel/text/phone.ts';
import { AGENCY_CODE, INTEGRATOR_CODE, NIN, TAX_NUMBER } from '../../kernel/text/identifiers.ts';
import { LONGEST_REASON, LONGEST_TEXT } from '../../kernel/text/free-text.ts';
import { type Shape, shape, shapeOf } from './shapes.ts';

/** Longest value of a filter that has no shape of its own, as `DEFAULT_SHAPES` has it for names. */
const LONGEST_FILTER = 255;

/** The shapes that arguments and fields have in common. */

/** The name of a document. */
export function docname(series: Series) {
  return shape({ pattern: docnamePatternOf(series).source, examples: [exampleDocnameOf(series)] });
}

/** The name of a document, as its own field. */
export function ownDocname(series: Series) {
  return { description: `The unique identifier (docname), \`${docnameFormOf(series)}\`.`, ...docname(series) };
}

/** The name of the document that an operation is about. */
export function docnameArg(series: Series, noun: string = series) {
  return {
    required: true,
    description: `The ${noun}'s docname, \`${docnameFormOf(series)}\`.`,
    ...docname(series),
  } as const;
}

/** Text that must not be blank. */
export function requiredText(maxLength = LONGEST_TEXT, more: Shape = {}) {
  return shape({ minLength: 1, maxLength, ...more });
}

/** Text that may be left out; blank counts as left out. */
export function freeText(maxLength = LONGEST_TEXT, more: Shape = {}) {
  return shape({ maxLength, ...more });
}

/** Argument for the reason of an action. */
export const REASON = {
  required: true,
  description: `The reason, at most ${LONGEST_REASON} characters.`,
  ...requiredText(LONGEST_REASON),
} as const;

/** A filter by any of several values, each of which looks alike. */
export function anyOf(each: ReturnType<typeof shape>) {
  return shape({ minItems: 1, maxItems: 100, items: { maxLength: LONGEST_FILTER, ...shapeOf(each) } });
}

/** A whole number, or an amount. */
export function between(minimum: number, maximum: number) {
  return shape({ minimum, maximum });
}

/** The short code of an agency. */
export const agencyCode = shape({ pattern: AGENCY_CODE.source, examples: ['URA'] });

/** Agencies by their short codes, or `*` alone for all. */
export const agencyList = shape({ maxItems: 200, items: { examples: ['URA', '*'] } });

/** Payment channels, or `*` alone for all. */
export const channelList = shape({ maxItems: 20, items: { examples: ['mtn_momo', '*'] } });

/** A country by its code (ISO 3166-1). */
export const countryCode = shape({ pattern: '^[A-Za-z]{2}$', examples: ['UG'] });

/** A currency by its code (ISO 4217). */
export const currencyCode = shape({ pattern: '^[A-Z]{3}$', examples: ['UGX'] });

/** A national identification number, in either case. */
export const nin = shape({ pattern: ignoreCase(NIN), examples: ['CM12345678ABCD'] });

/** A taxpayer identification number, in either case. */
export const taxNumber = shape({ pattern: ignoreCase(TAX_NUMBER), examples: ['1000123456'] });

/** A phone number. */
export const phone = shape({ pattern: PHONE.source, examples: ['+256700000001'] });

/** A phone number that is asked to pay: with its country code, and with or without the plus. */
export const payerPhone = shape({ pattern: PAYER_PHONE.source, examples: ['+256700000001'] });

/** The country whose people write a phone number, for those who hand on what was typed. */
export const PHONE_COUNTRY = {
  description:
    'The country (ISO 3166-1) whose local form the phone number may have: `0700 010 003`. A number that begins with + is read as it stands.',
  ...countryCode,
};

/** An e-mail address. */
export const email = shape({ format: 'email', maxLength: LONGEST_ADDRESS, examples: ['jo@example.com'] });

/** The code of an integrator. */
export const integratorCode = shape({ pattern: INTEGRATOR_CODE.source, examples: ['MY-OFFICE-A2B3C4'] });

/** The payment providers by their names, for descriptions. */
export const providerNames = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
  PROVIDERS.map(({ name }) => `\`${name}\``),
);

/** A payment provider that calls back. */
export const providerName = shape({ enum: PROVIDERS.map(({ name }) => name) });

/** Senders of callbacks: a payment provider, an agency, a fiscal partner, or one of their connections. */
export const senderName = shape({ examples: [...PROVIDERS.map(({ name }) => name), 'tax_authority'], maxLength: 100 });

/** Scopes of a key. */
export const scopeList = shape({ minItems: 1, maxItems: 20, items: { enum: KEY_SCOPES } });

/** Scopes of an agency's key. */
export const agencyScopeList = shape({ minItems: 1, maxItems: 20, items: { enum: SCOPES } });

function ignoreCase({ source }: RegExp): string {
  return source.replaceAll('A-Z', 'A-Za-z');
}
