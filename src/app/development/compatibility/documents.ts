import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { parse, print, visit } from 'graphql';
import { describeApi } from '../../../../rest/openapi/openapi.ts';
import { loadEndpoints } from '../../../../rest/load.ts';
import { eventCatalogue } from '../../../accounts/events/event-types.ts';
import { printWholeSchema } from '../../../graphql/printed.ts';
import { readConfig } from '../../../platform/config/config.ts';
import { schema } from '../../schema.ts';
import { ANNOTATIONS } from './annotations.ts';

const ROOT = new URL('../../../../', import.meta.url);
const BASELINE = new URL('docs/baseline.json.gz', ROOT);

/** Contract that other people's programs are written against, without its descriptions. */
export interface Contract {
  /** The schema as text. */
  readonly graphql: string;
  /** The OpenAPI document as JSON. */
  readonly openapi: string;
}

/** The contract of a release, and which description it had. */
interface Baseline extends Contract {
  /** The version of the OpenAPI description. */
  readonly version: string;
  /** The hash of the OpenAPI description with its words. */
  readonly description: string;
}

/** The contract as the code has it. */
export function currentContract(): Contract {
  return contractOf(printWholeSchema(schema), currentDescription());
}

/** The contract of the last release. */
export function baseline(): Baseline {
  return JSON.parse(gunzipSync(readFileSync(BASELINE)).toString()) as Baseline;
}

/** Makes the contract of the code that of the last release. */
export function writeBaseline(): void {
  const { info, ...said } = currentDescription() as { readonly info: { readonly version: string } };
  const written: Baseline = { ...currentContract(), version: info.version, description: hashOf(said) };
  writeFileSync(BASELINE, gzipSync(JSON.stringify(written), { level: 9 }));
}

/** The hash of a description, whose address does not count. */
export function hashOf(said: object): string {
  return createHash('sha256')
    .update(JSON.stringify({ ...said, servers: [] }))
    .digest('hex');
}

/** A contract without what only describes it. */
export function contractOf(graphql: string, openapi: object): Contract {
  const plain = visit(parse(graphql), {
    enter: (node) => ('description' in node ? { ...node, description: undefined } : undefined),
  });
  return { graphql: print(plain), openapi: JSON.stringify(openapi, withoutWords) };
}

/** Leaves out what is said in words alone, but no property of that name. */
function withoutWords(key: string, value: unknown): unknown {
  if (key === 'properties' || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !ANNOTATIONS.includes(name)));
}

/** The OpenAPI document of the code, in all its words. */
export function currentDescription() {
  const { endpoints, fragments } = loadEndpoints(schema);
  const { callbackHeaders } = readConfig({});
  const about = { origin: 'http://127.0.0.1:4000', events: eventCatalogue, callbackHeaders };
  return describeApi(schema, endpoints, fragments, about);
}

export function versionOfPackage(): string {
  return (JSON.parse(readText('package.json')) as { version: string }).version;
}

export function changelog(): string {
  return readText('CHANGELOG.md');
}

function readText(name: string): string {
  return readFileSync(new URL(name, ROOT), 'utf8');
}
