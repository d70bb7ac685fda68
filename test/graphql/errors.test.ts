import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { REASONS } from '../../src/kernel/reasons.ts';
import { statusOf } from '../../src/kernel/refusal.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail({ DEV_REVEAL: 'on' });

const SIGN_UP = {
  full_name: 'Jo Doe',
  email: 'jo@example.com',
  organisation: 'My Office',
  tos_accepted_version: 'another',
};
const SIGN_UP_QUERY = `mutation ($terms: String!) {
  signUp(fullName: "Jo Doe", email: "jo@example.com", organisation: "My Office", tosAcceptedVersion: $terms) { message }
}`;

const graphql = (query: string, more: object = {}) => rail.ask('/graphql', { body: { query }, ...more });

describe('refusals', () => {
  it('name arguments and operations as the schema has them over GraphQL, and as the documents have them over REST', async () => {
    const overRest = (await rail.ask('/v1/signup', { body: SIGN_UP })).json.error;
    expect(overRest.details[0].path).toBe('tos_accepted_version');
    expect(overRest.message).toMatch(
      /^tos_accepted_version: must be .*, the version returned by GET \/v1\/signup\/tos$/,
    );
    const { json } = await rail.ask('/graphql', { body: { query: SIGN_UP_QUERY, variables: { terms: 'another' } } });
    expect(json.errors[0].extensions.details[0].path).toBe('tosAcceptedVersion');
    expect(json.errors[0].message).toMatch(/^tosAcceptedVersion: must be .*, the version returned by `terms`$/);
  });

  it('of a variable are answered as those of an argument, and not as a fault of the server', async () => {
    const body = { query: 'query ($q: String) { services(q: $q) { nodes { id } } }', variables: { q: [['x']] } };
    const { status, json } = await rail.ask('/graphql', { body });
    expect([status, json.errors[0].extensions]).toEqual([
      200,
      { code: 'validation_failed', details: [{ path: 'q', message: 'must be a string' }] },
    ]);
  });

  it('name what their prose speaks of likewise', async () => {
    const { plaintext: key } = await rail.key('citizens.read');
    const query = 'mutation { testWebhook { message } }';
    const detail = {
      path: 'webhookEndpoint',
      message: 'The account has no webhookEndpoint; set one with `updateMe`',
      code: 'no_webhook_endpoint',
    };
    expect((await graphql(query, { key })).json.errors[0].extensions.details).toEqual([detail]);
    expect((await rail.ask('/v1/me/webhook:test', { key, body: {} })).json.error.details).toEqual([
      {
        path: 'webhook_endpoint',
        message: 'The account has no webhook_endpoint; set one with PATCH /v1/me',
        code: 'no_webhook_endpoint',
      },
    ]);
  });

  it('leave what a client sent as it was sent', async () => {
    const { plaintext: key } = await rail.key('citizens.read');
    const { json } = await rail.ask('/v1/me', { method: 'PATCH', key, body: { displayName: 'x' } });
    expect(json.error.details).toEqual([{ path: 'displayName', message: 'cannot be set' }]);
  });

  it('tell who is not known how to show who they are, and who asks too often when to come back', async () => {
    const anonymous = await graphql('{ citizens { nodes { id } } }');
    expect(anonymous.json.errors[0].extensions.code).toBe('unauthenticated');
    expect(anonymous.headers.get('www-authenticate')).toContain('Bearer');
    const wrong = await graphql('{ agencies { nodes { id } } }', { key: 'rail_sandbox_none' });
    expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('Bearer')]);
  });
});

describe('error codes', () => {
  it('are listed for everyone, with their status and their reasons', async () => {
    const { errorCodes } = (await graphql('{ errorCodes { code httpStatus meaning reasons { code meaning } } }')).json
      .data;
    const codes = errorCodes as { code: string; httpStatus: number; reasons: { code: string }[] }[];
    expect(Object.fromEntries(codes.map(({ code, httpStatus }) => [code, httpStatus]))).toEqual(statusOf);
    expect(codes.flatMap(({ reasons }) => reasons.map(({ code }) => code)).toSorted()).toEqual(
      Object.keys(REASONS).toSorted(),
    );
  });
});

describe('messages of the core', () => {
  it('speak of no address of REST', () => {
    const speaking = globSync(
      'src/{collection,counter,identity,accounts,console,oversight,platform,graphql,kernel}/**/*.ts',
    ).filter((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .some((line) => /(invalid|because|Refusal|Because|message:|SENT).*\/v1\//.test(line)),
    );
    expect(speaking).toEqual([]);
  });
});
