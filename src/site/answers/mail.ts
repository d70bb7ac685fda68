import type { GraphQLSchema } from 'graphql';
import { writeCsv } from '../../graphql/files/csv.ts';
import type { Mailed } from '../../oversight/views/send.ts';
import type { Call } from '../../platform/call/call.ts';
import type { FiguresLetter } from '../../platform/mail/letters.ts';
import { type Drawn, formatOf } from '../charts/chart.ts';
import { recordsOf } from '../charts/records.ts';
import { readPageFor } from './read-for.ts';

/** Rows of a table that a letter has; its file has them all. */
const MOST_ROWS = 15;

/**
 * Writes the figures of a page as mail: those that it begins with, or else its charts as tables; and its charts as
 * pictures and CSV.
 */
export function writeMailOf(schema: GraphQLSchema) {
  return async (call: Call, { name, address, language }: Mailed): Promise<FiguresLetter> => {
    const { page, texts, timeZone, charts } = await readPageFor(schema, call, address, language);
    const title = charts.title ?? texts.t(page.title);
    const drawn = charts.drawn.filter(({ series }) => series.length > 0);
    return {
      language,
      subject: texts.t('mail.subject', { title: name, day: texts.day(call.now(), timeZone) }),
      title,
      about: texts.t('mail.about', { at: texts.moment(call.now(), timeZone) }),
      figures: charts.sums.map(({ value, about }) => ({ value, about })),
      tables: charts.sums.length > 0 ? [] : drawn.map((chart) => tableOf(chart)),
      address,
      open: texts.t('mail.open'),
      why: texts.t('mail.why', { name, views: texts.t('views.title'), stop: texts.t('views.stop') }),
      attachments: (await Promise.all(drawn.map((chart) => attach(chart)))).flat(),
    };

    async function attach(chart: Drawn) {
      const { names, rows } = recordsOf(chart);
      const csv = { filename: `${chart.name}.csv`, contentType: 'text/csv', content: writeCsv(names, rows) };
      const picture = { filename: `${chart.name}.svg`, contentType: 'image/svg+xml' };
      return [{ ...picture, content: await charts.draw(chart) }, csv];
    }
  };
}

function tableOf(chart: Drawn): FiguresLetter['tables'][number] {
  const { names, rows } = recordsOf(chart);
  const show = formatOf(chart);
  return {
    title: chart.title,
    head: names,
    rows: rows
      .slice(-MOST_ROWS)
      .map((row) => row.map((cell) => (typeof cell === 'number' ? show(cell) : (cell ?? '–')))),
  };
}
