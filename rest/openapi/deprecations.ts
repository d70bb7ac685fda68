/** Deprecation of an endpoint, and its successor. */
export interface Deprecation {
  /** The day from which nobody should begin to use it: `2027-01-01`. */
  readonly since: string;
  /** The day from which it may be gone. */
  readonly sunset: string;
  /** Its successor: `GET /v1/services`; null if there is none. */
  readonly successor: string | null;
}

/** Deprecated endpoints, by method and path: `GET /v1/services`. */
export type Deprecations = Readonly<Record<string, Deprecation>>;

/** The only place that says what of REST is deprecated: headers and the description of the API come from it. */
export const DEPRECATIONS: Deprecations = {};

/** The part of an endpoint that is needed here. */
interface Named {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly deprecation: Deprecation | null;
}

const labelOf = ({ method, path }: Named) => `${method} ${path}`;

/** The endpoints, each with what a table says of it. A name that no endpoint has is refused. */
export function deprecate<Endpoint extends Named>(
  endpoints: readonly Endpoint[],
  table: Deprecations,
): readonly Endpoint[] {
  const labels = new Set(endpoints.map(labelOf));
  const named = Object.entries(table).flatMap(([label, { successor }]) => [label, ...(successor ? [successor] : [])]);
  const unknown = named.filter((label) => !labels.has(label));
  if (unknown.length > 0) throw new Error(`There is no endpoint ${unknown.join(', ')}`);
  return endpoints.map((endpoint) => ({ ...endpoint, deprecation: table[labelOf(endpoint)] ?? null }));
}

/** The page that says so, and what takes its place, as a `Link` names them. */
function linksOf({ name, deprecation }: Named, origin: string): string[] {
  const page = `<${origin}/docs/api/${idOf(name)}>; rel="deprecation"; type="text/html"`;
  const path = deprecation?.successor?.split(' ')[1];
  // A path with parameters in braces is not an address.
  return path === undefined || path.includes('{') ? [page] : [page, `<${origin}${path}>; rel="successor-version"`];
}

/** The `operationId` of an endpoint. */
export const idOf = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

/** Headers of an answer, with those that say that its endpoint is deprecated (RFC 9745, RFC 8594). */
export function sayDeprecated(
  headers: Readonly<Record<string, string>> | undefined,
  endpoint: Named,
  origin: string,
): Readonly<Record<string, string>> {
  const { deprecation } = endpoint;
  if (!deprecation) return { ...headers };
  const links = [headers?.['Link'], ...linksOf(endpoint, origin)].filter((link) => link !== undefined);
  return {
    ...headers,
    Deprecation: `@${Date.parse(deprecation.since) / 1_000}`,
    Sunset: new Date(deprecation.sunset).toUTCString(),
    Link: links.join(', '),
  };
}
