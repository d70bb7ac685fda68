import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { simulateAfricasTalking } from './africas-talking.ts';
import { simulateAgencies } from './agencies.ts';
import { secretOfKind } from './agency-pushes.ts';
import { simulateAirtelMoney } from './airtel-money.ts';
import { makeCertificates } from './certificates.ts';
import { simulateFlutterwave } from './flutterwave.ts';
import { simulateMtnMomo } from './mtn-momo.ts';

/** Secrets of the callbacks, as both sides are told them. */
export const CALLBACK_SECRETS = {
  mtn_momo: 'sim-callbacks-of-mtn-momo',
  airtel_money: 'sim-callbacks-of-airtel-money',
  card: 'sim-callbacks-of-cards',
  sms: 'sim-posts-of-texts',
} as const;

export interface OutsideOptions {
  /** Folder for certificates and the connections file. */
  readonly folder: string;
  /** Address that the rail listens on, known later than this. */
  readonly rail: () => string;
  readonly autopay: boolean;
  /** True if all of it is reached over TLS, as a live rail asks. */
  readonly tls?: boolean;
  /** More members of every connection, such as a shorter patience. */
  readonly patience?: Readonly<Record<string, number>>;
}

export type Outside = Awaited<ReturnType<typeof simulateOutside>>;

/**
 * The whole outside world: three aggregators, a gateway of texts and the agencies of the registry, with a connections file that leads to
 * them.
 */
export async function simulateOutside({ folder, rail, autopay, tls = false, patience = {} }: OutsideOptions) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return name;
  };
  const certificates = await makeCertificates();
  const files = {
    ca: write('ca.pem', certificates.ca),
    cert: write('client.pem', certificates.client.cert),
    key: write('client.key', certificates.client.key),
  };
  const callback = (provider: string) => () => `${rail()}/v1/webhooks/${provider}`;
  const secured = tls ? certificates.server : undefined;
  const mtn = await simulateMtnMomo(secured);
  const airtel = await simulateAirtelMoney(
    { callback: callback('airtel_money'), secret: CALLBACK_SECRETS.airtel_money },
    secured,
  );
  const card = await simulateFlutterwave(
    { callback: callback('card'), secret: CALLBACK_SECRETS.card, autopay, accounts: () => true },
    secured,
  );
  const sms = await simulateAfricasTalking({ name: 'sms', rail, secret: CALLBACK_SECRETS.sms }, secured);
  const agencies = await simulateAgencies(certificates, files, rail, secured);
  const patient = (connection: object) => ({ ...connection, ...patience, ...(tls && { ca: files.ca }) });
  const connections = {
    channels: {
      mtn_momo: patient(mtn.connection),
      airtel_money: patient(airtel.connection),
      card: patient(card.connection),
    },
    agencies: Object.fromEntries(Object.entries(agencies).map(([kind, agency]) => [kind, patient(agency.connection)])),
    sms: [patient(sms.connection)],
  };
  const path = join(folder, write('connections.json', JSON.stringify(connections, null, 2)));
  const environment = {
    CONNECTIONS: path,
    WEBHOOK_SECRET_MTN_MOMO: CALLBACK_SECRETS.mtn_momo,
    WEBHOOK_SECRET_AIRTEL_MONEY: CALLBACK_SECRETS.airtel_money,
    WEBHOOK_SECRET_CARD: CALLBACK_SECRETS.card,
    WEBHOOK_SECRET_SMS: CALLBACK_SECRETS.sms,
    ...Object.fromEntries(
      Object.keys(agencies).map((kind) => {
        const { variable, secret } = secretOfKind(kind);
        return [variable, secret];
      }),
    ),
  };
  const connected = [
    { name: 'mtn_momo', address: mtn.url },
    { name: 'airtel_money', address: airtel.url },
    { name: 'card', address: card.url },
    { name: 'sms', address: sms.url },
    ...Object.entries(agencies).map(([name, { address }]) => ({ name, address })),
  ];
  const everything = [mtn, airtel, card, sms, ...Object.values(agencies)];
  return {
    mtn,
    airtel,
    card,
    sms,
    agencies,
    certificates,
    connections,
    connected,
    environment,
    close: async () => void (await Promise.all(everything.map((one) => one.close()))),
  };
}
