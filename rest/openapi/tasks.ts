import type { Audience } from '../documents.ts';
import type { Endpoint } from '../load.ts';

/** Task of a reader of the reference, in the order in which they are shown. */
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

/** Task that an endpoint serves. Operators' views of webhooks are still theirs. */
export function taskOf({ audience, domain }: Pick<Endpoint, 'audience' | 'domain'>): Task {
  const own = audience === 'collection' || audience === 'accounts' ? OF_DOMAIN[domain] : undefined;
  return own ?? OF_AUDIENCE[audience];
}
