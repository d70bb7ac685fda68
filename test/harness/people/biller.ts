import { createHmac, randomUUID } from 'node:crypto';
import type { Answer, TestRail } from '../rail.ts';

export interface Told {
  readonly event_id?: string;
  readonly reference: string;
  readonly amount: number;
  readonly currency?: string;
  readonly txn_id?: string;
  readonly paid_at?: string;
  readonly channel?: string;
}

/** A payment point as it speaks to the rail. */
export interface Point {
  readonly name: string;
  lookUp(reference: unknown): Promise<Answer>;
  /** What is left out is new: its event, its transaction, and that it was paid now. */
  pay(told: Told): Promise<Answer>;
  send(path: 'lookup' | 'payments', body: string | object, signature?: string | null): Promise<Answer>;
}

/** A payment point that signs with a secret; without one it is that of a sandbox, and signs nothing. */
export function makePoint(rail: TestRail, name = 'bank', secret: string | null = null): Point {
  const point: Point = {
    name,
    lookUp: (reference) => point.send('lookup', { reference }),
    pay: (told) =>
      point.send('payments', {
        event_id: randomUUID(),
        currency: 'UGX',
        txn_id: randomUUID(),
        paid_at: rail.rail.now().toISOString(),
        ...told,
      }),
    send(path, content, signature) {
      const body = typeof content === 'string' ? content : JSON.stringify(content);
      const own = secret && createHmac('sha256', secret).update(body).digest('hex');
      const shown = signature === undefined ? own : signature;
      return rail.ask(`/v1/billers/${name}/${path}`, { body, headers: shown ? { 'x-service-signature': shown } : {} });
    },
  };
  return point;
}
