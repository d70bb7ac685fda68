import { createHash } from 'node:crypto';
import type { Express, Request, Response } from 'express';
import type { ServerOptions } from 'node:https';
import { type Send, follow, openSend, planByQuantity, sendByHand } from './agency-pushes.ts';
import type { Certificates } from './certificates.ts';
import {
  IssuedTokens,
  type Trouble,
  createApplication,
  readCredential,
  readParameter,
  serveApplication,
  createTrouble,
} from './web.ts';

const CLIENT = { client_id: 'revenue-rail', client_secret: 'sim-agency-secret' };
const API_KEY = 'sim-agency-key';

export interface ReceivedNotice {
  readonly key: string;
  readonly receipt: string;
  readonly notice: {
    readonly assessment: string;
    readonly mda: string;
    readonly amount: number;
    readonly type?: 'reversed';
    readonly lines?: readonly { readonly quantity: number }[];
  };
}

/** An agency of one kind: its endpoints, its credentials, and the notices that it received. */
export interface SimulatedAgency {
  readonly trouble: Trouble;
  readonly tokens: IssuedTokens;
  readonly notices: Map<string, ReceivedNotice>;
  /** Sends the rail a callback of its own. */
  readonly send: Send;
  /** Its address, in words. */
  readonly address: string;
  /** Beginning of its section in a connections file. */
  readonly connection: Readonly<Record<string, unknown>>;
  close(): Promise<void>;
}

type Auth = 'OAuth2' | 'API Key';
type Answering = (req: Request, res: Response) => void;

const makeDigits = (seed: string, count: number) =>
  BigInt(`0x${createHash('sha256').update(seed).digest('hex')}`)
    .toString()
    .slice(0, count);

const answerFound =
  (body: object): Answering =>
  (_req, res) =>
    void res.json(body);

/** Answers of each kind of agency at its endpoints of the registry. */
const ENDPOINTS: Readonly<
  Record<string, readonly (readonly [method: 'get' | 'post', path: string, auth: Auth, answer: Answering])[]>
> = {
  'business registry': [
    [
      'get',
      '/v1/business/search',
      'OAuth2',
      (req, res) => {
        const name = readParameter(req, 'name');
        if (name === 'probe' || name === '') return void res.json({ results: [] });
        res.json({
          results: [{ registration_number: makeDigits(name, 12), name: `${name} Holdings Limited`, status: 'active' }],
        });
      },
    ],
    [
      'post',
      '/v1/business/register',
      'OAuth2',
      (req, res) => {
        const { name, owner_nin } = req.body as { name?: string; owner_nin?: string };
        if (!name || !owner_nin)
          return void res.status(400).json({ error: 'invalid', message: 'name and owner_nin are required' });
        if (name.startsWith('Taken'))
          return void res.status(409).json({ error: 'taken', message: 'The name is taken' });
        res.status(201).json({ registration_number: makeDigits(name, 12), name, status: 'registered' });
      },
    ],
  ],
  'tax authority': [
    [
      'get',
      '/v2/tin/verify',
      'OAuth2',
      (req, res) => {
        const tin = readParameter(req, 'tin');
        if (!/^[1-9]\d{9}$/.test(tin)) return void res.status(404).json({ error: 'not_found' });
        res.json({ tin, name: `Taxpayer ${tin.slice(-4)}`, status: 'active' });
      },
    ],
  ],
  'national identity authority': [
    [
      'get',
      '/v1/nin/verify',
      'OAuth2',
      (req, res) => {
        const nin = readParameter(req, 'nin');
        if (!/^C[MF][A-Z0-9]{12}$/.test(nin) || nin.endsWith('X'))
          return void res.status(404).json({ error: 'not_found' });
        res.json({ nin, full_name: `Person ${nin.slice(-5)}`, status: 'alive' });
      },
    ],
  ],
  'city authority': [
    [
      'post',
      '/v1/permits/apply',
      'API Key',
      (_req, res) => void res.status(422).json({ error: 'invalid', message: 'applicant is required' }),
    ],
    ['get', '/v1/property/lookup', 'API Key', (_req, res) => void res.status(404).json({ error: 'not_found' })],
  ],
  'social security fund': [
    ['get', '/v1/member/balance', 'OAuth2', (_req, res) => void res.status(404).json({ error: 'not_found' })],
  ],
  'standards body': [
    ['get', '/v1/standards/certificate', 'API Key', (_req, res) => void res.status(404).json({ error: 'not_found' })],
  ],
  'health ministry': [['get', '/v1/facilities/search', 'API Key', answerFound({ results: [] })]],
};

/** Path of notices of payments at agencies other than the tax authority. */
const NOTICE_PATH = '/v1/payment-notices';

/** Paths of the rail's certificates. */
interface PemFiles {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/**
 * All kinds of agencies of the registry, each with books of its own. Certificates are for those that have to see them.
 */
export async function simulateAgencies(
  certificates: Certificates,
  files: PemFiles,
  rail: () => string,
  tls?: ServerOptions,
): Promise<Record<string, SimulatedAgency>> {
  const agencies = await Promise.all(
    Object.keys(ENDPOINTS).map(
      async (kind) => [kind, await simulateAgency(kind, certificates, files, openSend(kind, rail), tls)] as const,
    ),
  );
  return Object.fromEntries(agencies);
}

async function simulateAgency(
  kind: string,
  certificates: Certificates,
  files: PemFiles,
  send: Send,
  tls?: ServerOptions,
): Promise<SimulatedAgency> {
  const trouble = createTrouble();
  const tokens = new IssuedTokens(300);
  const notices = new Map<string, ReceivedNotice>();
  const app = createApplication(trouble);
  sendByHand(app, send);

  app.post('/oauth2/token', (req, res) => {
    const [id, secret] = Buffer.from(readCredential(req, 'Basic') ?? '', 'base64')
      .toString()
      .split(':');
    const { grant_type } = req.body as Record<string, string>;
    if (id !== CLIENT.client_id || secret !== CLIENT.client_secret || grant_type !== 'client_credentials') {
      return void res.status(401).json({ error: 'invalid_client' });
    }
    res.json({ access_token: tokens.issue(), token_type: 'Bearer', expires_in: tokens.lifeSeconds });
  });
  const isAllowed = (auth: Auth, req: Request) =>
    auth === 'OAuth2' ? tokens.accepts(req) : req.headers['x-api-key'] === API_KEY;
  const rows = ENDPOINTS[kind]!;
  for (const [method, path, auth, answer] of rows) {
    app[method](path, (req, res) =>
      isAllowed(auth, req) ? answer(req, res) : void res.status(401).json({ error: 'unauthorised' }),
    );
  }
  const auth = rows[0]![2];
  app.post(NOTICE_PATH, (req, res) =>
    isAllowed(auth, req) ? takeNotice(notices, send, req, res) : void res.status(401).json({ error: 'unauthorised' }),
  );
  const served = await serveApplication(app, tls);
  const authenticated = auth === 'OAuth2' ? { oauth2: CLIENT } : { api_key: API_KEY };
  const connection = { url: served.url, country: 'UG', ...authenticated, notice_path: NOTICE_PATH };
  if (kind !== 'tax authority')
    return { trouble, tokens, notices, send, address: served.url, connection, close: () => served.close() };

  const guarded = await serveApplication(guardApplication(trouble, notices, send), {
    ca: certificates.ca,
    ...certificates.server,
    requestCert: true,
    rejectUnauthorized: true,
  });
  const mtls = { url: guarded.url, cert: files.cert, key: files.key };
  return {
    trouble,
    tokens,
    notices,
    send,
    address: `${served.url}, and over mTLS ${guarded.url}`,
    connection: { url: served.url, country: 'UG', oauth2: CLIENT, ca: files.ca, mtls },
    close: async () => void (await Promise.all([served.close(), guarded.close()])),
  };
}

/** Endpoints of the tax authority for holders of a certificate. */
function guardApplication(trouble: Trouble, notices: SimulatedAgency['notices'], send: Send): Express {
  const app = createApplication(trouble);
  app.post('/v2/tax/payment', (req, res) => takeNotice(notices, send, req, res));
  return app;
}

/** Takes a notice once, however often it comes. */
function takeNotice(notices: SimulatedAgency['notices'], send: Send, req: Request, res: Response): void {
  const notice = req.body as Partial<ReceivedNotice['notice']>;
  const key = req.headers['idempotency-key'];
  if (
    typeof key !== 'string' ||
    typeof notice.assessment !== 'string' ||
    typeof notice.mda !== 'string' ||
    typeof notice.amount !== 'number'
  ) {
    return void res
      .status(422)
      .json({ error: 'invalid', message: 'assessment, mda, amount and an Idempotency-Key are required' });
  }
  const known = notices.get(key);
  if (known) return void res.status(409).json({ receipt_number: known.receipt, error: 'duplicate' });
  const receipt = `RCPT-${makeDigits(key, 10)}`;
  const taken = notice as ReceivedNotice['notice'];
  notices.set(key, { key, receipt, notice: taken });
  const plan = taken.type === 'reversed' ? 'receipt' : planByQuantity(taken);
  if (plan === 'later') res.status(202).json({});
  else res.status(201).json({ receipt_number: receipt });
  follow(send, plan, `${taken.assessment}.${taken.mda}`, receipt);
}
