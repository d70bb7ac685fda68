import { schema } from '../../../../src/app/schema.ts';
import { readDocuments } from '../../../../src/site/operations/documents.ts';
import { largestFileOf } from '../../../../src/site/operations/form.ts';
import type { Ask } from '../../rail.ts';

/** A request that is as expensive as its size allows, made before it is measured. */
export interface Heavy {
  readonly name: string;
  readonly path: string;
  readonly ask: Ask;
}

const FORM_ROOM = 63 * 1024;
const FILE_ROOM = 16 * 1024 * 1024;
const HEADER_ROOM = 12 * 1024;

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const PARTS = { 'content-type': 'multipart/form-data; boundary=x' };

const many = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index));
const filled = (piece: string, room: number) => piece.repeat(Math.floor(room / piece.length));
const part = (name: string, content: string, file = '') =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${file && `; filename="${file}"`}\r\n\r\n${content}\r\n`;

const FORMS: Readonly<Record<string, string>> = {
  names: many(1_499, (index) => `n${index}=`).join('&'),
  same: filled('a=1&', 5_996),
  brackets: many(1_499, (index) => `a[${index}][b][c]=1`).join('&'),
  deepBrackets: many(1_499, (index) => `a[b][c][${index}]=1`).join('&'),
  sameBrackets: filled('a[b][c]=1&', 14_980),
  deep: `a${filled('[b]', FORM_ROOM)}=1`,
  sparse: many(1_499, (index) => `a[${index * 50_000}]=1`).join('&'),
  text: `_page=${filled('%C3%A9', FORM_ROOM)}`,
  tooMany: filled('a&', FORM_ROOM),
};

const LARGE: Readonly<Record<string, string>> = {
  rows: `External Transaction Id,Amount,Currency,Status,Id,Date\n${filled('X-1,9000,UGX,SUCCESSFUL,TX-1,2026-11-21T09:00:00Z\n', 5_000_000)}`,
  commas: filled(',', FILE_ROOM),
  quotes: filled('"', FILE_ROOM),
  quoted: `"${filled('x\n', FILE_ROOM)}`,
  lines: filled('\n', FILE_ROOM),
  line: filled('x', FILE_ROOM),
};

const JSONS: Readonly<Record<string, string>> = {
  deep: `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`,
  services: JSON.stringify({
    country: 'UG',
    agencies: many(5_000, (index) => `{"code":"A${index}"}`).map((text) => JSON.parse(text) as object),
    services: many(10_000, (index) => `{"code":"A${index}-B","fee":"x"}`).map((text) => JSON.parse(text) as object),
  }),
  members: `{${many(120_000, (index) => `"m${index}":1`).join(',')}}`,
};

/** The worst of each form and page, and of what any request carries beside its body. */
export function worstOfPages(): Heavy[] {
  const { actions, pages } = readDocuments(schema);
  const at = (path: string) => path.replace(/\{\w+\}/g, 'X');
  const sent = actions
    .filter(({ path }) => !/signout|logout/.test(path))
    .flatMap((action) => {
      const path = at(action.path);
      const form = Object.entries(FORMS).map(([what, body]) => ({
        name: `${path} form: ${what}`,
        path,
        ask: { method: 'POST', headers: FORM, body },
      }));
      const largest = largestFileOf(action);
      if (largest === null) return form;
      const [first] = action.steps;
      const files = first!.fields.filter(({ type }) => /Byte|JSON/.test(String(type))).map(({ name }) => name);
      const contents = largest === FILE_ROOM ? LARGE : JSONS;
      const bodies: Readonly<Record<string, string>> = {
        parts: filled(part('', ''), largest),
        names: many(Math.floor(largest / 80), (index) => part(`n${index}`, '')).join(''),
        header: part(filled('x', largest - 200), ''),
        ...Object.fromEntries(
          Object.entries(contents).map(([what, content]) => [
            what,
            part('provider', 'mtn_momo') + part(files[0]!, content, 'a.csv'),
          ]),
        ),
      };
      const inParts = Object.entries(bodies).map(([what, body]) => ({
        name: `${path} parts: ${what}`,
        path,
        ask: { method: 'POST', headers: PARTS, body: `${body}--x--` },
      }));
      return [...form, ...inParts];
    });
  const asked = pages.flatMap(({ path }) => {
    const queries = {
      names: many(2_200, (index) => `n${index}=`).join('&'),
      text: `q=${filled('%C3%A9', HEADER_ROOM)}`,
    };
    return Object.entries(queries).map(([what, query]) => ({
      name: `${path} query: ${what}`,
      path: `${at(path)}?${query}`,
      ask: {},
    }));
  });
  return [...sent, ...asked];
}

/** The worst of what any request carries beside its body, and of bodies that are no JSON. */
export function worstOfHeaders(): Heavy[] {
  const headers: Readonly<Record<string, string>> = {
    accept: many(900, (index) => `a/b;q=0.${index}`).join(','),
    'accept-language': many(900, (index) => `a${index};q=0.1`).join(','),
    'accept-encoding': many(900, (index) => `a${index};q=0.1`).join(','),
    'if-none-match': filled('W/"x", ', HEADER_ROOM),
    cookie: many(1_500, (index) => `c${index}=1`).join('; '),
    authorization: `Bearer ${filled('x.', HEADER_ROOM)}x`,
    'idempotency-key': filled('x', HEADER_ROOM),
    'x-forwarded-for': filled('1.1.1.1, ', HEADER_ROOM),
    'x-request-id': filled('x:', HEADER_ROOM),
    'content-type': `application/json${filled('; a="b"', HEADER_ROOM)}`,
    'sec-fetch-site': filled('x', HEADER_ROOM),
  };
  const beside = Object.entries(headers).flatMap(([name, value]) =>
    ['/v1/mdas', '/signin/staff', '/graphql', '/v1/openapi.json'].map((path) => ({
      name: `${path} header ${name}`,
      path,
      ask: { method: name === 'idempotency-key' ? 'POST' : 'GET', headers: { [name]: value } },
    })),
  );
  const tokens = {
    names: many(30_000, (index) => `n${index}=`).join('&'),
    same: filled('a=1&', 250_000),
    assertion: `grant_type=client_credentials&client_assertion=${filled('e', 250_000)}.e.e`,
    header: `client_assertion=${Buffer.from(`{"alg":"EdDSA","kid":${'['.repeat(90_000)}`).toString('base64url')}.e.e`,
  };
  const forms = Object.entries(tokens).map(([what, body]) => ({
    name: `token: ${what}`,
    path: '/v1/agency-tokens',
    ask: { method: 'POST', headers: FORM, body },
  }));
  const statements = Object.entries(LARGE).map(([what, body]) => ({
    name: `statement: ${what}`,
    path: '/v1/ops/reconciliation/statements?provider=mtn_momo',
    ask: { method: 'POST', headers: { 'content-type': 'text/csv' }, body },
  }));
  const callbacks = ['mtn_momo', 'airtel_money', 'card', 'tax_authority'].flatMap((provider) =>
    Object.entries({
      deep: `${'['.repeat(125_000)}${']'.repeat(125_000)}`,
      members: `{${many(20_000, (index) => `"m${index}":1`).join(',')}}`,
      text: `{"reference":"${filled('x', 250_000)}"}`,
    }).map(([what, body]) => ({
      name: `callback ${provider}: ${what}`,
      path: `/v1/webhooks/${provider}`,
      ask: { method: 'POST', headers: { 'verif-hash': filled('x', 6_000), 'x-signature': filled('f', 6_000) }, body },
    })),
  );
  const inAddress = ['query', 'variables', 'extensions', 'operationName'].map((name) => ({
    name: `GraphQL by GET, ${name}`,
    path: `/graphql?query={__typename}&${name}=${filled('[', HEADER_ROOM)}`,
    ask: { headers: { accept: 'application/json' } },
  }));
  return [...beside, ...forms, ...statements, ...callbacks, ...inAddress];
}
