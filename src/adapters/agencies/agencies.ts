import { AdapterFailure } from '../failure.ts';
import { redactObject, readTextMember } from '../http/members.ts';
import type { Peer, PeerAnswer, PeerRequest } from '../http/peer.ts';
import { Tokens } from '../http/tokens.ts';
import { TAX_AUTHORITY } from './kinds.ts';
import type {
  Agencies,
  AgencyAnswer,
  AgencyAsked,
  AgencyOptions,
  AuthMode,
  NoticeReceipt,
  RegisteredEndpoint,
} from './port.ts';
import { answerAsStub } from './stub.ts';

/** The endpoint of the registry at which tax authorities take notices of payments; no other kind has one. */
const TAX_PAYMENT = 'tax-payment';

type Asking = (asked: PeerRequest) => Promise<PeerAnswer>;

/** An agency, or the agencies of one kind, by the ways in which they want to be shown who calls. */
interface Connected {
  /** Its code, or the kind of agencies. */
  readonly name: string;
  readonly country: string;
  readonly noticePath: string | undefined;
  readonly peers: readonly Peer[];
  readonly by: Readonly<Partial<Record<AuthMode, Asking>>>;
}

interface Setting {
  readonly mode: 'sandbox' | 'live';
  readonly registry: readonly RegisteredEndpoint[];
  /** By the codes of agencies, and by kind for those that have no connection of their own. */
  readonly connected: Readonly<Record<string, AgencyOptions>>;
}

/**
 * The agencies of a rail: those that are connected are called; the others are made up in sandbox mode, and missing in
 * live mode.
 */
export async function openAgencies({ mode, registry, connected }: Setting): Promise<Agencies> {
  const endpoints = new Map(registry.map((endpoint) => [endpoint.id, endpoint]));
  const connections = new Map<string, Connected>();
  for (const [name, options] of Object.entries(connected)) connections.set(name, await connect(name, options));
  for (const { id, agencyKind, authMode } of registry) {
    const shared = connections.get(agencyKind);
    if (shared && !shared.by[authMode]) throw new Error(`${id} of the ${agencyKind} needs ${authMode} credentials`);
  }

  const refuseUnconnected = (kind: string) => new AdapterFailure(kind, 'unavailable', `No ${kind} is connected`);

  const ask = async (id: string, { query, body, key }: AgencyAsked): Promise<AgencyAnswer> => {
    const endpoint = endpoints.get(id);
    if (!endpoint) throw new Error(`There is no endpoint ${id}`);
    const kind = connections.get(endpoint.agencyKind);
    if (!kind) {
      if (mode === 'sandbox') return answerAsStub(id, { ...(query && { query }), body });
      throw refuseUnconnected(endpoint.agencyKind);
    }
    return kind.by[endpoint.authMode]!(post(endpoint.method, endpoint.path, { query, body, key }));
  };

  return {
    statusOf(kind, place) {
      const own = place?.agencies.flatMap((code) => connections.get(code) ?? []) ?? [];
      const shared = connections.get(kind);
      const found = [...own, ...(shared && (place === undefined || shared.country === place.country) ? [shared] : [])];
      if (found.length > 0) return found.some(isCalled) ? 'connected' : 'unavailable';
      return mode === 'sandbox' ? 'stub' : 'unconnected';
    },
    available: (name) => isCalled(connections.get(name)!),
    ask,
    async notify(kind, country, notice, key = `${notice.assessment}:${notice.mda}`) {
      const own = connections.get(notice.mda);
      const shared = connections.get(kind);
      const found = own ?? (shared?.country === country ? shared : undefined);
      if (!found) {
        if (mode === 'sandbox') return receiptOf(answerAsStub(TAX_PAYMENT, { body: notice }));
        throw refuseUnconnected(kind);
      }
      // Tax authorities are told at an endpoint of the registry, but where one's own connection says otherwise.
      const registered =
        kind === TAX_AUTHORITY && own?.noticePath === undefined ? endpoints.get(TAX_PAYMENT) : undefined;
      const path = registered?.path ?? found.noticePath;
      const asking = registered ? found.by[registered.authMode] : Object.values(found.by)[0];
      const who = own ? notice.mda : `The ${kind}`;
      if (path === undefined || !asking)
        throw new AdapterFailure(found.name, 'unavailable', `${who} takes no notices of payments`);
      return requireReceipt(found.name, who, await asking(post('POST', path, { body: notice, key })));
    },
    async close() {
      await Promise.all([...connections.values()].flatMap(({ peers }) => peers.map((peer) => peer.close())));
    },
  };
}

function post(
  method: 'GET' | 'POST',
  path: string,
  { query, body, key }: { [Name in keyof AgencyAsked]: AgencyAsked[Name] | undefined },
): PeerRequest {
  return {
    method,
    path,
    ...(query && { query }),
    ...(method === 'POST' && { json: body ?? {} }),
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
    safe: method === 'GET' || key !== undefined,
  };
}

function isCalled({ peers }: Connected): boolean {
  return peers.every((peer) => peer.available);
}

async function connect(name: string, options: AgencyOptions): Promise<Connected> {
  // A rail that calls no agency needs nothing to call it by.
  const { Peer } = await import('../http/peer.ts');
  const { country, oauth2, mtls, apiKey, noticePath } = options;
  const peer = new Peer(name, options);
  const peers = [peer];
  const by: Partial<Record<AuthMode, Asking>> = {};
  if (mtls) {
    const guarded = new Peer(name, { ...options, url: mtls.url, identity: { cert: mtls.cert, key: mtls.key } });
    peers.push(guarded);
    by['mTLS'] = (asked) => guarded.ask(asked);
  }
  if (oauth2) {
    const { tokenPath, clientId, clientSecret, scope } = oauth2;
    const tokens = new Tokens(peer, {
      method: 'POST',
      path: tokenPath,
      headers: {
        authorization: `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64')}`,
      },
      form: { grant_type: 'client_credentials', ...(scope && { scope }) },
    });
    by['OAuth2'] = (asked) =>
      tokens.authorised((bearer) => peer.ask({ ...asked, headers: { ...asked.headers, ...bearer } }));
  }
  if (apiKey !== undefined)
    by['API Key'] = (asked) => peer.ask({ ...asked, headers: { ...asked.headers, 'x-api-key': apiKey } });
  return { name, country, noticePath, peers, by };
}

/** 409: it was notified of this payment before. */
function requireReceipt(name: string, who: string, answer: AgencyAnswer): NoticeReceipt {
  const { status } = answer;
  if (status === 200 || status === 201 || status === 202 || status === 409) return receiptOf(answer);
  const refused = status >= 400 && status < 500 && status !== 429 && !answer.repeated;
  throw new AdapterFailure(
    name,
    refused ? 'refused' : 'failed',
    `${who} did not take the notice of a payment: ${status}`,
  );
}

function receiptOf({ status, body }: AgencyAnswer): NoticeReceipt {
  return {
    receipt: readTextMember(body, 'receipt_number'),
    response: { http_status: status, ...redactObject(body ?? {}) },
  };
}
