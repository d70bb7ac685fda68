import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { formatDefault, printConnectionsSchema, printEnvironment } from '../../../src/app/development/print-config.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { environment } from '../../../src/platform/config/environment.ts';
import { pageAt } from '../../harness/pages.ts';

const fileAt = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const operators = pageAt('docs/operators.md');

describe('.env.example', () => {
  it('is what npm run config:print writes', () => {
    expect(fileAt('.env.example')).toBe(printEnvironment());
    expect(printEnvironment()).not.toContain('undefined');
  });

  it('sets nothing, and with all that it offers only what holds anyway', () => {
    const text = fileAt('.env.example');
    expect(parseEnv(text)).toEqual({});
    const offered = parseEnv(text.replaceAll(/^#(?=[A-Z_]+=)/gm, ''));
    expect(Object.keys(offered)).toEqual(expect.arrayContaining(Object.keys(environment.shape)));
    expect(readConfig(offered)).toEqual(readConfig({}));
  });
});

describe("the operators' table of variables", () => {
  it('has each with its default', () => {
    const rows = new Map(
      [...operators.text.matchAll(/^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*)[^|]* \| ([^|]*) \|/gm)].flatMap(
        ([, names, defaults]) => {
          const variables = names!.replaceAll('`', '').split(', ');
          const values = variables.length > 1 ? defaults!.split(', ') : [defaults!];
          return variables.map((name, index) => [name, (values[index] ?? values[0]!).replaceAll(/[`,]/g, '')] as const);
        },
      ),
    );
    for (const [name, check] of Object.entries(environment.shape)) {
      expect([...rows.keys()]).toContain(name);
      const value = formatDefault(check).replaceAll(',', '');
      if (value !== '') expect(`${name} ${rows.get(name)}`).toBe(`${name} ${value}`);
    }
  });
});

describe('deploy/connections.schema.json', () => {
  const validate = new Ajv2020({ validateFormats: false }).compile(JSON.parse(printConnectionsSchema()) as object);

  it('is what npm run config:print writes', () => {
    expect(fileAt('deploy/connections.schema.json')).toBe(printConnectionsSchema());
  });

  it("takes the example of the operators' page, and no misspelling of it", () => {
    const example = operators.blocks.find(({ text }) => text.includes('"fiscal_partners"'))!.text;
    validate(JSON.parse(example));
    expect(validate.errors).toBeNull();
    const misspelt = ['"subscription_key"', '"client_id"', '"notice_path"', '"fiscal_partners"', '"KE-NCC"', '"paid"'];
    for (const name of misspelt)
      expect(validate(JSON.parse(example.replaceAll(name, '"Mis spelt"'))), name).toBe(false);
  });
});
