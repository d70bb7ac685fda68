import { expect } from 'vitest';
import { RailError, createClient } from '../../../clients/typescript/src/index.ts';
import type { Answer, Ask, TestRail } from '../../harness/rail.ts';

/** Asks as `rail.ask` does, through the client: what that makes of the answer has to be what the answer says. */
export async function askThroughClient(
  rail: TestRail,
  path: string,
  { method = 'GET', body, headers }: Ask,
): Promise<Answer> {
  const answers: Answer[] = [];
  const client = createClient({
    baseUrl: rail.origin,
    retries: 0,
    fetch: async (url, init) => {
      const asked = { ...init, headers: { ...(init.headers as Readonly<Record<string, string>>) } } as Ask;
      const answer = await rail.ask(url.slice(rail.origin.length), asked);
      answers.push(answer);
      return new Response(answer.text || null, answer);
    },
  });
  const [outcome] = await Promise.allSettled([client.request(method, path, { body, headers })]);
  const [answer] = answers;
  if (!answer) throw (outcome as PromiseRejectedResult).reason;
  const { status, json, data, code } = answer;
  if (status === 200 && json !== undefined)
    expect(outcome).toEqual({ status: 'fulfilled', value: data === undefined ? json : data });
  else {
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(RailError) });
    expect((outcome as PromiseRejectedResult).reason).toMatchObject({
      status,
      code: code ?? 'unexpected_answer',
      fields: json?.error?.details ?? [],
      requestId: answer.headers.get('x-request-id'),
    });
  }
  return answer;
}
