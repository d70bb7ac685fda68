import type { Logger } from 'pino';
import type { Analytics } from '../analytics/analytics.ts';
import type { CitizenAccessLog } from '../audit/citizen-access.ts';
import type { AuditTrail } from '../audit/trail.ts';
import type { Once } from '../change/idempotency.ts';
import { askerOf } from './limits/asker.ts';
import type { Limits } from './limits/limits.ts';
import type { Slots } from './limits/slots.ts';
import { type Source, inside } from './source.ts';
import type { Sessions } from '../access/cookies.ts';
import type { Vault } from '../access/vault.ts';
import type { Viewer } from '../access/viewer.ts';
import type { Agencies } from '../../adapters/agencies/port.ts';
import type { Enquirer } from '../../adapters/billers/port.ts';
import type { IdentityAuthority } from '../../adapters/identity/port.ts';
import type { Mailer } from '../../adapters/mail/port.ts';
import type { Aggregators } from '../../adapters/payment/aggregators.ts';
import type { CallDurations } from '../../adapters/payment/measured.ts';
import type { SmsGateways } from '../../adapters/sms/gateways.ts';
import type { SignOnProvider } from '../../adapters/sign-on/port.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../database/clock.ts';
import type { Docnames } from '../database/docnames.ts';
import type { DatabaseHealth } from '../database/health.ts';
import type { WorkSignal } from '../change/work-signal.ts';
import type { Listener } from '../database/listener.ts';
import type { Pools, Reach } from '../database/open-database.ts';
import type { Database } from '../database/sql.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';

/** Services that verbs, jobs and commands all have. */
export interface Tools {
  readonly config: Config;
  /** Public address of the rail, without a trailing slash; certain once it listens. */
  readonly origin: string;
  readonly db: Database;
  /** Database for oversight: its own views alone. */
  readonly oversight: Database;
  /** Figures, from a copy of the data that oversight may see. */
  readonly analytics: Analytics;
  /** Tells background work that something has changed. */
  readonly work: WorkSignal;
  readonly docnames: Docnames;
  readonly vault: Vault;
  readonly log: Logger;
  /** The time by the database's clock, so that moments compared across processes mean the same on all of them. */
  now(): Date;
}

/** A running process; made once, at the start. */
export interface Rail extends Tools {
  origin: string;
  /** True once the process was asked to stop, and tells senders of requests to send them elsewhere. */
  draining: boolean;
  prisma(): Promise<PrismaClient>;
  /** Runs statements as one transaction, again where it lost against another; for the rare thing that does not fit one. */
  transaction<T>(run: (db: Database) => Promise<T>): Promise<T>;
  /** Database for background work: on connections of its own, on which statements may take longer. */
  readonly background: Reach;
  /** The connections of all of these, for metrics. */
  readonly pools: Pools;
  /** State of the database: it answers and takes writes, or does not. */
  readonly health: DatabaseHealth;
  /** Hears when the stream of oversight has grown. */
  readonly streamSignal: Listener;
  /** The number under which other processes see that this one lives. */
  readonly presence: number;
  /** Look-up of sessions. */
  readonly sessions: Sessions;
  readonly agencies: Agencies;
  readonly identity: IdentityAuthority;
  /** Identity provider of staff; null: they sign in here, by password. */
  readonly signOn: SignOnProvider | null;
  readonly aggregators: Aggregators;
  /** Enquiries at payment points that offer them, by name. */
  readonly enquirers: ReadonlyMap<string, Enquirer>;
  /** Durations of their calls. */
  readonly callDurations: CallDurations;
  readonly mailer: Mailer;
  /** Gateways for texts to payers. */
  readonly sms: SmsGateways;
  readonly limits: Limits;
  /** Slots for long requests, of which each caller may have some at a time. */
  readonly slots: {
    readonly streams: Slots;
    readonly polls: Slots;
    readonly exports: Slots;
    readonly archive: Slots;
    readonly figures: Slots;
  };
  readonly audit: AuditTrail;
  /** Books who was shown which citizen. */
  readonly citizenAccess: CitizenAccessLog;
  /** The database's clock, and how far this machine's is from it. */
  readonly clock: Clock;
}

/** A rail as jobs and commands see it, which may take their time. */
export function openBackground(rail: Rail): Rail {
  const { db, transaction } = rail.background;
  return { ...rail, db, transaction };
}

/**
 * One request, or one run of a job: who calls, and what verbs have at hand. What few of them need is in `rail`, of the
 * process, and in `transport`, of the request.
 */
export interface Call extends Tools {
  /** The process. It has no part in a transaction of the call, which has its own `db`. */
  readonly rail: Rail;
  readonly viewer: Viewer;
  readonly requestId: string;
  readonly transport: Transport;
  /** Set where the caller sent an `Idempotency-Key`. */
  once: Once | null;
}

/** The request that a call is, as its transport knows it. Copies of the call share it. */
interface Transport {
  readonly source: Source;
  /** Caller's purpose for reading, in its own words; null if it gives none. */
  readonly statedPurpose: string | null;
  /**
   * Looks again who calls: what goes on for long asks whether the credential that began it still holds. Refuses where a
   * key does not.
   */
  readonly reauthenticate: () => Promise<Viewer>;
  /** Aborted when the request is over: it was answered to its end, or its client left. */
  readonly over: AbortSignal;
  /** `Set-Cookie` lines that the answer is to carry. */
  readonly cookies: string[];
  /** True once the transport has counted this request against the limit of its address. */
  admitted: boolean;
  /** Time of figures, for the transport to add. */
  readonly meta: { asOf: Date | null };
  /** Position of a stream's reader: the one to resume after, then the last one sent. */
  readonly stream: { cursor: string | null };
}

/** Parts of a request that are known from its beginning; a job has none. */
type Sent = Pick<Transport, 'source' | 'statedPurpose' | 'reauthenticate' | 'over' | 'stream'>;

const NEVER = new AbortController().signal;

export function callOf(rail: Rail, viewer: Viewer, requestId: string, sent: Partial<Sent> = {}): Call {
  const { source = inside, statedPurpose = null, reauthenticate = async () => viewer, over } = sent;
  const { config, origin, db, oversight, work, docnames, vault, log, now } = rail;
  const transport: Transport = {
    source,
    statedPurpose,
    reauthenticate,
    over: over ?? NEVER,
    cookies: [],
    admitted: false,
    meta: { asOf: null },
    stream: sent.stream ?? { cursor: null },
  };
  const asker = source === inside ? undefined : askerOf(rail, { viewer, transport });
  const analytics = rail.analytics.atOnce(asker, over);
  const tools = { config, origin, db, oversight, analytics, work, docnames, vault, log, now };
  return { ...tools, rail, viewer, requestId, transport, once: null };
}

/** The header that says as of when figures and lists of oversight are, the earliest of them; none on other answers. */
export function sayAsOf({ transport, analytics: { askedAsOf } }: Call): Record<string, string> {
  const { asOf } = transport.meta;
  const earliest = asOf && askedAsOf && askedAsOf < asOf ? askedAsOf : (asOf ?? askedAsOf);
  return earliest ? { 'As-Of': earliest.toISOString() } : {};
}
