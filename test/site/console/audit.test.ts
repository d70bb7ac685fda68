import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { textsOf } from '../../../src/site/languages/texts.ts';
import { AUDIT_ACTIONS } from '../../../src/site/records/audit-actions.ts';

const ROOT = new URL('../../../src/', import.meta.url);
const texts = textsOf('en');

describe('what operators do', () => {
  it('has a message each, whatever the code calls it', () => {
    const written = globSync('**/*.ts', { cwd: ROOT, exclude: ['generated/**', 'site/**'] }).flatMap((file) =>
      [...readFileSync(new URL(file, ROOT), 'utf8').matchAll(/action: ([^,;\n]*)/g)].flatMap(([, said]) =>
        [...said!.matchAll(/'([a-z_]+\.[a-z_]+)'/g)].map(([, action]) => action!),
      ),
    );
    expect(written.length).toBeGreaterThan(30);
    expect(written.filter((action) => !(AUDIT_ACTIONS as readonly string[]).includes(action))).toEqual([]);
    expect(AUDIT_ACTIONS.filter((action) => !texts.has(`auditAction.${action}`))).toEqual([]);
  });
});
