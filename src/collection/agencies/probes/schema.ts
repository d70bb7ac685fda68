import { builder } from '../../../graphql/builder.ts';
import { defineEnum } from '../../../graphql/enums.ts';
import { between } from '../../../graphql/input/forms.ts';
import type { AgencyAvailability } from '../find.ts';
import { AgencyEndpointType } from '../schema.ts';
import { PROBE_DAYS, type ProbeDay, listProbeDays } from './days.ts';
import { probedEvery } from './probing.ts';

const AgencyAvailabilityEnum = defineEnum<AgencyAvailability>(
  'AgencyAvailability',
  'Availability of the agencies of a kind for calls.',
  {
    connected: 'They are connected, and called.',
    unavailable: 'They are connected, but left alone for a while after repeated failures.',
    stub: 'They are made up by a sandbox, which nobody has connected to any.',
    unconnected: 'They are not connected: calls are refused.',
  },
);

const ProbeDayType = builder.objectRef<ProbeDay>('AgencyEndpointDay').implement({
  description: "Results of the probes of an agency's endpoint on a day, those of operators among them.",
  fields: (t) => ({
    day: t.field({
      type: 'Date',
      description: 'The UTC day, `YYYY-MM-DD`.',
      resolve: ({ day }) => new Date(day),
    }),
    probes: t.exposeInt('probes', { description: 'Number of times it was called.' }),
    succeeded: t.exposeInt('succeeded', { description: 'Number of calls that it answered as it should (`ok`).' }),
    meanMs: t.exposeInt('meanMs', {
      nullable: true,
      description: 'Mean duration of an answer, in milliseconds; null if none is known.',
    }),
    maxMs: t.exposeInt('maxMs', {
      nullable: true,
      description: 'Duration of the slowest answer, in milliseconds; null if none is known.',
    }),
  }),
});

builder.objectFields(AgencyEndpointType, (t) => ({
  availability: t.expose('availability', {
    type: AgencyAvailabilityEnum,
    description: 'Availability of the agency for calls. `probeAgencyEndpoint` refuses what is `unconnected`.',
  }),
  probeIntervalSeconds: t.int({
    nullable: true,
    description:
      'Interval between automatic probes, in seconds (`PROBE_SECONDS`); null if only operators probe it: it writes, is not connected, or probing is off.',
    resolve: (endpoint, _args, call) => probedEvery(call, endpoint),
  }),
  probeDays: t.field({
    type: [ProbeDayType],
    description: `Results of probes on each of the last UTC days on which there were any, including today, oldest first. Days are kept for ${PROBE_DAYS} days.`,
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
