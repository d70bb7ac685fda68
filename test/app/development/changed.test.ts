import { expect, it } from 'vitest';
import { listTestsOf } from '../../harness/run/changed.ts';

const THERE = new Set(['test/counter/shifts/', 'test/collection/approvals.test.ts', 'test/collection/', 'test/rest/']);
const testsOf = (path: string) => listTestsOf(path, (name) => THERE.has(name));

it('a change is tested where its folder is, or the nearest around it that has tests', () => {
  expect(testsOf('src/counter/shifts/schema/shift-schema.ts')).toEqual(['test/counter/shifts/']);
  expect(testsOf('src/collection/approvals/ask.ts')).toEqual(['test/collection/approvals.test.ts']);
  expect(testsOf('src/collection/money/find.ts')).toEqual(['test/collection/']);
  expect(testsOf('test/counter/shifts/world.ts')).toEqual(['test/counter/shifts/']);
  expect(testsOf('test/collection/approvals.test.ts')).toEqual(['test/collection/approvals.test.ts']);
  expect(testsOf('test/collection/removed.test.ts')).toEqual([]);
  expect(testsOf('rest/operations/shifts/close.graphql')).toContain('test/rest/walk.test.ts');
  expect(testsOf('package.json')).toEqual([]);
});
