import type { Call } from './call.ts';
import { type Step, step } from '../change/step.ts';
import { type Purging, purgeRows } from '../change/purge.ts';
import { type Sql, sql } from '../database/sql.ts';
import { networkOf } from '../../kernel/network.ts';
import { DAY_MS } from '../../kernel/time.ts';

/** Days for which a network is known after its last use. */
const KNOWN_DAYS = 90;

/** Stored hash of the network that a call comes from. */
export function hashNetwork({ vault, transport: { source } }: Call): Buffer {
  return vault.hash('network', networkOf(source.address));
}

/**
 * Stored hash of a pair with a quota: an address as far as one network asks for it, so that others do not use it up.
 */
export function hashPair({ vault, transport: { source } }: Call, address: string): Buffer {
  return vault.hash('address', `${address}\n${networkOf(source.address)}`);
}

/** Stored hash of an address that mail goes to, for all requesters. */
export function hashMailbox({ vault }: Pick<Call, 'vault'>, email: string): Buffer {
  return vault.hash('address', email);
}

/** The condition that the holder of an address has proved before, from where this call comes, to be who they are. */
export function isKnown(call: Call, holder: Buffer): Sql {
  return sql`exists (select from known_network k where k.holder = ${holder} and k.network = ${hashNetwork(call)})`;
}

/** Remembers from where the holder in a relation's column `holder` has proved to be who they are. */
export function rememberNetwork(call: Call, relation: Sql): Step {
  return step('known')`
    insert into known_network (holder, network, seen_at)
    select holder, ${hashNetwork(call)}, ${call.now()} from ${relation} where holder is not null
    on conflict (holder, network) do update set seen_at = excluded.seen_at`;
}

/** Forgets networks that were not used for long; how many. */
export async function purgeNetworks(purging: Purging): Promise<number> {
  const before = new Date(purging.now().getTime() - KNOWN_DAYS * DAY_MS);
  return purgeRows(purging, 'known_network', sql`seen_at < ${before}`);
}
