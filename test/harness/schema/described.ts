import { schema } from '../../../src/app/schema.ts';
import { type Endpoint, loadEndpoints } from '../../../rest/load.ts';
import { describeApi } from '../../../rest/openapi/openapi.ts';

type Paths = Readonly<
  Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, unknown>> }>>>
>;

const { endpoints, fragments } = loadEndpoints(schema);
const about = { origin: 'http://rail.test', events: [], callbackHeaders: [] };
const { paths } = describeApi(schema, endpoints, fragments, about) as unknown as { paths: Paths };

// Those with more fixed words first, as the router has them.
const byPath = endpoints
  .toSorted((a, b) => a.path.replace(/\{\w+\}/g, '~').localeCompare(b.path.replace(/\{\w+\}/g, '~')))
  .toSorted(
    (a, b) =>
      a.path.split('{').length - b.path.split('{').length ||
      Number(b.path.includes(':')) - Number(a.path.includes(':')),
  )
  .map((endpoint) => ({ endpoint, pattern: patternOf(endpoint) }));

function patternOf({ path }: Endpoint): RegExp {
  return new RegExp(`^${path.replace(/[.:]/g, String.raw`\$&`).replace(/\{\w+\}/g, '[^/:]+')}$`);
}

/**
 * Fails where an endpoint answered with a status that its description does not have; what is no endpoint may answer as
 * it likes.
 */
export function expectDescribed(method: string, path: string, status: number): void {
  // Another method of the path is no operation of this API.
  if (status === 405) return;
  const bare = path.split('?')[0]!.replace(/%3a/gi, ':');
  const found = byPath.find(({ endpoint, pattern }) => endpoint.method === method && pattern.test(bare))?.endpoint;
  if (!found) return;
  const { responses } = paths[found.path]![method.toLowerCase()]!;
  if (!(status in responses))
    throw new Error(`${method} ${found.path} answered ${status}, which its description does not have`);
}
