import { makeActor } from '../../../harness/flow.ts';
import { type Reply, ask, dataOf } from '../../run/ask.ts';
import type { Scenario } from '../../run/scenario.ts';

/** Each has a key at a time; an account has 20 at most. */
const HANDS = 6;

export const revocations: Scenario = {
  name: 'revocations',
  title: 'keys that are revoked while they are used, over two processes',
  promise:
    'No request that is sent after a revocation was answered is let in, by either process. Keys that were not revoked are.',
  unit: 'revocations',
  full: 10_000,
  floor: 100,
  share: 2,
  async run(context) {
    const place = await context.open();
    await place.start(2);
    const { origins } = place;
    const { key: manager } = await makeActor(place.rail);
    const use = (key: string) => Promise.all(origins.map((origin) => ask(`${origin}/v1/citizens?limit=1`, { key })));
    const statuses = (replies: readonly Reply[]) => replies.map(({ status }) => status).join(' and ');
    await context.spread(HANDS, async () => {
      const issue = { label: 'Torture', scopes: ['citizens.read'] };
      const issued = await ask(`${context.of(origins)}/v1/me/keys`, { key: manager, body: issue });
      const { key, plaintext } = dataOf(issued) as { key: { name: string }; plaintext: string };
      const before = await use(plaintext);
      context.hold(
        before.every(({ status }) => status === 200),
        () => `${key.name} is answered ${statuses(before)} before it is revoked`,
      );
      // Requests under way may be answered either way.
      const during = use(plaintext);
      const revoked = await ask(`${context.of(origins)}/v1/me/keys/${key.name}:revoke`, {
        key: manager,
        body: { reason: 'Torture' },
      });
      context.hold(revoked.status === 200, () => `${key.name} is not revoked: ${revoked.status} ${revoked.text}`);
      const after = await use(plaintext);
      context.lose(
        'let in after a revocation',
        after.filter(({ status }) => status !== 401).map(({ status, text }) => `${key.name}: ${status} ${text}`),
      );
      for (const { status } of await during) context.count(`${status} meanwhile`);
    });
  },
};
