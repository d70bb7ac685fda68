import { openCapturingGateway } from './capture.ts';
import type { SmsGateway } from './gateway.ts';
import type { SmsConnection } from './options.ts';

/** The gateways that this rail sends texts by, by name. */
export type SmsGateways = ReadonlyMap<string, SmsGateway>;

interface Setting {
  readonly mode: 'sandbox' | 'live';
  readonly connections: readonly SmsConnection[];
  readonly dataDir: string;
}

/** The gateways of a rail; in a sandbox without any, one that keeps the texts to all countries. */
export async function openGateways({ mode, connections, dataDir }: Setting): Promise<SmsGateways> {
  const open = async (connection: SmsConnection) =>
    (await import('./africas-talking.ts')).openAfricasTalking(connection);
  const gateways =
    connections.length === 0 && mode === 'sandbox'
      ? [openCapturingGateway(dataDir)]
      : await Promise.all(connections.map(open));
  return new Map(gateways.map((gateway) => [gateway.name, gateway]));
}

/** The gateway that takes texts to a phone; null where none does. */
export function gatewayTo(gateways: SmsGateways, phone: string): SmsGateway | null {
  return [...gateways.values()].find(({ prefixes }) => prefixes.some((prefix) => phone.startsWith(prefix))) ?? null;
}
