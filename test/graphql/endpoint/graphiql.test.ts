import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { LIVE } from '../../harness/live.ts';
import { runInBrowser, testBrowser } from '../../harness/people/browser.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
const live = testRail(LIVE);

const PAGE = { headers: { accept: 'text/html' } };

/** The bytes of an answer's body as they travel, to a reader that takes what browsers take. */
function weigh(path: string): Promise<number> {
  return new Promise((weighed, failed) => {
    const headers = { accept: path === '/graphql' ? 'text/html' : '*/*', 'accept-encoding': 'gzip, deflate, br, zstd' };
    const asking = request(rail.origin + path, { headers }, (answer) => {
      let bytes = 0;
      answer.on('data', (chunk: Buffer) => (bytes += chunk.length));
      answer.on('end', () => weighed(bytes));
    });
    asking.on('error', failed).end();
  });
}

async function filesOf(): Promise<string[]> {
  const { text } = await rail.ask('/graphql', PAGE);
  return [...text.matchAll(/(?:src|href)="(\/graphql\/[^"]+)"/g)].map(([, path]) => path!);
}

describe('GraphiQL', () => {
  it('comes from this host alone, as files under names that are those of their content, which a browser keeps for good', async () => {
    const page = await rail.ask('/graphql', PAGE);
    const policy = page.headers.get('content-security-policy')!;
    expect(page.status).toBe(200);
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
    const files = await filesOf();
    expect(files).toHaveLength(7);
    for (const file of files) {
      const answer = await rail.ask(file);
      expect([answer.status, answer.headers.get('cache-control')], file).toEqual([
        200,
        'public, max-age=31536000, immutable',
      ]);
      expect(file).toMatch(/\.[0-9a-f]{16}\.(css|js)$/);
      const etag = answer.headers.get('etag')!;
      expect((await rail.ask(file, { headers: { 'if-none-match': etag } })).status).toBe(304);
      expect((await rail.ask(file.replace(/[0-9a-f]{16}/, '0'.repeat(16)))).status).toBe(404);
    }
  });

  it('weighs less than 1.5 MB the first time', async () => {
    const weights = await Promise.all(['/graphql', '/graphql/operations', ...(await filesOf())].map(weigh));
    const sum = weights.reduce((a, b) => a + b);
    expect(sum).toBeGreaterThan(300_000);
    expect(sum).toBeLessThan(1_500_000);
  });

  it('is not there in live mode', async () => {
    for (const file of await filesOf()) expect((await live.ask(file)).status).toBe(404);
    expect((await live.ask('/graphql', PAGE)).text).not.toContain('GraphiQL');
  });
});

const browser = testBrowser();

describe.skipIf(!browser.found)(runInBrowser('GraphiQL in a browser'), () => {
  it(
    'opens with one tab, runs named operations with the key, says as whom, and loads no file a second time',
    { tags: 'long' },
    async () => {
      const context = await browser.newContext();
      try {
        const page = await context.newPage();
        const troubles: string[] = [];
        page.on('console', (message) => void (message.type() === 'error' && troubles.push(message.text())));
        page.on('pageerror', (error) => void troubles.push(String(error)));
        await page.goto(`${rail.origin}/graphql`);
        const run = page.getByRole('button', { name: /execute query/i });
        await run.waitFor();
        const { plaintext } = await rail.key('oversight.read');
        await page.getByText('You are not signed in.').waitFor();
        expect(await page.getByRole('tab').count()).toBeLessThan(2);
        const answer = page.locator('.graphiql-response');
        await run.click();
        await expect.poll(() => answer.textContent()).toContain('name');
        await page.getByLabel('API key').fill(plaintext);
        await page.getByText(/^You are signed in as /).waitFor();
        await page.getByLabel('Question').selectOption('revenue-by-month');
        await expect.poll(() => page.locator('.graphiql-query-editor').textContent()).toContain('RevenueByMonth');
        await run.click();
        await expect.poll(() => answer.textContent()).toMatch(/"figures": \{[^]*"nodes": \[/);

        await page.reload();
        await run.waitFor();
        expect(await page.getByLabel('API key').inputValue()).toBe(plaintext);
        expect(page.url()).toBe(`${rail.origin}/graphql#revenue-by-month`);
        expect(await page.evaluate((key) => JSON.stringify(localStorage).includes(key), plaintext)).toBe(false);
        const sizes = await page.evaluate(() =>
          performance
            .getEntriesByType('resource')
            .filter(({ name }) => name.includes('/graphql/assets/'))
            .map((entry) => (entry as PerformanceResourceTiming).transferSize),
        );
        expect(sizes).toHaveLength(7);
        expect(sizes.reduce((a, b) => a + b)).toBe(0);
        expect(troubles).toEqual([]);
      } finally {
        await context.close();
      }
    },
  );
});
