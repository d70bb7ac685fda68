import { dirname, resolve } from 'node:path';
import { readJsonFile } from '../../kernel/text/json-file.ts';
import { z } from '../../kernel/zod.ts';
import { connectionName, country } from '../../adapters/http/options.ts';
import { describeConnection } from '../../adapters/agencies/options.ts';
import type { AgencyOptions } from '../../adapters/agencies/port.ts';
import type { ProviderConnection } from '../../adapters/payment/aggregators.ts';
import { describeConnections } from '../../adapters/payment/options.ts';
import type { PaymentProvider } from '../../adapters/payment/provider.ts';
import { type SmsConnection, describeGateway } from '../../adapters/sms/options.ts';
import { type GivenFormat, statementFormat } from '../../adapters/payment/statement.ts';
import { AGENCY_CODE } from '../../kernel/text/identifiers.ts';
import { type BillerOptions, describeBiller } from './billers.ts';
import { type BankFormat, bankFormat } from '../../adapters/banks/format.ts';
import { reasonOf } from '../../kernel/refusal.ts';

/** Connections to the outside. Any that is missing is not connected. */
export interface Connections {
  /** Payment providers, each by the name of its connection. */
  readonly providers: readonly ProviderConnection[];
  /**
   * Agencies by their code, such as `URA`; or by their kind, such as `tax authority`, for those that have no connection
   * of their own.
   */
  readonly agencies: Readonly<Record<string, AgencyOptions>>;
  /** Issuers of fiscal numbers that are no agencies, by name. */
  readonly fiscalPartners: Readonly<Record<string, FiscalPartner>>;
  /** Payment points that take payments by payment reference. */
  readonly billers: readonly BillerOptions[];
  /** Gateways for text messages to payers. */
  readonly sms: readonly SmsConnection[];
  /** Formats of statements that differ from the default, by the name of a provider or of a connection. */
  readonly statements: Readonly<Record<string, GivenFormat>>;
  /** Formats of banks' statements that are CSV, by the names that uploads say. */
  readonly banks: Readonly<Record<string, BankFormat>>;
}

/** Somebody who tells the rail of the fiscal documents that it issued; the rail asks it nothing. */
export interface FiscalPartner {
  /** Country whose payments it is for. */
  readonly country: string;
  /** The agencies of that country whose payments it is for; null: all of them. */
  readonly agencies: readonly string[] | null;
}

export const unconnected: Connections = {
  providers: [],
  agencies: {},
  fiscalPartners: {},
  billers: [],
  sms: [],
  statements: {},
  banks: {},
};

const fiscalPartner = z
  .strictObject({
    country,
    agencies: z.array(z.string().regex(AGENCY_CODE, 'must be the code of an agency')).min(1).optional(),
  })
  .transform((given): FiscalPartner => ({ country: given.country, agencies: given.agencies ?? null }));

/** The name of a connection as a word of an address: `tax_authority` for `tax authority`, `ke_ncc` for `KE-NCC`. */
export function wordOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');
}

/** A kind of agency, or the code of one. */
const AGENCY = new RegExp(`^[a-z][a-z ]*$|${AGENCY_CODE.source}`);

/** The shape of a connections file; the PEM files that it names are relative to it. */
export function describeFile(folder: string, known: readonly PaymentProvider[]) {
  const agencies = z.record(
    z.string().regex(AGENCY, 'must be a kind of agency, in lower case, or the code of an agency'),
    describeConnection(folder),
  );
  return z
    .strictObject({
      $schema: z.string().optional(),
      ...describeConnections(folder, known),
      agencies: agencies.default({}),
      fiscal_partners: z.record(connectionName, fiscalPartner).default({}),
      billers: z.array(describeBiller(folder)).default([]),
      sms: z.array(describeGateway(folder)).default([]),
      statements: z.record(z.string(), statementFormat).default({}),
      banks: z.record(connectionName, bankFormat).default({}),
    })
    .transform(({ channels, providers, agencies: agency, fiscal_partners: fiscalPartners, ...rest }) => ({
      providers: [...channels, ...providers],
      agencies: agency,
      fiscalPartners,
      ...rest,
    }))
    .superRefine(({ providers, agencies: agency, fiscalPartners, billers, sms, statements }, context) => {
      const names = providers.map(({ name }) => name);
      const points = billers.map(({ name }) => name);
      const taken = known.map(({ name }) => name).filter((name) => !names.includes(name) && points.includes(name));
      const gateways = sms.map(({ name }) => name);
      const words = [
        ...names,
        ...taken,
        ...Object.keys(agency).map(wordOf),
        ...Object.keys(fiscalPartners),
        ...points,
        ...gateways,
      ];
      const twice = words.find((name, index) => words.indexOf(name) !== index);
      if (twice !== undefined)
        context.addIssue({ code: 'custom', path: ['providers'], message: `${twice} is the name of two connections` });
      const stated = new Set([...names, ...known.map(({ name }) => name), ...points]);
      const strange = Object.keys(statements).find((name) => !stated.has(name));
      if (strange !== undefined)
        context.addIssue({ code: 'custom', path: ['statements'], message: `has no member ${strange}` });
    });
}

/** Reads a connections file; throws an error whose message says what is wrong in it. */
export function readConnections(path: string, known: readonly PaymentProvider[]): Connections {
  let value: unknown;
  try {
    value = readJsonFile(path);
  } catch (error) {
    throw new Error(`${path} cannot be read: ${reasonOf(error)}`, { cause: error });
  }
  const parsed = describeFile(dirname(resolve(path)), known).safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw new Error(`${path}: ${issue.path.join('.') || 'the file'}: ${issue.message}`);
}

/** The addresses of a file that are not https. */
export function listInsecure({ providers, agencies, billers, sms }: Connections): string[] {
  const urls = [
    ...[...providers, ...sms].map(({ peer }) => peer.url),
    ...Object.values(agencies).flatMap(({ url, mtls }) => [url, mtls?.url]),
    ...billers.map(({ enquiries }) => enquiries?.peer.url),
  ];
  return urls.filter((url) => url !== undefined).filter((url) => !url.startsWith('https://'));
}
