import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, TestRail } from '../../harness/rail.ts';
import { findBroken } from '../../harness/chaos/invariants.ts';

/** Something that verbs meet at, made for them alone. */
export interface Meeting {
  /** Run at once. What is no answer is a verb that no request calls, such as a job. */
  readonly verbs: readonly (() => Promise<Answer | number>)[];
  /** Checks in addition to the invariants: by name, two values that must be equal. */
  readonly after?: (
    answers: readonly (Answer | number)[],
  ) => Promise<Readonly<Record<string, readonly [unknown, unknown]>>>;
}

/** Verbs that may meet, by what they are called: makes what they meet at. */
export type Pair = readonly [name: string, meet: () => Promise<Meeting>];

/** For how long a verb waits at most before it begins, in milliseconds: about as long as one takes among others. */
const MOST_APART_MS = 15;
/** Each verb succeeds at least once in this many meetings: one that is always refused meets nothing. */
const ENOUGH_TIMES = 100;

/** Has pairs of verbs meet so many times, several at once; answers what went wrong. */
export async function findMishaps(
  rail: TestRail,
  [, meet]: Pair,
  { times, atOnce, random }: { readonly times: number; readonly atOnce: number; readonly random: () => number },
): Promise<string[]> {
  const mishaps: string[] = [];
  const refused = new Set<number>();
  const succeeded = new Set<number>();
  for (let met = 0; met < times; met += atOnce) {
    const meetings = await Promise.all(Array.from({ length: Math.min(atOnce, times - met) }, () => meet()));
    const answers = await Promise.all(
      meetings.map(({ verbs }) => Promise.all(verbs.map((verb) => sleep(random() * MOST_APART_MS).then(verb)))),
    );
    for (const [verb, answer] of answers.flatMap((each) => [...each.entries()])) {
      const succeeds = typeof answer === 'number' || (answer.status === 200 && !answer.json.errors);
      (succeeds ? succeeded : refused).add(verb);
      if (typeof answer !== 'number' && answer.status >= 500) mishaps.push(`${answer.status} ${answer.text}`);
    }
    for (const [index, { after }] of meetings.entries())
      for (const [promise, [found, right]] of Object.entries((await after?.(answers[index]!)) ?? {}))
        if (JSON.stringify(found) !== JSON.stringify(right))
          mishaps.push(`${promise}: ${JSON.stringify(found)}, not ${JSON.stringify(right)}`);
  }
  if (times >= ENOUGH_TIMES)
    for (const verb of refused.difference(succeeded)) mishaps.push(`Verb ${verb + 1} never succeeded`);
  return [...mishaps, ...(await findBroken((query) => rail.query<unknown>(query)))];
}
