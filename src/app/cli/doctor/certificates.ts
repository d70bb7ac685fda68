import { X509Certificate, createPrivateKey } from 'node:crypto';
import { once } from 'node:events';
import { isIP } from 'node:net';
import { type ConnectionOptions, type DetailedPeerCertificate, type TLSSocket, connect } from 'node:tls';
import { DAY_MS } from '../../../kernel/time.ts';
import type { Config } from '../../../platform/config/config.ts';
import { type Check, type Finding, failed, ok, warning } from './check.ts';
import { reasonOf } from '../../../kernel/refusal.ts';

const WARN_DAYS = 30;
const FAIL_DAYS = 7;
const TIMEOUT_MS = 10_000;

/** A certificate that a server shows, and with what it is asked for it. */
interface Asked {
  readonly url: string;
  readonly options: ConnectionOptions;
}

/** Days left of what servers show, and of what the configuration names. */
export function certificateChecks(config: Config): Check[] {
  const { connections, singleSignOn, baseUrl } = config;
  const providers = [
    ...connections.providers,
    ...connections.billers.flatMap(({ name, enquiries }) => (enquiries ? [{ name, peer: enquiries.peer }] : [])),
  ];
  const agencies = Object.entries(connections.agencies);
  const servers: Asked[] = [
    ...providers.map(({ peer }) => ({ url: peer.url, options: { ca: peer.ca } })),
    ...agencies.map(([, { url, ca }]) => ({ url, options: { ca } })),
    ...agencies.flatMap(([, { mtls, ca }]) =>
      mtls ? [{ url: mtls.url, options: { ca, cert: mtls.cert, key: mtls.key } }] : [],
    ),
    ...(singleSignOn ? [{ url: singleSignOn.issuer, options: { ca: singleSignOn.mapping.ca } }] : []),
  ];
  const files = [
    ...providers.map(({ name, peer }) => ({ name: `ca of ${name}`, pem: peer.ca, key: undefined })),
    ...agencies.flatMap(([name, { ca, mtls }]) => [
      { name: `ca of ${name}`, pem: ca, key: undefined },
      { name: `mtls of ${name}`, pem: mtls?.cert, key: mtls?.key },
    ]),
    { name: 'ca of OIDC_MAPPING', pem: singleSignOn?.mapping.ca, key: undefined },
  ];
  const hosts = new Map(
    servers.filter(({ url }) => url.startsWith('https:')).map((one) => [new URL(one.url).host, one]),
  );
  return [
    ...(baseUrl?.startsWith('https:') ? [checkOf('BASE_URL', () => checkServer(baseUrl, {}, warning))] : []),
    ...[...hosts].map(([host, { url, options }]) => checkOf(host, () => checkServer(url, options, failed))),
    ...files.flatMap(({ name, pem, key }) =>
      pem === undefined ? [] : [checkOf(name, async () => checkFile(pem, key))],
    ),
  ];
}

const checkOf = (name: string, run: Check['run']): Check => ({ name: `certificate ${name}`, run });

async function checkServer(url: string, options: ConnectionOptions, unreachable: typeof failed): Promise<Finding> {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  let socket: TLSSocket | null = null;
  try {
    socket = connect({
      ...options,
      host,
      port: Number(port || 443),
      ...(isIP(host) === 0 && { servername: host }),
      // Faults of the certificate are reported instead.
      rejectUnauthorized: false,
      timeout: TIMEOUT_MS,
    });
    const late = new Error('did not answer in time');
    socket.once('timeout', () => socket?.destroy(late));
    await once(socket, 'secureConnect');
    const ends = endsOf(socket.getPeerCertificate(true));
    if (!socket.authorized)
      return failed(
        `is not trusted: ${String(socket.authorizationError)}`,
        `Renew it, or name its authority by ca; ${daysLeft(ends)}`,
      );
    return judge(ends);
  } catch (error) {
    return unreachable(`could not be reached: ${reasonOf(error)}`, `Check ${host}, and the network from here`);
  } finally {
    socket?.destroy();
  }
}

/** Earliest end of a chain's certificates; trusted roots go by this machine's trust. */
function endsOf(leaf: DetailedPeerCertificate): Date {
  const ends = [new Date(leaf.valid_to)];
  for (let one = leaf; ; one = one.issuerCertificate) {
    const { issuerCertificate: next } = one;
    if (!next || next.fingerprint256 === one.fingerprint256) break;
    if (next.issuerCertificate && next.issuerCertificate.fingerprint256 !== next.fingerprint256)
      ends.push(new Date(next.valid_to));
  }
  return new Date(Math.min(...ends.map(Number)));
}

function checkFile(pem: string, key: string | undefined): Finding {
  const parts = pem.match(/-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g);
  if (!parts) return failed('holds no certificate', 'Name a PEM file with one');
  const certificates = parts.map((part) => new X509Certificate(part));
  if (key !== undefined && !certificates[0]!.checkPrivateKey(createPrivateKey(key)))
    return failed('is not of this key', 'Name the key and the certificate of one pair');
  return judge(new Date(Math.min(...certificates.map(({ validTo }) => Date.parse(validTo)))));
}

const daysLeft = (ends: Date) => `it ends on ${ends.toISOString().slice(0, 10)}`;

function judge(ends: Date): Finding {
  const days = Math.floor((ends.getTime() - Date.now()) / DAY_MS);
  const found = days < 0 ? `has ended, on ${ends.toISOString().slice(0, 10)}` : `${days} days left`;
  if (days <= FAIL_DAYS) return failed(found, 'Renew it now');
  return days < WARN_DAYS ? warning(found, 'Renew it') : ok(found);
}
