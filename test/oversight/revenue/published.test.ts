import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COLUMNS } from '../../../src/oversight/revenue/datasets/payment-parts.ts';
import { sealAll } from '../../../src/oversight/seals/seal.ts';
import { createConfirmed, makeActor } from '../../harness/flow.ts';
import { testRail } from '../../harness/rail.ts';
import { record, write } from './recorded.ts';

const folder = mkdtempSync(join(tmpdir(), 'published-'));
const rail = testRail({ OVERSIGHT_FILES: folder });
afterAll(() => rmSync(folder, { recursive: true }));

const PATH = '/v1/oversight/datasets';
let key: string;

beforeAll(async () => {
  key = (await rail.key('oversight.read')).plaintext;
  await createConfirmed(rail, await makeActor(rail));
  await record(rail, 1, 1_500, '2025-01-01');
  while ((await sealAll(rail.rail)) > 0);
});

const download = (name: string, init: RequestInit = {}) =>
  fetch(`${rail.origin}${PATH}/${name}`, { ...init, headers: { authorization: `Bearer ${key}` } });

describe('GET /v1/oversight/datasets', () => {
  it('200: is empty before anything is written', async () => {
    expect((await rail.ask(PATH, { key })).json).toEqual({ data: [] });
  });

  it('200: lists the files with their hashes, the columns with what they have, and the last seals', async () => {
    const { manifest } = await write(rail, folder);
    const { status, data } = await rail.ask(PATH, { key });
    expect(status).toBe(200);
    expect(data).toEqual([
      {
        name: 'payment_parts',
        read_at: manifest.read_at,
        through: manifest.through,
        files: manifest.files.map(({ path, ...file }) => ({ name: path.split('/').at(-1), ...file })),
        columns: COLUMNS.map(({ name, type, description }) => ({ name, type: String(type), description })),
        seal_heads: manifest.seal_heads,
      },
    ]);
    expect(data[0].files).toHaveLength(3);
    expect(data[0].seal_heads.length).toBeGreaterThan(0);
  });

  it('403: takes the scope oversight.read', async () => {
    const other = (await rail.key('payments.read')).plaintext;
    expect((await rail.ask(PATH, { key: other })).status).toBe(403);
    expect((await rail.ask(`${PATH}/2025-01.parquet`, { key: other })).status).toBe(403);
  });
});

describe('GET /v1/oversight/datasets/{name}', () => {
  it('200: answers the file, byte for byte', async () => {
    const { data } = await rail.ask(PATH, { key });
    for (const { name, bytes, sha256 } of data[0].files) {
      const answer = await download(name);
      expect(answer.status).toBe(200);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'application/vnd.apache.parquet',
        'content-disposition': `attachment; filename="${name}"`,
        'content-length': String(bytes),
      });
      const file = Buffer.from(await answer.arrayBuffer());
      expect(createHash('sha256').update(file).digest('hex')).toBe(sha256);
    }
  });

  it('200: says how long it is to HEAD', async () => {
    const answer = await download('2025-01.parquet', { method: 'HEAD' });
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(1_000);
    expect(await answer.text()).toBe('');
  });

  it.each(['2020-01.parquet', 'manifest.json', '..%2Fmanifest.json', '..%2F..%2Fetc%2Fpasswd'])(
    '404: there is no file %s',
    async (name) => {
      const answer = await download(name);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ error: { code: 'not_found' } });
    },
  );
});
