import { describe, expect, it } from 'vitest';
import { GENESIS, type SealVersion, sealOf } from '../../../src/platform/audit/seal-chain.ts';
import { Decimal } from '../../../src/kernel/money.ts';

/** A payment event as a row of a file has it. */
interface Row {
  readonly sequence: number | null;
  readonly hash: string;
  readonly version: SealVersion;
  readonly amount: string;
  readonly id: string;
  readonly agency: string;
  readonly currency: string;
  readonly channel: string;
  readonly kind: string;
  readonly occurredAt: string;
  readonly commitment: string | null;
  readonly line: number;
}
interface Kept {
  readonly sequence: number;
  readonly hash: string;
}
interface Verdict {
  readonly first: number;
  readonly last: number;
  readonly sealed: number;
  readonly recomputed: number;
  readonly unsealed: number;
  readonly faults: number;
  readonly fault: { readonly sequence: number; readonly why: string; readonly event: string | null } | null;
  readonly kept: string | null;
}
/** Scripts of the page that verifies exports. They run in browsers and have no types. */
interface Scripts {
  Chain: new (agency: string, kept: Kept | null) => { add(row: object): void; finish(): Promise<Verdict> };
  readEvents(file: Blob, onProgress: (bytes: number) => void): AsyncIterable<readonly Row[]>;
  readHeads(text: string): Map<string, Kept> | null;
}
const load = async (file: string) =>
  (await import(new URL(`../../../src/site/assets/verify/${file}.js`, import.meta.url).href)) as Scripts;
const { Chain } = await load('chain');
const { readEvents } = await load('csv');
const { readHeads } = await load('heads');

/** A chain of so many events, as the rail seals them; the first of them by the version before. */
function makeChain(count: number, old = 0): Row[] {
  let previous = GENESIS;
  return Array.from({ length: count }, (_, index) => {
    const sequence = index + 1;
    const event = {
      name: `PEV-2026-01-${String(sequence).padStart(6, '0')}`,
      intent: 'PI-2026-01-000001',
      assessment: 'ASMT-2026-01-000001',
      mda: 'URA',
      amount: new Decimal(sequence % 3 === 0 ? '-1000.5' : 1000 * sequence),
      currency: 'UGX',
      channel: 'cash',
      kind: 'payment',
      aggregatorReference: 'R "1", 2',
      txnId: null,
      occurredAt: new Date(Date.UTC(2026, 0, 1, 0, 0, sequence)),
    };
    const seal = sealOf(sequence <= old ? 1 : 2, previous, sequence, event, 'salt');
    previous = seal.hash;
    const { name: id, mda: agency, amount, currency, channel, kind, occurredAt } = event;
    const shown = {
      id,
      agency,
      amount: amount.toFixed(),
      currency,
      channel,
      kind,
      occurredAt: occurredAt.toISOString(),
    };
    return { ...shown, sequence, line: sequence + 1, ...seal };
  });
}

async function recompute(rows: readonly Row[], kept: Kept | null = null): Promise<Verdict> {
  const chain = new Chain('URA', kept);
  for (const row of rows) chain.add(row);
  return chain.finish();
}

const whole = makeChain(40);
const changeAt = (at: number, change: Partial<Row>) =>
  whole.map((row) => (row.sequence === at ? { ...row, ...change } : row));

describe('a chain recomputed in a browser', () => {
  it.each([
    ['oldest first', whole],
    ['newest first', whole.toReversed()],
    ['in no order', whole.toSorted((a, b) => ((a.sequence! * 17) % 41) - ((b.sequence! * 17) % 41))],
  ])('is whole, %s', async (_order, rows) => {
    expect(await recompute(rows)).toMatchObject({ first: 1, last: 40, sealed: 40, recomputed: 40, faults: 0 });
  });

  it.each([
    ['an amount that was changed', changeAt(20, { amount: '1' }), 'changed', 20],
    ['a hash that was changed', changeAt(20, { hash: 'f'.repeat(64) }), 'changed', 20],
    ['an event that was removed', whole.toSpliced(19, 2), 'missing', 20],
    ['an event that was added', [...whole, { ...whole[9]!, id: 'PEV-2026-01-999999' }], 'twice', 10],
    ['a seal made by the version before', changeAt(20, { version: 1 }), 'older', 20],
    ['a number that is none', changeAt(20, { sequence: Number.NaN }), 'unreadable', 0],
  ])('names %s', async (_what, rows, why, sequence) => {
    for (const order of [rows, rows.toReversed()])
      expect((await recompute(order)).fault).toMatchObject({ why, sequence });
  });

  it('is compared with a head that was kept, in it, before it, and after it', async () => {
    const heads = new Map(whole.map(({ sequence, hash }) => [sequence, { sequence: sequence!, hash }]));
    const keptOf = async (rows: readonly Row[], kept: Kept) => (await recompute(rows, kept)).kept;
    expect(await keptOf(whole, heads.get(20)!)).toBe('same');
    expect(await keptOf(whole, { sequence: 20, hash: heads.get(21)!.hash })).toBe('differs');
    expect(await keptOf(whole.slice(0, 30), heads.get(40)!)).toBe('beyond');
    expect(await keptOf(whole.slice(30), heads.get(10)!)).toBe('earlier');
    const part = whole.slice(30);
    expect(await recompute(part)).toMatchObject({ first: 31, faults: 0, recomputed: 9 });
    expect(await recompute(part, heads.get(30))).toMatchObject({ kept: 'joined', faults: 0, recomputed: 10 });
    expect(await recompute(part, { ...heads.get(29)!, sequence: 30 })).toMatchObject({ faults: 1 });
  });

  it('goes on from seals of the version before, which are taken as they are', async () => {
    expect(await recompute(makeChain(6, 3))).toMatchObject({ sealed: 6, recomputed: 3, faults: 0 });
  });
});

describe('a file of payment events', () => {
  const cell = (text: unknown) => `"${String(text).replaceAll('"', '""')}"`;
  const HEADER = 'name,mda,amount,currency,channel,kind,occurred_at,seal';
  const lineOf = ({ id, amount, sequence, hash, version, ...row }: Row) =>
    [
      id,
      row.agency,
      amount.includes('.') ? `${amount}0` : amount,
      row.currency,
      row.channel,
      row.kind,
      row.occurredAt,
      cell(JSON.stringify({ hash, sequence, version, commitment: row.commitment })),
    ].join(',');
  const read = async (text: string, size = 7) => {
    // Pieces end anywhere: in a quote, between the characters that end a line.
    const bytes = new TextEncoder().encode(text);
    const stream = () =>
      new ReadableStream({
        start(controller) {
          for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
          controller.close();
        },
      });
    const rows: Row[] = [];
    for await (const batch of readEvents({ stream } as Blob, () => {})) rows.push(...batch);
    return rows;
  };

  it.each([
    ['as it was exported', '\uFEFF', '\r\n', '\r\n'],
    ['with other ends of lines, and none at the end', '', '\n', ''],
  ])('is read %s, whatever pieces it comes in', async (_how, before, between, after) => {
    const text = before + [HEADER, ...whole.map(lineOf)].join(between) + after;
    const rows = await read(text);
    expect(rows.map(({ line }) => line)).toEqual(whole.map(({ line }) => line));
    expect(await recompute(rows)).toMatchObject({ recomputed: 40, faults: 0 });
  });

  it('has events that are not sealed yet, and seals that cannot be read', async () => {
    const rows = await read(`${HEADER}\nPEV-1,URA,1,UGX,cash,payment,2026,\nPEV-2,URA,1,UGX,cash,payment,2026,x\n`);
    expect(await recompute(rows)).toMatchObject({ unsealed: 1, fault: { why: 'unreadable', event: 'PEV-2' } });
  });

  it('is refused where it is another one', async () => {
    await expect(read('a,b\n1,2\n')).rejects.toThrow('columns');
    await expect(read('')).rejects.toThrow('columns');
    await expect(read(`${HEADER}\n"${'x'.repeat(110_000)}`, 50_000)).rejects.toThrow('unreadableFile');
  });

  it('is compared with heads in the forms in which they are kept', () => {
    const hash = 'a'.repeat(64);
    const head = { agency: 'URA', sequence: 5, hash };
    for (const text of [
      `URA 5 ${hash}\n`,
      `mda;sequence;hash\r\n"URA";"5";"${hash.toUpperCase()}"`,
      JSON.stringify({ data: [{ mda: 'URA', sequence: 5, hash }] }),
      JSON.stringify({ chains: [{ mda: 'URA', seals: 5, hash }] }),
    ])
      expect(readHeads(text)).toEqual(new Map([['URA', head]]));
    expect(readHeads(' \n')?.size).toBe(0);
    for (const text of ['something', '{}', '[{"mda":"URA"}]', 'null']) expect(readHeads(text)).toBeNull();
  });
});
