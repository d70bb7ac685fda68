import { AdapterFailure } from '../failure.ts';
import { presentableObject, text } from '../http/members.ts';
import { Peer, type PeerAnswer, type PeerRequest } from '../http/peer.ts';
import { Tokens } from '../http/tokens.ts';
import type { Agencies, AgencyAnswer, AgencyAsked, AgencyOptions, NoticeReceipt, RegisteredEndpoint } from './port.ts';
import { stubAnswer } from './stub.ts';

/** The kind of agency that takes notices of payments at an endpoint of the registry. */
const TAX_AUTHORITY = 'tax authority';
const TAX_PAYMENT = 'tax-payment';

type Asking = (asked: PeerRequest) => Promise<PeerAnswer>;

/** The agencies of one kind, by the ways in which they want to be shown who calls. */
interface Connected {
  readonly country: string;
  readonly noticePath: string | undefined;
  readonly peers: readonly Peer[];
  readonly by: Readonly<Partial<Record<string, Asking>>>;
}

interface Setting {
  readonly mode: 'sandbox' | 'live';
  readonly registry: readonly RegisteredEndpoint[];
  /** By kind. */
  readonly connected: Readonly<Record<string, AgencyOptions>>;
}

/** The agencies of a rail: those that are connected are called; the others are made up in sandbox mode, and missing in live mode. */
export function agenciesFor({ mode, registry, connected }: Setting): Agencies {
  const endpoints = new Map(registry.map((endpoint) => [endpoint.id, endpoint]));
  const kinds = new Map(Object.entries(connected).map(([kind, options]) => [kind, connect(kind, options)]));
  for (const { id, agencyKind, authMode } of registry) {
    if (kinds.has(agencyKind) && !kinds.get(agencyKind)!.by[authMode]) throw new Error(`${id} of the ${agencyKind} needs ${authMode} credentials`);
  }

  const unconnected = (kind: string) => new AdapterFailure(kind, 'unavailable', `No ${kind} is connected`);

  const ask = async (id: string, { query, body, key }: AgencyAsked): Promise<AgencyAnswer> => {
    const endpoint = endpoints.get(id);
    if (!endpoint) throw new Error(`There is no endpoint ${id}`);
    const kind = kinds.get(endpoint.agencyKind);
    if (!kind) {
      if (mode === 'sandbox') return stubAnswer(id, { ...(query && { query }), body });
      throw unconnected(endpoint.agencyKind);
    }
    const method = endpoint.method === 'GET' ? 'GET' : 'POST';
    return kind.by[endpoint.authMode]!(post(method, endpoint.path, { query, body, key }));
  };

  return {
    standing: (kind, country) => {
      const found = kinds.get(kind);
      if (found && (country === undefined || found.country === country)) return 'connected';
      return mode === 'sandbox' ? 'stub' : 'unconnected';
    },
    available: (kind) => kinds.get(kind)?.peers.every((peer) => peer.available) ?? mode === 'sandbox',
    ask,
    async notify(kind, country, notice) {
      const key = `${notice.assessment}:${notice.mda}`;
      const found = kinds.get(kind);
      if (found?.country !== country) {
        if (mode === 'sandbox') return receiptOf(stubAnswer(TAX_PAYMENT, { body: notice }));
        throw unconnected(kind);
      }
      if (kind === TAX_AUTHORITY) return receiptFrom(kind, await ask(TAX_PAYMENT, { body: notice, key }));
      const [asking] = Object.values(found.by);
      if (found.noticePath === undefined || !asking) throw new AdapterFailure(kind, 'unavailable', `The ${kind} takes no notices of payments`);
      return receiptFrom(kind, await asking(post('POST', found.noticePath, { body: notice, key })));
    },
    async close() {
      await Promise.all([...kinds.values()].flatMap(({ peers }) => peers.map((peer) => peer.close())));
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

function connect(kind: string, options: AgencyOptions): Connected {
  const { country, oauth2, mtls, apiKey, noticePath } = options;
  const peer = new Peer(kind, options);
  const peers = [peer];
  const by: Partial<Record<string, Asking>> = {};
  if (mtls) {
    const guarded = new Peer(kind, { ...options, url: mtls.url, identity: { cert: mtls.cert, key: mtls.key } });
    peers.push(guarded);
    by['mTLS'] = (asked) => guarded.ask(asked);
  }
  if (oauth2) {
    const { tokenPath, clientId, clientSecret, scope } = oauth2;
    const tokens = new Tokens(peer, {
      method: 'POST',
      path: tokenPath,
      headers: { authorization: `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64')}` },
      form: { grant_type: 'client_credentials', ...(scope && { scope }) },
    });
    by['OAuth2'] = (asked) => tokens.authorised((bearer) => peer.ask({ ...asked, headers: { ...asked.headers, ...bearer } }));
  }
  if (apiKey !== undefined) by['API Key'] = (asked) => peer.ask({ ...asked, headers: { ...asked.headers, 'x-api-key': apiKey } });
  return { country, noticePath, peers, by };
}

/** 409: it was told of this payment before. */
function receiptFrom(kind: string, answer: AgencyAnswer): NoticeReceipt {
  const { status } = answer;
  if (status === 200 || status === 201 || status === 202 || status === 409) return receiptOf(answer);
  const refused = status >= 400 && status < 500 && status !== 429;
  throw new AdapterFailure(kind, refused ? 'refused' : 'failed', `The ${kind} did not take the notice of a payment: ${status}`);
}

function receiptOf({ status, body }: AgencyAnswer): NoticeReceipt {
  return { receipt: text(body, 'receipt_number'), response: { http_status: status, ...presentableObject(body ?? {}) } };
}
