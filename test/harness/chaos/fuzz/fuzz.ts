import { expect } from 'vitest';
import { schema } from '../../../../src/app/schema.ts';
import { readDocuments } from '../../../../src/site/operations/documents.ts';
import type { Actor } from '../../flow.ts';
import { FormFuzzer } from './forms.ts';
import { Fuzzer, type Shot, targetsOf } from './requests.ts';
import type { Answer, TestRail } from '../../rail.ts';

/** Requests that would end the fuzzer's own credentials. */
const SPARED = /logout|:revoke|:rotate|:end|:suspend|login\/consume/;

/** Forms that would end the sessions of their senders, or change how they log in. */
const SPARED_FORMS = /sign-?out|logout|password|second-factor|passkeys|sessions|console\/staff|\/account/;

/** Failures that are another's, as the sandbox makes them up. */
const OUTSIDE = [502, 504];

interface Fuzzed {
  readonly seed: number;
  /** True if one more is to be sent after this many. */
  readonly more: (sent: number) => boolean;
  /** Requests under way at a time. */
  readonly hands: number;
}

/** Sends so many requests of a seed to a rail; answers everything that was no proper answer. */
export async function fuzz(
  rail: TestRail,
  who: Readonly<Record<'integrator' | 'staff', Pick<Actor, 'ask'>>>,
  { seed, more, hands }: Fuzzed,
  onAnswer: (shot: Shot, answer: Answer) => void = () => {},
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
    while (more(sent++)) {
      const { target, shot } = fuzzer.next();
      const asking = /^\/v1\/(work|ops)\//.test(target.path) ? who.staff : who.integrator;
      const mistake = await asking.ask(shot.path, shot).then(
        (answer) => {
          if (answer.status === 200) fuzzer.learn(answer);
          onAnswer(shot, answer);
          return mistakeIn(answer);
        },
        (error: unknown) => `broken off: ${String(error)}`,
      );
      if (mistake) found.push(`${mistake}: ${shown(shot)}`);
    }
  };
  await Promise.all(Array.from({ length: hands }, hand));
  return found;
}

/** The same of forms and pages, which everybody sends for whom a cookie is given, and nobody. */
export async function fuzzForms(
  rail: Pick<TestRail, 'ask' | 'origin'>,
  cookies: readonly string[],
  { seed, more, hands }: Fuzzed,
  onAnswer: (shot: Shot, answer: Answer) => void = () => {},
): Promise<string[]> {
  const { actions, pages } = readDocuments(schema);
  const fuzzer = new FormFuzzer(seed, { pages, actions: actions.filter(({ path }) => !SPARED_FORMS.test(path)) });
  const found: string[] = [];
  let sent = 0;
  const hand = async () => {
    while (more(sent++)) {
      const shot = fuzzer.next();
      const headers = { cookie: fuzzer.caller(['', ...cookies]), origin: rail.origin, ...shot.headers };
      const mistake = await rail.ask(shot.path, { ...shot, headers }).then(
        (answer) => {
          fuzzer.learn(answer.text);
          onAnswer(shot, answer);
          return mistakeOnPage(answer);
        },
        (error: unknown) => `broken off: ${String(error)}`,
      );
      if (mistake) found.push(`${mistake}: ${shown(shot)}`);
    }
  };
  await Promise.all(Array.from({ length: hands }, hand));
  return found;
}

function mistakeOnPage({ status, headers, text }: Answer): string | null {
  if (status >= 500 && !OUTSIDE.includes(status)) return `${status} ${text.slice(0, 200)}`;
  if (headers.get('x-request-id') === null) return `${status} without a request id`;
  const type = headers.get('content-type') ?? '';
  return status >= 400 && !type.startsWith('text/html') ? `${status} as ${type}` : null;
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
