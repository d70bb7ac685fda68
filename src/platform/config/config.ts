import type { EngineOptions } from '../analytics/engine.ts';
import { ConfigError, reasonOf } from '../../kernel/refusal.ts';
import { resolve } from 'node:path';
import type { PaymentProvider } from '../../adapters/payment/provider.ts';
import type { CallbackHeader } from '../../adapters/payment/port.ts';
import { OWN_SIGNATURE } from '../../adapters/payment/proof.ts';
import { PROVIDERS } from '../../adapters/payment/providers.ts';
import { type Biller, listBillers } from './billers.ts';
import { type Connections, listInsecure, readConnections, unconnected } from './connections.ts';
import { dataDirOf } from './data-dir.ts';
import { environment, webhookSecrets } from './environment.ts';
import { type Pusher, listPushers } from './pushers.ts';
import { type SingleSignOn, readSingleSignOn } from './single-sign-on.ts';
import { type Tracing, readTracing } from './tracing.ts';

/** At most: enough that no connection ever waits for work, and not so much that work waits long for a connection. */
const IN_FLIGHT_PER_CONNECTION = 2;

export interface Config {
  readonly mode: 'sandbox' | 'live';
  readonly host: string;
  /** 0 takes any free port; null takes 4000, or the next one that is free. */
  readonly port: number | null;
  /** Port of probes and metrics; null: the public port. */
  readonly opsPort: number | null;
  /** Address of the rail for integrators, without a trailing slash; null: the address that it listens on. */
  readonly baseUrl: string | null;
  /** null: the embedded cluster in `dataDir`. */
  readonly databaseUrl: string | null;
  /** True if a live rail may run on the embedded cluster. */
  readonly embeddedPostgres: boolean;
  /** Person who runs commands, for the audit; null if not given. */
  readonly operator: string | null;
  /** True if a start brings the database to its version; otherwise it requires one that is. */
  readonly migrate: boolean;
  /** A replica that oversight reads; null: the database itself. */
  readonly databaseReplicaUrl: string | null;
  readonly databasePool: number;
  /**
   * Requests under way at a time; four times as many wait their turn for a second at most, and all others are turned
   * away at once.
   */
  readonly maxInFlight: number;
  /** For how many milliseconds one waits its turn, where a test says so. */
  readonly longestWaitMs?: number;
  readonly dataDir: string;
  /** Within how many milliseconds the database answers for metrics, where a test says so. */
  readonly metricsWaitMs?: number;
  /**
   * With how many megabytes and threads this process computes figures, and for how many milliseconds a question waits for
   * what is new (2,000 unless a test says otherwise), and what follows (1,000); null: it computes none.
   */
  readonly analytics: Pick<EngineOptions, 'memoryMb' | 'threads' | 'waitMs' | 'restMs'> | null;
  /** The folder of files that `datasets:write` writes, which are published and fill new copies of facts; null: none. */
  readonly oversightFiles: string | null;
  readonly logLevel: string;
  /** Settings of traces; null: none are made. */
  readonly tracing: Tracing | null;
  readonly jobs: boolean;
  /** Seconds between probes of agencies' endpoints; 0: only operators probe. */
  readonly probeSeconds: number;
  /** For how long after SIGTERM requests are still taken, while `/readyz` says that the process is leaving. */
  readonly drainSeconds: number;
  /**
   * For how long an idle connection is kept: longer than any usual load balancer keeps its own, of which Google's 600 s
   * are the longest.
   */
  readonly keepAliveSeconds: number;
  /** True if answers are compressed as they are made, as nothing in front of the rail does that. */
  readonly compression: boolean;
  readonly intentTtlHours: number;
  /** The most of money that paid nothing that is written off, of each arrival in its currency. */
  readonly writeOffLimit: number;
  /** The most of a refund to another payee than who paid that takes one approval alone. */
  readonly refundTransferLimit: number;
  /** True if `/graphql` answers introspection to everybody and shows GraphiQL. */
  readonly introspection: boolean;
  /** Executor of GraphQL operations, and with them those of REST and of pages. */
  readonly graphqlExecutor: 'compiled' | 'graphql-js';
  /**
   * Keys what must be hashed or sealed by this rail; the first is used, both are understood. null: a sandbox makes one
   * up.
   */
  readonly secretKeys: readonly string[] | null;
  /** null: mail is captured in files. */
  readonly smtpUrl: string | null;
  readonly mailFrom: string;
  /** Address for reports of vulnerabilities; null: none is named. */
  readonly securityContact: string | null;
  /** The version of the terms that a sign-up has to accept. */
  readonly tosVersion: string;
  /** True if answers show the codes and links that would otherwise only be mailed. */
  readonly devReveal: boolean;
  /**
   * Requests a minute: of a key or a session, of an address at sign-up and sign-in, and of an address that shows no
   * credential elsewhere.
   */
  readonly limits: {
    readonly perKey: number;
    readonly perAddress: number;
    readonly perAnonymous: number;
    /** Seconds a minute for which figures are computed for one caller. */
    readonly figuresSeconds: number;
    readonly shared: boolean;
  };
  /** Proxies whose `X-Forwarded-For` is believed: their number, or addresses. */
  readonly trustProxy: number | readonly string[];
  /**
   * Targets that webhooks may have: plain HTTP, private addresses and any port, or public addresses on these ports
   * alone.
   */
  readonly webhooks: { readonly allowPrivate: boolean; readonly ports: readonly number[] };
  /** The path of a file that says when something is strange enough to be raised; null: as usual. */
  readonly anomalyThresholds: string | null;
  /** The path of a file that each good backup writes; null: none. */
  readonly backupMarker: string | null;
  /** The payment providers that this rail knows. */
  readonly providers: readonly PaymentProvider[];
  /** The connections to payment providers and agencies. */
  readonly connections: Connections;
  /** Identity provider of staff; null: they sign in here, by password. */
  readonly singleSignOn: SingleSignOn | null;
  /** True if a clerk counts without seeing the expected amount. */
  readonly blindCount: boolean;
  /** The headers in which callbacks carry their proof. */
  readonly callbackHeaders: readonly CallbackHeader[];
  /** Secrets that callbacks may be signed with, by provider and by connection; two while one is being replaced. */
  readonly callbackSecrets: Readonly<Record<string, readonly string[]>>;
  /** Agencies and fiscal partners that tell the rail of what happened on their side. */
  readonly pushers: readonly Pusher[];
  /** Payment points that take payments by payment reference. */
  readonly billers: readonly Biller[];
  /** Secrets of gateways of text messages, by name; two while one is being replaced. */
  readonly smsSecrets: Readonly<Record<string, readonly string[]>>;
}

/** Reads and checks the whole environment; the only reader of it. */
export function readConfig(
  env: Record<string, string | undefined>,
  providers: readonly PaymentProvider[] = PROVIDERS,
): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(given);
  if (!parsed.success)
    throw new ConfigError(parsed.error.issues.map(({ path, message }) => `${String(path[0])}: ${message}`).join('; '));
  const e = parsed.data;
  if (e.MODE === 'sandbox' && !e.SANDBOX_PUBLIC && !/^(localhost|127(\.\d+){3}|::1)$/.test(e.HOST))
    throw new ConfigError(
      'HOST: a sandbox listens on this machine alone, since it takes callbacks that nobody signed; SANDBOX_PUBLIC=on has it listen elsewhere too',
    );
  const { CONNECTIONS: file } = e;
  const connections =
    file === undefined ? unconnected : refuseWith('CONNECTIONS: ', () => readConnections(file, providers));
  const callbackSecrets = callbackSecretsOf(given, providers, connections);
  const pushers = listPushers(connections, (name) => readSecrets(given, name));
  const smsSecrets = Object.fromEntries(connections.sms.map(({ name }) => [name, readSecrets(given, name)]));
  const billers = listBillers(connections.billers, e.MODE, (name) => readSecrets(given, name));
  const singleSignOn = refuseWith('', () => readSingleSignOn(e));
  if (e.MODE === 'live') {
    const missing = [
      ...(['DATABASE_URL', 'BASE_URL', 'SECRET_KEY', 'SMTP_URL'] as const).filter(
        (name) => !e[name] && !(name === 'DATABASE_URL' && e.EMBEDDED_POSTGRES),
      ),
      ...listUnproved(connections, callbackSecrets, pushers, billers).map(secretVariableOf),
      ...Object.keys(smsSecrets)
        .filter((name) => smsSecrets[name]!.length === 0)
        .map(secretVariableOf),
    ];
    if (missing.length > 0) throw new ConfigError(`${missing.join(', ')}: needed in live mode`);
    if (!e.BASE_URL!.startsWith('https://')) throw new ConfigError('BASE_URL: an https address is needed in live mode');
    const plain = listInsecure(connections);
    if (plain.length > 0) throw new ConfigError(`CONNECTIONS: ${plain[0]} must be https in live mode`);
    if (singleSignOn && !singleSignOn.issuer.startsWith('https://'))
      throw new ConfigError('OIDC_ISSUER: an https address is needed in live mode');
    for (const variable of ['DEV_REVEAL', 'WEBHOOK_ALLOW_PRIVATE'] as const) {
      if (e[variable]) throw new ConfigError(`${variable}: only for sandbox mode`);
    }
  }
  return {
    mode: e.MODE,
    host: e.HOST,
    port: e.PORT ?? null,
    opsPort: e.OPS_PORT ?? null,
    baseUrl: e.BASE_URL?.replace(/\/+$/, '') ?? null,
    databaseUrl: e.DATABASE_URL ?? null,
    embeddedPostgres: e.EMBEDDED_POSTGRES,
    operator: e.RAIL_OPERATOR ?? null,
    migrate: e.MIGRATE,
    databaseReplicaUrl: e.DATABASE_REPLICA_URL ?? null,
    databasePool: e.DATABASE_POOL,
    maxInFlight: e.MAX_IN_FLIGHT ?? e.DATABASE_POOL * IN_FLIGHT_PER_CONNECTION,
    dataDir: dataDirOf(given),
    analytics: e.OVERSIGHT ? { memoryMb: e.OVERSIGHT_MEMORY, threads: e.OVERSIGHT_THREADS } : null,
    oversightFiles: e.OVERSIGHT_FILES === undefined ? null : resolve(e.OVERSIGHT_FILES),
    logLevel: e.LOG_LEVEL,
    tracing: readTracing(e, e.TRUST_TRACEPARENT),
    jobs: e.JOBS,
    probeSeconds: e.PROBE_SECONDS,
    drainSeconds: e.DRAIN_SECONDS,
    keepAliveSeconds: e.KEEP_ALIVE_SECONDS,
    compression: e.COMPRESSION,
    intentTtlHours: e.INTENT_TTL_HOURS,
    writeOffLimit: e.WRITE_OFF_LIMIT,
    refundTransferLimit: e.REFUND_TRANSFER_LIMIT,
    introspection: e.INTROSPECTION ?? e.MODE === 'sandbox',
    graphqlExecutor: e.GRAPHQL_EXECUTOR,
    secretKeys: e.SECRET_KEY ?? null,
    smtpUrl: e.SMTP_URL === 'none' ? null : (e.SMTP_URL ?? null),
    mailFrom: e.MAIL_FROM,
    securityContact: e.SECURITY_CONTACT ?? null,
    tosVersion: e.TOS_VERSION,
    devReveal: e.DEV_REVEAL,
    limits: {
      perKey: e.RATE_LIMIT_KEY,
      perAddress: e.RATE_LIMIT_ADDRESS,
      perAnonymous: e.RATE_LIMIT_ANONYMOUS,
      figuresSeconds: e.RATE_LIMIT_FIGURES,
      shared: e.RATE_LIMIT_SHARED,
    },
    trustProxy: e.TRUST_PROXY,
    webhooks: { allowPrivate: e.WEBHOOK_ALLOW_PRIVATE, ports: e.WEBHOOK_PORTS },
    blindCount: e.BLIND_COUNT,
    providers,
    connections,
    singleSignOn,
    anomalyThresholds: e.ANOMALY_THRESHOLDS ?? null,
    backupMarker: e.BACKUP_MARKER === undefined ? null : resolve(e.BACKUP_MARKER),
    callbackHeaders: [OWN_SIGNATURE, ...providers.flatMap((provider) => provider.callbackHeaders)],
    callbackSecrets,
    pushers,
    billers,
    smsSecrets,
  };
}

/** Reads a file that a variable names; what is wrong in it is what is wrong with the configuration. */
function refuseWith<T>(prefix: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new ConfigError(`${prefix}${reasonOf(error)}`);
  }
}

/** The secrets of callbacks: a provider's, which its connections share that have none of their own. */
function callbackSecretsOf(
  env: Readonly<Record<string, string | undefined>>,
  providers: readonly PaymentProvider[],
  connections: Connections,
): Readonly<Record<string, readonly string[]>> {
  const read = (name: string) => readSecrets(env, name);
  const ofProviders = Object.fromEntries(providers.map(({ name }) => [name, read(name)]));
  const own = connections.providers.map(({ name, provider }) => [
    name,
    [read(name), ofProviders[provider.name]!].find(({ length }) => length > 0) ?? [],
  ]);
  return { ...ofProviders, ...Object.fromEntries(own) };
}

/** Connections whose callbacks have to be signed, and that have no secret for it. */
function listUnproved(
  { providers }: Connections,
  callbackSecrets: Config['callbackSecrets'],
  pushers: readonly Pusher[],
  billers: readonly Biller[],
): string[] {
  const unproved = providers.filter(({ name }) => callbackSecrets[name]!.length === 0);
  const partners = pushers.filter(({ voice, secrets: own }) => voice.of === 'fiscal partner' && own.length === 0);
  // A payment point that answers enquiries needs no signature.
  const points = billers.filter(({ secrets: own, enquiries }) => own.length === 0 && enquiries === null);
  return [...unproved, ...partners, ...points].map(({ name }) => name);
}

/** The secrets that somebody's callbacks may be signed with; none where none are set. */
function readSecrets(env: Readonly<Record<string, string | undefined>>, name: string): readonly string[] {
  const variable = secretVariableOf(name);
  const parsed = webhookSecrets.optional().safeParse(env[variable]);
  if (parsed.success) return parsed.data ?? [];
  throw new ConfigError(`${variable}: ${parsed.error.issues[0]!.message}`);
}

function secretVariableOf(name: string): string {
  return `WEBHOOK_SECRET_${name.toUpperCase()}`;
}
