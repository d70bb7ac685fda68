import { resolve } from 'node:path';
import { z } from 'zod';

const flag = z.enum(['on', 'off', '1', '0', 'true', 'false']).transform((word) => word === 'on' || word === '1' || word === 'true');

const wholeNumber = (least: number, most: number) => z.coerce.number().int().min(least).max(most);

const secrets = z
  .string()
  .transform((list) => list.split(',').map((secret) => secret.trim()))
  .pipe(z.array(z.string().min(16, 'each secret needs at least 16 characters')).min(1).max(2));

const environment = z.object({
  MODE: z.enum(['sandbox', 'live']).default('sandbox'),
  PORT: wholeNumber(0, 65_535).optional(),
  HOST: z.string().min(1).default('127.0.0.1'),
  BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_POOL: wholeNumber(2, 500).default(10),
  DATA_DIR: z.string().min(1).default('.data'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  JOBS: flag.default(true),
  INTENT_TTL_HOURS: z.coerce.number().positive().max(8_760).default(24),
  INTROSPECTION: flag.optional(),
  WEBHOOK_SECRET_MTN_MOMO: secrets.optional(),
  WEBHOOK_SECRET_AIRTEL_MONEY: secrets.optional(),
  WEBHOOK_SECRET_CARD: secrets.optional(),
});

export interface Config {
  readonly mode: 'sandbox' | 'live';
  readonly host: string;
  /** 0 takes any free port; null takes 4000, or the next one that is free. */
  readonly port: number | null;
  /** Where integrators reach the rail, without a trailing slash; null: the address that it listens on. */
  readonly baseUrl: string | null;
  /** null: the embedded cluster in `dataDir`. */
  readonly databaseUrl: string | null;
  readonly databasePool: number;
  readonly dataDir: string;
  readonly logLevel: string;
  readonly jobs: boolean;
  readonly intentTtlHours: number;
  /** Whether `/graphql` answers introspection and shows GraphiQL. */
  readonly introspection: boolean;
  /** Secrets that a provider's callbacks may be signed with; two while one is being replaced. */
  readonly callbackSecrets: Readonly<Record<string, readonly string[]>>;
}

/** A setting is missing or wrong; its message names the variable and fits one line. */
export class ConfigError extends Error {}

/** Reads and checks the whole environment; the only reader of it. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    throw new ConfigError(`${String(issue.path[0])}: ${issue.message}`);
  }
  const e = parsed.data;
  const callbackSecrets = {
    mtn_momo: e.WEBHOOK_SECRET_MTN_MOMO ?? [],
    airtel_money: e.WEBHOOK_SECRET_AIRTEL_MONEY ?? [],
    card: e.WEBHOOK_SECRET_CARD ?? [],
  };
  if (e.MODE === 'live') {
    for (const [provider, accepted] of Object.entries(callbackSecrets)) {
      const variable = `WEBHOOK_SECRET_${provider.toUpperCase()}`;
      if (accepted.length === 0) throw new ConfigError(`${variable}: needed in live mode`);
    }
    if (!e.DATABASE_URL) throw new ConfigError('DATABASE_URL: needed in live mode');
    if (!e.BASE_URL?.startsWith('https://')) throw new ConfigError('BASE_URL: an https address is needed in live mode');
  }
  return {
    mode: e.MODE,
    host: e.HOST,
    port: e.PORT ?? null,
    baseUrl: e.BASE_URL?.replace(/\/+$/, '') ?? null,
    databaseUrl: e.DATABASE_URL ?? null,
    databasePool: e.DATABASE_POOL,
    dataDir: resolve(e.DATA_DIR),
    logLevel: e.LOG_LEVEL,
    jobs: e.JOBS,
    intentTtlHours: e.INTENT_TTL_HOURS,
    introspection: e.INTROSPECTION ?? e.MODE === 'sandbox',
    callbackSecrets,
  };
}
