import { describe, expect, it } from 'vitest';
import { schema } from '../../src/app/schema.ts';
import { loadEndpoints } from '../../rest/load.ts';
import { PathTable } from '../../src/platform/call/path-table.ts';

const { endpoints } = loadEndpoints(schema);

describe('the table of paths', () => {
  const table = new PathTable<string>();
  for (const { method, path } of endpoints) table.add(method, path, path);

  it('finds every endpoint by its own path, and its parameters', () => {
    for (const { method, path } of endpoints) {
      const url = path.replace(/\{(\w+)\}/g, 'the-$1');
      const params = Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, `the-${name}`]));
      expect(table.find(method, url)).toEqual({ target: path, params });
      expect(table.find(method, `${url}?a=/b&c=%20`)).toEqual({ target: path, params });
    }
  });

  it.each([
    ['GET', '/v1/assessments/'],
    ['GET', '/v1//assessments'],
    ['GET', '/V1/assessments'],
    ['GET', '/v1/assessments/A%20B'],
    ['GET', '/v1/assessments/A:assess'],
    ['POST', '/v1/assessments/A:assess:assess'],
    ['POST', '/v1/assessments/:assess'],
    ['POST', '/v1/assessments/A:unknown'],
    ['POST', '/v1/assessments/A'],
    ['OPTIONS', '/v1/assessments'],
    ['GET', 'http://elsewhere/v1/assessments'],
    ['GET', '*'],
  ])('leaves %s %s to Express', (method, url) => expect(table.find(method, url)).toBeNull());
});
