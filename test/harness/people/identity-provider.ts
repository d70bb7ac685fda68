import { createServer as createPlainServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { Provider } from 'oidc-provider';
import { findFreePort } from '../../../src/platform/database/cluster/free-port.ts';
import type { Certificates } from '../../../src/sandbox/simulators/certificates.ts';

export const CLIENT_ID = 'revenue-rail';
export const CLIENT_SECRET = 'a-secret-of-the-rail-at-its-provider';

/** The provider's claims about a person. */
export type Person = Readonly<Record<string, unknown>>;

/** An identity provider (OpenID Connect) in this process, at which whoever comes is signed in as `who`. */
export interface IdentityProvider {
  readonly issuer: string;
  readonly people: Map<string, Person>;
  /** The subject that is signed in next. */
  who: string;
  /** Changes answers of the token endpoint; by default, none. */
  tamper: (answer: Record<string, unknown>) => unknown;
  /** For how long the token endpoint keeps everybody waiting. */
  delayMs: number;
  /** Makes it unreachable, until it is opened again at the same address. */
  close(): Promise<void>;
  open(): Promise<void>;
}

/** Starts one for a rail at an address; over TLS with certificates. */
export async function startIdentityProvider(
  railOrigin: string,
  certificates: Pick<Certificates, 'server'> | null = null,
): Promise<IdentityProvider> {
  let handle: ReturnType<Provider['callback']> | null = null;
  const listen = (req: Parameters<NonNullable<typeof handle>>[0], res: Parameters<NonNullable<typeof handle>>[1]) =>
    void handle?.(req, res);
  const server = certificates ? createTlsServer(certificates.server, listen) : createPlainServer(listen);
  const open = (port: number) => new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  // It comes back at the same address: nobody is to be given its port meanwhile.
  const port = await findFreePort();
  await open(port);
  const issuer = `${certificates ? 'https' : 'http'}://127.0.0.1:${port}`;

  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [`${railOrigin}/signin/sso/callback`],
        post_logout_redirect_uris: [`${railOrigin}/signin/staff`],
      },
    ],
    claims: { openid: ['sub', 'acr', 'amr'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    conformIdTokenClaims: false,
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
    pkce: { required: () => false },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['a key of the provider'] },
    findAccount: (_context, subject) => ({
      accountId: subject,
      claims: () => ({ sub: subject, ...identity.people.get(subject) }),
    }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client!.clientId,
        accountId: oidc.session!.accountId!,
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  provider.use(async (context, next) => {
    if (context.path.startsWith('/interaction/')) {
      const { req, res } = context;
      context.respond = false;
      const { amr, acr } = identity.people.get(identity.who) ?? {};
      const login = {
        accountId: identity.who,
        remember: false,
        ...(Array.isArray(amr) && { amr: amr.map(String) }),
        ...(typeof acr === 'string' && { acr }),
      };
      await provider.interactionFinished(req, res, { login }, { mergeWithLastSubmission: false });
      return;
    }
    await next();
    if (context.path !== '/token') return;
    if (identity.delayMs > 0) await new Promise((over) => setTimeout(over, identity.delayMs));
    context.body = identity.tamper(context.body as Record<string, unknown>);
  });
  handle = provider.callback();

  const identity: IdentityProvider = {
    issuer,
    people: new Map(),
    who: '',
    tamper: (answer) => answer,
    delayMs: 0,
    open: () => open(port),
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => void server.close(() => done()));
    },
  };
  return identity;
}
