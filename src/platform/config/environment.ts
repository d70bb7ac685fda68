import ipaddr from 'ipaddr.js';
import { z } from '../../kernel/zod.ts';
import { parseAddress, preferWritable } from '../database/connection/address.ts';
import { signOnVariables } from './single-sign-on.ts';
import { tracingVariables } from './tracing.ts';
import { reasonOf } from '../../kernel/refusal.ts';

const flag = z
  .enum(['on', 'off', '1', '0', 'true', 'false'])
  .transform((word) => word === 'on' || word === '1' || word === 'true');

const wholeNumber = (least: number, most: number) => z.coerce.number().int().min(least).max(most);

const secretsOf = (least: number) =>
  z
    .string()
    .transform((list) => list.split(',').map((secret) => secret.trim()))
    .pipe(
      z
        .array(z.string().min(least, `each secret needs at least ${least} characters`))
        .min(1)
        .max(2),
    );

/** Content of a `WEBHOOK_SECRET_<NAME>`. */
export const webhookSecrets = secretsOf(16);

/** A number of proxies, or their addresses. */
const proxies = z.string().transform((text, context) => {
  if (/^\d$/.test(text)) return Number(text);
  const addresses = text.split(',').map((address) => address.trim());
  if (addresses.every((address) => ipaddr.isValid(address) || ipaddr.isValidCIDR(address))) return addresses;
  context.addIssue('must be a number of proxies from 0 to 9, or their addresses, comma-separated');
  return z.NEVER;
});

/** Port numbers, comma-separated. */
const ports = z
  .string()
  .transform((list): unknown[] => list.split(',').map((port) => port.trim()))
  .pipe(z.array(wholeNumber(1, 65_535)).min(1).max(20));

/** The address of a database, with one server or several. */
const databaseAddress = z.string().superRefine((text, context) => {
  try {
    parseAddress(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: reasonOf(error) });
  }
});

/** The variables of the environment. Their descriptions are the lines of `.env.example`. */
export const environment = z.object({
  MODE: z
    .enum(['sandbox', 'live'])
    .default('sandbox')
    .describe('sandbox, or live: no stubs, signed callbacks, and a database of its own'),
  PORT: wholeNumber(0, 65_535).optional().describe('where to listen; without it 4000, or the next free port'),
  OPS_PORT: wholeNumber(1, 65_535).optional().describe('a port of their own for /readyz and /metrics'),
  HOST: z.string().min(1).default('127.0.0.1').describe('the address to listen on'),
  SANDBOX_PUBLIC: flag.default(false).describe('on: a sandbox may listen where other machines reach it'),
  BASE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('how integrators reach the rail, such as https://rail.example.org; needed in live mode'),
  DATABASE_URL: databaseAddress
    .transform(preferWritable)
    .optional()
    .describe('a PostgreSQL 15 or later: postgresql://rail:password@db.example.org/rail; needed in live mode'),
  EMBEDDED_POSTGRES: flag.default(false).describe('on: a live rail may use the PostgreSQL that comes with the rail'),
  RAIL_OPERATOR: z
    .string()
    .regex(/^[\p{L}\p{N} ._-]{1,80}$/u, 'must be a name of letters, digits, blanks, dots and hyphens, such as jane.doe')
    .optional()
    .describe('who runs commands, such as jane.doe, for the audit trail'),
  MIGRATE: flag.default(true).describe('off: a start leaves the schema as it is; the command migrate changes it'),
  DATABASE_REPLICA_URL: databaseAddress.optional().describe('a replica that oversight reads'),
  DATABASE_POOL: wholeNumber(2, 500)
    .default(10)
    .describe('connections of a process for requests, besides up to 15 for its own use'),
  MAX_IN_FLIGHT: wholeNumber(1, 10_000)
    .optional()
    .describe('requests under way at a time; without it twice DATABASE_POOL'),
  DATA_DIR: z
    .string()
    .optional()
    .describe('where the embedded database, captured mail and the archive go; without it .data'),
  OVERSIGHT: flag.default(true).describe('off: this process computes no figures'),
  OVERSIGHT_MEMORY: wholeNumber(128, 1_048_576).default(512).describe('megabytes of memory for computing figures'),
  OVERSIGHT_THREADS: wholeNumber(1, 64).default(2).describe('processor threads for computing figures'),
  OVERSIGHT_FILES: z.string().min(1).optional().describe('the folder that datasets:write writes, to be published'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('fatal, error, warn, info, debug, trace or silent'),
  JOBS: flag.default(true).describe('off: this process runs no background jobs'),
  PROBE_SECONDS: wholeNumber(0, 86_400)
    .default(300)
    .describe('how often endpoints of agencies are probed; 0: by operators alone'),
  DRAIN_SECONDS: z.coerce
    .number()
    .min(0)
    .max(600)
    .default(5)
    .describe('for how long requests are still taken after SIGTERM'),
  KEEP_ALIVE_SECONDS: wholeNumber(1, 3_600)
    .default(620)
    .describe('how long an idle connection is kept; longer than load balancers do'),
  COMPRESSION: flag.default(true).describe('off: a proxy in front compresses answers'),
  INTENT_TTL_HOURS: z.coerce
    .number()
    .positive()
    .max(8_760)
    .default(24)
    .describe('after how many hours an unconfirmed intent expires'),
  WRITE_OFF_LIMIT: z.coerce
    .number()
    .min(0)
    .default(0)
    .describe('the most that can be written off of money that paid nothing, of each arrival in its currency'),
  REFUND_TRANSFER_LIMIT: z.coerce
    .number()
    .min(0)
    .default(0)
    .describe('the most of a refund to another payee than who paid that one approval is enough for, in its currency'),
  INTROSPECTION: flag
    .optional()
    .describe('GraphiQL, and introspection for everybody; without it on in sandbox mode, off in live mode'),
  GRAPHQL_EXECUTOR: z
    .enum(['compiled', 'graphql-js'])
    .default('compiled')
    .describe('what executes operations: compiled or graphql-js'),
  SECRET_KEY: secretsOf(32)
    .optional()
    .describe('made by openssl rand -base64 48; two, comma-separated, while one is replaced; needed in live mode'),
  SMTP_URL: z
    .literal('none')
    .or(z.url({ protocol: /^smtps?$/ }))
    .optional()
    .describe('smtps://user:password@mail.example.org, or none: mail is only written to files; needed in live mode'),
  SECURITY_CONTACT: z
    .url({ protocol: /^(mailto|https|tel)$/, error: 'must be an address such as mailto:security@example.org' })
    .max(320)
    .optional()
    .describe('where to report a vulnerability, such as mailto:security@example.org'),
  MAIL_FROM: z
    .string()
    .min(3)
    .max(320)
    .default('Revenue Rail <no-reply@localhost>')
    .describe('the sender of mail; without it Revenue Rail <no-reply@localhost>'),
  TOS_VERSION: z.string().min(1).max(40).default('2026-11').describe('the terms that a sign-up has to accept'),
  DEV_REVEAL: flag.default(false).describe('on: a sandbox answers the codes and links that it would mail'),
  RATE_LIMIT_KEY: wholeNumber(1, 10_000_000)
    .default(600)
    .describe('requests a minute of an integrator or a session of staff'),
  RATE_LIMIT_ADDRESS: wholeNumber(1, 10_000_000)
    .default(60)
    .describe('requests a minute of an address at sign-up and sign-in'),
  RATE_LIMIT_ANONYMOUS: wholeNumber(1, 10_000_000)
    .default(600)
    .describe('requests a minute of another address without a credential'),
  RATE_LIMIT_FIGURES: wholeNumber(1, 10_000_000)
    .default(60)
    .describe('seconds a minute that figures are computed for one caller'),
  RATE_LIMIT_SHARED: flag.default(false).describe('on: all processes count requests together'),
  TRUST_PROXY: proxies
    .default(0)
    .describe('whose X-Forwarded-For names the client: how many proxies, or their addresses'),
  TRUST_TRACEPARENT: flag.default(false).describe('on: callers decide which of their requests are traced'),
  WEBHOOK_ALLOW_PRIVATE: flag
    .default(false)
    .describe('on: a sandbox sends webhooks to plain HTTP and private addresses'),
  WEBHOOK_PORTS: ports.default([443, 8443]).describe('the ports that webhook endpoints may have'),
  BLIND_COUNT: flag.default(false).describe('on: a clerk does not see the expected cash of an open shift'),
  CONNECTIONS: z
    .string()
    .optional()
    .describe(
      'the path of a JSON file with payment providers and agencies; its schema is deploy/connections.schema.json',
    ),
  ANOMALY_THRESHOLDS: z.string().optional().describe('the path of a JSON file with thresholds of anomalies'),
  BACKUP_MARKER: z
    .string()
    .min(1)
    .optional()
    .describe('the path of a file that each good backup writes, by which doctor tells its age'),
  ...signOnVariables,
  ...tracingVariables,
});
