import { join } from 'node:path';
import { writeCaptured } from '../mail/capture.ts';
import type { SmsGateway } from './gateway.ts';

/** Writes each text to a file, readable by this user alone: for a sandbox without a gateway. */
export function openCapturingGateway(dataDir: string): SmsGateway {
  return {
    name: 'capture',
    prefixes: ['+'],
    takesReplies: true,
    async send({ name, to, text }) {
      await writeCaptured(join(dataDir, 'sms'), 'txt', `To: ${to}\n\n${text}\n`);
      return { outcome: 'taken', id: name, cost: null };
    },
    // In the form that the first real gateway has, for who tries it.
    readReport: (fields) => {
      const id = fields.get('id');
      const outcome = ({ Success: 'delivered', Failed: 'failed' } as const)[fields.get('status') ?? ''] ?? null;
      return id === null ? null : { id, outcome, reason: null };
    },
    readText: (fields) => {
      const [from, text] = [fields.get('from'), fields.get('text')];
      return from === null || text === null ? null : { from, text };
    },
  };
}
