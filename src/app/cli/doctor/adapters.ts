import { randomUUID } from 'node:crypto';
import { AdapterFailure } from '../../../adapters/failure.ts';
import { openAgencies } from '../../../adapters/agencies/agencies.ts';
import type { Collection } from '../../../adapters/payment/port.ts';
import type { PeerOptions } from '../../../adapters/http/peer.ts';
import { probe } from '../../../collection/agencies/probes/probe.ts';
import { Decimal } from '../../../kernel/money.ts';
import type { Config } from '../../../platform/config/config.ts';
import { addressOf } from '../../address.ts';
import { listEndpoints, openSignOn } from '../../open-rail.ts';
import { type Check, type Finding, failed, ok, skipped } from './check.ts';
import type { Session } from './session.ts';
import { reasonOf } from '../../../kernel/refusal.ts';

/** With its repetitions, a call has an answer within the time of a check. */
const MOST_MS = 5_000;
const inTime = <Options extends PeerOptions>(options: Options): Options => ({
  ...options,
  timeoutMs: Math.min(options.timeoutMs, MOST_MS),
});

/** Asks each provider about a collection that nobody has made: it takes a token or key, and changes nothing. */
export function providerChecks(config: Config): Check[] {
  return config.connections.providers.map(({ name, provider, peer, options, currencies }) => ({
    name: `provider ${name}`,
    run: async () => {
      const secrets = config.callbackSecrets[name] ?? [];
      const adapter = await provider.open(options, {
        name,
        peer: inTime(peer),
        secrets,
        origin: () => addressOf(config),
      });
      const market = Object.values(provider.markets)[0];
      const currency = currencies?.[0] ?? market?.[0] ?? 'USD';
      try {
        await adapter.verify(nobodys(currency));
        return ok(`answers, and takes the rail's credentials`);
      } catch (error) {
        return failed(reasonOf(error), 'Check its address, certificate and credentials in CONNECTIONS');
      } finally {
        await adapter.close?.();
      }
    },
  }));
}

function nobodys(currency: string): Collection {
  const now = new Date();
  return {
    intent: 'PI-1970-01-000000',
    reference: randomUUID(),
    amount: new Decimal(1),
    currency,
    payerMsisdn: null,
    createdAt: now,
    accepted: true,
    askedAt: now,
  };
}

/** Probes the endpoints of connected agencies that read, as the rail does every few minutes. */
export function agencyCheck(session: Session, { mode, connections }: Config): Check {
  const connected = Object.fromEntries(
    Object.entries(connections.agencies).map(([name, options]) => [name, inTime(options)]),
  );
  if (Object.keys(connected).length === 0) return { name: 'agencies', run: async () => ok('none is connected') };
  return session.check(
    'agency',
    async ({ db }): Promise<Finding | readonly Finding[]> => {
      const registry = await listEndpoints(db);
      const agencies = await openAgencies({ mode, registry, connected }).catch(reasonOf);
      if (typeof agencies === 'string') return failed(agencies, 'Add them to CONNECTIONS');
      try {
        const reading = registry.filter(({ method, agencyKind }) => method === 'GET' && agencyKind in connected);
        if (reading.length === 0) return skipped('no connected agency has an endpoint that only reads');
        return await Promise.all(
          reading.map(async ({ id }) => {
            const { status, ms } = await probe({ agencies }, id);
            return status === 'ok'
              ? ok(`answers in ${ms} ms`, id)
              : failed(status, 'Check its address, certificate and credentials in CONNECTIONS', id);
          }),
        );
      } finally {
        await agencies.close();
      }
    },
    'agency_endpoint',
  );
}

/** Fetches what the identity provider says of itself. */
export function signOnCheck({ singleSignOn }: Config): Check[] {
  if (singleSignOn === null) return [];
  const run = async () => {
    const provider = await openSignOn(singleSignOn);
    try {
      await provider.endSessionUrl(singleSignOn.issuer);
      return ok(`${singleSignOn.issuer} answers`);
    } catch (error) {
      if (!(error instanceof AdapterFailure)) throw error;
      return failed(error.message, 'Check OIDC_ISSUER, and that it is reached from here');
    } finally {
      await provider.close();
    }
  };
  return [{ name: 'single sign-on', run }];
}
