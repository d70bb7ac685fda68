import { describe, expect, it } from 'vitest';
import { createLog } from '../../src/kernel/log.ts';

/** The content of a log line, without its time. */
function log(line: object): unknown {
  const lines: string[] = [];
  const logger = createLog('info', { write: (text: string) => void lines.push(text) });
  logger.info(line, 'said');
  const { time: _time, level: _level, ...said } = JSON.parse(lines[0]!) as Record<string, unknown>;
  return said;
}

describe('a line of the log', () => {
  it('leaves out secrets and personal data, in itself and in its members', () => {
    const given = { email: 'jo@example.com', endpoint: 'GET /', caller: { nin: 'CM1', code: 'ACME', list: [1] } };
    expect(log(given)).toEqual({
      email: '[redacted]',
      endpoint: 'GET /',
      caller: { nin: '[redacted]', code: 'ACME', list: [1] },
      msg: 'said',
    });
    expect(given.caller.nin).toBe('CM1');
  });

  it('says of an error what it is and where, and not what else hangs on it', () => {
    const error = Object.assign(new TypeError('failed', { cause: new Error('why') }), {
      detail: 'jo@example.com',
      code: '23505',
    });
    expect(log({ err: error })).toEqual({
      err: {
        type: 'TypeError',
        message: 'failed',
        code: '23505',
        stack: expect.stringContaining('at '),
        cause: { type: 'Error', message: 'why', stack: expect.stringContaining('at ') },
      },
      msg: 'said',
    });
  });
});
