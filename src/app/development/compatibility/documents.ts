import { readFileSync, writeFileSync } from 'node:fs';
import { describeApi } from '../../../../rest/openapi/openapi.ts';
import { loadEndpoints } from '../../../../rest/load.ts';
import { eventCatalogue } from '../../../accounts/events/event-types.ts';
import { printWholeSchema } from '../../../graphql/printed.ts';
import { readConfig } from '../../../platform/config/config.ts';
import { schema } from '../../schema.ts';

const ROOT = new URL('../../../../', import.meta.url);
const BASELINE = new URL('docs/baseline/', ROOT);

/** What programs of others are written against. */
export interface Contract {
  /** The schema as text. */
  readonly graphql: string;
  /** The OpenAPI document as JSON. */
  readonly openapi: string;
}

/** The contract as the code has it. */
export function currentContract(): Contract {
  const { endpoints, fragments } = loadEndpoints(schema);
  const { callbackHeaders } = readConfig({});
  const about = {
    origin: 'http://127.0.0.1:4000',
    events: eventCatalogue,
    callbackHeaders,
  };
  return {
    graphql: printWholeSchema(schema),
    openapi: JSON.stringify(describeApi(schema, endpoints, fragments, about), null, 1),
  };
}

/** The contract of the last release. */
export function baseline(): Contract {
  return { graphql: readText('schema.graphql', BASELINE), openapi: readText('openapi.json', BASELINE) };
}

export function writeBaseline({ graphql, openapi }: Contract): void {
  writeFileSync(new URL('schema.graphql', BASELINE), graphql);
  writeFileSync(new URL('openapi.json', BASELINE), `${openapi}\n`);
}

export function versionOfPackage(): string {
  return (JSON.parse(readText('package.json')) as { version: string }).version;
}

export function changelog(): string {
  return readText('CHANGELOG.md');
}

function readText(name: string, folder = ROOT): string {
  return readFileSync(new URL(name, folder), 'utf8');
}
