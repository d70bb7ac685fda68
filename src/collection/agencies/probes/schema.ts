import { builder } from '../../../graphql/builder.ts';
import { defineEnum } from '../../../graphql/enums.ts';
import { between } from '../../../graphql/input/forms.ts';
import type { AgencyAvailability } from '../find.ts';
import { AgencyEndpointType } from '../schema.ts';
import { PROBE_DAYS, type ProbeDay, listProbeDays } from './days.ts';
import { probedEvery } from './probing.ts';

const AgencyAvailabilityEnum = defineEnum<AgencyAvailability>(
  'AgencyAvailability',
  'Whether the agencies of a kind can be called.',
  {
    connected: 'They are connected, and called.',
    unavailable: 'They are connected, but left alone for a while after repeated failures.',
    stub: 'They are made up by a sandbox, which nobody has connected to any.',
    unconnected: 'They are not connected: calls are refused.',
  },
);

const ProbeDayType = builder.objectRef<ProbeDay>('AgencyEndpointDay').implement({
  description: 'How an endpoint of an agency answered probes on a day, those of operators among them.',
  fields: (t) => ({
    day: t.field({
      type: 'Date',
      description: 'The UTC day, `YYYY-MM-DD`.',
      resolve: ({ day }) => new Date(day),
    }),
    probes: t.exposeInt('probes', { description: 'How often it was called.' }),
    succeeded: t.exposeInt('succeeded', { description: 'How many of the calls it answered as it should (`ok`).' }),
    meanMs: t.exposeInt('meanMs', {
      nullable: true,
      description: 'How long an answer took on average, in milliseconds; null if none is known.',
    }),
    maxMs: t.exposeInt('maxMs', {
      nullable: true,
      description: 'How long the slowest answer took, in milliseconds; null if none is known.',
    }),
  }),
});

builder.objectFields(AgencyEndpointType, (t) => ({
  availability: t.field({
    type: AgencyAvailabilityEnum,
    description: 'Whether it can be called. `probeAgencyEndpoint` refuses what is `unconnected`.',
    resolve: ({ availability }) => availability,
  }),
  probeIntervalSeconds: t.int({
    nullable: true,
    description:
      'How often the rail probes it automatically, in seconds (`PROBE_SECONDS`); null if only operators do: it writes, is not connected, or probing is off.',
    resolve: (endpoint, _args, call) => probedEvery(call, endpoint),
  }),
  probeDays: t.field({
    type: [ProbeDayType],
    description: `How it answered on each of the last UTC days on which it was probed, including today, oldest first. Days are kept for ${PROBE_DAYS} days.`,
    args: {
      days: t.arg.int({
        required: true,
        defaultValue: 30,
        description: `The number of days, 1 to ${PROBE_DAYS}.`,
        ...between(1, PROBE_DAYS),
      }),
    },
    resolve: ({ name }, { days }, call) => listProbeDays(call, name, days),
  }),
}));
