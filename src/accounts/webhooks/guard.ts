import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Agent } from 'undici';
import type { Config } from '../../platform/config/config.ts';
import { isPublic } from '../../kernel/network.ts';

/** An address, or a port, that webhooks may not be sent to. */
export class ForbiddenAddress extends Error {}

type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Resolves a name to its public addresses alone. What is resolved is what is connected to: there is no second look in
 * between. Whether a name stands for something inside, or for nothing, nobody learns.
 */
export function makePublicLookup(resolve: Resolve = lookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const allowed = error ? [] : addresses.filter(({ address }) => isPublic(address));
      const [first] = allowed;
      if (!first) return callback(new ForbiddenAddress('The host name does not resolve to a public address'), '', 0);
      if (options.all) return callback(null, allowed);
      callback(null, first.address, first.family);
    });
  };
}

const CONNECT_MS = 5_000;

/**
 * Connections for webhooks. What is checked is the address that is connected to, not the name: names resolve to public
 * addresses alone, address literals are checked before, and each connection is checked again, so that no
 * spelling gets around it. Ports are those of web servers: an endpoint is no way to knock at other services.
 */
export async function makeWebhookAgent({ allowPrivate, ports }: Config['webhooks'], resolve?: Resolve): Promise<Agent> {
  const { Agent, buildConnector } = await import('undici');
  const options = {
    connections: 20,
    pipelining: 1,
    keepAliveTimeout: 10_000,
    bodyTimeout: 10_000,
    headersTimeout: 10_000,
  };
  if (allowPrivate) return new Agent({ ...options, connect: { timeout: CONNECT_MS } });
  const connect = buildConnector({ timeout: CONNECT_MS, lookup: makePublicLookup(resolve) });
  return new Agent({
    ...options,
    connect: (target, callback) => {
      if (!ports.includes(Number(target.port || (target.protocol === 'https:' ? 443 : 80)))) {
        return callback(new ForbiddenAddress('Webhooks are not sent to this port'), null);
      }
      const literal = target.hostname.replace(/^\[|\]$/g, '');
      if (ipaddr.isValid(literal) && !isPublic(literal))
        return callback(new ForbiddenAddress('The address is not public'), null);
      connect(target, (error, socket) => {
        if (error) return callback(error, null);
        if (isPublic(socket.remoteAddress ?? '')) return callback(null, socket);
        socket.destroy();
        callback(new ForbiddenAddress('The address that was connected to is not public'), null);
      });
    },
  });
}
