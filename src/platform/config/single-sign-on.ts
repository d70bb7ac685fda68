import { dirname, resolve } from 'node:path';
import { readJsonFile } from '../../kernel/text/json-file.ts';
import { z } from '../../kernel/zod.ts';
import { readPem, word } from '../../adapters/http/options.ts';
import { AGENCY_CODE } from '../../kernel/text/identifiers.ts';
import { coversAll } from '../access/grants.ts';
import { ROLES } from '../access/needs.ts';
import { reasonOf } from '../../kernel/refusal.ts';

/** The variables that configure single sign-on: all of them, or none. */
export const signOnVariables = {
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('the identity provider at which staff sign in; all four OIDC variables, or none'),
  OIDC_CLIENT_ID: word.optional().describe('what the rail is called there'),
  OIDC_CLIENT_SECRET: word.optional().describe('its secret there'),
  OIDC_MAPPING: z.string().optional().describe('the path of a JSON file with the rights of its groups'),
};

type SignOnVariables = z.output<z.ZodObject<typeof signOnVariables>>;

/** A claim by its name, or by its path where it is inside another. */
const claim = z.union([word.transform((name) => [name]), z.array(word).min(1).max(5)]);

const agencies = z
  .array(word)
  .refine(
    (codes) => (coversAll(codes) ? codes.length === 1 : codes.every((code) => AGENCY_CODE.test(code))),
    'must be codes of agencies, or "*" alone for all of them',
  );

/** The shape of a mapping file; the PEM file that it names is relative to it. */
const shapeOf = (folder: string) =>
  z.strictObject({
    claim: claim.default(['groups']),
    email_verified_claim: claim.default(['email_verified']),
    scopes: z.array(word).default([]),
    grants: z
      .array(z.strictObject({ value: word, roles: z.array(z.enum(ROLES)).default([]), agencies: agencies.default([]) }))
      .min(1),
    second_factor: z.strictObject({ acr: z.array(word).default([]), amr: z.array(word).default([]) }).prefault({}),
    timeout_ms: z.int().min(100).max(60_000).default(10_000),
    ca: readPem(folder).optional(),
  });

/** Meaning of an identity provider's claims here. */
export type SignOnMapping = z.output<ReturnType<typeof shapeOf>>;

/** The identity provider at which staff sign in, and what its claims mean. */
export interface SingleSignOn {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly mapping: SignOnMapping;
}

/** Null where staff log in by password; throws what is wrong, beginning with the variable. */
export function readSingleSignOn(given: SignOnVariables): SingleSignOn | null {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_MAPPING } = given;
  const values = { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_MAPPING };
  if (Object.values(values).every((value) => value === undefined)) return null;
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID || !OIDC_CLIENT_SECRET || !OIDC_MAPPING) {
    const missing = Object.entries(values).find(([, value]) => value === undefined);
    throw new Error(`${missing![0]}: needed for single sign-on, with the other variables that begin with OIDC_`);
  }
  return {
    issuer: OIDC_ISSUER,
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
    mapping: readMapping(OIDC_MAPPING),
  };
}

function readMapping(path: string): SignOnMapping {
  let value: unknown;
  try {
    value = readJsonFile(path);
  } catch (error) {
    throw new Error(`OIDC_MAPPING: ${path} cannot be read: ${reasonOf(error)}`, { cause: error });
  }
  const parsed = shapeOf(dirname(resolve(path))).safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw new Error(`OIDC_MAPPING: ${path}: ${issue.path.join('.') || 'the file'}: ${issue.message}`);
}
