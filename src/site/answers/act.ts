import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Once,
  type StoredAnswer,
  beginOnce,
  findMeanwhile,
  fingerprintOf,
  getMeanwhile,
  isLostKey,
  keepAnswer,
  namePrincipal,
} from '../../platform/change/idempotency.ts';
import type { Call } from '../../platform/call/call.ts';
import { Refusal, refuseValue, rootOf } from '../../kernel/refusal.ts';
import type { Language } from '../languages/language.ts';
import type { ActionDocument } from '../operations/documents.ts';
import type { Answer, Operation } from '../operations/prepare.ts';
import { isOwnPath } from '../../kernel/text/own-path.ts';
import { HOME } from '../addresses.ts';
import { type Filled, readFields, requireFields } from '../operations/fields.ts';
import { say } from '../../kernel/text/said.ts';

/** A step of an action, which answers in the reader's language. */
type Step = Pick<Operation, 'namedBy'> & {
  readonly run: (call: Call, variables: Readonly<Record<string, unknown>>) => Promise<Answer>;
};

/** Longest wait of a form that was sent twice for the outcome of the first. */
const PATIENCE_MS = 8_000;
const LOOK_MS = 200;

/** Values known once a form is done, and the rail's answers among them. */
interface Done {
  /** Filled-in values, and the answers over them. */
  readonly known: Filled;
  readonly answered: Filled;
}

/**
 * Does what a form is sent for, and answers what is known then: what was filled in, what was answered, and the last
 * `answer` whole. Each step is known by the mark of its form: sent again, whether by a second click or after an answer
 * that was lost, it goes on where it was.
 */
export async function act(
  { path, steps, clears }: Pick<ActionDocument, 'path' | 'steps' | 'clears'>,
  call: Call,
  filled: Filled,
  mark: string | null,
  language: Language,
): Promise<Done> {
  let known: Filled = filled;
  let answered: Filled = {};
  let answer: Answer = {};
  for (const [index, step] of steps.entries()) {
    const variables = { ...blankIn(known, clears, step), ...readFields(step.fields, known) };
    requireFields(step.fields, variables);
    const spoken: Step = { namedBy: step.namedBy, run: (as, values) => step.run(as, values, language) };
    answer = await runOnce(spoken, call, variables, mark && `${mark}.${index}`, path);
    answered = { ...answered, ...membersOf(answer) };
    known = { ...filled, ...answered };
  }
  return { known: { ...known, answer }, answered };
}

/** Null for each variable that a form takes away by leaving its field blank. */
function blankIn(filled: Filled, clears: readonly string[], { fields }: Operation): Record<string, null> {
  const blank = clears.filter((name) => filled[name] === '' && fields.some((field) => field.name === name));
  return Object.fromEntries(blank.map((name) => [name, null]));
}

/** Refuses a form in which what is asked for twice is not the same both times. */
export function checkRepetition({ repeats }: Pick<ActionDocument, 'repeats'>, filled: Filled): void {
  if (repeats !== null && filled[repeats] !== filled['repeated'])
    throw refuseValue('repeated', say`must be the same as ${repeats}`);
}

/** Address that the browser goes to once a form is done. */
export function whereTo(to: string, known: Filled): string {
  return to.replace(/\{(\+?)(\w+)\}/g, (_whole, plus: string, name: string) =>
    plus ? addressOf(known[name]) : encodeURIComponent(textOf(known[name])),
  );
}

/** A value as an address has it: nothing, where there is none. */
const textOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

/** An address of this host that a form names; home where it names none. */
function addressOf(value: unknown): string {
  return isOwnPath(value) ? value : HOME;
}

/** The values that a step answered, however deep, by the names that its document gives them; lists as they are. */
function membersOf(answer: Answer): Filled {
  return Object.assign(
    {},
    ...Object.entries(answer).map(([name, value]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? membersOf(value as Answer)
        : { [name]: value },
    ),
  ) as Filled;
}

/** Runs a step, unless it was run for the same form; where it is being run, that is waited for. */
async function runOnce(
  step: Step,
  call: Call,
  variables: Readonly<Record<string, unknown>>,
  key: string | null,
  path: string,
): Promise<Answer> {
  const principal = nameSender(step, call, variables) ?? call.viewer.credential;
  if (key === null || principal === null) return step.run({ ...call, once: null }, variables);
  const fingerprint = fingerprintOf('POST', path, Buffer.from(JSON.stringify(printable(variables))));
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      const opened = await beginOnce(call, { principal, key, fingerprint });
      if ('stored' in opened) return answerOf(opened.stored);
      return await runFirst(step, call, variables, opened.once);
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error;
      await sleep(LOOK_MS);
    }
  }
}

/** Principal of a form that anybody may send; null if nothing names one. It stays theirs if it signed them in. */
function nameSender({ namedBy }: Step, { vault }: Call, variables: Readonly<Record<string, unknown>>) {
  const named = namedBy === null ? null : variables[namedBy];
  return typeof named === 'string' ? namePrincipal(vault, named) : null;
}

async function runFirst(
  step: Step,
  call: Call,
  variables: Readonly<Record<string, unknown>>,
  once: Once,
): Promise<Answer> {
  try {
    const answer = await step.run({ ...call, once }, variables);
    return answerOf(await keepAnswer(call, once, { httpStatus: 200, body: JSON.stringify(answer) }));
  } catch (error) {
    if (isLostKey(error)) return answerOf(await getMeanwhile(call, once));
    // Another one for the same form was faster: what this one was refused for is what that one did.
    const faster = rootOf(error) instanceof Refusal ? await findMeanwhile(call, once) : null;
    if (!faster) throw error;
    return answerOf(faster);
  }
}

/** Variables as far as they tell one request from another: of a file, its hash. */
function printable(variables: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(variables).map(([name, value]) => [
    name,
    Buffer.isBuffer(value) ? createHash('sha256').update(value).digest('hex') : value,
  ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

const answerOf = ({ body }: StoredAnswer) => JSON.parse(body) as Answer;

/** True if the same is being done at this moment. */
function isBusy(error: unknown): boolean {
  const refusal = rootOf(error);
  return (
    refusal instanceof Refusal &&
    (refusal.code === 'idempotency_in_progress' || refusal.details[0]?.code === 'being_initiated')
  );
}
