import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { SideTable } from '../../src/kernel/side-table.ts';

it('is known of an object alone, and of none of its copies, and is no member that anything lists', () => {
  const notes = new SideTable<object, string>();
  const others = new SideTable<object, string>();
  const one = { a: 1 };
  expect(notes.get(one)).toBeUndefined();
  notes.set(one, 'first');
  notes.set(one, 'second');
  expect(notes.get(one)).toBe('second');
  expect(notes.of(one, () => 'third')).toBe('second');
  expect(others.get(one)).toBeUndefined();
  expect(others.of(one, () => 'made')).toBe('made');
  expect(others.get(one)).toBe('made');
  const copies = [{ ...one }, Object.assign({}, one), structuredClone(one)];
  for (const copy of copies) expect(notes.get(copy)).toBeUndefined();
  expect(Object.entries(one)).toEqual([['a', 1]]);
  expect(JSON.stringify(one)).toBe('{"a":1}');
});

/**
 * Megabytes that a process holds after collections of its young memory, with many objects whose data refers back to
 * them.
 */
const HOLD = `
  const { SideTable } = await import(process.argv[1]);
  const known = process.argv[2] === 'map' ? new WeakMap() : new SideTable();
  gc();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < 200; i++) {
    const call = { read: new Array(5_000).fill(i) };
    known.set(call, { call });
    if (i % 20 === 19) gc({ type: 'minor' });
  }
  gc({ type: 'minor' });
  console.log((process.memoryUsage().heapUsed - before) / 1e6);
`;

it('goes with its object where that is young, though it leads back to it', async () => {
  const held = async (how: 'meta' | 'map') => {
    const flags = ['--expose-gc', '--max-semi-space-size=32', '--min-semi-space-size=32', '--input-type=module'];
    const path = new URL('../../src/kernel/side-table.ts', import.meta.url).href;
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, '-e', HOLD, '--', path, how]);
    return Number(stdout);
  };
  expect(await held('meta')).toBeLessThan(2);
  // The reason for this class: a `WeakMap` still holds the same objects.
  expect(await held('map')).toBeGreaterThan(4);
});
