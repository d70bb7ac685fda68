import type { Logger } from 'pino';
import type { Analytics } from '../analytics/analytics.ts';
import type { CitizenAccessLog } from '../audit/citizen-access.ts';
import type { AuditTrail } from '../audit/trail.ts';
import type { Once } from '../change/idempotency.ts';
import { askerOf } from './limits/asker.ts';
import type { Limits } from './limits/limits.ts';
import type { Places } from './limits/places.ts';
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

/** What a running process works with; made once, at the start. */
export interface Rail {
  readonly config: Config;
  /** Where people and integrators reach the rail, without a trailing slash; known for sure once it listens. */
  origin: string;
  /** Whether the process was asked to stop, and tells senders of requests to send them elsewhere. */
  draining: boolean;
  prisma(): Promise<PrismaClient>;
  readonly db: Database;
  /** What oversight reads by: its own views alone. */
  readonly oversight: Database;
  /** Where figures are computed, from a copy of what oversight may see. */
  readonly analytics: Analytics;
  /** Runs statements as one transaction, again where it lost against another; for the rare thing that does not fit one. */
  transaction<T>(run: (db: Database) => Promise<T>): Promise<T>;
  /** How background work reaches the database: on connections of its own, on which statements may take longer. */
  readonly background: Reach;
  /** The connections of all of these, for metrics. */
  readonly pools: Pools;
  /** Whether the database answers and takes writes at present. */
  readonly health: DatabaseHealth;
  /** Hears when the stream of oversight has grown. */
  readonly streamSignal: Listener;
  /** Tells background work that something has changed. */
  readonly work: WorkSignal;
  readonly docnames: Docnames;
  /** The number under which other processes see that this one lives. */
  readonly presence: number;
  /** How sessions are found. */
  readonly sessions: Sessions;
  readonly agencies: Agencies;
  readonly identity: IdentityAuthority;
  /** Where staff sign in; null: here, by password. */
  readonly signOn: SignOnProvider | null;
  readonly aggregators: Aggregators;
  /** How payment points are asked that can be, by their names. */
  readonly enquirers: ReadonlyMap<string, Enquirer>;
  /** How long their calls took. */
  readonly callDurations: CallDurations;
  readonly mailer: Mailer;
  /** What takes texts to payers. */
  readonly sms: SmsGateways;
  readonly vault: Vault;
  readonly limits: Limits;
  /** What goes on for long, and of which each caller may have some at a time. */
  readonly places: {
    readonly streams: Places;
    readonly polls: Places;
    readonly exports: Places;
    readonly archive: Places;
    readonly figures: Places;
  };
  readonly audit: AuditTrail;
  /** Books who was shown which citizen. */
  readonly citizenAccess: CitizenAccessLog;
  readonly log: Logger;
  /** The database's clock, and how far this machine's is from it. */
  readonly clock: Clock;
  /** The time by the database's clock, so that moments compared across processes mean the same on all of them. */
  now(): Date;
}

/** A rail as jobs and commands see it, which may take their time. */
export function openBackground(rail: Rail): Rail {
  const { db, transaction } = rail.background;
  return { ...rail, db, transaction };
}

/** One request, or one run of a job: the rail, who calls, and what is known of the request. */
export interface Call extends Rail {
  readonly viewer: Viewer;
  readonly requestId: string;
  readonly source: Source;
  /** What the caller says that it reads for, in its own words; null where it says nothing. */
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
  /** Whether the transport has counted this request against the limit of its address. */
  admitted: boolean;
  /** Set where the caller sent an `Idempotency-Key`. */
  once: Once | null;
  /** What figures leave for the transport to add: as of when they are. Copies of the call share it. */
  readonly meta: { asOf: Date | null };
  /** Where the reader of a stream is: what it resumes after, then what it was last sent. Copies of the call share it. */
  readonly stream: { cursor: string | null };
}

/** What of a call its transport knows; a job has none. */
type Transport = Pick<Call, 'source' | 'statedPurpose' | 'reauthenticate' | 'over' | 'stream'>;

const NEVER = new AbortController().signal;

export function callOf(rail: Rail, viewer: Viewer, requestId: string, transport: Partial<Transport> = {}): Call {
  const { source = inside, statedPurpose = null, reauthenticate = async () => viewer, over } = transport;
  return {
    ...rail,
    analytics: rail.analytics.atOnce(source === inside ? undefined : askerOf(rail, { viewer, source }), over),
    viewer,
    requestId,
    source,
    statedPurpose,
    reauthenticate,
    over: over ?? NEVER,
    cookies: [],
    admitted: false,
    once: null,
    meta: { asOf: null },
    stream: transport.stream ?? { cursor: null },
  };
}

/** The header that says as of when figures and lists of oversight are, the earliest of them; none on other answers. */
export function sayAsOf({
  meta: { asOf },
  analytics: { askedAsOf },
}: Pick<Call, 'meta' | 'analytics'>): Record<string, string> {
  const earliest = asOf && askedAsOf && askedAsOf < asOf ? askedAsOf : (asOf ?? askedAsOf);
  return earliest ? { 'As-Of': earliest.toISOString() } : {};
}
