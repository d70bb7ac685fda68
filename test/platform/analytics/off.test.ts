import { describe, expect, it } from 'vitest';
import { testRail } from '../../harness/rail.ts';

const rail = testRail({ OVERSIGHT: 'off' });

describe('a process with OVERSIGHT=off', () => {
  it('answers 503 where figures are asked for, and lists as any other', async () => {
    const { plaintext: key } = await rail.key('oversight.read');
    for (const path of ['figures', 'revenue', 'collections', 'statistics'])
      expect(await rail.ask(`/v1/oversight/${path}`, { key }), path).toMatchObject({
        status: 503,
        code: 'unavailable',
      });
    for (const path of ['payment-events', 'anomalies', 'seals'])
      expect((await rail.ask(`/v1/oversight/${path}`, { key })).status, path).toBe(200);
    expect((await rail.ask('/status')).status).toBe(200);
    expect((await rail.ask('/v1/services')).status).toBe(200);
  });
});
