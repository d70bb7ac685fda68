import { beforeAll, describe, expect, it } from 'vitest';
import { AGENCY_SCOPES, KEY_SCOPES, type Role, type Scope } from '../../src/platform/access/needs.ts';
import { schema } from '../../src/app/schema.ts';
import { loadEndpoints } from '../../rest/load.ts';
import { makeAccount, signIn } from '../harness/people/accounts.ts';
import { makeAgency } from '../harness/people/agency.ts';
import { testRail } from '../harness/rail.ts';
import { makeStaff } from '../harness/people/staff.ts';

const rail = testRail({ DEV_REVEAL: 'on' });
const { endpoints } = loadEndpoints(schema);

/** As it was decided, not as the code has it. */
const SCOPES_OF: Readonly<Record<Role, readonly Scope[]>> = {
  clerk: [
    'citizens.read',
    'citizens.write',
    'catalogue.read',
    'assessments.read',
    'assessments.write',
    'payments.initiate',
    'assessments.cancel',
  ],
  supervisor: [
    'citizens.read',
    'citizens.write',
    'catalogue.read',
    'assessments.read',
    'assessments.write',
    'payments.initiate',
    'assessments.cancel',
  ],
  admin: [
    'citizens.read',
    'citizens.write',
    'catalogue.read',
    'assessments.read',
    'assessments.write',
    'payments.initiate',
    'assessments.cancel',
    'assessments.import',
    'books.write',
    'oversight.read',
  ],
  system_manager: ['catalogue.read', 'assessments.import', 'books.write', 'payments.read'],
  oversight: ['oversight.read', 'catalogue.read'],
  finance_officer: ['catalogue.read', 'assessments.read', 'assessments.import', 'books.write', 'payments.read'],
  auditor: ['oversight.read'],
};
const ROLES = Object.keys(SCOPES_OF) as Role[];
/** Scopes that keys of accounts can have. */
const SCOPES = [
  ...SCOPES_OF.admin.filter((scope) => scope !== 'assessments.import' && scope !== 'books.write'),
  'payments.read',
] as const;

type Rule =
  | 'open'
  | 'account'
  | { readonly scope: Scope }
  | { readonly roles: readonly Role[]; readonly accounts: true }
  | { readonly roles: readonly Role[]; readonly keyScope?: Scope };

const COUNTER: Rule = { roles: ['clerk', 'supervisor', 'admin'] };
const REVIEW: Rule = { roles: ['supervisor', 'admin'] };
const READ = { roles: ['admin', 'system_manager', 'oversight'] } satisfies Rule;
const WRITE = { roles: ['admin', 'system_manager'] } satisfies Rule;

const RULES: readonly (readonly [RegExp, Rule])[] = [
  [/^POST \/v1\/citizens/, { scope: 'citizens.write' }],
  [/^GET \/v1\/citizens/, { scope: 'citizens.read' }],
  [/^GET \/v1\/(mdas|services|notices|events\/types|anomaly-rules|changelog)/, 'open'],
  [/^GET \/v1\/events/, 'account'],
  // An account, an agency or operators: each finds its own, at any of these addresses.
  [/^GET \/v1\/(me|agency\/\{mda\}|ops)\/webhook-endpoints/, { ...READ, accounts: true }],
  [/^\w+ \/v1\/(me|agency\/\{mda\}|ops)\/webhook-endpoints/, { ...WRITE, accounts: true }],
  [/^GET \/v1\/agency\/\{mda\}\/days/, { roles: [...READ.roles, 'supervisor', 'finance_officer', 'auditor'] }],
  [/^POST \/v1\/agency\/\{mda\}\/days\/\{day\}:confirm$/, { roles: ['finance_officer'] }],
  [/^GET \/v1\/agency\/\{mda\}\/exemptions$/, { roles: [...READ.roles, 'supervisor', 'finance_officer'] }],
  [/^POST \/v1\/agency\/\{mda\}\/exemptions$/, { roles: ['supervisor', 'admin', 'finance_officer'] }],
  [/^POST \/v1\/agency\/\{mda\}\/exemptions\/\{name\}:revoke$/, { roles: [...WRITE.roles, 'finance_officer'] }],
  [/^GET \/v1\/agency\/\{mda\}\/payouts$/, { roles: [...READ.roles, 'supervisor', 'finance_officer', 'auditor'] }],
  [/^POST \/v1\/agency\/\{mda\}\/bank-lines\/\{name\}:(classify|release)$/, { scope: 'books.write' }],
  [/^POST \/v1\/assessments:quote$/, 'open'],
  [/^POST \/v1\/agency\/\{mda\}\/assessments:import$/, { scope: 'assessments.import' }],
  [/^POST \/v1\/agency\/\{mda\}\/bank-statements$/, { scope: 'books.write' }],
  [
    /^GET \/v1\/(agency\/\{mda\}\/)?bank-(statements|lines)/,
    { roles: [...READ.roles, 'supervisor', 'finance_officer', 'auditor'] },
  ],
  [/^POST \/v1\/assessments\/\{name\}:issue-reference$/, { scope: 'payments.initiate' }],
  [/^(GET \/v1\/payment-references|POST \/v1\/billers|POST \/v1\/sms)\//, 'open'],
  [/^POST \/v1\/assessments\/\{name\}:cancel$/, { scope: 'assessments.cancel' }],
  [
    /^POST \/v1\/assessments\/\{name\}:replace$/,
    { roles: ['supervisor', 'admin', 'system_manager', 'finance_officer'] },
  ],
  [/^(POST|PATCH) \/v1\/assessments/, { scope: 'assessments.write' }],
  [/^GET \/v1\/assessments/, { scope: 'assessments.read' }],
  [/^GET \/v1\/payment-intents\/\{name\}\/live-status$/, { scope: 'payments.initiate' }],
  [/^GET \/v1\/payment-/, { scope: 'payments.read' }],
  [/^POST \/v1\/payment-intents\/\{name\}:dispute$/, { roles: ['supervisor', 'admin', 'finance_officer'] }],
  [/^POST \/v1\/payment-/, { scope: 'payments.initiate' }],
  [/^POST \/v1\/receipts:verify$/, 'open'],
  [/^\w+ \/v1\/receipts\//, { scope: 'payments.read' }],
  [/^GET \/v1\/refunds/, { scope: 'payments.read' }],
  [/^POST \/v1\/refunds\/\{name\}:prove$/, { roles: ['admin', 'finance_officer'] }],
  [/^POST \/v1\/refunds\/\{name\}:pay-cash$/, COUNTER],
  [/^POST \/v1\/refunds/, { roles: ['supervisor', 'admin', 'finance_officer'], keyScope: 'payments.refund' }],
  [/^GET \/v1\/counter-shifts/, { scope: 'assessments.read' }],
  [/^POST \/v1\/counter-shifts/, { scope: 'assessments.write' }],
  [/^(POST|PUT) \/v1\/webhooks\//, 'open'],
  [/^GET \/v1\/integrations$/, { scope: 'catalogue.read' }],
  [/^\w+ \/v1\/(signup|login|session|logout|agency-tokens)/, 'open'],
  [/^GET \/\.well-known\//, 'open'],
  [/^\w+ \/v1\/(me|sandbox\/)/, 'account'],
  [/^\w+ \/v1\/work\/(login(:\w+)?|logout|whoami|passkeys:request)$/, 'open'],
  [/^\w+ \/v1\/work\/(mdas|citizens|citizens\/\{name\}:confirm|taxpayers|businesses)$/, COUNTER],
  [/^POST \/v1\/organisations$/, COUNTER],
  [/^\w+ \/v1\/work\/(second-factor:|passkeys|password$)/, { roles: ROLES }],
  [/^POST \/v1\/work\/(invitations|password-reset):/, 'open'],
  [/^POST \/v1\/ops\/admin-grants\//, { roles: ['admin'] }],
  [/^GET \/v1\/ops\/approvals/, { roles: [...READ.roles, 'supervisor', 'finance_officer'] }],
  [/^POST \/v1\/ops\/approvals\//, { roles: ['admin', 'system_manager', 'supervisor', 'finance_officer'] }],
  [/^\w+ \/v1\/work\/shifts/, REVIEW],
  [/^GET \/v1\/supervisor\//, { roles: ['supervisor', 'admin', 'finance_officer'], keyScope: 'assessments.read' }],
  [/^POST \/v1\/supervisor\//, { roles: ['supervisor', 'admin'], keyScope: 'assessments.write' }],
  [/^GET \/v1\/oversight\//, { scope: 'oversight.read' }],
  [
    /^GET \/v1\/ops\/(propagations|money-received(\/\{name\})?|reconciliation\/.*)$/,
    { roles: ['admin', 'system_manager', 'oversight', 'finance_officer'] },
  ],
  [/^POST \/v1\/ops\/money-received/, { roles: ['admin', 'system_manager', 'finance_officer'] }],
  [/^GET \/v1\/ops\/(audit|log-seals|(mdas|services)\/\{name\}\/history)$/, { roles: [...READ.roles, 'auditor'] }],
  [/^GET \/v1\/ops\/find$/, { roles: ROLES }],
  [/^GET \/v1\/ops\/citizen-access$/, { roles: ['auditor'] }],
  [/^POST \/v1\/ops\/staff\/\{email\}:set-break-glass$/, { roles: ['admin'] }],
  [/^GET \/v1\/ops\//, READ],
  [/^(POST|PATCH|PUT|DELETE) \/v1\/ops\//, WRITE],
];

type Endpoint = (typeof endpoints)[number];
const labelOf = ({ method, path }: Endpoint) => `${method} ${path}`;

function ruleOf(endpoint: Endpoint): Rule {
  const rule = RULES.find(([pattern]) => pattern.test(labelOf(endpoint)))?.[1];
  if (!rule) throw new Error(`Nothing says who may use ${labelOf(endpoint)}`);
  return rule;
}

function ask(endpoint: Endpoint, headers: Readonly<Record<string, string>>) {
  const path = endpoint.path
    .replace('{provider}', 'card')
    .replace('{name}', 'X-2020-000001')
    .replace('{code}', 'NOBODY-ABCDEF')
    .replace('{email}', 'nobody@example.com')
    .replace('{id}', 'nothing')
    .replace('{number}', 'nothing');
  // 401 and 403 come before the input is looked at, which is empty here.
  return rail.ask(path, { method: endpoint.method, headers, ...(endpoint.method === 'GET' ? {} : { body: {} }) });
}

type Verdict = 'allowed' | 401 | 403;

function expectVerdict(
  { status, code }: { status: number; code: string | undefined },
  verdict: Verdict,
  who: string,
): void {
  if (verdict === 'allowed') expect([401, 403], `${who}: ${status}`).not.toContain(status);
  else expect([status, code], who).toEqual([verdict, verdict === 401 ? 'unauthenticated' : 'forbidden']);
}

const covers = (held: readonly Scope[], scope: Scope) =>
  held.includes(scope) ||
  (scope === 'assessments.read' && held.includes('assessments.write')) ||
  (scope === 'payments.read' && held.includes('payments.initiate'));

const cookies: Partial<Record<Role, string>> = {};
const keys: Partial<Record<Scope, string>> = {};
let standard: { key: string; cookie: string };
/** The headers of each kind of credential, with all that it can be given. */
let credentials: Readonly<Record<string, Readonly<Record<string, string>>>>;
let described: Record<string, Record<string, { security: readonly object[] }>>;

beforeAll(async () => {
  for (const role of ROLES) cookies[role] = (await makeStaff(rail, role)).cookie;
  for (const scope of SCOPES) keys[scope] = (await rail.keyGranted({ supervises: ['*'] }, scope)).plaintext;
  const account = await makeAccount(rail);
  standard = { key: account.key, cookie: await signIn(rail, account) };
  const everything = { supervises: ['*'], counters: ['*'], managesAccount: true };
  const { plaintext } = await rail.keyGranted(everything, ...KEY_SCOPES);
  const agency = await makeAgency(rail, 'URA', AGENCY_SCOPES);
  credentials = {
    bearerKey: { authorization: `Bearer ${plaintext}` },
    sessionCookie: { cookie: standard.cookie },
    staffCookie: { cookie: (await makeStaff(rail, ...ROLES)).cookie },
    agencyToken: { authorization: `Bearer ${await agency.token()}` },
  };
  described = (await rail.ask('/v1/openapi.json')).json.paths;
});

describe.each(endpoints.map((endpoint) => [labelOf(endpoint), endpoint] as const))('%s', (label, endpoint) => {
  const rule = ruleOf(endpoint);
  const staffOnly = label.includes(' /v1/work/');

  it('to nobody', async () => {
    expectVerdict(await ask(endpoint, {}), rule === 'open' ? 'allowed' : 401, 'nobody');
  });

  it('to each role', async () => {
    // The last: signing out ends the session that asks.
    if (label === 'POST /v1/work/logout') return;
    const verdict = (role: Role): Verdict => {
      if (rule === 'open') return 'allowed';
      if (rule === 'account') return 401;
      return ('scope' in rule ? covers(SCOPES_OF[role], rule.scope) : rule.roles.includes(role)) ? 'allowed' : 403;
    };
    const answers = await Promise.all(ROLES.map((role) => ask(endpoint, { cookie: cookies[role]! })));
    for (const [index, role] of ROLES.entries()) expectVerdict(answers[index]!, verdict(role), role);
  });

  it('to a key with each scope that operators granted supervision, and to a standard one', async () => {
    const verdict = (held: readonly Scope[], granted: boolean): Verdict => {
      if (staffOnly) return 401;
      if (rule === 'open' || rule === 'account') return 'allowed';
      if ('scope' in rule) return covers(held, rule.scope) ? 'allowed' : 403;
      if ('accounts' in rule) return 'allowed';
      if (!rule.keyScope) return 401;
      return granted && covers(held, rule.keyScope) ? 'allowed' : 403;
    };
    const answers = await Promise.all(SCOPES.map((scope) => ask(endpoint, { authorization: `Bearer ${keys[scope]}` })));
    for (const [index, scope] of SCOPES.entries()) expectVerdict(answers[index]!, verdict([scope], true), scope);
    const own = verdict(['citizens.read', 'assessments.write', 'payments.initiate'], false);
    expectVerdict(await ask(endpoint, { authorization: `Bearer ${standard.key}` }), own, 'a standard key');
  });

  it.skipIf(label.endsWith('/logout'))('to the credentials that its description names', async () => {
    const { security } = described[endpoint.path]![endpoint.method.toLowerCase()]!;
    const named = security.flatMap((way) => Object.keys(way));
    // An endpoint that is open to everybody names the credentials that get another answer.
    const open = rule === 'open';
    expect(security.length === 0 || named.length < security.length).toBe(open);
    const kinds = open ? named : Object.keys(credentials);
    const answers = await Promise.all(kinds.map((kind) => ask(endpoint, credentials[kind]!)));
    const taken = kinds.filter((_kind, index) => ![401, 403].includes(answers[index]!.status));
    expect(taken).toEqual(named);
  });

  it.skipIf(label === 'POST /v1/logout')("to an integrator's session", async () => {
    expectVerdict(
      await ask(endpoint, { cookie: standard.cookie }),
      rule === 'open' || rule === 'account' || 'accounts' in rule ? 'allowed' : 401,
      'a session',
    );
  });
});

describe('a browser that is signed in as both', () => {
  it('is the integrator at its account, and staff elsewhere', async () => {
    const headers = { cookie: `${standard.cookie}; ${cookies.clerk}` };
    expect((await rail.ask('/v1/me', { headers })).status).toBe(200);
    expect((await rail.ask('/v1/session', { headers })).data.authenticated).toBe(true);
    expect((await rail.ask('/v1/assessments', { headers })).status).toBe(200);
    expect((await rail.ask('/v1/work/whoami', { headers })).data.is_clerk).toBe(true);
  });
});
