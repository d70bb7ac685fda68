import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeStory } from '../../../src/sandbox/story.ts';
import { healthOfChannel, healthOfConnection } from '../../../src/accounts/status/health.ts';
import { readChannelDays, sumChannelDays } from '../../../src/accounts/status/channels.ts';
import { actAsSystem } from '../../../src/platform/access/viewer.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
const open = () => callOf(rail.rail, actAsSystem('test'), randomUUID());

beforeAll(async () => {
  await makeStory(rail.rail, { days: 5 });
});

interface Watched {
  readonly health: string;
  readonly days: readonly { readonly day: string; readonly health: string; readonly share: number | null }[];
}

interface ServiceHealth {
  readonly channels: readonly (Watched & { readonly channel: string })[];
  readonly agencyConnections: readonly (Watched & { readonly agencyKind: string })[];
  readonly incidents: readonly { readonly title: string; readonly open: boolean; readonly endedAt: string | null }[];
}

async function ask(): Promise<ServiceHealth> {
  const query = `{ serviceHealth { channels { channel health days { day health share } }
    agencyConnections { agencyKind health days { day health share } } incidents { title open endedAt } } }`;
  const { json } = await rail.ask('/graphql', { body: { query } });
  expect(json.errors).toBeUndefined();
  return json.data.serviceHealth as ServiceHealth;
}

describe('the health of the service', () => {
  it('is told of to everybody, with the day on which a channel and an agency fell out, and what was announced', async () => {
    const { channels, agencyConnections, incidents } = await ask();
    expect(channels.map(({ channel }) => channel).toSorted()).toEqual(['airtel_money', 'card', 'mtn_momo']);
    for (const { days } of [...channels, ...agencyConnections]) expect(days).toHaveLength(90);
    const troubled = (watched: Watched) => watched.days.filter(({ health }) => ['degraded', 'down'].includes(health));
    const airtel = channels.find(({ channel }) => channel === 'airtel_money')!;
    expect(troubled(airtel).length).toBeGreaterThan(0);
    expect(troubled(airtel)[0]!.share).toBeLessThan(0.85);
    expect(agencyConnections.filter((one) => troubled(one).length > 0)).toHaveLength(1);
    expect(agencyConnections.every(({ health }) => health === 'up')).toBe(true);
    expect(incidents.map((one) => one.open)).toEqual([true, false, false]);
    expect(JSON.stringify(incidents)).not.toContain('New fees of URSB');
  });

  it('is the same by the sums of days that are over, which are added up once', async () => {
    const before = await readChannelDays(open());
    expect(before.length).toBeGreaterThan(5);
    expect(await sumChannelDays(open())).toBeGreaterThan(0);
    expect(await readChannelDays(open())).toEqual(before);
    expect(await sumChannelDays(open())).toBe(0);
    // Days that are summed up are not read from payments again.
    await rail.rows(sql`update channel_day set answered = 0`);
    expect(await readChannelDays(open())).not.toEqual(before);
  });

  it('says nothing of fewer than five', () => {
    expect(healthOfChannel({ tries: 4, well: 0 })).toBe('unknown');
    expect(healthOfChannel({ tries: 10, well: 9 })).toBe('up');
    expect(healthOfChannel({ tries: 10, well: 8 })).toBe('degraded');
    expect(healthOfChannel({ tries: 10, well: 4 })).toBe('down');
    expect(healthOfConnection({ tries: 0, well: 0 })).toBe('unknown');
    expect(healthOfConnection({ tries: 2, well: 1 })).toBe('degraded');
    expect(healthOfConnection({ tries: 2, well: 0 })).toBe('down');
    expect(healthOfConnection({ tries: 288, well: 286 })).toBe('up');
    expect(healthOfConnection({ tries: 288, well: 280 })).toBe('degraded');
    expect(healthOfConnection({ tries: 288, well: 100 })).toBe('down');
  });

  it('has a page, which is sent once to whoever keeps it', async () => {
    const headers = { accept: 'text/html' };
    const first = await rail.ask('/status', { headers });
    expect(first.text).toContain('Airtel Money cannot be reached');
    expect(first.headers.get('cache-control')).toBe('public, no-cache');
    const again = await rail.ask('/status', { headers: { ...headers, 'if-none-match': first.headers.get('etag')! } });
    expect([again.status, again.text]).toEqual([304, '']);
  });
});
