import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/platform/config/config.ts';
import { createLog } from '../../src/kernel/log.ts';
import { openRail } from '../../src/app/open-rail.ts';
import { LIVE } from '../harness/live.ts';
import { testRail } from '../harness/rail.ts';

const folder = mkdtempSync(join(tmpdir(), 'rail-connections-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const rail = testRail();

const MTN = {
  url: 'https://momo.example.org/',
  subscription_key: 's',
  api_user: 'u',
  api_key: 'k',
  target_environment: 'mtnuganda',
};
const AIRTEL = { url: 'https://airtel.example.org', client_id: 'c', client_secret: 's', calling_code: '254' };
const NIRA = { url: 'https://nira.example.org', country: 'UG', oauth2: { client_id: 'c', client_secret: 's' } };

function file(content: object | string): string {
  const path = join(folder, 'connections.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const read = (content: object | string, more: object = {}) =>
  readConfig({ CONNECTIONS: file(content), ...more }).connections;

describe('a connections file', () => {
  it('says who is connected, with patience that is sensible by itself', () => {
    writeFileSync(join(folder, 'client.pem'), 'CERT');
    writeFileSync(join(folder, 'client.key'), 'KEY');
    const tax = {
      ...NIRA,
      url: 'https://tax.example.org',
      ca: 'client.pem',
      mtls: { cert: 'client.pem', key: 'client.key' },
    };
    const { providers, agencies, statements } = read({
      channels: { mtn_momo: MTN },
      agencies: { 'tax authority': tax },
      statements: { card: { columns: { reference: 'ref', amount: 'sum' }, paid: ['Done'] } },
    });
    expect(providers).toMatchObject([
      {
        name: 'mtn_momo',
        country: null,
        currencies: null,
        peer: { url: 'https://momo.example.org', timeoutMs: 10_000, concurrency: 20, breakerFailures: 5 },
        options: { target_environment: 'mtnuganda' },
      },
    ]);
    expect(agencies['tax authority']).toMatchObject({
      ca: 'CERT',
      mtls: { url: 'https://tax.example.org', cert: 'CERT', key: 'KEY' },
    });
    expect(statements['card']).toMatchObject({
      columns: { reference: 'ref', currency: null },
      paid: ['done'],
    });
    expect(read({})).toEqual({
      providers: [],
      agencies: {},
      fiscalPartners: {},
      billers: [],
      sms: [],
      statements: {},
      banks: {},
    });
  });

  it('names connections of one provider in several countries, each with the usual currencies of its own', () => {
    const { providers, statements } = read({
      providers: [
        { ...MTN, provider: 'mtn_momo', country: 'UG' },
        { ...MTN, provider: 'mtn_momo', name: 'mtn_momo_rw', country: 'RW', target_environment: 'mtnrwanda' },
        { ...AIRTEL, provider: 'airtel_money', country: 'KE', currencies: ['KES', 'USD'] },
      ],
      statements: { mtn_momo_rw: { columns: { reference: 'ref', amount: 'sum' } } },
    });
    expect(
      providers.map(({ name, country, currencies, options }) => [
        name,
        country,
        currencies,
        options['target_environment'],
      ]),
    ).toEqual([
      ['mtn_momo', 'UG', ['UGX'], 'mtnuganda'],
      ['mtn_momo_rw', 'RW', ['RWF'], 'mtnrwanda'],
      ['airtel_money', 'KE', ['KES', 'USD'], undefined],
    ]);
    expect(statements['mtn_momo_rw']).toMatchObject({ columns: { reference: 'ref' } });
  });

  it('shares the secret of a provider among those of its connections that have none of their own', () => {
    const rw = { ...MTN, provider: 'mtn_momo', name: 'mtn_momo_rw', country: 'RW' };
    const zm = { ...rw, name: 'mtn_momo_zm', country: 'ZM' };
    const secrets = {
      WEBHOOK_SECRET_MTN_MOMO: 'the-secret-of-all-of-mtn',
      WEBHOOK_SECRET_MTN_MOMO_RW: 'the-secret-in-rwanda',
    };
    expect(readConfig({ CONNECTIONS: file({ providers: [rw, zm] }), ...secrets }).callbackSecrets).toMatchObject({
      mtn_momo: ['the-secret-of-all-of-mtn'],
      mtn_momo_rw: ['the-secret-in-rwanda'],
      mtn_momo_zm: ['the-secret-of-all-of-mtn'],
      card: [],
    });
  });

  it('asks a live rail for the secrets of those that it names, and of no others', () => {
    const live = { MODE: 'live', DATABASE_URL: 'postgresql://rail@db/rail', BASE_URL: 'https://rail.example.org' };
    const needed = { ...live, SECRET_KEY: 'a-secret-of-at-least-32-characters', SMTP_URL: 'none' };
    const rw = { ...MTN, provider: 'mtn_momo', name: 'mtn_momo_rw', country: 'RW' };
    const efris = { country: 'UG' };
    const named = { CONNECTIONS: file({ providers: [rw], fiscal_partners: { efris } }), ...needed };
    expect(readConfig(needed).callbackSecrets).toEqual({ mtn_momo: [], airtel_money: [], card: [] });
    expect(() => readConfig({ ...named, SMTP_URL: '' })).toThrow(
      /^SMTP_URL, WEBHOOK_SECRET_MTN_MOMO_RW, WEBHOOK_SECRET_EFRIS: needed in live mode$/,
    );
    const secrets = {
      WEBHOOK_SECRET_MTN_MOMO: 'the-secret-of-all-of-mtn',
      WEBHOOK_SECRET_EFRIS: 'the-secret-of-efris',
    };
    expect(readConfig({ ...named, ...secrets }).mode).toBe('live');
  });

  it.each([
    ['nothing', '', /cannot be read/],
    ['no JSON', '{', /cannot be read/],
    ['an unknown channel', { channels: { visa: MTN } }, /channels: .*visa/],
    [
      'a channel without its key',
      { channels: { mtn_momo: { ...MTN, api_key: undefined } } },
      /channels\.mtn_momo\.api_key: /,
    ],
    ['a misspelt member', { channels: { mtn_momo: { ...MTN, apikey: 'k' } } }, /channels\.mtn_momo: .*apikey/],
    [
      'a connection of nobody',
      { providers: [{ ...MTN, provider: 'visa', country: 'UG' }] },
      /providers\.0\.provider: .*mtn_momo/,
    ],
    [
      'the name of somebody else',
      { providers: [{ ...MTN, provider: 'mtn_momo', name: 'card', country: 'UG' }] },
      /providers\.0\.name: .*another/,
    ],
    ['a connection nowhere', { providers: [{ ...MTN, provider: 'mtn_momo' }] }, /providers\.0\.country: is required/],
    [
      'a misspelt member in a list',
      { providers: [{ ...MTN, provider: 'mtn_momo', country: 'UG', key: 'k' }] },
      /providers\.0: .*key/,
    ],
    [
      'a country without usual currencies',
      { providers: [{ ...MTN, provider: 'mtn_momo', country: 'KE' }] },
      /providers\.0\.currencies: are required/,
    ],
    [
      'two connections of one name',
      { channels: { mtn_momo: MTN }, providers: [{ ...MTN, provider: 'mtn_momo', country: 'RW' }] },
      /providers: mtn_momo is the name of two connections/,
    ],
    [
      'statements of nobody',
      { statements: { visa: { columns: { reference: 'r', amount: 'a' } } } },
      /statements: .*visa/,
    ],
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
    const live = { ...LIVE, DATABASE_URL: 'postgresql://rail@db/rail' };
    expect(read({ channels: { mtn_momo: MTN } }, live).providers).toHaveLength(1);
    expect(() => read({ channels: { mtn_momo: { ...MTN, url: 'http://momo.example.org' } } }, live)).toThrow(
      'CONNECTIONS: http://momo.example.org must be https in live mode',
    );
  });

  it('has to have the credentials that the endpoints of an agency ask for', async () => {
    const config = readConfig({ DATABASE_URL: rail.url, CONNECTIONS: file({ agencies: { 'tax authority': NIRA } }) });
    await expect(openRail(config, createLog('silent'))).rejects.toThrow(
      'CONNECTIONS: tax-payment of the tax authority needs mTLS credentials',
    );
  });
});
