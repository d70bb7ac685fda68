import type { Audience } from '../documents.ts';
import type { Endpoint } from '../load.ts';

/** What somebody comes to the reference for, in the order in which it is shown. */
export type Task = 'pay' | 'lookUp' | 'listen' | 'account' | 'counter' | 'operate' | 'oversee';

const OF_AUDIENCE: Readonly<Record<Audience, Task>> = {
  collection: 'lookUp',
  counter: 'counter',
  identity: 'counter',
  accounts: 'account',
  console: 'operate',
  oversight: 'oversee',
};

/** Domains that serve another task than most of their audience. */
const OF_DOMAIN: Readonly<Record<string, Task>> = {
  assessments: 'pay',
  payments: 'pay',
  callbacks: 'listen',
  webhooks: 'listen',
};

/** What an endpoint is for. What operators see of webhooks is still theirs. */
export function taskOf({ audience, domain }: Pick<Endpoint, 'audience' | 'domain'>): Task {
  const own = audience === 'collection' || audience === 'accounts' ? OF_DOMAIN[domain] : undefined;
  return own ?? OF_AUDIENCE[audience];
}
