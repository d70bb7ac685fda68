import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/platform/config/config.ts';
import { createLog } from '../../src/kernel/log.ts';
import { openRail } from '../../src/app/open.ts';
import { testRail } from '../harness/rail.ts';

const folder = mkdtempSync(join(tmpdir(), 'rail-connections-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const rail = testRail();

const MTN = { url: 'https://momo.example.org/', subscription_key: 's', api_user: 'u', api_key: 'k', target_environment: 'mtnuganda' };
const NIRA = { url: 'https://nira.example.org', country: 'UG', oauth2: { client_id: 'c', client_secret: 's' } };

function file(content: object | string): string {
  const path = join(folder, 'connections.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const read = (content: object | string, more: object = {}) => readConfig({ CONNECTIONS: file(content), ...more }).connections;

describe('a connections file', () => {
  it('says who is connected, with patience that is sensible by itself', () => {
    writeFileSync(join(folder, 'client.pem'), 'CERT');
    writeFileSync(join(folder, 'client.key'), 'KEY');
    const tax = { ...NIRA, url: 'https://tax.example.org', ca: 'client.pem', mtls: { cert: 'client.pem', key: 'client.key' } };
    const { channels, agencies, statements } = read({
      channels: { mtn_momo: MTN },
      agencies: { 'tax authority': tax },
      statements: { card: { columns: { reference: 'ref', amount: 'sum' }, paid: ['Done'] } },
    });
    expect(channels.mtn_momo).toMatchObject({
      url: 'https://momo.example.org',
      timeoutMs: 10_000,
      concurrency: 20,
      breakerFailures: 5,
      targetEnvironment: 'mtnuganda',
    });
    expect(agencies['tax authority']).toMatchObject({ ca: 'CERT', mtls: { url: 'https://tax.example.org', cert: 'CERT', key: 'KEY' } });
    expect(statements['card']).toMatchObject({ delimiter: ',', columns: { reference: 'ref', currency: null }, paid: ['done'] });
    expect(read({})).toEqual({ channels: {}, agencies: {}, statements: {} });
  });

  it.each([
    ['nothing', '', /cannot be read/],
    ['no JSON', '{', /cannot be read/],
    ['an unknown channel', { channels: { visa: MTN } }, /channels: .*visa/],
    ['a channel without its key', { channels: { mtn_momo: { ...MTN, api_key: undefined } } }, /channels\.mtn_momo\.api_key: /],
    ['a misspelt member', { channels: { mtn_momo: { ...MTN, apikey: 'k' } } }, /channels\.mtn_momo: .*apikey/],
    ['another protocol', { channels: { mtn_momo: { ...MTN, url: 'ftp://x' } } }, /channels\.mtn_momo\.url: /],
    [
      'a certificate that is not there',
      { agencies: { 'tax authority': { ...NIRA, ca: 'missing.pem' } } },
      /tax authority\.ca: cannot read missing\.pem/,
    ],
    ['no patience', { channels: { mtn_momo: { ...MTN, timeout_ms: 0 } } }, /timeout_ms/],
  ])('stops the start with %s, in one line that names it', (_what, content, message) => {
    expect(() => read(content)).toThrow(message);
    expect(() => read(content)).toThrow(/^CONNECTIONS: [^\n]+$/);
  });

  it('has to be https in live mode', () => {
    const live = {
      MODE: 'live',
      DATABASE_URL: 'postgresql://rail@db/rail',
      BASE_URL: 'https://rail.example.org',
      SECRET_KEY: 'a-secret-of-at-least-32-characters',
      WEBHOOK_SECRET_MTN_MOMO: 'a-secret-of-16-characters',
      WEBHOOK_SECRET_AIRTEL_MONEY: 'a-secret-of-16-characters',
      WEBHOOK_SECRET_CARD: 'a-secret-of-16-characters',
    };
    expect(read({ channels: { mtn_momo: MTN } }, live).channels.mtn_momo).toBeDefined();
    expect(() => read({ channels: { mtn_momo: { ...MTN, url: 'http://momo.example.org' } } }, live)).toThrow(
      'CONNECTIONS: http://momo.example.org must be https in live mode',
    );
  });

  it('has to have the credentials that the endpoints of an agency ask for', async () => {
    const config = readConfig({ DATABASE_URL: rail.url, CONNECTIONS: file({ agencies: { 'tax authority': NIRA } }) });
    await expect(openRail(config, createLog('silent'))).rejects.toThrow('CONNECTIONS: tax-payment of the tax authority needs mTLS credentials');
  });
});
