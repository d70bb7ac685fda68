import { stopUnderLoad } from '../../../harness/chaos/stops.ts';
import type { Scenario } from '../../run/scenario.ts';

const RATE = 500;

export const stops: Scenario = {
  name: 'stops',
  title: `graceful stops at ${RATE} requests a second, behind a proxy that keeps its connections`,
  promise:
    'As many requests are sent as the machine answers, up to that rate. No request is dropped, none is answered otherwise than 200, and each write that was acknowledged is there.',
  unit: 'stops',
  full: 50,
  floor: 4,
  share: 2,
  async run(context) {
    const place = await context.open();
    const { answers, acknowledged, missing, stopMs, sent, seconds } = await stopUnderLoad(place.rail, {
      processes: 2,
      again: true,
      more: context.more,
      rate: RATE,
      drainSeconds: 2,
      random: context.random,
      env: place.environment,
    });
    for (const [status, count] of Object.entries(answers)) context.count(`answers ${status}`, count);
    context.count('requests a second', Math.round(sent / seconds));
    context.count('writes acknowledged', acknowledged);
    context.count('slowest stop, ms', Math.max(0, ...stopMs));
    const { 200: right = 0 } = answers;
    context.hold(right === sent, () => `${sent - right} of ${sent} requests were dropped or refused`);
    context.hold(missing === 0, () => `${missing} acknowledged writes are missing`);
  },
};
