import { builder, needs } from '../../graphql/builder.ts';
import { between } from '../../graphql/input/forms.ts';
import { shape } from '../../graphql/input/shapes.ts';
import {
  CHART_NAME,
  type EmbeddedChart,
  MOST_DAYS,
  MOST_EMBEDDED,
  addressOf,
  embedChart,
  getEmbedded,
  listEmbedded,
  removeEmbedded,
} from './embed.ts';
import { pageAddress, viewName } from './inputs.ts';

const EmbeddedChartType = builder.objectRef<EmbeddedChart>('EmbeddedChart').implement({
  description:
    'A chart of a page of figures with an address of its own, for other pages to embed. Everybody who has the address sees the chart as its owner may see it at the time.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The unique identifier: a UUID.' }),
    name: t.exposeString('name', { description: 'Name that its owner gave it, such as where it is embedded.' }),
    address: t.string({
      description: 'The URL of the picture: SVG, at most five minutes old.',
      resolve: (chart, _args, call) => addressOf(call, chart),
    }),
    page: t.exposeString('page', { description: 'The path and query of the page that has the chart.' }),
    chart: t.exposeString('chart', { description: 'The name of the chart on that page.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which it was embedded.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Time at which its address stops working.' }),
  }),
});

builder.queryField('embeddedCharts', (t) =>
  t.field({
    type: [EmbeddedChartType],
    description: 'The charts that the caller embeds in other pages and that have not expired, newest first. For staff.',
    ...needs('staff'),
    resolve: (_root, _args, call) => listEmbedded(call),
  }),
);

builder.mutationFields((t) => ({
  embedChart: t.field({
    type: EmbeddedChartType,
    description: `Gives a chart of a page of figures an address of its own, for other pages to embed; at most ${MOST_EMBEDDED} a person. The address shows the chart as the caller may see it at the time, and nothing once their account is switched off. For staff.`,
    ...needs('staff', { people: 'alone' }),
    args: {
      name: t.arg.string(viewName),
      page: t.arg.string(pageAddress),
      chart: t.arg.string({
        required: true,
        description: 'The name of the chart on that page, as `part` in the address of its SVG file.',
        ...shape({ pattern: CHART_NAME.source, examples: ['revenue'] }),
      }),
      days: t.arg.int({
        required: true,
        defaultValue: 90,
        description: `Number of days for which the address works, 1 to ${MOST_DAYS}. Default: 90.`,
        ...between(1, MOST_DAYS),
      }),
    },
    resolve: (_root, args, call) => embedChart(call, args),
    answerAgain: getEmbedded,
  }),
  removeEmbeddedChart: t.boolean({
    description:
      "Stops showing one of the caller's embedded charts: its address stops working, except for copies kept for up to five minutes. Answers true. `not_found` if the caller has no such chart. For staff.",
    ...needs('staff', { people: 'alone', missing: true }),
    args: { id: t.arg.id({ required: true, description: 'The ID of the embedded chart: a UUID.' }) },
    resolve: (_root, args, call) => removeEmbedded(call, args.id),
    answerAgain: () => true,
  }),
}));
