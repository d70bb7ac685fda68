import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openGateways } from '../../../../src/adapters/sms/gateways.ts';
import { notifyPayers } from '../../../../src/collection/citizens/messages/send.ts';
import { readConfig } from '../../../../src/platform/config/config.ts';
import { createConfirmed, makeActor } from '../../../harness/flow.ts';
import { LIVE } from '../../../harness/live.ts';
import { testRail } from '../../../harness/rail.ts';

const folder = mkdtempSync(join(tmpdir(), 'rail-gateways-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TEXTS = { name: 'texts', gateway: 'africas_talking', countries: ['UG', 'KE'], username: 'u', api_key: 'k' };

function read(sms: object, more: object = {}) {
  const path = join(folder, 'connections.json');
  writeFileSync(path, JSON.stringify({ sms: [sms] }));
  return readConfig({ ...more, CONNECTIONS: path });
}

describe('a gateway of text messages in CONNECTIONS', () => {
  it('has the address of its provider unless it says another, and takes texts to its countries', async () => {
    const { connections, mode, dataDir } = read(TEXTS);
    expect(connections.sms).toMatchObject([
      { name: 'texts', sender: null, peer: { url: 'https://api.africastalking.com' } },
    ]);
    const gateways = await openGateways({ mode, connections: connections.sms, dataDir });
    const [gateway] = gateways.values();
    expect(gateway).toMatchObject({ name: 'texts', prefixes: ['+256', '+254'], takesReplies: false });
    await gateway!.close!();
  });

  it.each([
    ['a gateway that is unknown', { ...TEXTS, gateway: 'pigeon' }, /sms\.0\.gateway: /],
    ['a country without phones', { ...TEXTS, countries: ['XX'] }, /sms\.0\.countries\.0: must be a country/],
    ['no country', { ...TEXTS, countries: [] }, /sms\.0\.countries: /],
    ['the name of a provider', { ...TEXTS, name: 'Texts' }, /sms\.0\.name: /],
    ['a sender with a blank', { ...TEXTS, sender: 'My Office' }, /sms\.0\.sender: must be/],
  ])('refuses %s', (_what, sms, message) => {
    expect(() => read(sms)).toThrow(message);
  });

  it('needs https and a secret on a live rail, which without one sends no texts', async () => {
    expect(() => read(TEXTS, LIVE)).toThrow(/WEBHOOK_SECRET_TEXTS: needed in live mode/);
    const secret = { WEBHOOK_SECRET_TEXTS: 'posts-of-the-gateway' };
    expect(() => read({ ...TEXTS, url: 'http://sms.example' }, { ...LIVE, ...secret })).toThrow(/must be https/);
    expect(read(TEXTS, { ...LIVE, ...secret }).smsSecrets).toEqual({ texts: ['posts-of-the-gateway'] });
    expect((await openGateways({ mode: 'live', connections: [], dataDir: folder })).size).toBe(0);
  });
});

describe('a sandbox without a gateway', () => {
  const rail = testRail();

  it('writes texts to files that its user alone can read', async () => {
    await createConfirmed(rail, await makeActor(rail));
    await notifyPayers(rail.rail);
    const sms = join(rail.dataDir, 'sms');
    const [file] = readdirSync(sms);
    expect(readFileSync(join(sms, file!), 'utf8')).toMatch(
      /^To: \+256700010001\n\nPayment of UGX 585,000 to URA, URSB received\./,
    );
    expect(statSync(join(sms, file!)).mode & 0o777).toBe(0o600);
  });
});
