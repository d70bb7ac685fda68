import { expect } from 'vitest';
import type { Actor } from '../flow.ts';
import { Fuzzer, type Shot, targetsOf } from './fuzz.ts';
import type { Answer, TestRail } from '../rail.ts';
import type { StaffActor } from '../people/staff.ts';

/** What would end the fuzzer's own credentials. */
const SPARED = /logout|:revoke|:rotate|:end|:suspend|login\/consume/;

/** Failures that are another's, as the sandbox makes them up. */
const OUTSIDE = [502, 504];

interface Fuzzed {
  readonly seed: number;
  readonly count: number;
  /** Requests under way at a time. */
  readonly hands: number;
}

/** Sends so many requests of a seed to a rail; answers everything that was no proper answer. */
export async function fuzz(
  rail: TestRail,
  who: { integrator: Actor; staff: StaffActor },
  { seed, count, hands }: Fuzzed,
): Promise<string[]> {
  const description = (await rail.ask('/v1/openapi.json')).json as Readonly<Record<string, unknown>>;
  const targets = targetsOf(description).filter(({ path }) => path.startsWith('/v1/') && !SPARED.test(path));
  expect(targets.length).toBeGreaterThan(80);
  const fuzzer = new Fuzzer(seed, targets);
  fuzzer.learn(await rail.ask('/v1/services?limit=50'));
  fuzzer.learn(await who.integrator.ask('/v1/citizens?limit=50'));
  const found: string[] = [];
  let sent = 0;
  const hand = async () => {
    while (sent++ < count) {
      const { target, shot } = fuzzer.next();
      const asking = /^\/v1\/(work|ops)\//.test(target.path) ? who.staff : who.integrator;
      const answer = await asking.ask(shot.path, { method: shot.method, headers: shot.headers, body: shot.body });
      if (answer.status === 200) fuzzer.learn(answer);
      const mistake = mistakeIn(answer);
      if (mistake) found.push(`${mistake}: ${shown(shot)}`);
    }
  };
  await Promise.all(Array.from({ length: hands }, hand));
  return found;
}

function mistakeIn({ status, headers, text, json }: Answer): string | null {
  if (status >= 500 && !OUTSIDE.includes(status)) return `${status} ${text.slice(0, 200)}`;
  if (headers.get('x-request-id') === null) return `${status} without a request id`;
  const type = headers.get('content-type') ?? '';
  if (status >= 400 && !/^application\/(problem\+)?json/.test(type)) return `${status} as ${type}`;
  const { code, message } = type.startsWith('application/problem')
    ? { code: json.code, message: json.detail }
    : (json?.error ?? {});
  if (status >= 400 && (typeof code !== 'string' || typeof message !== 'string'))
    return `${status} ${text.slice(0, 200)}`;
  return status >= 400 && text.length > 40_000 ? `${status} of ${text.length} characters` : null;
}

function shown({ method, path, headers, body }: Shot): string {
  return `${method} ${path.slice(0, 300)} ${JSON.stringify(headers)} ${String(body).slice(0, 300)}`;
}
