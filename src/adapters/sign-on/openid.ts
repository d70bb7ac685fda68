import * as client from 'openid-client';
import { Agent, request } from 'undici';
import { AdapterFailure } from '../failure.ts';
import { readMember } from '../http/members.ts';
import { readText } from '../http/peer.ts';
import { stepAside } from '../http/step-aside.ts';
import { type SignOnChecks, type SignOnClaims, type SignOnProvider, SignOnRefused } from './port.ts';

export interface OpenidOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Asked for in addition to `openid`, `email` and `profile`. */
  readonly scopes: readonly string[];
  /** The authentication contexts that are asked for; none: the provider's default. */
  readonly acr: readonly string[];
  /** Claims that have to be known: where the ID token lacks one, the provider's user info is asked too. */
  readonly claims: readonly (readonly string[])[];
  readonly timeoutMs: number;
  /** PEM: whom to trust instead of the public authorities. */
  readonly ca?: string | undefined;
}

/** Time for which the provider's discovery document is taken to hold. */
const DISCOVERY_MS = 10 * 60_000;
/** By how much its clock may differ. */
const CLOCK_TOLERANCE_SECONDS = 30;
const CONNECTIONS = 20;
/** Errors of its answers (RFC 6749, OpenID Connect Core) that are its own, and not those of the person who signs in. */
const OWN_TROUBLE: readonly string[] = ['server_error', 'temporarily_unavailable', 'invalid_client'];

/**
 * Signing in by OpenID Connect: the authorization code flow with PKCE, state and nonce. What the provider says of
 * itself is fetched when it is first needed, and again where that failed: a rail starts without it.
 */
export function openOpenid(options: OpenidOptions): SignOnProvider {
  const { timeoutMs, ca } = options;
  const agent = new Agent({ connections: CONNECTIONS, connect: { timeout: timeoutMs, ...(ca && { ca }) } });
  let discovered: { readonly at: number; readonly configuration: Promise<client.Configuration> } | null = null;

  function discover(): Promise<client.Configuration> {
    if (discovered === null || performance.now() - discovered.at > DISCOVERY_MS)
      discovered = { at: performance.now(), configuration: discoverProvider(options, agent) };
    return discovered.configuration;
  }

  async function asking<T>(ask: (configuration: client.Configuration) => Promise<T> | T): Promise<T> {
    try {
      return await stepAside(async () => ask(await discover()));
    } catch (error) {
      const explained = explain(error);
      // A bad answer, of which anybody can send many, is no reason to ask the provider more.
      if (explained instanceof AdapterFailure) discovered = null;
      throw explained;
    }
  }

  return {
    begin: ({ state, nonce, verifier }, callback) =>
      asking(async (configuration) => {
        const parameters = {
          redirect_uri: callback,
          scope: ['openid', 'email', 'profile', ...options.scopes].join(' '),
          state,
          nonce,
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          ...(options.acr.length > 0 && { acr_values: options.acr.join(' ') }),
        };
        return client.buildAuthorizationUrl(configuration, parameters).href;
      }),
    complete: (checks, returned) => asking((configuration) => exchange(configuration, options, checks, returned)),
    endSessionUrl: (returnTo) =>
      asking((configuration) =>
        configuration.serverMetadata().end_session_endpoint === undefined
          ? null
          : client.buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnTo }).href,
      ),
    close: () => agent.close(),
  };
}

async function discoverProvider(options: OpenidOptions, agent: Agent): Promise<client.Configuration> {
  const { issuer, clientId, clientSecret, timeoutMs } = options;
  const server = new URL(issuer);
  const configuration = await client
    .discovery(
      server,
      clientId,
      { [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
      authenticateClient(clientSecret),
      {
        [client.customFetch]: fetchOver(agent),
        timeout: timeoutMs / 1_000,
        execute: server.protocol === 'http:' ? [client.allowInsecureRequests] : [],
      },
    )
    .catch((error: unknown) => {
      throw explainOutage(error);
    });
  // The signature of an ID token is checked although it comes over TLS.
  client.enableNonRepudiationChecks(configuration);
  return configuration;
}

/** Fetches over connections of the rail's own, which trust whom its configuration names. */
function fetchOver(agent: Agent): client.CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const form = body instanceof URLSearchParams ? body.toString() : null;
    const answer = await request(url, { dispatcher: agent, method, headers, body: form, signal: signal ?? null });
    const type = String(answer.headers['content-type'] ?? '');
    const text = await readText(answer.body);
    return new Response(text === '' ? null : text, { status: answer.statusCode, headers: { 'content-type': type } });
  };
}

/** Method by which the provider takes the secret: in a header unless it only takes forms. */
function authenticateClient(secret: string): client.ClientAuth {
  return (server, metadata, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const inHeader = methods.includes('client_secret_basic') || !methods.includes('client_secret_post');
    const authenticate = inHeader ? client.ClientSecretBasic(secret) : client.ClientSecretPost(secret);
    authenticate(server, metadata, body, headers);
  };
}

async function exchange(
  configuration: client.Configuration,
  { claims: needed }: OpenidOptions,
  { state, nonce, verifier }: SignOnChecks,
  returned: URL,
): Promise<SignOnClaims> {
  const tokens = await client.authorizationCodeGrant(configuration, returned, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims()!;
  const lacking = needed.some((path) => readMember(claims, ...path) === undefined);
  if (!lacking || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
  const more = await client.fetchUserInfo(configuration, tokens.access_token, claims.sub);
  return { ...more, ...claims };
}

/** Faults of an answer: the person who signed in, and not the provider, is told to begin again. */
const OF_THE_ANSWER: readonly string[] = [
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
];

/** Explains a failed sign-in. The provider's words are for the log alone: an address can be made to carry any. */
function explain(error: unknown): unknown {
  if (error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError) {
    if (OWN_TROUBLE.includes(error.error)) return failure('failed', `answered ${error.error}`, error);
    const reason = error.error === 'invalid_grant' ? 'void' : 'denied';
    const code = /^[a-z_]{1,40}$/.test(error.error) ? error.error : 'something else';
    return new SignOnRefused(reason, `The identity provider refused a sign-in: ${code}`);
  }
  if (error instanceof client.ClientError && OF_THE_ANSWER.includes(error.code ?? ''))
    return new SignOnRefused('void', `An answer of the identity provider does not hold: ${error.message}`);
  return explainOutage(error);
}

/** The same where it is the provider's fault in any case. */
function explainOutage(error: unknown): unknown {
  if (error instanceof client.ClientError && error.code === 'OAUTH_TIMEOUT')
    return failure('timeout', 'did not answer in time', error);
  if (!(error instanceof client.ClientError)) return error;
  const { code } = error;
  return failure(
    'failed',
    code ? `did not answer as OpenID Connect requires (${code})` : 'could not be reached',
    error,
  );
}

function failure(kind: 'failed' | 'timeout', message: string, cause: unknown): AdapterFailure {
  return new AdapterFailure('sign-on', kind, `The identity provider ${message}`, { cause });
}
