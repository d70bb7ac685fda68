import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from '../../kernel/zod.ts';
import type { AgencyOptions } from '../../adapters/agencies/port.ts';
import type { PeerOptions } from '../../adapters/http/peer.ts';
import type { ConnectedChannels } from '../../adapters/payment/channels.ts';

/** How a provider writes its settlement statements. */
export interface StatementFormat {
  readonly delimiter: string;
  /** The header of the column that has each value; the reference is the intent's docname, or the provider's own. */
  readonly columns: {
    readonly reference: string;
    readonly amount: string;
    readonly currency: string | null;
    readonly status: string | null;
    readonly txnId: string | null;
    readonly settledAt: string | null;
  };
  /** The statuses, in lower case, of rows that were paid; rows of others are left out. */
  readonly paid: readonly string[];
}

/** What is outside: real aggregators by channel, agencies by kind, and statements by provider. What is missing is not connected. */
export interface Connections {
  readonly channels: ConnectedChannels;
  readonly agencies: Readonly<Record<string, AgencyOptions>>;
  readonly statements: Readonly<Record<string, StatementFormat>>;
}

export const unconnected: Connections = { channels: {}, agencies: {}, statements: {} };

const words = z.string().min(1).max(4_000);

/** Reads the PEM files that a connections file names, beside itself. */
function shapes(folder: string) {
  const pem = words.transform((path, context) => {
    try {
      return readFileSync(resolve(folder, path), 'utf8');
    } catch {
      context.addIssue(`cannot read ${path}`);
      return z.NEVER;
    }
  });
  const address = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''));
  const peer = {
    url: address,
    ca: pem.optional(),
    timeout_ms: z.int().min(100).max(60_000).default(10_000),
    concurrency: z.int().min(1).max(1_000).default(20),
    breaker_failures: z.int().min(1).max(1_000).default(5),
    breaker_rest_ms: z.int().min(10).max(600_000).default(10_000),
  };
  const toPeer = (given: { url: string; ca?: string | undefined } & Record<Exclude<keyof typeof peer, 'url' | 'ca'>, number>): PeerOptions => ({
    url: given.url,
    ca: given.ca,
    timeoutMs: given.timeout_ms,
    concurrency: given.concurrency,
    breakerFailures: given.breaker_failures,
    breakerRestMs: given.breaker_rest_ms,
  });

  const mtn = z.strictObject({ ...peer, subscription_key: words, api_user: words, api_key: words, target_environment: words }).transform((given) => ({
    ...toPeer(given),
    subscriptionKey: given.subscription_key,
    apiUser: given.api_user,
    apiKey: given.api_key,
    targetEnvironment: given.target_environment,
  }));
  const airtel = z
    .strictObject({
      ...peer,
      client_id: words,
      client_secret: words,
      country: z.string().regex(/^[A-Z]{2}$/, 'must be a country code such as UG'),
      calling_code: z.string().regex(/^[1-9]\d{0,2}$/, 'must be a calling code such as 256'),
    })
    .transform((given) => ({
      ...toPeer(given),
      clientId: given.client_id,
      clientSecret: given.client_secret,
      country: given.country,
      callingCode: given.calling_code,
    }));
  const card = z.strictObject({ ...peer, secret_key: words }).transform((given) => ({ ...toPeer(given), secretKey: given.secret_key }));

  const agency = z
    .strictObject({
      ...peer,
      country: z.string().regex(/^[A-Z]{2}$/, 'must be a country code such as UG'),
      oauth2: z
        .strictObject({ token_path: words.default('/oauth2/token'), client_id: words, client_secret: words, scope: words.optional() })
        .optional(),
      mtls: z.strictObject({ url: address.optional(), cert: pem, key: pem }).optional(),
      api_key: words.optional(),
      notice_path: z.string().regex(/^\//, 'must begin with a slash').optional(),
    })
    .transform((given): AgencyOptions => {
      const { oauth2, mtls } = given;
      return {
        ...toPeer(given),
        country: given.country,
        oauth2: oauth2 && { tokenPath: oauth2.token_path, clientId: oauth2.client_id, clientSecret: oauth2.client_secret, scope: oauth2.scope },
        mtls: mtls && { url: mtls.url ?? given.url, cert: mtls.cert, key: mtls.key },
        apiKey: given.api_key,
        noticePath: given.notice_path,
      };
    });

  const statement = z
    .strictObject({
      delimiter: z.string().length(1).default(','),
      columns: z.strictObject({
        reference: words,
        amount: words,
        currency: words.optional(),
        status: words.optional(),
        txn_id: words.optional(),
        settled_at: words.optional(),
      }),
      paid: z.array(words).default([]),
    })
    .transform(({ delimiter, columns, paid }): StatementFormat => ({
      delimiter,
      columns: {
        reference: columns.reference,
        amount: columns.amount,
        currency: columns.currency ?? null,
        status: columns.status ?? null,
        txnId: columns.txn_id ?? null,
        settledAt: columns.settled_at ?? null,
      },
      paid: paid.map((word) => word.toLowerCase()),
    }));

  return z.strictObject({
    channels: z.strictObject({ mtn_momo: mtn.optional(), airtel_money: airtel.optional(), card: card.optional() }).default({}),
    agencies: z.record(z.string().regex(/^[a-z][a-z ]*$/, 'must be a kind of agency, in lower case'), agency).default({}),
    statements: z
      .record(z.enum(['mtn_momo', 'airtel_money', 'card']), statement.optional())
      .default({ mtn_momo: undefined, airtel_money: undefined, card: undefined }),
  });
}

/** Reads a connections file; throws an error whose message says what is wrong in it. */
export function readConnections(path: string): Connections {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  const parsed = shapes(dirname(resolve(path))).safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    throw new Error(`${path}: ${issue.path.join('.') || 'the file'}: ${issue.message}`);
  }
  const { channels, agencies, statements } = parsed.data;
  return {
    channels,
    agencies,
    statements: Object.fromEntries(Object.entries(statements).flatMap(([name, format]) => (format ? [[name, format]] : []))),
  };
}

/** The addresses of a file that are not https. */
export function insecure({ channels, agencies }: Connections): string[] {
  const urls = [...Object.values(channels).map((channel) => channel?.url), ...Object.values(agencies).flatMap(({ url, mtls }) => [url, mtls?.url])];
  return urls.filter((url) => url !== undefined).filter((url) => !url.startsWith('https://'));
}
