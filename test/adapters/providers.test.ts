import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { PaymentProvider } from '../../src/adapters/payment/provider.ts';
import { PROVIDERS } from '../../src/adapters/payment/providers.ts';
import { isCurrency } from '../../src/kernel/money.ts';
import { readConfig } from '../../src/platform/config/config.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGES = globSync('{README.md,docs/**/*.md}', { cwd: ROOT })
  .map((page) => readFileSync(join(ROOT, page), 'utf8'))
  .join('\n');

/** A provider's row in the table of the documentation. */
function rowOf({ name, channel, markets, options }: PaymentProvider): string {
  const countries = Object.entries(markets).map(([country, currencies]) => [country, ...currencies].join(' '));
  const members = Object.keys(options).map((member) => `\`${member}\``);
  return `| \`${name}\` | \`${channel}\` | ${countries.toSorted().join(', ')} | ${members.join(', ')} |`;
}

describe('the payment providers', () => {
  it('have names of their own, which fit into addresses and variables, and currencies that exist', () => {
    const names = PROVIDERS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, markets } of PROVIDERS) {
      expect(name).toMatch(/^[a-z][a-z_]*$/);
      expect(
        Object.values(markets)
          .flat()
          .filter((currency) => !isCurrency(currency)),
        name,
      ).toEqual([]);
    }
  });

  it('are in the documentation, each with its variable', () => {
    for (const provider of PROVIDERS) {
      expect(PAGES).toContain(rowOf(provider));
      expect(PAGES).toContain(`WEBHOOK_SECRET_${provider.name.toUpperCase()}`);
    }
  });

  it('are connected by a file as the documentation shows it', () => {
    const [example] = [...PAGES.matchAll(/```json\n([\s\S]*?)```/g)]
      .map(([, text]) => text!)
      .filter((text) => text.includes('"providers"'));
    const folder = mkdtempSync(join(tmpdir(), 'rail-providers-'));
    try {
      for (const name of ['rail.pem', 'rail.key', 'connections.json']) {
        writeFileSync(
          join(folder, name),
          name === 'connections.json' ? example!.replaceAll('https://…', 'https://agency.example.org') : name,
        );
      }
      const { providers, agencies } = readConfig({ CONNECTIONS: join(folder, 'connections.json') }).connections;
      expect(providers.map(({ name }) => name)).toEqual(['airtel_money', 'card', 'mtn_momo', 'mtn_momo_rw']);
      expect(Object.keys(agencies)).toContain('KE-NCC');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
