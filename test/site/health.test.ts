import { expect, it } from 'vitest';
import { overallHealth } from '../../src/site/records/health.ts';

const parts = (...health: ('up' | 'degraded' | 'down' | 'unknown')[]) => health.map((one) => ({ health: one }));
const incident = (severity: string, open = true) => ({ severity, open });

it.each([
  ['nothing is known of anything', [], [], 'unknown'],
  ['nothing is known of some', parts('unknown', 'up'), [], 'up'],
  ['one part is slow', parts('up', 'degraded'), [], 'degraded'],
  ['one part is down', parts('degraded', 'down', 'up'), [], 'down'],
  ['a warning is open', parts('up'), [incident('warning')], 'degraded'],
  ['something critical is open', parts('up', 'degraded'), [incident('warning'), incident('critical')], 'down'],
  ['a notice says something', parts('up'), [incident('info')], 'up'],
  ['all incidents are over', parts('up'), [incident('critical', false), incident('warning', false)], 'up'],
  ['a part is worse than what is open', parts('down'), [incident('warning')], 'down'],
] as const)('the service where %s', (_what, channels, incidents, overall) => {
  expect(overallHealth(channels, incidents)).toBe(overall);
});
