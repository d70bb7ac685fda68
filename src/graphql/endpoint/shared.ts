import type { ExecutionArgs, ExecutionResult } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import { type Call, sayAsOf } from '../../platform/call/call.ts';
import type { Viewer } from '../../platform/access/viewer.ts';
import { meters } from '../builder.ts';
import { readsOversightAlone } from './browser-keys.ts';

/** For how long an answer counts as fresh: with its viewers, and here for those who come after them. */
const FRESH_SECONDS = 15;

/** Most characters of remembered answers, as JSON. */
const MOST_CHARACTERS = 8 * 1_024 * 1_024;

/** Facts from the endpoint about a request whose answer others may get too, and that answer. */
export interface Shareable {
  /** True if its sender accepts an answer that was computed before. */
  readonly takesKnown: boolean;
  readonly request: Request;
  /** For how long its answer stays fresh; null where it is of the moment. */
  readonly shared: { freshSeconds: number | null };
}

interface Answered {
  readonly at: Date;
  readonly result: ExecutionResult;
  readonly asked: number;
  readonly asOf: Date | null;
  readonly characters: number;
}

/**
 * Computes once what several viewers of a dashboard ask by `GET` within a few seconds: reads of oversight alone, for
 * one credential with the same rights. The credential is looked up each time, and each request is counted and booked.
 */
export function sharedReads(): Plugin<Shareable> {
  const known = new LRUCache<string, Answered>({
    maxSize: MOST_CHARACTERS,
    sizeCalculation: ({ characters }, key) => characters + key.length,
  });
  const underway = new Map<string, Promise<Answered>>();
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const call = args.contextValue as unknown as Call & Shareable;
      const meter = meters.get(call);
      if (call.request.method !== 'GET' || !meter || !readsOversightAlone(args)) return;
      const key = keyOf(call, args);
      setExecuteFn(async (given) => {
        const sharing = call.takesKnown ? find(key, call.now()) : null;
        const before = sharing && (await sharing);
        if (before) {
          call.transport.meta.asOf = before.asOf;
          meter.asked = before.asked;
          call.shared.freshSeconds = FRESH_SECONDS - ageOf(before, call.now());
          return before.result;
        }
        const computing = compute(call, () => executeFn(given) as Promise<ExecutionResult>, meter);
        underway.set(key, computing);
        try {
          const answered = await computing;
          if (answered.result.errors) return answered.result;
          known.set(key, answered);
          call.shared.freshSeconds = FRESH_SECONDS;
          return answered.result;
        } finally {
          if (underway.get(key) === computing) underway.delete(key);
        }
      });
    },
  };

  /** Finds an answer that others get or wait for, at once, so that one of several simultaneous requests computes. */
  function find(key: string, now: Date): Promise<Answered | null> | null {
    const before = known.get(key);
    if (before && ageOf(before, now) < FRESH_SECONDS) return Promise.resolve(before);
    const sharing = underway.get(key);
    return sharing ? sharing.then(withoutErrors, () => null) : null;
  }
}

/** An answer without errors; others may have failed for a reason of their own, such as that they left. */
function withoutErrors(answered: Answered): Answered | null {
  return answered.result.errors ? null : answered;
}

function ageOf({ at }: Answered, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - at.getTime()) / 1_000));
}

async function compute(
  call: Call,
  execute: () => Promise<ExecutionResult>,
  meter: { readonly asked: number },
): Promise<Answered> {
  const result = await execute();
  const at = call.now();
  const asOf = sayAsOf(call)['As-Of'];
  const characters = JSON.stringify(result.data).length;
  return { at, result, asked: meter.asked, asOf: asOf === undefined ? null : new Date(asOf), characters };
}

function keyOf(call: Call, { operationName, variableValues }: ExecutionArgs): string {
  const { query } = (call as unknown as { readonly params: GraphQLParams }).params;
  return JSON.stringify([rightsOf(call.viewer), query, operationName, variableValues]);
}

/** Owner of the answers, and their rights when they were looked up. */
function rightsOf({ credential, scopes, roles, agencies }: Viewer) {
  return [credential, [...scopes].toSorted(), [...roles].toSorted(), agencies];
}
